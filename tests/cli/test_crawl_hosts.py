"""Hosts that are slow, full, hostile or want to be left alone: the others are crawled as if these were not there."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
import subprocess
import time
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from tests.live_crawls import catalogue, command, crawl, pages, records
from tests.live_web import PORT, SmallWeb, sentences, serve

from dragoman.crawl.live.driver.session import LiveCrawl, _remedy
from dragoman.crawl.live.state.store import CrawlAnswer, Store
from dragoman.crawl.live.state.targets import Target
from dragoman.web.graph import Graph

USUAL = ("--language", "th", "--allow-private", "--strategy", "bfs")
HTML = {"Content-Type": "text/html"}


def hosts(count: int, of_each: int) -> SmallWeb:
    """Hosts of Thai pages; the first page of each links to all of its host, that of the first host to the others."""
    urls = [f"http://h{host}.test:{PORT}/{number}" for host in range(count) for number in range(of_each)]
    rows: list[list[int]] = [[] for _ in urls]
    for host in range(count):
        rows[host * of_each] = list(range(host * of_each + 1, (host + 1) * of_each))
    rows[0] += list(range(of_each, len(urls), of_each))
    return SmallWeb(Graph.of(rows, language=[0] * len(urls), languages=("th",), seeds=[0]), urls)


def times(web: SmallWeb) -> dict[str, list[float]]:
    """When each URL was asked for, filled while the web is served."""
    asked: dict[str, list[float]] = defaultdict(list)
    web.seen = lambda host, path: asked[f"http://{host}{path}"].append(time.monotonic())
    return asked


def test_a_hosts_delay_takes_no_place_from_other_hosts(tmp_path: Path) -> None:
    made = hosts(12, 4)
    asked = times(made)
    with serve(made) as web:
        done = crawl(tmp_path / "one", web, *USUAL, "--delay", "0.5", "--concurrent", "2")
    assert done.returncode == 0, done.stderr
    assert len(pages(tmp_path / "one")) == len(web.urls)
    every = [when for moments in asked.values() for when in moments]
    # robots.txt and four pages, half a second apart, after those of the first host. With two places: 15 s.
    assert max(every) - min(every) < 8
    by_host: dict[str, list[float]] = defaultdict(list)
    for url, moments in asked.items():
        by_host[url.split("/")[2]] += moments
    for moments in by_host.values():
        moments.sort()
        gaps = [later - earlier for earlier, later in pairwise(moments)]
        assert min(gaps) > 0.3, gaps


def test_a_host_that_is_asked_too_often_is_left_alone_as_long_as_it_wants(tmp_path: Path) -> None:
    made = hosts(2, 3)
    busy, page = f"http://h1.test:{PORT}/1", made.page(4)
    made.special[busy] = (429, {"Retry-After": "2"}, b"later")
    asked = times(made)
    with serve(made) as web:
        url = busy.replace(str(PORT), web.urls[0].split(":")[2].partition("/")[0])
        process = subprocess.Popen(command(tmp_path / "one", web, *USUAL), stdout=subprocess.DEVNULL)
        while not asked[url]:
            time.sleep(0.01)
        web.special[url] = (200, HTML, page)
        assert process.wait(60) == 0
    assert len(asked[url]) == 2
    assert asked[url][1] - asked[url][0] >= 1.9
    of_host = [when for one, moments in asked.items() if "h1.test" in one for when in moments]
    assert not [when for when in of_host if asked[url][0] + 0.5 < when < asked[url][1] - 0.1], "all of it is left alone"
    assert sorted(pages(tmp_path / "one")) == sorted(web.urls)


def test_rules_and_ends_of_redirects_are_asked_for_again_when_their_host_wants_it(tmp_path: Path) -> None:
    """One 503 for robots.txt lost a host, and the end of a redirect was asked for three times at once."""
    made = hosts(2, 2)
    rules, end = f"http://h0.test:{PORT}/robots.txt", f"http://h1.test:{PORT}/end"
    made.special[rules] = made.special[end] = (503, {"Retry-After": "2"}, b"later")
    made.special[f"http://h0.test:{PORT}/1"] = (302, {"Location": end}, b"")
    asked = times(made)
    with serve(made) as web:
        port = web.urls[0].split(":")[2].partition("/")[0]
        process = subprocess.Popen(command(tmp_path / "one", web, *USUAL), stdout=subprocess.DEVNULL)
        for url, answer in ((rules, b"User-agent: *\nDisallow: /no\n"), (end, made.page(0))):
            url = url.replace(str(PORT), port)
            while not asked[url] and process.poll() is None:
                time.sleep(0.01)
            web.special[url] = (200, HTML, answer)
        assert process.wait(60) == 0
        moments = [asked[url.replace(str(PORT), port)] for url in (rules, end)]
    assert [len(one) for one in moments] == [2, 2]
    assert min(later - earlier for earlier, later in moments) >= 1.9
    assert len(pages(tmp_path / "one")) == len(web.urls)


def test_the_pages_of_a_host_are_counted_while_they_are_on_their_way(tmp_path: Path) -> None:
    with serve(hosts(1, 60)) as web:
        done = crawl(tmp_path / "one", web, *USUAL, "--per-host", "8", "--pages-per-host", "10")
    assert done.returncode == 0, done.stderr
    assert len(pages(tmp_path / "one")) == 10


def test_a_status_of_six_digits_and_a_head_without_end_are_rows_and_the_crawl_goes_on(tmp_path: Path) -> None:
    """The one ended the export for good, the other took all memory."""
    made = hosts(1, 2)
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    made.raw = {
        f"http://status.test:{PORT}/": (b"HTTP/1.1 999999 Odd\r\nContent-Length: 2\r\n\r\nab", b""),
        f"http://headers.test:{PORT}/": (head, 60 * (b"X-More: " + b"x" * 8_000 + b"\r\n")),
    }
    with serve(made) as web:
        (tmp_path / "seeds").write_text("\n".join([*web.raw, *web.seeds]))
        usual = (*USUAL, "--seeds", str(tmp_path / "seeds"))
        for _ in range(2):
            done = crawl(tmp_path / "one", web, *usual, seeds=False)
            assert done.returncode == 0, done.stderr
    rows = catalogue(tmp_path / "one")
    assert Counter(rows["reason"]) == {None: 2, "status is no number of three digits": 1, "headers are too long": 1}


def test_the_disk_gets_the_archive_and_then_the_log_while_a_crawl_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A loss of power costs seconds: once the archive was synced at the end only."""
    synced: list[str] = []
    monkeypatch.setattr("dragoman.crawl.live.driver.session.SYNC", 0.0)
    monkeypatch.setattr("os.fsync", lambda number: synced.append(Path(f"/proc/self/fd/{number}").readlink().name))
    monkeypatch.setattr(Store, "sync", lambda store: synced.append("log"))
    live = LiveCrawl(tmp_path / "crawl", Target(("th",), strategy="bfs"), ["http://a.test/"])
    key = live.steering.pop()
    assert key is not None
    live.warc.write("http://a.test/", ("GET", []), (200, [], b"x"), None, 0.0)
    synced.clear()  # progress.json, and the folder
    live.take(CrawlAnswer(key, key, 0.0, 200, "th", relevant=True), [])
    assert [name for name in synced if name == "log" or name.endswith(".warc.gz")] == ["pages-00000.warc.gz", "log"]
    live.finish(interrupted=True)
    live.store.close()


