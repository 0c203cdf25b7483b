"""What others can see of a crawl that runs, and what becomes of servers nobody vouches for."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from gzip import BadGzipFile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from OpenSSL import SSL
from scrapy.http import Response
from twisted.python.failure import Failure

from dragoman.cli.crawl import crawl
from dragoman.crawl.live.driver.connections import is_certificate
from dragoman.crawl.live.driver.run import settings
from dragoman.crawl.live.driver.session import Manners
from dragoman.crawl.live.driver.spider import LiveSpider, location_of, reason_of
from dragoman.crawl.live.state.progress import METRICS, NAME, progress_of
from dragoman.crawl.live.state.safety import CrawlLimits
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import CrawlAnswer, Store
from dragoman.crawl.live.state.targets import CrawlPlan, Target


def test_a_crawl_that_runs_can_be_looked_at(tmp_path: Path) -> None:
    """Its store is locked meanwhile."""
    target = Target(("th",))
    one = Steering(Store(tmp_path, target.identity()), CrawlPlan(target, lambda urls: [(0.0, None) for _ in urls]))
    one.start(["http://a.test/"])
    key = one.pop()
    assert key is not None
    one.page(CrawlAnswer(key, key, 0.0, 200, "th", relevant=True), [])
    progress_of(one, 3.0, None).write(tmp_path)
    os.utime(tmp_path / NAME, (0.0, 0.0))  # a file that was fetched from an address is younger than what it tells
    told = CliRunner().invoke(crawl, ["--status", str(tmp_path)])
    assert told.exit_code == 0, told.output
    assert "not yet; this was told 0 seconds ago" in told.output
    metrics = (tmp_path / METRICS).read_text(encoding="utf-8")
    assert "\ndragoman_crawl_wanted_pages_total 1\n" in metrics
    assert "\ndragoman_crawl_running 1\n" in metrics
    one.store.close()


def test_a_folder_without_a_crawl_has_no_status(tmp_path: Path) -> None:
    told = CliRunner().invoke(crawl, ["--status", str(tmp_path)], standalone_mode=False)
    assert "has no progress.json" in str(told.exception)


def test_bad_certificates_are_refused_unless_they_are_allowed() -> None:
    name = "DOWNLOAD_VERIFY_CERTIFICATES"
    assert settings(Manners(), CrawlLimits())[name]
    assert not settings(Manners(allow_bad_certificates=True), CrawlLimits())[name]


@pytest.mark.parametrize(("text", "expected"), [("certificate verify failed", True), ("wrong version number", False)])
def test_a_failure_is_known_to_be_about_a_certificate(text: str, expected: bool) -> None:
    error: Any = OSError()
    error.reasons = [Failure(SSL.Error([("SSL routines", "", text)]))]  # type: ignore[no-untyped-call]
    assert is_certificate(error) is expected


class BrotliError(Exception):
    """Stands for what Brotli raises, which need not be installed."""

    __module__ = "brotli"


@pytest.mark.parametrize(
    "error",
    [BadGzipFile("Not a gzipped file (b'<!')"), zlib.error("invalid"), EOFError(), BrotliError()],
)
def test_a_body_that_is_not_packed_as_it_says_is_told_in_words(error: Exception) -> None:
    """Failed before: the catalogue said `failed: BadGzipFile`, and `failed: error` for Brotli."""
    assert reason_of(error, "http://a.de/") == "body cannot be unpacked"


def test_rules_are_not_looked_for_behind_more_redirects_than_the_standard_asks_for() -> None:
    """Failed before: a robots.txt that leads to itself was asked for 20 times."""
    assert settings(Manners(), CrawlLimits())["REDIRECT_MAX_TIMES"] == 5


def test_nothing_of_scrapy_that_a_crawl_does_not_need_is_loaded() -> None:
    """Failed before: a server for remote control, feeds and cookies were loaded, a second of them."""
    code = """if True:
        import sys
        from scrapy.crawler import AsyncCrawlerProcess
        from dragoman.crawl.live.driver.run import settings
        from dragoman.crawl.live.driver.session import Manners
        from dragoman.crawl.live.state.safety import CrawlLimits
        from scrapy import Spider
        crawler = AsyncCrawlerProcess(settings(Manners(), CrawlLimits())).create_crawler(Spider)
        crawler._apply_settings()
        print(*sorted({"aiohttp", "tldextract", "requests"} & set(sys.modules)))
        """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == []


@pytest.mark.parametrize("location", [b"/b", b"\\b", b"http:\\\\a.de\\b"])
def test_a_redirect_that_is_written_with_backslashes_leads_where_browsers_go(location: bytes) -> None:
    """Failed before: `\\b` led to `http://a.de//b`, a page that is not there."""
    assert location_of(Response("http://a.de/x", headers={"Location": location})) == "http://a.de/b"


def test_the_callback_of_requests_is_one_object() -> None:
    """Failed before: Scrapy read the source of a method anew for each answer, a fortieth of the time."""
    crawl: Any = SimpleNamespace(
        steering=SimpleNamespace(in_flight=(), revisit=False),
        store=SimpleNamespace(server=[], url=lambda key: f"http://a.de/{key}", get_each=lambda prefix: {}),
        manners=SimpleNamespace(delay=0.0, per_host=1),
        resumed=False,
    )
    spider = LiveSpider(crawl)
    assert spider.request(1).callback is spider.request(2).callback
