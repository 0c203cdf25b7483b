"""What others can see of a crawl that runs, and what becomes of servers nobody vouches for."""

from __future__ import annotations

import zlib
from gzip import BadGzipFile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from OpenSSL import SSL
from twisted.python.failure import Failure

from dragoman.cli.crawl import crawl
from dragoman.crawl.live.driver.connections import is_certificate
from dragoman.crawl.live.driver.run import settings
from dragoman.crawl.live.driver.session import Manners
from dragoman.crawl.live.driver.spider import reason_of
from dragoman.crawl.live.state.progress import METRICS, progress_of
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
    told = CliRunner().invoke(crawl, ["--status", str(tmp_path)])
    assert told.exit_code == 0, told.output
    assert "not yet" in told.output
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


@pytest.mark.parametrize("error", [BadGzipFile("Not a gzipped file (b'<!')"), zlib.error("invalid"), EOFError()])
def test_a_body_that_is_not_packed_as_it_says_is_told_in_words(error: Exception) -> None:
    """Failed before: the catalogue said `failed: BadGzipFile`."""
    assert reason_of(error, "http://a.de/") == "body cannot be unpacked"


def test_rules_are_not_looked_for_behind_more_redirects_than_the_standard_asks_for() -> None:
    """Failed before: a robots.txt that leads to itself was asked for 20 times."""
    assert settings(Manners(), CrawlLimits())["REDIRECT_MAX_TIMES"] == 5
