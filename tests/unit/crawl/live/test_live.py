"""The parts of the live crawl that need no network."""

from __future__ import annotations

import gzip
import json
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from dragoman.crawl.live.driver.warc import WarcFolder
from dragoman.crawl.live.earlier.archives import archived_urls
from dragoman.crawl.live.state.links import LinkEnd, links_of
from dragoman.crawl.live.state.progress import CrawlProgress, coverages, late_harvest, progress_of
from dragoman.crawl.live.state.safety import CrawlLimits, is_private, literal_private
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import CrawlAnswer, Store
from dragoman.crawl.live.state.targets import Budget, CrawlPlan, Target, read_seeds
from dragoman.crawl.records import ServerRule
from dragoman.errors import DragomanError, UsageError
from dragoman.identifiers.text.document import read_page
from dragoman.report.crawl import lines
from dragoman.report.crawl_report import SAMPLE, _sample, _url_model
from dragoman.types import Language


def nothing(urls: Sequence[str]) -> list[tuple[float, Language | None]]:
    return [(0.0, None) for _ in urls]


def steering(folder: Path, strategy: str = "conservative-server") -> Steering:
    folder.mkdir(exist_ok=True)
    target = Target(("th",), strategy=strategy, rule=ServerRule(1))
    return Steering(Store(folder, target.identity()), CrawlPlan(target, nothing))


def answered(one: Steering, key: int, links: list[str], language: str = "th") -> None:
    one.page(CrawlAnswer(key, key, 0.0, 200, language, relevant=language == "th"), [LinkEnd(url) for url in links])


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.5.5", "169.254.169.254", "0.0.0.7", "100.64.0.1", "224.0.0.1",
     "::1", "fe80::1", "fd00:ec2::254", "::ffff:10.0.0.1", "2002:7f00:1::", "nonsense"],
)  # fmt: skip
def test_addresses_that_are_not_public_are_private(address: str) -> None:
    assert is_private(address)
    assert not is_private("93.184.216.34")


def test_names_and_numbers_of_this_machine_are_known_by_their_look() -> None:
    assert literal_private("http://localhost/")
    assert literal_private("http://127.9.9.9:8080/x")
    assert not literal_private("http://127.example/")


def test_traps_are_known_by_their_look() -> None:
    limits = CrawlLimits(url_length=100, path_depth=6, repeats=2)
    assert limits.refused("http://a.example/" + "x" * 100) == "URL is too long"
    assert limits.refused("http://a.example/a/b/c/d/e/f/g") == "path is too deep"
    assert limits.refused("http://a.example/a/b/a/b/a") == "path repeats itself"
    assert limits.refused("http://a.example/a/b/a/b?a/a/a/a") is None
    with pytest.raises(UsageError, match="above 0"):
        CrawlLimits(redirects=0)


def test_a_replayed_log_stands_where_the_crawl_stood(tmp_path: Path) -> None:
    one = steering(tmp_path / "crawl", "scout")
    one.start(["http://a.example/", "http://b.example/"])
    first = one.pop()
    assert first is not None
    answered(one, first, [f"http://a.example/{number}.html" for number in range(5)])
    for language in ("th", "en"):
        key = one.pop()
        assert key is not None
        answered(one, key, ["http://c.example/", "http://a.example/7/x"], language)
    lost = one.pop()
    one.store.abandon()  # as a kill does: the last pop was never committed
    again = steering(tmp_path / "crawl", "scout")
    again.start([])
    assert (again.pages, again.relevant, again.reasons, again.languages) == (
        one.pages, one.relevant, one.reasons, one.languages,
    )  # fmt: skip
    assert again.pop() == lost
    rest = [again.pop() for _ in range(len(again.frontier))]
    assert rest == [one.frontier.pop() for _ in range(len(one.frontier))]
    again.store.abandon()


def test_a_url_that_left_the_queue_without_an_answer_is_asked_for_again(tmp_path: Path) -> None:
    one = steering(tmp_path / "crawl")
    one.start(["http://a.example/", "http://b.example/"])
    left = one.pop()
    key = one.pop()
    assert key is not None
    answered(one, key, [])
    one.store.abandon()
    again = steering(tmp_path / "crawl")
    again.start([])
    assert list(again.in_flight) == [left]
    again.store.abandon()


