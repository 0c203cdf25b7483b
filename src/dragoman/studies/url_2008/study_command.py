"""`dragoman papers url-2008`."""

from __future__ import annotations

from pathlib import Path

from dragoman.studies import Report, Request, Study


def run(request: Request, report: Report) -> list[Path]:
    """The study of the URL paper; --text defaults to sentences.parquet in the folder text beside the data."""
    from dragoman.files import write_whole
    from dragoman.studies.url_2008.page import study_page
    from dragoman.studies.url_2008.results import training_times
    from dragoman.studies.url_2008.study import run_study

    text = request.text or request.data.parent / "text" / "sentences.parquet"
    done = run_study(request.data, request.output, request.scale, report, text, request.seed)
    report(1, 1, "writing the report")
    written = study_page(done, request.command).save(request.output)
    write_whole(request.output / "timings.csv", training_times(done).to_csv())
    return list(written)


STUDY = Study("folder with train.parquet and dev_<name>.parquet", run)