@pytest.mark.slow
def test_hostile_hosts_end_with_the_time_and_good_ones_are_complete(tmp_path: Path) -> None:
    made = hosts(3, 4)
    thai = "".join(f"<p>{text}</p>" for text in sentences("th")[:12])
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    traps = {
        "status": (b"HTTP/1.1 999999 Odd\r\nContent-Length: 2\r\n\r\nab", b""),
        "large-status": (b"HTTP/1.1 " + b"9" * 4_000 + b" Odd\r\nContent-Length: 2\r\n\r\nab", b""),
        "headers": (head, b"".join(b"X-%d: %s\r\n" % (one, b"x" * 8_000) for one in range(60))),
        "continue": (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n" * 20_000),
        "silent": (b"", b""),
        "drip": (head + b"\r\n<p>", b"."),
        "short": (head + b"Content-Length: 500\r\n\r\n<p>no more", b""),
    }
    made.raw = {f"http://{name}.test:{PORT}/": answer for name, answer in traps.items()}
    front = thai + "".join(f'<a href="{url}">x</a>' for url in [*made.raw, *made.urls])
    made.special[f"http://front.test:{PORT}/"] = (200, HTML, front.encode())
    with serve(made) as web:
        (tmp_path / "seeds").write_text(next(iter(web.special)))
        began = time.monotonic()
        usual = (*USUAL, "--seeds", str(tmp_path / "seeds"), "--time", "8s", "--timeout", "60")
        done = crawl(tmp_path / "one", web, *usual, seeds=False)
        took = time.monotonic() - began
        assert took < 8 + 2 + 8, "the time, what is waited for, and start and report"
        assert done.returncode == 0, done.stderr
        assert "the budget of 8.0 seconds is used up" in done.stdout
        assert set(web.urls) <= set(pages(tmp_path / "one"))
        rows = catalogue(tmp_path / "one")
        reasons = {
            url.split("/")[2].partition(".")[0]: why for url, why in zip(rows["url"], rows["reason"], strict=True)
        }
        assert reasons["status"] == reasons["large-status"] == "status is no number of three digits"
        assert reasons["headers"] == reasons["continue"] == "headers are too long"
        assert not {"silent", "drip", "short"} & reasons.keys(), "they were on their way"
        assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 600_000
        records(tmp_path / "one")
        again = crawl(tmp_path / "one", web, *USUAL, "--seeds", str(tmp_path / "seeds"), "--timeout", "1", seeds=False)
    assert again.returncode == 0, again.stderr
    assert len(catalogue(tmp_path / "one")["url"]) == 1 + len(traps) + len(web.urls)


def test_who_does_not_wait_for_the_end_is_told_the_truth(tmp_path: Path) -> None:
    made = hosts(2, 30)
    asked = times(made)
    silent = f"http://h1.test:{PORT}/5"
    made.raw[silent] = (b"", b"")
    with serve(made) as web:
        process = subprocess.Popen(
            command(tmp_path / "one", web, *USUAL, "--delay", "0.2"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        while not [url for url in asked if url.endswith("/5") and "h1" in url]:
            time.sleep(0.02)
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)
        told, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors.decode()
    assert "ended      interrupted" in told.decode()
    assert len(pages(tmp_path / "one")) < len(web.urls)


def test_what_the_disk_had_not_got_of_the_archive_is_asked_for_again(tmp_path: Path) -> None:
    with serve(hosts(2, 12)) as web:
        asked: Counter[str] = Counter()
        done = crawl(tmp_path / "one", web, *USUAL, "--pages", "16")
        assert done.returncode == 0, done.stderr
        archive = tmp_path / "one" / "warc" / "pages-00000.warc.gz"
        os.truncate(archive, archive.stat().st_size * 2 // 3)
        web.seen = lambda host, path: asked.update([f"http://{host}{path}"])
        done = crawl(tmp_path / "one", web, *USUAL)
    assert done.returncode == 0, done.stderr
    assert "answers are asked for again" in done.stderr
    kept = Counter({url: count for (kind, url), count in records(tmp_path / "one").items() if kind == "response"})
    assert Counter(catalogue(tmp_path / "one")["url"]) == kept == Counter(web.urls)
    assert len(asked) < len(web.urls)


@pytest.mark.parametrize(("number", "remedy"), [(13, "written to"), (30, "written to"), (28, "make room"), (5, "mend")])
def test_the_remedy_fits_what_is_wrong_with_the_folder(number: int, remedy: str, tmp_path: Path) -> None:
    assert remedy in _remedy(OSError(number, os.strerror(number)), tmp_path)


def test_a_disk_that_can_only_be_read_is_not_told_to_be_mended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite says there that the disk has an error."""
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert _remedy(sqlite3.OperationalError("disk I/O error"), tmp_path) == "let it be written to"
