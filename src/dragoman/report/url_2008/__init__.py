"""The report of the URL paper's study: theirs and ours side by side, as HTML, Markdown and CSV."""

from __future__ import annotations

from dragoman.report.url_2008.page import study_page

__all__ = ["study_page"]
