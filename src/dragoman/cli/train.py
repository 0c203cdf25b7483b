"""`dragoman train`: a model from labelled URLs or texts, with a report of its quality on sites it did not see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dragoman.cli import complete, options


@click.command(short_help="A model from labelled URLs or texts.")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--from-crawl", type=options.PATH, help="Learn from the pages of this crawl instead.")
@click.option("-o", "--output", type=options.PATH, required=True, help="The model file to write.")
@click.option(
    "--algorithm",
    default="logistic-regression",
    show_default=True,
    help="See `dragoman models --algorithms`.",
    shell_complete=complete.algorithms,
)
@click.option("--features", help="Feature set; each algorithm has its own default.", shell_complete=complete.features)
@click.option("--column", help="Column with the URLs or texts.  [default: url, or text by what the algorithm reads]")
@options.label_column
@options.chosen_languages("Train for these languages only.")
@click.option("--cap", type=click.IntRange(1), default=30, show_default=True, help="Most URLs per site.")
@click.option(
    "--per-language", type=click.IntRange(1), default=100_000, show_default=True,
    help="Most URLs per language, sampled from Common Crawl's columnar index.",
)  # fmt: skip
@click.option(
    "--held-out", type=click.FloatRange(0.01, 0.9), default=0.1, show_default=True, help="Share of the sites."
)
@click.option("--param", "params", multiple=True, metavar="NAME=VALUE", help="A parameter of the algorithm.")
@click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of everything drawn at random."
)
def train(
    files: tuple[str, ...],
    from_crawl: Path | None,
    output: Path,
    algorithm: str,
    features: str | None,
    column: str | None,
    label_column: str,
    languages: str | None,
    cap: int,
    per_language: int,
    held_out: float,
    params: tuple[str, ...],
    seed: int,
) -> None:
    """Learn from FILE (Parquet, CSV, TSV or JSONL with a URL or a text and a language per row) and write a model.

    FILE may also be a dump of the Open Directory (content.rdf.u8.gz), or Common Crawl's columnar index: a Parquet file
    of it, a folder or pattern of them, or a remote path (s3://...); several of these are read as one.

    Some sites are held out to judge a first model by; the model that is written has learnt from all of them. A column
    `site` is used where there is one; else sites are registered domains, and each text is a site of its own. With
    --from-crawl the pages that `dragoman crawl` fetched into a folder are the examples, labelled with the language of
    their text.
    """
    import numpy as np

    from dragoman.cli.evaluate import TRAIN
    from dragoman.columns import ByteColumn
    from dragoman.errors import UsageError, check_extra, shorten
    from dragoman.evaluate.holding_out import train_and_judge
    from dragoman.evaluate.splits import number_sites, sites_of
    from dragoman.identifiers import model_file as store
    from dragoman.identifiers.algorithms import ALGORITHMS, make, parameters
    from dragoman.languages import parse_list
    from dragoman.report.evaluation import language_table
    from dragoman.tables.labelled.columnar_index import Sample
    from dragoman.tables.labelled.reading import read_labelled

    check_extra("train", *TRAIN)
    if bool(files) == (from_crawl is not None):
        raise UsageError("Give either FILE, a table of labelled URLs, or --from-crawl with the folder of a crawl")
    if from_crawl is not None:
        from dragoman.crawl.live.state.catalogue import labelled_pages

        files = (str(labelled_pages(from_crawl)),)
    settings: dict[str, Any] = {"seed": seed} if "seed" in parameters(algorithm) else {}
    settings |= {"features": features} | parse_params(params)
    make(algorithm, **settings)  # a bad name or parameter is said before the file is read
    noun = {"urls": "URLs", "text": "texts"}[ALGORITHMS.reads(algorithm)]
    column = column or {"URLs": "url", "texts": "text"}[noun]
    if not output.parent.is_dir():
        raise click.UsageError(f"No such folder: '{output.parent}'")
    if output.is_dir():
        raise UsageError(f"'{output}' is a folder: give the name of a file for the model")
    if output.exists() and any(Path(file).exists() and output.samefile(file) for file in files):
        raise UsageError(f"'{output}' is what the model learns from: give the model another name")
    labelled = read_labelled(files, column, label_column, sample=Sample(per_language, cap, seed))
    for warning in labelled.warnings:
        click.echo(f"dragoman: {warning}", err=True)
    labels = labelled.languages.copy()
    if languages is not None:
        wanted = set(parse_list(languages))
        labels[[label not in wanted for label in labels]] = None
    rows = ByteColumn.of(labelled.urls)
    if labelled.sites is not None:
        sites = number_sites(labelled.sites)
    else:
        sites = sites_of(rows) if noun == "URLs" else np.arange(len(rows))
    try:
        with ALGORITHMS.blaming(algorithm):
            trained = train_and_judge(
                lambda: make(algorithm, **settings), rows, labels, sites, cap, held_out, seed, _say, noun
            )
    except (TypeError, ValueError) as error:
        if not params:
            raise
        given = ", ".join(params)
        raise UsageError(f"'{algorithm}' cannot be trained with {given}: {shorten(str(error), 200)}") from error
    digest = store.save(trained.model, output)
    for evaluation in trained.readings.values():
        click.echo(language_table(evaluation).to_text() + "\n")
    click.echo(
        f"{output}: {algorithm}, {len(trained.model.languages_)} languages, {trained.rows:,} {noun}, "
        f"{output.stat().st_size:,} bytes, digest {digest[:16]}"
    )


def _say(line: str) -> None:
    click.echo(f"dragoman: {line}", err=True)


def parse_params(params: tuple[str, ...]) -> dict[str, Any]:
    """NAME=VALUE pairs; whole numbers and decimals become numbers."""
    values: dict[str, Any] = {}
    for param in params:
        name, equals, value = param.partition("=")
        if not equals or not name:
            raise click.UsageError(f"--param takes NAME=VALUE, not '{param}'")
        for kind in (int, float, str):
            try:
                values[name.replace("-", "_")] = kind(value)
                break
            except ValueError:
                continue
    return values
