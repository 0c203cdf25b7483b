"""Plain Scrapy as people run it: disk queue (JOBDIR), bodies saved, every link followed. What our crawl is held to.

The settings that both have are taken from `dragoman crawl` itself (see throughput.py); Scrapy's own middlewares,
scheduler and duplicate filter are as they come.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess
from scrapy.linkextractors import LinkExtractor


class Plain(scrapy.Spider):
    name = "plain"
    folder: Path
    links = LinkExtractor()

    def parse(self, response: Any) -> Iterator[Any]:
        name = hashlib.sha1(response.url.encode(), usedforsecurity=False).hexdigest()
        (self.folder / name).write_bytes(response.body)
        for link in self.links.extract_links(response):
            yield scrapy.Request(link.url)


def main(seeds: str, folder: Path, shared: dict[str, Any]) -> None:
    (folder / "bodies").mkdir(parents=True)
    settings = {
        **shared,
        "JOBDIR": str(folder / "job"),
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        "DEPTH_PRIORITY": 1,
    }
    process = AsyncCrawlerProcess(settings)
    process.crawl(Plain, start_urls=Path(seeds).read_text(encoding="utf-8").split(), folder=folder / "bodies")
    process.start()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3]))
