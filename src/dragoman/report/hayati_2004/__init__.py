"""The report of the study of "Language Identification on the World Wide Web"."""

from __future__ import annotations

from dragoman.report.hayati_2004.page import study_page

__all__ = ["study_page"]
