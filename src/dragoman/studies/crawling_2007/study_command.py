"""`dragoman papers crawling-2007`."""

from __future__ import annotations

from pathlib import Path

from dragoman.studies import Report, Request, Study


def run(request: Request, report: Report) -> list[Path]:
    """The study of the crawling paper, which makes its own webs: no data is needed."""
    from dragoman.studies.crawling_2007.page import study_page
    from dragoman.studies.crawling_2007.study import run_study

    done = run_study(request.output, request.scale, report, request.seed)
    report(1, 1, "writing the report")
    return study_page(done, request.command.replace(" --data DIR", "")).save(request.output)


STUDY = Study("", run)
