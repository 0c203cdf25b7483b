"""What comes before a crawl and after it, on Spark: sites and seeds, merged catalogues, waiting URLs scored anew."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.live_crawls import catalogue, pages
from tests.live_crawls import crawl as crawl_web
from tests.live_web import serve, small_web
from tests.made_archives import answer, packed, record, text
from tests.made_index import index_table, write_part
from tests.spark_session import need_spark, spark_session

from dragoman.cli.crawl import _arguments, crawl
from dragoman.crawl.live.driver.scoring import UrlScorer
from dragoman.crawl.live.earlier.archives import Damage, answers, files_of
from dragoman.errors import UsageError
from dragoman.identifiers.models import shipped
from dragoman.integrations import spark as ours
from dragoman.label.site_lists import SiteCounts

pyspark = need_spark()
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
GERMAN = "Morgen scheint im Süden die Sonne, und im Norden regnet es den ganzen Tag."
THAI = "วันนี้อากาศดีมากและเราจะไปเที่ยวทะเลกับครอบครัวของเรา"


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    with spark_session("local[2]", Path(pyspark.__file__).parent) as found:
        yield found


def rows(df: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in df.collect()]


def options(*arguments: str) -> dict[str, Any]:
    """What `dragoman crawl` makes of its arguments, with everything read and checked; nothing is fetched."""
    given = crawl.make_context("crawl", [*arguments]).params
    return _arguments(Path(given.pop("destination")), given)


ODD = [
    "HTTP://Www.Beispiel.DE:80/Haus/x", "http://münchen.example/über uns/x", "https://a_b.example.org/a\tb/c", "http://[::1]/x/y",
    "http://a.example:99999/x", "http://intranet/x", "mailto:a@b.example", "ftp://c.example/x/y", "", "http://", "http://..",
    "https://d.example/%zz\x00/\x01", "http://e..example/x", "http://-.example/\"'/", "https://user:pass@f.example:8443/#x/",
    " http://g.example/a/b", "http://h.example\\i\\j", "http://xn--a.example/x/", "http://" + "a" * 300 + ".example/x",
]  # fmt: skip


def test_sites_of_an_index_are_what_a_crawl_reads(session: Any, tmp_path: Path) -> None:
    captures: list[tuple[str | None, str | None, int]] = [
        *((f"https://thai.example/{n}", "tha,eng", 200) for n in range(9)),
        ("https://thai.example/en/about", "eng", 200),
        *((f"http://both.example/th/{n}", "tha", 200) for n in range(4)),
        *((f"http://both.example/en/{n}", "eng", 200) for n in range(5)),
        ("http://both.example/th/gone", "eng", 404),
        ("http://both.example/en/picture", None, 200),
        *((f"http://small.example/{n}", "tha", 200) for n in range(2)),
        *((url, "deu", 200) for url in [*ODD, None] for _ in range(3)),
    ]
    write_part(index_table(captures[:12]), tmp_path / "index", 0)
    write_part(index_table(captures[12:]), tmp_path / "index", 1)
    counts = ours.site_counts(ours.index_pages(session, str(tmp_path / "index"))).cache()
    ours.known_sites(counts).write.parquet(str(tmp_path / "sites.parquet"))
    ours.seeds(counts, "th,de").write.parquet(str(tmp_path / "seeds.parquet"))

    sites = {
        (row["site"], row["language"]): (round(row["share"], 3), row["pages"])
        for row in pq.read_table(tmp_path / "sites.parquet").to_pylist()
    }
    made = ("thai", "both", "small")
    assert {key: value for key, value in sites.items() if key[0].startswith(made)} == {
        ("thai.example", "th"): (0.9, 9), ("thai.example", "en"): (0.1, 1),
        ("both.example", "th"): (0.4, 4), ("both.example", "en"): (0.5, 5),
        ("both.example/th", "th"): (1.0, 4), ("both.example/en", "en"): (0.833, 5),
    }  # fmt: skip
    assert ("www.beispiel.de", "de") in sites
    assert ("xn--mnchen-3ya.example", "de") in sites
    # the same that `dragoman sites` chooses
    same = SiteCounts()
    for url, code, status in captures:
        if status == 200 and url and url not in ODD:
            same.add(url, {"tha": "th", "tha,eng": "th", "eng": "en", "deu": "de"}.get(code or ""))
    chosen = pq.read_table(tmp_path / "seeds.parquet").to_pylist()
    assert [row["url"] for row in chosen if row["language"] == "th"] == same.of("th", 3)
    assert [url for url, _, _ in rows(ours.seeds(counts, "Thai", most=1))] == ["https://thai.example/"]
    # and all of it is taken by the command, odd addresses too
    given = options("--language", "th", "--known-sites", str(tmp_path / "sites.parquet"),
                    "--seeds", str(tmp_path / "seeds.parquet"), "-o", str(tmp_path / "new"))  # fmt: skip
    known = {site.directory or site.host: round(site.share, 3) for site in given["known_sites"]}
    assert {name: share for name, share in known.items() if "both" in name} == {
        "both.example": 0.4, "both.example/th": 1.0, "both.example/en": 0.0}  # fmt: skip
    assert given["seeds"][:2] == ["https://thai.example/", "http://both.example/th/"]
    assert given["promised"]["http://both.example/th/"] == "th"
    with pytest.raises(UsageError, match="no columns 'url' and 'content_languages'"):
        ours.index_pages(session, str(tmp_path / "sites.parquet"))
    with pytest.raises(
        UsageError, match="These are no counts: give what site_counts gives; the columns: url, language"
    ):
        ours.known_sites(ours.index_pages(session, str(tmp_path / "index")))
    with pytest.raises(UsageError, match="no column 'language'"):
        ours.site_counts(counts.drop("language").withColumnRenamed("server", "url"))


def test_archives_tell_languages_by_texts_and_links_by_addresses(session: Any, tmp_path: Path) -> None:
    page = f'<p>{GERMAN}</p><a href="http://www.beispiel.de/wetter/nachrichten">x</a>'.encode()
    warc = packed(
        answer("http://a.example/de/1", page),
        answer("http://a.example/robots.txt", b"User-agent: *\n", b"Content-Type: text/plain\r\n"),
        answer("http://a.example/none", b"\x89PNG\r\n\x1a\n\x00\x00", b"Content-Type: image/png\r\n"),
        answer("http://a.example/gone", page).replace(b" 200 OK", b" 404 No"),
    )
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.warc.gz").write_bytes(warc + b"\x1f\x8b damaged")
    (tmp_path / "in" / "b.wet").write_bytes(text("http://b.example/", THAI.encode()))
    assert sorted(rows(ours.archive_pages(session, str(tmp_path / "in")))) == [
        ("http://a.example/de/1", "de"), ("http://b.example/", "th")]  # fmt: skip
    link = b'{"url": "http://www.beispiel.de/haus"}, {"url": "/here"}'
    wat = (b'{"Envelope": {"Payload-Metadata": {"HTTP-Response-Metadata": {"HTML-Metadata": {"Links": [' + link
           + b"]}}}}}")  # fmt: skip
    (tmp_path / "c.wat").write_bytes(record("metadata", "http://c.example/", "application/json", wat) * 2)
    links = ours.archive_links(session, str(tmp_path / "c.wat"), str(tmp_path / "in" / "a.warc.gz"))
    judged = sorted((url, language) for url, language, _ in rows(ours.identify(links)))
    assert judged == [("http://www.beispiel.de/haus", "de"), ("http://www.beispiel.de/wetter/nachrichten", "de")]
    with pytest.raises(UsageError, match="There is no archive to read"):
        ours.archive_pages(session)
    with pytest.raises(UsageError, match="has no web archives"):
        ours.archive_pages(session, str(tmp_path / "nothing"))


#: A catalogue's row: asked for, ended at, day, status, language, why it is no page.
Answer = tuple[str, str, int, int | None, str | None, str | None]


def write_crawl(folder: Path, catalogue: list[Answer], decisions: list[tuple[str | None, str, float | None]]) -> str:
    """A crawl folder's tables, as dragoman.crawl.live.state.catalogue writes them."""
    from dragoman.crawl.live.state.catalogue import _answers, _write

    made = [
        (url, final, datetime(2026, 1, day, 12, tzinfo=UTC).timestamp(), status, language, 0.9, None, "utf-8", 100,
         f"sha1:{day}", "a.example", 1, None, None, language == "th", reason, f"{day}.warc.gz", 10 * day, 99, None,
         None, 0)
        for url, final, day, status, language, reason in catalogue
    ]  # fmt: skip
    _write(folder / "catalogue" / "part-00000.parquet", _answers(made))
    names = ("page", "url", "priority", "reason")
    columns = zip(*((*row, "rejected" if row[2] is None else "queued") for row in decisions), strict=True)
    kinds = (pa.string(), pa.string(), pa.float64(), pa.string())
    table = pa.table({name: pa.array(column, kind) for name, column, kind in zip(names, columns, kinds, strict=True)})
    _write(folder / "decisions" / "part-00000.parquet", table)
    return str(folder)


