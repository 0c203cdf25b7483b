"""The add-on for Scrapy: what people's own spiders get of the steering, tried with a real spider and a real server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.live_web import PORT, SmallWeb, sentences, serve

from dragoman.web.graph import Graph

HOME = f"http://127.0.0.1:{PORT}"
SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import AsyncCrawlerProcess

class Mine(scrapy.Spider):
    name = "mine"
    asked = []

    def parse(self, response):
        self.asked.append(response.url)
        yield from response.follow_all(css="a")

process = AsyncCrawlerProcess({"ADDONS": {"dragoman.integrations.scrapy.Addon": 500}, "LOG_ENABLED": False,
                               "CONCURRENT_REQUESTS": 1, **json.loads(sys.argv[2])})
crawler = process.create_crawler(Mine)
process.crawl(crawler, start_urls=[sys.argv[1]])
process.start()
print(json.dumps([Mine.asked, crawler.stats.get_stats()], default=str))
"""


@pytest.fixture
def web() -> SmallWeb:
    thai = "".join(f"<p>{one}</p>" for one in sentences("th")[:12])
    links = '<a href="/1">English</a><a href="/2">x</a><a href="/3">ภาษาไทย</a><a href="/4" hreflang=th>y</a>'
    links += '<a href="/5">z</a>'
    special = {f"{HOME}/": (200, {"Content-Type": "text/html"}, (links + thai).encode())}
    special |= {f"{HOME}/{page}": (200, {"Content-Type": "text/html; charset=utf-8"}, thai.encode()) for page in "1234"}
    return SmallWeb(Graph.of([[]], language=[0], languages=("th",), seeds=[0]), [f"{HOME}/"], special)


def crawled(web: SmallWeb, folder: Path, **settings: Any) -> tuple[list[str], dict[str, Any]]:
    (folder / "spider.py").write_text(SPIDER, encoding="utf-8")
    command = [sys.executable, "spider.py", web.seeds[0], json.dumps({"DRAGOMAN_LANGUAGES": ["th"], **settings})]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    asked, stats = json.loads(done.stdout.splitlines()[-1])
    return ["/" + url.split("/", 3)[3] for url in asked], stats


def test_texts_of_links_and_hreflang_decide_what_is_asked_for_first(web: SmallWeb, tmp_path: Path) -> None:
    with serve(web) as there:
        asked, stats = crawled(there, tmp_path)
    assert set(asked[1:3]) == {"/3", "/4"}
    assert asked[-1] == "/1"
    assert stats["dragoman/errors"] == 1


def test_a_quota_that_is_full_ends_it(web: SmallWeb, tmp_path: Path) -> None:
    with serve(web) as there:
        asked, stats = crawled(there, tmp_path, DRAGOMAN_QUOTAS={"th": 3}, DRAGOMAN_MODEL="cctld")
    assert len(asked) == 3
    assert stats["dragoman/dropped/every quota is full"] >= 2
