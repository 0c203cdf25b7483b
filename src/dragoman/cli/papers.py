"""`dragoman papers`: the tables and figures of a paper, theirs and ours side by side."""

from __future__ import annotations

from pathlib import Path

import click

from dragoman.cli import complete, options
from dragoman.cli.evaluate import TRAIN
from dragoman.errors import check_extra
from dragoman.studies import STUDIES

#: Where claims are cut in the closing table on a terminal; the report has them whole.
_LONGEST_CLAIM = 72


@click.command(short_help="The tables and figures of a paper, theirs and ours side by side.")
@click.argument("name", required=False, shell_complete=complete.papers)
@click.option("--data", type=options.PATH, help="Folder of the study's data (see the list).")
@click.option("--text", type=options.PATH, help="url-2008: Parquet file (text, lang) of content.")
@click.option("--urls", type=options.PATH, help="hayati-2004: folder of labelled URLs.")
@click.option(
    "--scale", type=click.Choice(["full", "small"]), default="full", show_default=True, help="How large a run."
)
@click.option("--seed", default=0, show_default=True, help="Seed of everything drawn at random.")
@click.option("-o", "--output", type=options.FOLDER, help="Folder for the report.")
def papers(
    name: str | None,
    data: Path | None,
    text: Path | None,
    urls: Path | None,
    scale: str,
    seed: int,
    output: Path | None,
) -> None:
    """Run a paper's study on your data and write its report: HTML, Markdown, CSV and figures.

    Without NAME: list the studies. --data is a folder: for url-2008 labelled URLs (train.parquet, dev_<name>.parquet),
    for hayati-2004 and hmm-2004 text (pages.parquet, sentences.parquet); crawling-2007 makes its own webs and needs
    none. Finished pieces are kept in the output folder, so an interrupted run goes on where it stopped. The same data
    and seed give the same report, closed by a table of the claims by verdict, which is shown too; times, which differ,
    are in timings.csv beside it. --text defaults to
    sentences.parquet in the folder text beside --data, --urls to the folder urls beside it, where there are any.
    """
    if name is None:
        width = max(map(len, STUDIES))
        for known in STUDIES:
            click.echo(f"{known:{width}}  {STUDIES.about(known)}")
        return
    if (data is None and STUDIES.reads(name)) or output is None:
        needed = "the data and the output" if STUDIES.reads(name) else "the output"
        line = f"dragoman papers {name}{' --data DIR' * bool(STUDIES.reads(name))} -o OUT"
        raise click.UsageError(f"Give {needed}: {line}")
    check_extra("all", "matplotlib", *(TRAIN if STUDIES.reads(name) else ()))  # before hours of work, not after them
    from dragoman.cli.progress import steps
    from dragoman.studies.claims import verdict_table
    from dragoman.studies.study import Request, run_study

    request = Request(name, data or Path(), output, scale, seed, text, urls)
    with steps() as progress:
        outcome = run_study(STUDIES[name], request, progress)
    for path in outcome.written[:2]:
        click.echo(str(path))
    click.echo("\n" + verdict_table(outcome.findings, longest=_LONGEST_CLAIM).to_text(), err=True)
