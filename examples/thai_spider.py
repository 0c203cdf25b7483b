"""A spider that Dragoman's add-on steers towards Thai pages: python examples/thai_spider.py http://a.example/ ..."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import scrapy
from scrapy.crawler import AsyncCrawlerProcess


class TitleSpider(scrapy.Spider):
    """Prints titles, and follows every link."""

    name = "titles"

    def parse(self, response: Any) -> Iterator[Any]:
        """The title of a page, then its links."""
        print(response.url, response.css("title::text").get())
        yield from response.follow_all(css="a")


process = AsyncCrawlerProcess(
    {
        "ADDONS": {"dragoman.integrations.scrapy.Addon": 500},
        "DRAGOMAN_LANGUAGES": ["th"],
        "DRAGOMAN_STRATEGY": "conservative-server",
        "LOG_ENABLED": False,
    }
)
crawler = process.create_crawler(TitleSpider)
process.crawl(crawler, start_urls=sys.argv[1:])
process.start()
for name, count in sorted(crawler.stats.get_stats().items()):
    if name.startswith("dragoman/"):
        print(f"{name}: {count}")
