"""Languages in Spark: columns for data frames (`identify`) and tables (`label_index`), and both ends of crawls."""

from __future__ import annotations

from dragoman.integrations.spark.crawls import merge_catalogues, rescore, waiting_urls
from dragoman.integrations.spark.frames import identify, label_index
from dragoman.integrations.spark.pages import archive_links, archive_pages, crawl_pages, index_pages
from dragoman.integrations.spark.sites import known_sites, seeds, site_counts

__all__ = [
    "archive_links",
    "archive_pages",
    "crawl_pages",
    "identify",
    "index_pages",
    "known_sites",
    "label_index",
    "merge_catalogues",
    "rescore",
    "seeds",
    "site_counts",
    "waiting_urls",
]
