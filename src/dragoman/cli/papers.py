"""`dragoman papers`: the tables and figures of a paper, theirs and ours side by side."""

from __future__ import annotations

from pathlib import Path

import click

from dragoman.errors import UnknownName

STUDIES = {"url-2008": "Web Page Language Identification Based on URLs (Baykan, Henzinger, Weber; VLDB 2008)"}


@click.command(short_help="The tables and figures of a paper, theirs and ours side by side.")
@click.argument("name", required=False)
@click.option("--data", type=click.Path(path_type=Path), help="Folder with train.parquet and dev_<name>.parquet.")
@click.option("--text", type=click.Path(path_type=Path), help="Parquet file (text, lang) for training on content.")
@click.option(
    "--scale", type=click.Choice(["full", "small"]), default="full", show_default=True, help="How large a run."
)
@click.option("--seed", default=0, show_default=True, help="Seed of everything drawn at random.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Folder for the report.")
def papers(name: str | None, data: Path | None, text: Path | None, scale: str, seed: int, output: Path | None) -> None:
    """Run a paper's study on your data and write its report: HTML, Markdown, CSV and figures.

    Without NAME: list the studies. Finished pieces are kept in the output folder, so an interrupted run goes on where
    it stopped. The same data and seed give the same report; training times, which differ, are in timings.csv beside
    it. --text defaults to sentences.parquet in the folder text beside --data, where there is one.
    """
    if name is None:
        for known, title in STUDIES.items():
            click.echo(f"{known}  {title}")
        return
    if name not in STUDIES:
        raise UnknownName("paper", name, STUDIES)
    if data is None or output is None:
        raise click.UsageError("Give the data and the output: dragoman papers url-2008 --data DIR -o OUT")
    if text is None:
        text = data.parent / "text" / "sentences.parquet"
    from dragoman.cli.progress import steps
    from dragoman.evaluate.url_2008.study import run_study
    from dragoman.report.html import write_whole
    from dragoman.report.url_2008 import study_page, training_times

    with steps() as report:
        study = run_study(data, output, scale, report, text, seed)
        report(1, 1, "writing the report")
        command = f"dragoman papers {name} --data DIR --scale {scale} --seed {seed} -o OUT"
        written = study_page(study, command).save(output)
        write_whole(output / "timings.csv", training_times(study).to_csv())
    for path in written[:2]:
        click.echo(str(path))
