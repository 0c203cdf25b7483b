"""What earlier crawls left, read from WARC files of both libraries and from indexes, and taken over by a new crawl."""

from __future__ import annotations

import gzip
import io
import json
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from dragoman.crawl.live.earlier.archives import Damage, EarlierAnswer, answers, archived_urls, files_of
from dragoman.crawl.live.earlier.continuing import note_urls, take_over
from dragoman.crawl.live.earlier.visits import VisitLog
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import Store
from dragoman.crawl.live.state.targets import CrawlPlan, Target
from dragoman.crawl.records import ServerRule, Status
from dragoman.errors import UsageError
from dragoman.label.pages import PagePrediction
from dragoman.tables.archives import digest_of
from dragoman.types import Language, Page

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # fastwarc warns about names of its own
    from dragoman.crawl.live.driver.warc import WarcFolder


# warcio leaves its temporary files to the garbage collector
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def page(language: str, *links: str) -> bytes:
    return f"<p>{language}</p>{''.join(f'<a href={one}>x</a>' for one in links)}".encode()


def identify(page: Page) -> PagePrediction:
    """Pages here say their language themselves."""
    return PagePrediction(page.text.split()[0] if page.text else None, 1.0)


def by_warcio(path: Path, rows: list[tuple[str, int, dict[str, str], bytes]], packed: bool = True) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=packed)
    for url, status, headers, body in rows:
        said = StatusAndHeaders(f"{status} X", list(headers.items()), protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=said))
    path.write_bytes(out.getvalue())
    return out.getvalue()


def by_fastwarc(folder: Path, rows: list[tuple[str, int, dict[str, str], bytes]]) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warc = WarcFolder(folder / "warc")
    for url, status, headers, body in rows:
        said = [(name.encode(), value.encode()) for name, value in headers.items()]
        warc.write(url, ("GET", []), (status, said, body), None, 0.0)
    warc.close()
    return folder / "warc" / str(warc.file)


DAY = 86_400.0
HTML = {"Content-Type": "text/html"}
ROWS: list[tuple[str, int, dict[str, str], bytes]] = [
    ("http://a.example/", 200, HTML, page("th", "/1", "/2", "http://b.example/", "/hidden")),
    ("http://a.example/1", 200, HTML, page("th", "/", "/3")),
    ("http://a.example/2", 301, {"Location": "/moved"}, b""),
    ("http://a.example/3", 404, HTML, b"no"),
    ("http://a.example/4", 503, HTML, b"later"),
    ("http://b.example/", 200, HTML, page("en", "/x", "http://c.example/")),
    ("http://b.example/x", 200, HTML, page("en", "/y")),
    ("http://b.example/z.png", 200, {"Content-Type": "image/png"}, b"\x89PNG"),
]


def steering(folder: Path, strategy: str = "conservative-server") -> Steering:
    def score(urls: Any) -> list[tuple[float, Language | None]]:
        return [(0.0, None) for _ in urls]

    folder.mkdir(exist_ok=True)
    target = Target(("th",), strategy=strategy, rule=ServerRule(1))
    return Steering(Store(folder, target.identity()), CrawlPlan(target, score))


def waiting(one: Steering) -> list[str]:
    found = []
    while (key := one.pop()) is not None:
        found.append(one.store.url(key))
    return found


def test_both_libraries_files_tell_the_same(tmp_path: Path) -> None:
    by_warcio(tmp_path / "a.warc.gz", ROWS)
    by_warcio(tmp_path / "b.warc", ROWS, packed=False)
    ours = by_fastwarc(tmp_path, ROWS)
    damage: Damage = Counter()
    found = [list(answers(path, damage, bodies=True)) for path in (tmp_path / "a.warc.gz", tmp_path / "b.warc", ours)]
    assert found[0] == found[1] == found[2]
    assert [(one.url, one.status) for one in found[0]] == [(url, status) for url, status, _, _ in ROWS]
    assert found[0][0].body == ROWS[0][3]
    assert found[0][2].location == "/moved"
    assert [one.body is None for one in found[0]] == [False, False, True, True, True, False, False, True]
    assert not damage


