"""Every kind of link leads a live crawl on: `<base href>`, frames, META refresh, hreflang, sitemaps, redirects."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from tests.live_crawls import catalogue, crawl
from tests.live_web import PORT, SmallWeb, sentences, serve

from dragoman.web.graph import Graph

HOME, OTHER, LONE = (f"http://{name}.test:{PORT}" for name in ("links", "other", "lone"))
HTML = {"Content-Type": "text/html; charset=utf-8"}
XML = {"Content-Type": "application/xml"}


def web() -> SmallWeb:
    """A site each of whose pages can be reached in one way only."""
    thai = "".join(f"<p>{one}</p>" for one in sentences("th")[:12])
    english = "".join(f"<p>{one}</p>" for one in sentences("en")[:12])
    pages = {
        f"{HOME}/": '<base href="/sub/"><a href="based.html">x</a><link rel=alternate hreflang=th href="/version">'
        '<iframe src="/frame"></iframe><a href="/moved">y</a><a href="/framed">z</a><a href="/slow">w</a>'
        '<a href="/plain-letters">v</a><a href="/style">u</a>',
        f"{HOME}/framed": '<frameset><frame src="/part"></frameset><noframes><a href="/beside">x</a></noframes>',
        f"{HOME}/beside": "",
        f"{HOME}/told": "",
        f"{HOME}/slow": '<meta http-equiv=refresh content="5; url=/fresh">',
        f"{HOME}/fresh": "",
        f"{HOME}/sub/based.html": "",
        f"{HOME}/version": "",
        f"{HOME}/frame": "",
        f"{HOME}/part": "",
        f"{HOME}/listed.html": "",
        f"{HOME}/listed-th.html": "",
        f"{HOME}/nofollow": f'<meta name=robots content=nofollow><a href="{HOME}/never">x</a>',
        f"{HOME}/never": "",
        f"{LONE}/": "",
        f"{LONE}/packed.html": "",
    }
    special = {url: (200, HTML, (text + thai).encode()) for url, text in pages.items()}
    special[f"{HOME}/frame"] = (200, {**HTML, "Refresh": "0; url=/told"}, thai.encode())
    special[f"{OTHER}/end"] = (200, HTML, english.encode())
    special[f"{HOME}/moved"] = (302, {"Location": f"{OTHER}/end"}, b"")
    special[f"{HOME}/plain-letters"] = (302, {"Location": "/café"}, b"")
    special[f"{HOME}/caf%C3%A9"] = (200, HTML, thai.encode())
    special[f"{HOME}/style"] = (200, {"Content-Type": "text/css"}, b"p { color: red }\n" * 40)
    listed = f'<urlset><url><loc>{HOME}/listed.html</loc><xhtml:link rel="alternate" hreflang="th" '
    listed += f'href="{HOME}/listed-th.html"/></url><url><loc>{HOME}/nofollow</loc></url></urlset>'
    special[f"{HOME}/map.xml"] = (200, XML, listed.encode())
    index = f"<sitemapindex><sitemap><loc>{LONE}/map.xml.gz</loc></sitemap></sitemapindex>"
    special[f"{LONE}/index.xml"] = (200, XML, index.encode())
    packed = f"<urlset><url><loc>{LONE}/packed.html</loc></url></urlset>"
    # The port is not known yet, so it is packed when it is: see `served`.
    special[f"{LONE}/map.xml.gz"] = (200, {"Content-Type": "application/octet-stream"}, packed.encode())
    robots = {
        "links.test": f"User-agent: *\nSitemap: {HOME}/map.xml\n".encode(),
        "lone.test": f"User-agent: *\nSitemap: {LONE}/index.xml\n".encode(),
    }
    return SmallWeb(Graph.of([[]], language=[0], languages=("th",), seeds=[0]), [f"{HOME}/"], special, set(), robots)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, object]]:
    """The rows of the catalogue by host and path."""
    folder = tmp_path_factory.mktemp("links")
    with serve(web()) as there:
        status, headers, body = there.special[next(url for url in there.special if url.endswith(".gz"))]
        there.special[next(url for url in there.special if url.endswith(".gz"))] = status, headers, gzip.compress(body)
        seeds = [url for url in there.special if url.endswith("/")]
        (folder / "seeds").write_text("\n".join(seeds))
        done = crawl(
            folder / "crawl", there, "--language", "th", "--allow-private", "--strategy", "conservative-server",
            "--concurrent", "1", "--seeds", str(folder / "seeds"), seeds=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    columns = catalogue(folder / "crawl")
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return {_short(str(row["url"])): row for row in rows} | {"folder": {"path": folder / "crawl"}}


def _short(url: str) -> str:
    host, _, path = url.partition("//")[2].partition("/")
    return f"{host.partition('.')[0]}/{path}"


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("an anchor, by the page's base", "links/sub/based.html"),
        ("a version in another language", "links/version"),
        ("a frame in the text", "links/frame"),
        ("a frame of a frameset", "links/part"),
        ("META refresh", "links/fresh"),
        ("the header Refresh", "links/told"),
        ("what is said beside frames", "links/beside"),
        ("a sitemap", "links/listed.html"),
        ("a version in a sitemap", "links/listed-th.html"),
        ("a packed sitemap of a list, after the last page of its server", "lone/packed.html"),
    ],
)
def test_pages_are_found_by(crawled: dict[str, dict[str, object]], kind: str, place: str) -> None:
    assert place in crawled, kind
    assert (crawled[place]["status"], crawled[place]["reason"], crawled[place]["language"]) == (200, None, "th")


def test_the_catalogue_says_in_which_script_a_page_is_written(crawled: dict[str, dict[str, object]]) -> None:
    assert crawled["links/version"]["script"] == "Thai"
    assert crawled["links/moved"]["script"] == "Latn"


def test_a_redirect_to_letters_beyond_ascii_leads_where_a_browser_goes(crawled: dict[str, dict[str, object]]) -> None:
    """Failed before: their bytes were read as Latin-1 and escaped once more."""
    row = crawled["links/plain-letters"]
    assert (_short(str(row["final_url"])), row["status"]) == ("links/caf%C3%A9", 200)


def test_a_style_sheet_is_no_page(crawled: dict[str, dict[str, object]]) -> None:
    """Failed before: it was a page in Manx."""
    assert (crawled["links/style"]["reason"], crawled["links/style"]["language"]) == ("no text", None)


def test_a_redirect_counts_for_the_server_where_it_ends(crawled: dict[str, dict[str, object]]) -> None:
    row = crawled["links/moved"]
    assert _short(str(row["final_url"])) == "other/end"
    assert str(row["server"]).startswith("other.test:")
    assert (row["language"], row["relevant"]) == ("en", False)


def test_links_of_pages_that_say_nofollow_are_not_followed(crawled: dict[str, dict[str, object]]) -> None:
    assert "links/nofollow" in crawled
    assert "links/never" not in crawled


def test_nothing_is_asked_for_twice(crawled: dict[str, dict[str, object]]) -> None:
    folder = crawled["folder"]["path"]
    assert isinstance(folder, Path)
    urls = catalogue(folder)["url"]
    assert len(urls) == len(set(urls))
