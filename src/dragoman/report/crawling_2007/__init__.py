"""The report of the crawling paper's study: tables and plots, theirs beside ours."""

from dragoman.report.crawling_2007.page import study_page

__all__ = ["study_page"]