def test_catalogues_are_merged_and_what_waits_is_scored_anew(session: Any, tmp_path: Path) -> None:
    a, b, c, d = (f"http://{name}.example/" for name in "abcd")
    waits, never = "http://www.beispiel.de/wetter/nachrichten", "http://www.exemple.fr/recettes/cuisine"
    first = write_crawl(
        tmp_path / "my crawls" / "first",
        [(a, a, 1, 200, "th", None), (b, b, 2, 200, "th", None), (c, d, 3, 200, "en", None)],
        [(None, a, 1.0), (a, b, 0.5), (a, waits, 0.2), (b, waits, 0.4), (b, waits, None), (b, never, None), (b, d, 1)],
    )
    second = write_crawl(
        tmp_path / "my crawls" / "second",
        [(a, a, 9, 304, "th", None), (b, b, 8, None, None, "no answer in time"), (d, d, 7, 200, "de", None)],
        [(None, a, 1.0), (d, c, 0.1)],
    )
    merged = ours.merge_catalogues(session, first, second)
    every = {row["final_url"]: row for row in merged.collect()}
    assert set(every) == {a, b, d}
    assert [(every[url]["time"].day, every[url]["captures"], every[url]["last_status"], every[url]["last_reason"])
            for url in (a, b, d)] == [
        (1, 2, 304, None), (2, 2, None, "no answer in time"), (7, 2, 200, None)]  # fmt: skip
    assert every[d]["crawl"].endswith("/my%20crawls/second")
    assert [(one["url"], one["warc"], one["warc_offset"]) for one in every[d]["others"]] == [(c, "3.warc.gz", 30)]
    assert sorted(rows(ours.crawl_pages(session, first, second))) == [(a, "th"), (b, "th"), (d, "de")]
    # globs are Spark's, and the result is an earlier crawl
    assert ours.merge_catalogues(session, str(tmp_path / "my crawls" / "*")).count() == 3
    merged.write.parquet(str(tmp_path / "merged" / "catalogue"))
    third = write_crawl(tmp_path / "third", [(b, b, 10, 200, "en", None)], [(b, waits, None)])
    again = ours.merge_catalogues(session, str(tmp_path / "merged"), second, third)
    told = sorted(rows(again.selectExpr("final_url", "language", "captures", "day(last_time)", "size(others)")))
    assert told == [(a, "th", 2, 9, 1), (b, "en", 3, 10, 2), (d, "de", 2, 7, 1)]
    assert again.columns == merged.columns
    read = [one for file in files_of(tmp_path / "merged") for one in answers(file, Damage(), bodies=False)]
    assert {(one.url, one.language) for one in read if one.is_page} == {(a, "th"), (b, "th"), (d, "de")}

    waiting = ours.waiting_urls(session, first, second)
    assert sorted(rows(waiting)) == [(waits, 3, 0.4, "queued"), (never, 1, None, "rejected")]
    assert {row[0] for row in rows(ours.waiting_urls(session, second))} == {c}
    scored = ours.rescore(waiting, "de", model="cctld-plus")
    scored.write.parquet(str(tmp_path / "next.parquet"))
    expected = UrlScorer(["de"], "cctld-plus")([waits, never])
    assert [row["url"] for row in scored.collect()] == [waits, never]
    assert [(row["score"], row["guess"]) for row in scored.collect()] == expected
    merged_folder, next_file = str(tmp_path / "merged"), str(tmp_path / "next.parquet")
    given = options("--language", "de", "--earlier", merged_folder, "--seeds", next_file, "-o", str(tmp_path / "new"))
    assert (given["seeds"], given["promised"]) == ([waits, never], {})
    with pytest.raises(UsageError, match="Unknown language"):
        ours.rescore(waiting, "gibberish")
    with pytest.raises(UsageError, match="no column 'address'"):
        ours.rescore(waiting, "de", column="address")
    with pytest.raises(UsageError, match="There is no crawl to read"):
        ours.merge_catalogues(session)
    with pytest.raises(UsageError, match="No catalogue to read, which a crawl has once it has ended"):
        ours.merge_catalogues(session, str(tmp_path / "nothing"))


