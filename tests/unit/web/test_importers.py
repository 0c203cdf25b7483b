from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

from dragoman.errors import BadGraph, UsageError
from dragoman.web.importers import from_archives, from_edges, from_jsonl, import_graph


def line(url: str, language: str | None, *links: str, **more: object) -> str:
    return json.dumps({"url": url, "language": language, "links": links, **more})


def test_pages_and_the_urls_that_only_links_name_become_vertices() -> None:
    graph = from_jsonl(
        [
            line("http://a.th/", "th", "http://a.th/x/y.html", "http://B.com#top", "http://a.th/", text="sawasdee"),
            "",
            line("http://b.com/", None, "http://a.th/", "http://a.th/#again", length=300, seed=True),
        ]
    )
    assert graph.urls is not None
    assert [one.decode() for one in graph.urls] == ["http://a.th/", "http://a.th/x/y.html", "http://b.com/"]
    assert graph.links == 3
    assert graph.fetched.tolist() == [True, False, True]
    assert graph.language.tolist() == [0, -1, -1]
    assert graph.length.tolist() == [8, 0, 300]
    assert graph.server.tolist() == [0, 0, 1]
    assert graph.directory.tolist() == [0, 1, 2]
    assert graph.seeds.tolist() == [2]


@pytest.mark.parametrize(
    "bad",
    ["{", "[1]", '"text"', "{}", '{"url": 3}', '{"url": "http://a/", "links": [1]}', '{"url": "x", "language": 7}'],
)
def test_a_line_that_is_no_page_is_refused_with_its_number(bad: str) -> None:
    with pytest.raises(BadGraph, match="Line 2") as caught:
        from_jsonl([line("http://a.th/", "th"), bad])
    assert "\n" not in str(caught.value)


def test_a_page_given_twice_and_an_unknown_language_are_refused() -> None:
    with pytest.raises(BadGraph, match=r"Line 2.*twice"):
        from_jsonl([line("http://a.th/", "th"), line("http://a.th/#x", "th")])
    with pytest.raises(BadGraph, match=r"Line 1.*Unknown language"):
        from_jsonl([line("http://a.th/", "klingonese")])


def test_edge_lists_with_and_without_weights() -> None:
    lines = ["# hosts", "1996|a.uk|b.uk\t3", "1996|a.uk|b.uk\t1", "b.uk\tc.uk"]
    assert from_edges(lines).links == 2
    graph = from_edges(lines, weights=True)
    assert (len(graph), graph.links, graph.servers) == (3, 5, 3)
    with pytest.raises(BadGraph, match="Line 1"):
        from_edges(["only-one"])
    with pytest.raises(BadGraph, match="Line 1"):
        from_edges(["a\tb\tmany"], weights=True)
    assert len(from_edges([])) == 0


def archive(*records: tuple[str, str, bytes]) -> io.BytesIO:
    out = b""
    for kind, url, body in records:
        kinds = "application/http; msgtype=response" if kind == "response" else "application/json"
        head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Type: {kinds}\r\n"
        head += f"WARC-Record-ID: <urn:uuid:{len(out):036d}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
        out += f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body + b"\r\n\r\n"
    return io.BytesIO(out)


def test_archives_of_pages_and_of_extracted_links() -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html lang=de><p>Hallo <a href='/b'>Welt</a>"
    gone = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>weg"
    html = {"HTML-Metadata": {"Links": [{"path": "A@/href", "url": "http://a.de/"}, {"url": "#x"}, {}]}}
    wat = json.dumps({"Envelope": {"Payload-Metadata": {"HTTP-Response-Metadata": html}}}).encode()
    stream = archive(
        ("response", "http://a.de/", page),
        ("response", "http://a.de/", page),
        ("response", "http://a.de/gone", gone),
        ("metadata", "http://c.de/", wat),
        ("metadata", "http://d.de/", b"{"),
    )
    graph = from_archives([stream])
    assert graph.urls is not None
    assert [one.decode() for one in graph.urls] == ["http://a.de/", "http://a.de/b", "http://c.de/"]
    assert graph.languages == ("de",)
    assert graph.language.tolist() == [0, -1, -1]
    assert graph.targets.tolist() == [1, 0]


def test_files_are_known_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "web.jsonl.gz"
    path.write_bytes(gzip.compress(line("http://a.th/", "th").encode()))
    assert len(import_graph(path)) == 1
    (tmp_path / "web.xyz").write_text("")
    with pytest.raises(UsageError, match="known"):
        import_graph(tmp_path / "web.xyz")
    with pytest.raises(FileNotFoundError):
        import_graph(tmp_path / "no.tsv")
