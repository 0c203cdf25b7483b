"""One crawl by several processes."""
