"""The Open Directory's dump and Common Crawl's columnar index, in files of the layout that they were published in."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from tests.made_urls import labelled_urls

from dragoman.cli.main import cli
from dragoman.errors import BadTable
from dragoman.tables.columnar_index import Sample, read_index
from dragoman.tables.labelled import read_labelled
from dragoman.tables.open_directory import language_of

HEAD = b"""<?xml version='1.0' encoding='UTF-8' ?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/"
     xmlns:d="http://purl.org/dc/elements/1.0/"
     xmlns="http://dmoz.org/rdf/">
  <!-- Generated at 2017-03-12 00:06:37 EST from DMOZ 2.0 -->
"""


def page(url: str, topic: str | None) -> bytes:
    tag = f"    <topic>{topic}</topic>\n" if topic else ""
    return (
        f'  <ExternalPage about="{url}">\n    <d:Title>Title &lt;topic&gt;</d:Title>\n'
        f"    <d:Description>About it.</d:Description>\n    <priority>1</priority>\n{tag}  </ExternalPage>\n"
    ).encode()


def topic(name: str, *urls: str) -> bytes:
    links = "".join(f'    <link r:resource="{url}"></link>\n' for url in urls)
    return f'  <Topic r:id="{name}">\n    <catid>1</catid>\n{links}  </Topic>\n'.encode()


def test_pages_of_a_dump_have_the_language_of_their_category(tmp_path: Path) -> None:
    path = tmp_path / "content.rdf.u8.gz"
    parts = [
        topic("Top/World/Deutsch/Kultur", "http://a.de/?x=1&amp;y=2"),
        page("http://a.de/?x=1&amp;y=2", "Top/World/Deutsch/Kultur"),
        page("http://b.cn/", "Top/World/Chinese_Simplified_GB/艺术"),
        b'  <ExternalPage about="http://c.fr/fran\xe7ais">\n    <topic>Top/World/Fran\xc3\xa7ais</topic>\n'
        b"  </ExternalPage>\n",
        page("http://d.com/", "Top/Arts/Music"),
        page("http://e.com/", "Top/Kids_and_Teens/International/Español/Ciencia"),
        page("http://f.com/", "Top/World"),
        page("http://g.com/", "Top/World/Nonesuch/Deutsch"),
        b'  <ExternalPage about="http://cut.com/\n',
        topic("Top/World/Italiano"),
        page("http://old.it/", None),
    ]
    path.write_bytes(gzip.compress(HEAD + b"".join(parts) + b"</RDF>\n"))
    found = read_labelled(path)
    assert list(zip(found.urls.to_pylist(), found.languages, strict=True)) == [
        ("http://a.de/?x=1&y=2", "de"),
        ("http://b.cn/", "zh"),
        ("http://c.fr/fran%E7ais", "fr"),
        ("http://d.com/", "en"),
        ("http://e.com/", "es"),
        ("http://old.it/", "it"),
    ]
    assert len(read_labelled(path, limit=2)) == 2


def test_names_of_categories_are_names_of_languages() -> None:
    names = {"Česky": "cs", "Tiếng_Việt": "vi", "Norsk": "no", "Bahasa_Indonesia": "id", "Slovensko": "sl"}
    assert {name: language_of(f"Top/World/{name}/x") for name in names} == names
    assert language_of("Bookmarks/a") is None


@pytest.mark.parametrize("content", [b"", HEAD, b"\x1f\x8bgarbage", b"x" * 3_000_000])
def test_a_file_that_is_no_dump_is_told_in_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "content.rdf.u8"
    path.write_bytes(content)
    with pytest.raises(BadTable) as error:
        read_labelled(path)
    assert "\n" not in str(error.value)


def test_a_model_is_trained_from_a_dump(tmp_path: Path) -> None:
    made = labelled_urls(("de", "fr"))
    named = {"de": "Top/World/Deutsch", "fr": "Top/World/Français"}
    parts = [page(url.replace("&", "&amp;"), named[tag]) for url, tag in zip(made.urls, made.labels, strict=True)]
    (tmp_path / "content.rdf.u8.gz").write_bytes(gzip.compress(HEAD + b"".join(parts) + b"</RDF>\n"))
    command = ["train", str(tmp_path / "content.rdf.u8.gz"), "-o", str(tmp_path / "m"), "--algorithm", "naive-bayes"]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    assert "2 languages" in done.output


def index(rows: Sequence[tuple[str, str, str | None, int]]) -> Any:
    """A table as the index has it, from (URL, site, languages, status)."""
    schema = pa.schema(
        [
            ("url_surtkey", pa.string()),
            ("url", pa.string()),
            ("url_host_name", pa.string()),
            ("url_host_tld", pa.string()),
            ("url_host_registered_domain", pa.string()),
            ("url_protocol", pa.string()),
            ("url_port", pa.int32()),
            ("url_path", pa.string()),
            ("url_query", pa.string()),
            ("fetch_time", pa.timestamp("ms")),
            ("fetch_status", pa.int16()),
            ("content_digest", pa.string()),
            ("content_mime_type", pa.string()),
            ("content_charset", pa.string()),
            ("content_languages", pa.string()),
            ("warc_filename", pa.string()),
            ("warc_record_offset", pa.int32()),
            ("warc_record_length", pa.int32()),
            ("warc_segment", pa.string()),
        ]
    )
    base = dict.fromkeys(schema.names)
    time = datetime(2024, 3, 1, tzinfo=UTC).replace(tzinfo=None)
    told = ("url", "url_host_registered_domain", "content_languages", "fetch_status")
    return pa.Table.from_pylist(
        [{**base, "fetch_time": time, **dict(zip(told, row, strict=True))} for row in rows], schema
    )


def rows_of(number: int) -> list[tuple[str, str, str | None, int]]:
    rows: list[tuple[str, str, str | None, int]] = [
        (f"http://big.de/{number}/{i}", "big.de", "deu,eng", 200) for i in range(50)
    ]
    rows += [(f"http://s{number}-{i}.fr/", f"s{number}-{i}.fr", "fra", 200) for i in range(30)]
    rows += [("http://gone.de/", "gone.de", "deu", 404), ("http://none.de/", "none.de", None, 200)]
    return rows


def test_the_index_is_sampled_by_site_and_by_language_and_the_seed_decides(tmp_path: Path) -> None:
    folder = tmp_path / "crawl=CC-MAIN-2024-10" / "subset=warc"
    folder.mkdir(parents=True)
    for number in range(3):
        pq.write_table(index(rows_of(number)), folder / f"part-0000{number}.gz.parquet", compression="gzip")
    found = read_index(str(tmp_path), Sample(per_language=40, per_site=7, seed=1))
    assert Counter(found["lang"].to_pylist()) == {"deu": 7, "fra": 40}
    assert {url.split("/")[3] for url in found["url"].to_pylist() if "big" in url} <= {"0", "1", "2"}
    again = read_index(str(tmp_path / "crawl=*" / "*" / "*.parquet"), Sample(per_language=40, per_site=7, seed=1))
    assert again.equals(found)
    assert not read_index(str(tmp_path), Sample(per_language=40, per_site=7, seed=2)).equals(found)
    labelled = read_labelled(folder / "part-00000.gz.parquet")
    assert Counter(labelled.languages) == {"de": 30, "fr": 30}
    assert labelled.sites is not None
    assert set(labelled.sites[labelled.languages == "de"]) == {"big.de"}


def test_thinning_while_rows_stream_by_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"http://s{i % 9}.de/{i}", f"s{i % 9}.de", ("deu", "eng")[i % 2], 200) for i in range(3000)]
    pq.write_table(index(rows), tmp_path / "a.parquet")
    whole = read_index(str(tmp_path / "a.parquet"), Sample(per_language=20, per_site=5))
    monkeypatch.setattr("dragoman.tables.columnar_index.ROWS", 64)
    monkeypatch.setattr("dragoman.tables.columnar_index.WAITING", 100)
    assert read_index(str(tmp_path / "a.parquet"), Sample(per_language=20, per_site=5)).equals(whole)


def test_remote_files_are_read_through_fsspec() -> None:
    system = fsspec.filesystem("memory")
    for number in range(2):
        with system.open(f"/cc/part-{number}.parquet", "wb") as stream:
            pq.write_table(index(rows_of(number)), stream)
    for name in ("memory://cc", "memory://cc/*.parquet"):
        found = read_labelled(name, sample=Sample(per_site=5))
        assert Counter(found.languages) == {"de": 5, "fr": 60}
    with pytest.raises(BadTable, match=r"No Parquet files|No such file"):
        read_labelled("memory://nothing/*.parquet")
    with pytest.raises(BadTable, match="Cannot read"):
        read_labelled("gibberish://cc")


def test_a_folder_of_other_files_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="No Parquet files"):
        read_labelled(tmp_path)
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    with pytest.raises(BadTable, match="no columns 'url'"):
        read_labelled(tmp_path)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(BadTable):
        read_labelled(tmp_path)
