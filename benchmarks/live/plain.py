"""Plain Scrapy as people run it: disk queue (JOBDIR), bodies saved, every link followed. What our crawl is held to."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess


class Plain(scrapy.Spider):
    name = "plain"
    folder: Path

    def parse(self, response: Any) -> Iterator[Any]:
        name = hashlib.sha1(response.url.encode(), usedforsecurity=False).hexdigest()
        (self.folder / name).write_bytes(response.body)
        for link in response.css("a::attr(href)").getall():
            yield response.follow(link)


def main(seeds: str, folder: Path, pages: int, concurrent: int) -> None:
    (folder / "bodies").mkdir(parents=True)
    settings = {
        "JOBDIR": str(folder / "job"),
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        "DEPTH_PRIORITY": 1,
        "ROBOTSTXT_OBEY": True,
        "COOKIES_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "CONCURRENT_REQUESTS": concurrent,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "CLOSESPIDER_PAGECOUNT": pages,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
        "TWISTED_DNS_RESOLVER": "dragoman.crawl.live.resolver.SafeResolver",
        "DRAGOMAN_RESOLVE": {"*": "127.0.0.1"},
        "DRAGOMAN_ALLOW_PRIVATE": True,
    }
    process = AsyncCrawlerProcess(settings)
    process.crawl(Plain, start_urls=Path(seeds).read_text(encoding="utf-8").split(), folder=folder / "bodies")
    process.start()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