def test_a_crawl_that_goes_on_takes_seeds_that_are_new(tmp_path: Path) -> None:
    """They were left out without a word."""
    seeds = ["http://a.example/", "http://b.example/"]
    one = steering(tmp_path / "crawl")
    one.start(seeds)
    key = one.pop()
    assert key is not None
    answered(one, key, ["http://a.example/found"])
    one.store.abandon()
    for given, new, waiting in ((seeds, 0, 2), ([*seeds, "http://c.example/", "http://a.example/found"], 2, 3)):
        again = steering(tmp_path / "crawl")
        again.start(given)
        assert (again.new_seeds, again.waiting) == (new, waiting)
        again.store.abandon()
    once_more = steering(tmp_path / "crawl")
    once_more.start(given)
    assert (once_more.new_seeds, once_more.waiting) == (0, 3)
    left = [once_more.store.url(key) for _ in range(3) if (key := once_more.pop()) is not None]
    assert sorted(left) == ["http://a.example/found", "http://b.example/", "http://c.example/"]
    once_more.store.abandon()


def test_two_processes_and_two_crawls_do_not_share_a_folder(tmp_path: Path) -> None:
    one = steering(tmp_path / "crawl")
    with pytest.raises(DragomanError, match="Another process"):
        steering(tmp_path / "crawl")
    one.store.abandon()
    with pytest.raises(UsageError, match="holds another crawl"):
        steering(tmp_path / "crawl", "bfs")


