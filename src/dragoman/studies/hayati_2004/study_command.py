"""`dragoman papers hayati-2004`."""

from __future__ import annotations

from pathlib import Path

from dragoman.studies import Report, Request, Study


def run(request: Request, report: Report) -> list[Path]:
    """The study of language identification on the web; --urls defaults to the folder urls beside the data."""
    from dragoman.studies.hayati_2004.page import study_page
    from dragoman.studies.hayati_2004.study import run_study

    urls = request.urls or request.data.parent / "urls"
    done = run_study(request.data, request.output, request.scale, report, urls, request.seed)
    report(1, 1, "writing the report")
    return list(study_page(done, request.command).save(request.output))


STUDY = Study("folder with pages.parquet and sentences.parquet", run)
