"""What authors and servers ask for is done: nofollow, noindex, X-Robots-Tag, canonical links; the archive has it."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from tests.live_crawls import catalogue, crawl, records
from tests.live_web import PORT, SmallWeb, sentences, serve
from warcio.archiveiterator import ArchiveIterator

from dragoman.web.graph import Graph

HOME = f"http://manners.test:{PORT}"
HTML = {"Content-Type": "text/html; charset=utf-8"}


def test_pages_that_are_visited_again_and_did_not_change_are_kept_once(tmp_path: Path) -> None:
    thai = "".join(f"<p>{one}</p>" for one in sentences("th")[:12])
    pages = {
        "/": '<a href="/marked">x</a><a href="/same">x</a><a href="/new">x</a>',
        "/marked": "",
        "/same": "",
        "/new": "",
    }
    special = {f"{HOME}{path}": (200, dict(HTML), (text + thai).encode()) for path, text in pages.items()}
    special[f"{HOME}/marked"][1]["ETag"] = '"1"'
    graph = Graph.of([[]], language=[0], languages=("th",), seeds=[0])
    first, second = tmp_path / "first", tmp_path / "second"
    with serve(SmallWeb(graph, [f"{HOME}/"], special)) as there:
        assert crawl(first, there, "--language", "th", "--allow-private").returncode == 0
        new = next(url for url in there.special if url.endswith("/new"))
        there.special[new] = (200, dict(HTML), (thai + thai).encode())
        again = ("--language", "th", "--allow-private", "--earlier", str(first), "--revisit")
        done = crawl(second, there, *again, seeds=False)
        assert done.returncode == 0, done.stderr
    kinds = {url.rpartition("/")[2]: kind for kind, url in records(second) if kind != "request"}
    assert {name: kinds[name] for name in ("marked", "same", "new")} == {
        "marked": "revisit", "same": "revisit", "new": "response",
    }  # fmt: skip
    rows = catalogue(second)
    statuses = {url.rpartition("/")[2]: status for url, status in zip(rows["url"], rows["status"], strict=True)}
    assert statuses["marked"] == 304
    assert all(rows["relevant"])
    assert sorted(set(rows["digest"]) & set(catalogue(first)["digest"])) == sorted(
        set(rows["digest"]) - {rows["digest"][rows["url"].index(new)]}
    )


def web() -> SmallWeb:
    thai = "".join(f"<p>{one}</p>" for one in sentences("th")[:12])
    pages = {
        "/": '<a rel=nofollow href="/never">x</a><a href="/header">x</a><a href="/hidden">x</a><a href="/a.pdf">x</a>'
        '<a href="/page?print=1&amp;utm_source=us">x</a><a href="/page?utm_medium=mail">x</a>'
        '<a href="/p;jsessionid=8F?PHPSESSID=12">x</a><link rel=alternate type="application/rss+xml" href="/news.rss">',
        "/header": '<a href="/never">x</a>',
        "/hidden": '<meta name=robots content="noindex"><a href="/behind">x</a>',
        "/behind": "",
        "/page": "",
        "/page?print=1": '<link rel="canonical" href="/page">',
        "/p": "",
        "/never": "",
        "/fed": "",
    }
    special = {f"{HOME}{path}": (200, dict(HTML), (text + thai).encode()) for path, text in pages.items()}
    special[f"{HOME}/header"][1]["X-Robots-Tag"] = "otherbot: noindex, dragoman: nofollow"
    feed = f"<rss><channel><item><link>{HOME}/fed</link></item></channel></rss>"
    special[f"{HOME}/news.rss"] = (200, {"Content-Type": "application/rss+xml"}, feed.encode())
    graph = Graph.of([[]], language=[0], languages=("th",), seeds=[0])
    return SmallWeb(graph, [f"{HOME}/"], special, set(), {"manners.test": b"User-agent: *\nDisallow: /x\n"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl of it, one page at a time."""
    where = tmp_path_factory.mktemp("manners") / "crawl"
    with serve(web()) as there:
        done = crawl(where, there, "--language", "th,lo", "--allow-private", "--concurrent", "1")
    assert done.returncode == 0, done.stderr
    return where


@pytest.fixture(scope="module")
def reasons(folder: Path) -> dict[str, str | None]:
    """Why each path is no page, or None."""
    rows = catalogue(folder)
    return {"/" + url.split("/", 3)[3]: why for url, why in zip(rows["url"], rows["reason"], strict=True)}


def test_links_that_authors_ask_not_to_follow_are_not_followed(reasons: dict[str, str | None]) -> None:
    assert "/never" not in reasons
    assert reasons["/header"] is None


def test_a_page_that_asks_not_to_be_kept_is_a_row_without_a_body_and_its_links_count(
    folder: Path, reasons: dict[str, str | None]
) -> None:
    assert reasons["/hidden"] == "page asks not to be kept (noindex)"
    assert reasons["/behind"] is None
    bodies = {}
    for path in (folder / "warc").glob("*.warc.gz"):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type == "response":
                    bodies[record.rec_headers.get_header("WARC-Target-URI")] = record.content_stream().read()
    assert [len(body) for url, body in bodies.items() if url.endswith("/hidden")] == [0]
    assert min(len(body) for url, body in bodies.items() if url.endswith(("/behind", "/page"))) > 100