def test_a_torn_record_is_cut_off(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warc = WarcFolder(tmp_path / "warc", size=400)
    for number in range(3):
        warc.write(
            f"http://a.example/{number}", ("GET", []), (200, [(b"Content-Type", b"text/html")], b"x" * 50), None, 0.0
        )
        if number == 1:
            file, length = warc.file, warc.length
    warc.close()
    names = sorted(path.name for path in (tmp_path / "warc").iterdir())
    assert len(names) > 1
    with (tmp_path / "warc" / str(file)).open("ab") as out:
        out.write(b"\x1f\x8b torn")
    WarcFolder(tmp_path / "warc", file, length).close()
    assert sorted(path.name for path in (tmp_path / "warc").iterdir()) == [one for one in names if one <= str(file)]
    assert (tmp_path / "warc" / str(file)).stat().st_size == length
    assert archived_urls(tmp_path / "warc" / names[0])[0] == "http://a.example/0"


def test_indexes_of_earlier_crawls_are_seeds(tmp_path: Path) -> None:
    rows = [{"url": "http://a.example/1", "mime": "text/html", "status": "200"},
            {"url": "http://a.example/2", "mime": "image/png", "status": "200"},
            {"url": "http://a.example/3", "mime": "text/html", "status": "404"}]  # fmt: skip
    path = tmp_path / "index.cdxj.gz"
    path.write_bytes(gzip.compress("".join(f"example,a)/ 2024 {json.dumps(row)}\n" for row in rows).encode()))
    assert archived_urls(path) == ["http://a.example/1"]
    path = tmp_path / "index.cdx"
    path.write_text(" CDX N b a m s\nx 2024 http://b.example/ text/html 200\nx 2024 http://c.example/ text/html 500\n")
    assert archived_urls(path) == ["http://b.example/"]


def test_seeds_are_read_with_the_line_that_is_wrong() -> None:
    assert list(read_seeds(["\ufeff# x", " a.example ", "http://a.example/"], "s")) == ["http://a.example/"]
    with pytest.raises(UsageError, match=r"line 2: 'ftp://a\.example/'"):
        read_seeds(["http://a.example/", "ftp://a.example/"], "seeds.txt")
    with pytest.raises(UsageError, match=r"line 1: 'mailto:a@b.example' is no URL.*line 2: 'a@b.example' is no URL"):
        read_seeds(["mailto:a@b.example", "a@b.example", "http://me:secret@a.example/"], "seeds.txt")


def test_a_budget_says_what_is_used_up() -> None:
    assert Budget(pages=5).spent(5, 0, 0, 0) == "the budget of 5 pages is used up"
    assert Budget(seconds=2.0).spent(5, 0, 0, 1.9) is None


def progress(one: Steering) -> CrawlProgress:
    return progress_of(one, seconds=1.0, ended=None)


def test_coverage_is_unknown_while_no_wanted_page_was_found(tmp_path: Path) -> None:
    one = steering(tmp_path)
    assert dict(lines(progress(one)))["coverage"] == "unknown: nothing was fetched so far"
    one.start(["http://a.example/"])
    answered(one, one.pop() or 0, [], "en")
    assert dict(lines(progress(one)))["coverage"] == "unknown: no wanted page was found so far"
    one.store.abandon()


def test_a_report_shows_pages_from_the_first_to_the_last_and_claims_nothing_of_none(tmp_path: Path) -> None:
    one = steering(tmp_path / "crawl", "bfs")
    one.start(urls := [f"http://a.example/{number}" for number in range(31)])
    while (key := one.pop()) is not None:
        answered(one, key, [])
    shown = [row[0] for row in _sample(one.store).rows]
    assert (len(shown), shown[0], shown[-1]) == (SAMPLE, urls[0], urls[-1])
    said = str(_url_model(one.store, progress_of(one, 1.0, None))[0])
    assert said.startswith("No page looked wanted by its URL alone; of the wanted pages, 0.0 % had such a URL.")
    one.store.abandon()


def test_coverage_is_told_with_the_range_in_which_it_is_nine_times_out_of_ten(tmp_path: Path) -> None:
    one = replace(progress(steering(tmp_path)), pages=90, relevant=60, expected=20.0)
    assert dict(lines(one))["coverage"].startswith(
        "about 75.0 % of what links are expected to lead to, 50 to 90 % nine"
    )
    assert "dragoman_crawl_coverage_low 0.5\ndragoman_crawl_coverage_high" in one.metrics().replace(
        "# TYPE dragoman_crawl_coverage_high gauge\n", ""
    )
    assert "nine times" not in dict(lines(replace(one, expected=0.0)))["coverage"], "there is nothing to be unsure of"


def test_coverage_counts_what_was_given_up_or_left_out(tmp_path: Path) -> None:
    one = steering(tmp_path, "hard-focused")
    one.start([f"http://{host}.example/" for host in "abc"])
    for number in range(3):
        key = one.pop()
        assert key is not None
        host = one.store.url(key)
        answered(one, key, [f"{host}{number}" for number in range(4)], "th" if "a.example" in host else "en")
    while (key := one.pop()) is not None:
        answered(one, key, [])
    assert one.relevant == 5
    assert not one.waiting, "nothing waits any more"
    coverage = progress(one).coverage
    assert coverage is not None
    assert 0.6 < coverage < 1.0, "eight URLs of servers without a wanted page were never asked for"
    one.store.abandon()


def test_the_late_harvest_is_that_of_fifty_pages_at_least_and_else_of_the_last_tenth() -> None:
    curve = [(pages, min(pages, 60), 5) for pages in range(1, 1001)]
    assert late_harvest(curve, 49) == 1.0
    assert late_harvest(curve, 100) == pytest.approx(10 / 50)
    assert late_harvest(curve) == 0.0
    assert coverages([(10, 3, 38, 9.0), (1000, 3, 0, 0.0)]) == [0.25, 1.0]
    assert coverages([(0, 0, 5, 1.0), (10, 0, 5, 1.0)]) == [None, None]


def test_a_crawl_that_fetched_nothing_has_empty_tables_which_a_later_run_fills(tmp_path: Path) -> None:
    one = steering(tmp_path / "crawl")
    one.export()
    empty = {name: pq.read_table(tmp_path / "crawl" / name) for name in ("catalogue", "decisions")}
    assert [table.num_rows for table in empty.values()] == [0, 0]
    one.store.close()
    again = steering(tmp_path / "crawl")
    again.start(["http://a.example/"])
    key = again.pop()
    assert key is not None
    answered(again, key, ["http://a.example/1"])
    again.export()
    again.export()
    for name, rows in (("catalogue", 1), ("decisions", 2)):
        assert [path.name for path in (tmp_path / "crawl" / name).iterdir()] == ["part-00000.parquet"]
        table = pq.read_table(tmp_path / "crawl" / name)
        assert table.num_rows == rows
        assert table.schema == empty[name].schema
    again.store.abandon()


def test_urls_on_their_way_wait_too_when_a_crawl_is_resumed(tmp_path: Path) -> None:
    one = steering(tmp_path)
    one.start(["http://a.example/", "http://b.example/"])
    assert one.pop() is not None
    assert (one.waiting, progress(one).waiting) == (2, 2)
    one.store.abandon()


def test_frames_within_frames_a_thousand_times_are_read_once() -> None:
    """Failed before: each was read again with all behind it, until there was no more room."""
    page = read_page("<frameset><frame src=a><noframes><a href=/x>y</a>" * 20_000, "text/html", "http://a.example/")
    assert {link.url for link in links_of(page)} == {"http://a.example/a", "http://a.example/x"}
