"""The live crawl: strategies and frontier of the simulator behind Scrapy, with everything kept in one folder."""
