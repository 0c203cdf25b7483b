"""`dragoman papers hmm-2004`."""

from __future__ import annotations

from pathlib import Path

from dragoman.studies import Report, Request, Study


def run(request: Request, report: Report) -> list[Path]:
    """The study of hidden Markov models of letters."""
    from dragoman.files import write_whole
    from dragoman.studies.hmm_2004.page import study_page
    from dragoman.studies.hmm_2004.results import training_times
    from dragoman.studies.hmm_2004.study import run_study

    done = run_study(request.data, request.output, request.scale, report, request.seed)
    report(1, 1, "writing the report")
    written = study_page(done, request.command).save(request.output)
    write_whole(request.output / "timings.csv", training_times(done).to_csv())
    return list(written)


STUDY = Study("folder with pages.parquet and sentences.parquet", run)