def test_pages_are_asked_for_once_whatever_names_sessions_campaigns_and_copies(reasons: dict[str, str | None]) -> None:
    assert {"/page", "/page?print=1", "/p"} < set(reasons)
    assert sorted(str(reasons[path]) for path in ("/page", "/page?print=1")) in (
        ["None", "copy of a page that is there already, by its canonical link"],
        ["None", "fetched already, as the end of a redirect"],
    )
    assert not [path for path in reasons if "utm_" in path or "sess" in path.lower()]


def test_files_that_are_no_pages_are_not_asked_for_and_feeds_are_read(reasons: dict[str, str | None]) -> None:
    assert "/a.pdf" not in reasons
    assert reasons["/fed"] is None


def test_the_archive_has_the_rules_that_were_obeyed_and_what_was_asked_for(folder: Path) -> None:
    kinds = [kind for kind, url in records(folder, robots=True) if url.endswith("/robots.txt")]
    assert kinds == ["response", "request"]
    path = next((folder / "warc").glob("*.warc.gz"))
    with path.open("rb") as file:
        asked = [record.http_headers for record in ArchiveIterator(file) if record.rec_type == "request"]
    assert {str(one.get_header("Accept-Language")) for one in asked} == {"th, lo;q=0.9, *;q=0.1"}


class SecureWeb(BaseHTTPRequestHandler):
    """Answers everything with a page in Thai."""

    def do_GET(self) -> None:
        body = "".join(f"<p>{one}</p>" for one in sentences("th")[:12]).encode()
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[str]:
    """A page over https whose certificate is somebody else's."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "else.test")]), datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    pem = Encoding.PEM
    (tmp_path / "pem").write_bytes(
        key.private_bytes(pem, PrivateFormat.PKCS8, NoEncryption()) + certificate.public_bytes(pem)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "pem")
    with ThreadingHTTPServer(("127.0.0.1", 0), SecureWeb) as server:
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"https://secure.test:{server.server_address[1]}/"
        server.shutdown()


def test_a_certificate_of_somebody_else_is_refused_in_one_line_unless_it_is_allowed(
    tmp_path: Path, secure: str
) -> None:
    """Each such host once left six tracebacks on the screen."""
    (tmp_path / "seeds").write_text(secure)
    usual = ("--language", "th", "--allow-private", "--seeds", str(tmp_path / "seeds"))
    done = crawl(tmp_path / "refused", web(), *usual, seeds=False)
    assert done.stderr == "dragoman: None of the seeds gave a page: certificate is not valid (1)\n"
    assert catalogue(tmp_path / "refused")["reason"] == ["certificate is not valid"]
    done = crawl(tmp_path / "allowed", web(), *usual, "--allow-bad-certificates", seeds=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert catalogue(tmp_path / "allowed")["language"] == ["th"]


def test_a_server_that_is_slow_to_see_a_request_never_sees_the_next_one_before_the_delay_is_over(
    tmp_path: Path,
) -> None:
    thai = "".join(f"<p>{one}</p>" for one in sentences("th")[:12])
    pages = {"/": '<a href="/moved">x</a><a href="/dropped">x</a>', "/end": "", "/dropped": "", "/listed": ""}
    special = {f"{HOME}{path}": (200, dict(HTML), (text + thai).encode()) for path, text in pages.items()}
    special[f"{HOME}/moved"] = (302, {"Location": f"{HOME}/end"}, b"")
    listed = f"<urlset><url><loc>{HOME}/listed</loc></url></urlset>"
    special[f"{HOME}/sitemap.xml"] = (200, {"Content-Type": "application/xml"}, listed.encode())
    graph = Graph.of([[]], language=[0], languages=("th",), seeds=[0])
    rules = f"User-agent: *\nSitemap: {HOME}/sitemap.xml\n".encode()
    asked: list[tuple[str, float]] = []

    def see(host: str, path: str) -> None:
        if len(asked) % 2 == 0:
            time.sleep(0.1)
        asked.append((path, time.monotonic()))
        if path == "/dropped" and sum(path == "/dropped" for path, _ in asked) == 1:
            raise ConnectionAbortedError("closes the connection without an answer")

    there = SmallWeb(graph, [f"{HOME}/"], special, set(), {"manners.test": rules}, seen=see)
    with serve(there) as web:
        done = crawl(tmp_path / "crawl", web, "--language", "th", "--allow-private", "--delay", "0.15")
    assert done.returncode == 0, done.stderr
    expected = ["/", "/dropped", "/dropped", "/end", "/listed", "/moved", "/robots.txt", "/sitemap.xml"]
    assert sorted(path for path, _ in asked) == expected
    gaps = {f"{first} {second}": after - before for (first, before), (second, after) in pairwise(asked)}
    assert min(gaps.values()) >= 0.15, gaps
