"""Scrapy drives the crawl: requests, answers, robots.txt, archives."""
