"""The Open Directory's dump and Common Crawl's columnar index, in files of the layout that they were published in."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import random
from typing import Any

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from tests.made_index import Capture, index_table, part_name, write_part
from tests.made_urls import labelled_urls

from dragoman.cli.main import cli
from dragoman.errors import BadTable
from dragoman.identifiers import model_file as store
from dragoman.tables.labelled.columnar_index import Sample, read_index
from dragoman.tables.labelled.open_directory import language_of
from dragoman.tables.labelled.reading import read_labelled

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


def captures(number: int) -> list[Capture]:
    rows: list[Capture] = [(f"http://www.big.de/{number}/{i}", "deu,eng", 200) for i in range(50)]
    rows += [(f"http://www.s{number}-{i}.fr/", "fra", 200) for i in range(30)]
    rows += [("http://gone.de/", "deu", 404), ("http://none.de/", None, 200), (None, "deu", 200)]
    return rows


def index(number: int) -> Any:
    return index_table(captures(number))


def test_the_index_is_sampled_by_site_and_by_language_and_the_seed_decides(tmp_path: Path) -> None:
    parts = [str(write_part(index(number), tmp_path, number)) for number in range(3)]
    (tmp_path / "_temporary").mkdir()
    (tmp_path / "_temporary" / "part-00007.parquet").write_bytes(b"PAR1")  # Spark was stopped while it wrote
    (tmp_path / "folder.parquet").mkdir()
    found = read_index(str(tmp_path), Sample(per_language=40, per_site=7, seed=1))
    assert Counter(found["lang"].to_pylist()) == {"deu": 7, "fra": 40}
    assert {url.split("/")[3] for url in found["url"].to_pylist() if "big" in url} <= {"0", "1", "2"}
    again = read_index(str(tmp_path / "crawl=*" / "*" / "*.parquet"), Sample(per_language=40, per_site=7, seed=1))
    assert again.equals(found)
    assert read_index(parts, Sample(per_language=40, per_site=7, seed=1)).equals(found)
    assert not read_index(str(tmp_path), Sample(per_language=40, per_site=7, seed=2)).equals(found)
    labelled = read_labelled(parts[0])
    assert Counter(labelled.languages) == {"de": 30, "fr": 30}
    assert labelled.sites is not None
    assert set(labelled.sites[labelled.languages == "de"]) == {"big.de"}


def test_thinning_while_rows_stream_by_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(f"http://s{i % 9}.de/{i}", ("deu", "eng")[i % 2], 200) for i in range(3000)]
    pq.write_table(index_table(rows), tmp_path / "a.parquet")
    whole = read_index(str(tmp_path / "a.parquet"), Sample(per_language=20, per_site=5))
    monkeypatch.setattr("dragoman.tables.labelled.columnar_index.ROWS", 64)
    monkeypatch.setattr("dragoman.tables.labelled.columnar_index.WAITING", 100)
    assert read_index(str(tmp_path / "a.parquet"), Sample(per_language=20, per_site=5)).equals(whole)


@pytest.fixture
def memory() -> Iterator[Any]:
    """A file system that is not this one's: fsspec's, which lives in memory."""
    system = fsspec.filesystem("memory")
    yield system
    system.rm("/cc", recursive=True)


def test_remote_files_are_read_through_fsspec(memory: Any) -> None:
    for number in range(2):
        with memory.open(f"/cc/{part_name(number)}", "wb") as stream:
            pq.write_table(index(number), stream)
    memory.pipe("/cc/_temporary/part-00007.parquet", b"PAR1")
    memory.pipe("/cc/_SUCCESS", b"")
    for name in ("memory://cc", "memory://cc/crawl=*/subset=warc/*.parquet"):
        found = read_labelled(name, sample=Sample(per_site=5))
        assert Counter(found.languages) == {"de": 5, "fr": 60}
    with pytest.raises(BadTable, match=r"No Parquet files|No such file"):
        read_labelled("memory://nothing/*.parquet")
    with pytest.raises(BadTable, match=r"No such file: 'memory:///?cc/none.parquet'"):
        read_labelled("memory://cc/none.parquet")
    with pytest.raises(BadTable, match="Cannot read"):
        read_labelled("gibberish://cc")


def test_what_a_remote_file_system_raises_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class NoCredentials(Exception):
        pass

    def refuse(*_: object, **__: object) -> None:
        raise NoCredentials("Unable to locate\ncredentials")

    monkeypatch.setattr(fsspec.get_filesystem_class("memory"), "isdir", refuse)
    with pytest.raises(BadTable, match=r"^Cannot read 'memory://cc': Unable to locate credentials$"):
        read_labelled("memory://cc")


def test_a_folder_of_other_files_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match="No Parquet files"):
        read_labelled(tmp_path)
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    with pytest.raises(BadTable, match="no columns 'url'"):
        read_labelled(tmp_path)
    pq.write_table(pa.table({"url": [1], "content_languages": ["deu"]}), tmp_path / "a.parquet")
    with pytest.raises(BadTable, match="column 'url' holds int64, not text"):
        read_labelled(tmp_path)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    with pytest.raises(BadTable):
        read_labelled(tmp_path)


def train(*arguments: str | Path) -> Any:
    return CliRunner().invoke(cli, ["train", *map(str, arguments), "--algorithm", "naive-bayes"])


def test_a_model_is_trained_from_several_files_of_the_index_here_or_far_away(tmp_path: Path, memory: Any) -> None:
    made = labelled_urls(("de", "fr"))
    codes = {"de": "deu,eng", "fr": "fra"}
    rows: list[Capture] = [(url, codes[tag], 200) for url, tag in zip(made.urls, made.labels, strict=True)]
    parts = [write_part(index_table(rows[number::2]), tmp_path / "index", number) for number in range(2)]
    for number, part in enumerate(parts):
        memory.pipe(f"/cc/{part_name(number)}", part.read_bytes())
    ways: list[list[Any]] = [parts, [tmp_path / "index"], ["memory://cc"], ["memory://cc/*/*/*.parquet"]]
    for number, given in enumerate(ways):
        done = train(*given, "-o", tmp_path / f"m{number}")
        assert done.exit_code == 0, done.output
        assert f"2 languages, {len(rows)} URLs" in done.output
    assert len({(tmp_path / f"m{number}").read_bytes() for number in range(4)}) == 1
    few = train(tmp_path / "index", "-o", tmp_path / "few", "--per-language", "20", "--cap", "2")
    assert few.exit_code == 0, few.output
    assert store.load(tmp_path / "few").notes_["rows"] <= 40


@pytest.mark.parametrize("name", ["content.rdf.u8.gz", "urls.csv.gz", "urls.tsv.gz", "urls.jsonl.gz", "index.parquet"])
def test_a_file_that_is_cut_off_or_altered_is_one_line_and_no_model(tmp_path: Path, name: str) -> None:
    rows = [(f"http://www.s{random()}.de/{random()}", "deu", 200) for _ in range(2000)]
    lines = {
        "content.rdf.u8.gz": [HEAD, *(page(url, "Top/World/Deutsch") for url, _, _ in rows)],
        "urls.csv.gz": [b"url,lang\n", *(f"{url},de\n".encode() for url, _, _ in rows)],
        "urls.tsv.gz": [b"url\tlang\n", *(f"{url}\tde\n".encode() for url, _, _ in rows)],
        "urls.jsonl.gz": [f'{{"url": "{url}", "lang": "de"}}\n'.encode() for url, _, _ in rows],
    }
    path = tmp_path / name
    if name in lines:
        path.write_bytes(gzip.compress(b"".join(lines[name])))
        middle = path.stat().st_size // 2
    else:
        pq.write_table(index_table(rows), path, compression="gzip", use_dictionary=False)
        middle = pq.read_metadata(path).row_group(0).column(1).data_page_offset + 1000  # among the URLs
    whole = path.read_bytes()
    for content in (whole[:middle], whole[: middle - 500] + bytes(1000) + whole[middle + 500 :]):
        path.write_bytes(content)
        done = train(path, "-o", tmp_path / "m")
        assert done.exit_code == 1
        assert done.stderr.count("\n") == 1, done.stderr
        assert name in done.stderr
        assert not (tmp_path / "m").exists()
