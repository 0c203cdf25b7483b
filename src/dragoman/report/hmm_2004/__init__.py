"""The report of the HMM paper's study: theirs and ours side by side, as HTML, Markdown and CSV."""

from __future__ import annotations

from dragoman.report.hmm_2004.page import study_page
from dragoman.report.hmm_2004.results import training_times

__all__ = ["study_page", "training_times"]