def test_bodies_that_were_sent_packed_are_unpacked(tmp_path: Path) -> None:
    body = page("th", "/1") * 10
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:50], body[50:], b""))
    by_warcio(
        tmp_path / "a.warc.gz",
        [
            ("http://a.example/1", 200, HTML | {"Content-Encoding": "gzip"}, gzip.compress(body)),
            ("http://a.example/2", 200, HTML | {"Transfer-Encoding": "chunked"}, chunked),
        ],
    )
    assert [one.body for one in answers(tmp_path / "a.warc.gz", Counter(), bodies=True)] == [body, body]


@pytest.mark.parametrize("packed", [True, False])
def test_a_damaged_archive_gives_what_can_be_read_and_counts_the_rest(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("a.warc.gz" if packed else "a.warc")
    whole = by_warcio(path, ROWS, packed)
    starts = [at for at in range(len(whole)) if whole.startswith(b"\x1f\x8b\x08" if packed else b"WARC/1", at)]
    assert len(starts) == len(ROWS)

    def read(data: bytes) -> tuple[list[str], int]:
        path.write_bytes(data)
        damage: Damage = Counter()
        found = [one.url for one in answers(path, damage, bodies=True)]
        return found, sum(damage.values())

    urls = [url for url, *_ in ROWS]
    assert read(whole[:-20]) == (urls[:-1], 1), "cut off in a body"
    assert read(whole[: starts[-1] + 60])[0] == urls[:-1], "cut off in a header"
    middle = starts[2] + 30
    torn = whole[:middle] + b"\xff" * (starts[3] - middle) + whole[starts[3] :]
    found, broken = read(torn)
    assert list(dict.fromkeys(found)) == [*urls[:2], *urls[3:]]
    assert broken >= 1
    lost = whole[: starts[1]] + b"\0garbage" * 9 + whole[starts[2] :]
    assert read(lost) == ([urls[0], *urls[2:]], 1)
    assert read(b"nothing of the kind") == ([], 1)
    assert read(b"") == ([], 0)


def test_indexes_of_all_kinds_are_read(tmp_path: Path) -> None:
    eleven = " CDX N b a m s k r M S V g\nx 2024 http://a.example/1 text/html 200 AAA - - 9 0 f.warc.gz\n"
    eleven += "x 2024 http://a.example/2 text/html 301 AAA http://a.example/3 - 9 0 f.warc.gz\n"
    (tmp_path / "a.cdx").write_text(eleven)
    assert list(answers(tmp_path / "a.cdx", Counter(), bodies=True)) == [
        EarlierAnswer("http://a.example/1", 200, "text/html"),
        EarlierAnswer("http://a.example/2", 301, "text/html", location="http://a.example/3"),
    ]
    (tmp_path / "b.cdx").write_text("x 2024 http://a.example/9 text/html 200 AAA - 0 f.warc.gz\nno\nx 2 3\n")
    damage: Damage = Counter()
    assert [one.url for one in answers(tmp_path / "b.cdx", damage, bodies=True)] == ["http://a.example/9"]
    assert damage == {("b.cdx", "lines that are no CDX"): 2}
    rows = [
        {"url": "http://a.example/th", "mime": "text/html", "status": "200", "languages": "tha,eng"},
        {"url": "http://a.example/?", "mime": "unk", "status": "-"},
    ]
    lines = [f"example,a)/ 2024 {json.dumps(row)}" for row in rows] + ['example,a)/ 2024 {"url": ', "{}"]
    packed = gzip.compress("\n".join(lines).encode())
    (tmp_path / "c.cdxj.gz").write_bytes(packed)
    assert list(answers(tmp_path / "c.cdxj.gz", damage, bodies=True)) == [
        EarlierAnswer("http://a.example/th", 200, "text/html", "th"), EarlierAnswer("http://a.example/?", None, ""),
    ]  # fmt: skip
    assert damage["c.cdxj.gz", "lines that are no CDX"] == 2
    (tmp_path / "d.cdx.gz").write_bytes(gzip.compress(eleven.encode() * 99)[:-30])
    assert len(archived_urls(tmp_path / "d.cdx.gz")) == 1, "the end of the file is not there"


def test_a_crawl_goes_on_after_an_earlier_one(tmp_path: Path) -> None:
    by_warcio(tmp_path / "a.warc.gz", ROWS)
    one = steering(tmp_path / "crawl")
    note_urls(one, [tmp_path])
    one.start(["http://a.example/", "http://d.example/"])
    done = take_over(one, [tmp_path], identify, revisit=False)
    assert (done.urls, done.pages, done.relevant, done.again) == (7, 4, 2, 1)
    assert one.earlier_languages == {"th": 2, "en": 2}
    records = one.strategy.records
    assert records is not None
    server = {name: number for number, name in one.store.rows("SELECT id, name FROM servers")}
    assert records.status(server["a.example"]) is Status.RELEVANT
    assert records.status(server["b.example"]) is Status.IRRELEVANT
    one.store.abandon()

    again = steering(tmp_path / "crawl")  # everything is in the log: the archive is not needed any more
    again.start([])
    assert again.earlier_languages == {"th": 2, "en": 2}
    assert (again.pages, again.relevant) == (0, 0), "nothing was fetched"
    # Not the pages themselves, nothing of the irrelevant server, but the end of a redirect and what was only linked.
    assert sorted(waiting(again)) == ["http://a.example/hidden", "http://a.example/moved", "http://d.example/"]
    again.store.abandon()


def test_a_kill_while_an_earlier_crawl_is_read_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.crawl.live.earlier.continuing.BATCH", 2)
    by_warcio(tmp_path / "a.warc.gz", ROWS)
    read = 0

    def killed(page: Page) -> PagePrediction:
        nonlocal read
        read += 1
        if read == 4:
            raise KeyboardInterrupt
        return identify(page)

    one = steering(tmp_path / "crawl", "scout")
    note_urls(one, [tmp_path])
    one.start([])
    with pytest.raises(KeyboardInterrupt):
        take_over(one, [tmp_path], killed, revisit=True)
    one.store.abandon()
    again = steering(tmp_path / "crawl", "scout")
    again.start([])
    done = take_over(again, [tmp_path], identify, revisit=True)
    whole = steering(tmp_path / "whole", "scout")
    note_urls(whole, [tmp_path])
    whole.start([])
    assert take_over(whole, [tmp_path], identify, revisit=True) == done
    assert waiting(again) == waiting(whole)
    again.store.abandon()
    whole.store.abandon()


def test_a_revisit_asks_for_wanted_pages_again(tmp_path: Path) -> None:
    by_warcio(tmp_path / "a.warc.gz", ROWS)
    (tmp_path / "b.cdxj").write_text('x 2024 {"url": "http://e.example/", "status": "200", "mime": "text/html"}\n')
    one = steering(tmp_path / "crawl")
    one.revisit = True
    paths = [tmp_path / "a.warc.gz", tmp_path / "b.cdxj"]
    note_urls(one, paths)
    one.start([])
    done = take_over(one, paths, identify, revisit=True)
    assert done.lines()[0].endswith("4 URLs to ask again")
    found = waiting(one)
    assert {"http://a.example/", "http://a.example/1", "http://e.example/"} <= set(found)
    assert not [url for url in found if "b.example" in url]
    one.store.abandon()


def by_days(folder: Path, visits: Sequence[tuple[int, str, bytes, str | None]]) -> None:
    """An archive of visits: day, URL, body, and the digest of the visit before where there was one."""
    warc = WarcFolder(folder)
    for day, url, body, known in visits:
        warc.write(url, ("GET", []), (200, [(b"Content-Type", b"text/html")], body), None, DAY * day, known)
    warc.close()


def test_pages_that_changed_often_are_visited_first(tmp_path: Path) -> None:
    visits: list[tuple[int, str, bytes, str | None]] = []
    for visit in range(4):
        news, stays = page("th", f"/{visit}"), page("th")
        known = digest_of(stays) if visit else None  # then it is a revisit record
        visits += [
            (10 * visit, "http://a.example/stays", stays, known),
            (10 * visit, "http://a.example/news", news, None),
        ]
    visits.append((30, "http://a.example/once", page("th"), None))
    by_days(tmp_path / "old", visits[:4])
    by_days(tmp_path / "newer", visits[4:])
    one = steering(tmp_path / "crawl", "scout")
    one.revisit = True
    paths = [tmp_path / "newer", tmp_path / "old"]  # in any order: visits have their dates
    note_urls(one, paths)
    one.start([])
    one.store.set("began", 40 * DAY)
    assert (
        take_over(one, paths, identify, revisit=True, least_chance=0.2)
        .lines()[0]
        .endswith("2 URLs to ask again, 1 later, since they have hardly changed")
    )
    query = "SELECT digest FROM earlier JOIN urls ON id = earlier.url WHERE urls.url LIKE '%news'"
    ((digest,),) = one.store.rows(query)
    assert digest == digest_of(page("th", "/3")), "the last visit is what a new one is held against"
    one.store.abandon()
    again = steering(tmp_path / "crawl", "scout")
    again.start([])
    visited = [url for url in waiting(again) if not url[-1].isdigit()]
    assert visited == ["http://a.example/news", "http://a.example/once"]
    again.store.abandon()


@pytest.mark.parametrize("strategy", ["bfs", "conservative-server", "scout"])
def test_every_strategy_visits_by_chance(tmp_path: Path, strategy: str) -> None:
    rows = [(day, f"http://a.example/{name}", page("th", f"/x{day if name == 'b' else ''}"), None)
            for day in range(0, 40, 10) for name in "ab"]  # fmt: skip
    by_days(tmp_path / "old", rows)
    one = steering(tmp_path / "crawl", strategy)
    note_urls(one, [tmp_path / "old"])
    one.start([])
    one.store.set("began", 40 * DAY)
    take_over(one, [tmp_path / "old"], identify, revisit=True)
    assert [url for url in waiting(one) if "x" not in url[-3:]] == ["http://a.example/b", "http://a.example/a"]
    one.store.abandon()


def test_rates_follow_from_what_was_seen() -> None:
    log = VisitLog()
    for day in range(0, 100, 10):
        log.add(0, DAY * day, str(day))  # every time another one
        log.add(1, DAY * day, str(day // 50))  # once
        log.add(2, DAY * day, "same", same=day > 0)
        log.add(3, DAY * day, None)  # nobody knows
    daily, seldom, never, unknown = log.chances([0, 1, 2, 3], [0, 1, 2, 3], 100 * DAY)
    assert daily > 0.8 > unknown > 0.6 > seldom > never > 0.0
    beside = log.chances([3, 2], [0, 0, 9, 0], 100 * DAY)
    assert beside[0] > unknown, "a page of a server that changes is taken to change"
    assert VisitLog().chances([0], [0], 0.0)[0] == pytest.approx(unknown)
    assert log.is_outdated(0, 10.0)
    assert not log.is_outdated(0, 90 * DAY)
    assert not log.is_outdated(99, 1.0)


def test_the_catalogue_of_a_crawl_without_its_archive_is_enough(tmp_path: Path) -> None:
    (tmp_path / "old" / "catalogue").mkdir(parents=True)
    table = {
        "url": ["http://a.example/", "http://a.example/2", "http://b.example/"],
        "final_url": ["http://a.example/", "http://a.example/3", "http://b.example/"],
        "status": pa.array([200, 200, None], pa.int16()),
        "language": ["th", "en", None],
        "reason": [None, None, "connection refused"],
        "time": pa.array([1000, 2000, 3000], pa.timestamp("ms", tz="UTC")),
        "digest": ["sha1:A", "sha1:B", None],
    }
    pq.write_table(pa.table(table), tmp_path / "old" / "catalogue" / "part-00000.parquet")
    one = steering(tmp_path / "crawl")
    note_urls(one, [tmp_path / "old"])
    one.start(["http://b.example/", "http://a.example/3"])
    done = take_over(one, [tmp_path / "old"], identify, revisit=False)
    assert (done.pages, done.relevant) == (2, 1)
    assert waiting(one) == ["http://b.example/"], "it had not answered"
    one.store.abandon()


def test_what_is_no_earlier_crawl_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "x.txt").touch()
    for path, told in ((tmp_path / "x.txt", "is no WARC"), (tmp_path / "no", "There is no"), (tmp_path, "holds no")):
        with pytest.raises(UsageError, match=told):
            files_of(path)