def test_what_the_how_to_shows_goes_from_an_index_to_a_crawl_and_on_to_the_next(
    session: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).resolve().parents[3] / "docs" / "how-to" / "spark.md").read_text(encoding="utf-8")
    before, after = (page.partition(f"## {name} a crawl\n")[2].partition("\n## ")[0] for name in ("Before", "After"))
    # Spark's JVM stays in the folder in which it was started
    here = re.compile(r'"(?=index/|(?:counts|sites|seeds|next)\.|crawls/|merged/|new\.)')
    blocks = re.compile(r"^```(py|sh)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

    def follow(part: str) -> list[list[str]]:
        """Run the Python of a part; the arguments of its crawls."""
        names = {"spark": session}
        for kind, code in blocks.findall(part):
            if kind == "py":
                exec(compile(here.sub(f'"{tmp_path}/', code), "spark.md", "exec"), names)  # noqa: S102
        return [shlex.split(code)[2:] for kind, code in blocks.findall(part) if kind == "sh"]

    write_part(index_table((f"https://thai.example/{n}", "tha", 200) for n in range(5)), tmp_path / "index", 0)
    (begin,) = follow(before)
    for files in (begin, [*begin, "--known-sites", "sites.tsv"]):
        given = options(*files)
        assert (given["seeds"], given["known_sites"][0].share) == (["https://thai.example/"], 1.0)

    shutil.copy(shipped()["default"], "new.dragoman")
    Path("crawls").mkdir()
    with serve(small_web(120, share=0.2, seed=3)) as web:
        usual = ("--language", "th", "--allow-private", "--no-explore")
        assert crawl_web(Path("crawls/first"), web, *usual, "--pages", "20").returncode == 0
        shutil.copytree("crawls/first", "crawls/second")
        asked = set(catalogue(Path("crawls/first"))["final_url"])
        (go_on,) = follow(after)
        ended = crawl_web(tmp_path / "next", web, *usual, *go_on[:-2], seeds=False)
        assert ended.returncode == 0, ended.stderr
    assert not asked & set(catalogue(tmp_path / "next")["url"])
    found = {url for folder in ("crawls/first", "next") for url in pages(Path(folder))}
    wanted = [url for url, flag in zip(web.urls, web.relevant("th"), strict=True) if flag]
    assert len(asked) < len(wanted)
    assert found >= set(wanted)
