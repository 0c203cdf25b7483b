"""`dragoman quiz`: guess the language of URLs, and compare yourself with the model."""

from __future__ import annotations

import sys
from pathlib import Path

import click

YOU = "you"


@click.command(short_help="Guess the language of URLs, and compare yourself with the model.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--model", default="default", show_default=True, help="Name or path of the model to compare with.")
@click.option("--languages", help="The languages to choose from, e.g. en,de,fr.  [default: five]")
@click.option("--number", type=click.IntRange(1), default=20, show_default=True, help="How many URLs.")
@click.option("--seed", type=click.IntRange(0), help="Draw the same URLs again.  [default: others each time]")
@click.option(
    "--evenly/--as-they-come", default=True, show_default=True, help="As many of each language, or rows at random."
)
@click.option("--column", default="url", show_default=True, help="Column with the URLs.")
@click.option("--label-column", default="lang", show_default=True, help="Column with the languages.")
@click.option("--answers", type=click.Path(path_type=Path), help="Keep your answers in this file (JSON lines).")
@click.option(
    "--replay",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Score kept answers instead of asking; repeat it to compare people.",
)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
def quiz(
    file: Path | None,
    model: str,
    languages: str | None,
    number: int,
    seed: int | None,
    evenly: bool,
    column: str,
    label_column: str,
    answers: Path | None,
    replay: tuple[Path, ...],
    form: str,
) -> None:
    """URLs from FILE (Parquet, CSV, TSV or JSONL with a URL and a language per row), one by one: which language?

    Type a number or a language (de, deu, German), Enter for "don't know", q to stop early. Then your scores and the
    model's on the same URLs, their agreement, and the URLs that one of you got wrong, beside the two people who did
    this for the 2008 paper.
    """
    import json
    from dataclasses import replace

    from dragoman.cli.show import readable
    from dragoman.columns import ByteColumn
    from dragoman.identifiers.answer import answer, choice
    from dragoman.identifiers.models import open_url_model
    from dragoman.languages import FIVE, parse_list
    from dragoman.studies.url_2008.quiz import ask, read_answers, score, to_lines, together
    from dragoman.studies.url_2008.quiz_tables import quiz_tables
    from dragoman.tables.output import output

    if bool(replay) == (file is not None):
        raise click.UsageError("Give a file of labelled URLs, or --replay with kept answers")
    wanted = parse_list(languages) if languages else None
    opened = open_url_model(model)  # what is wrong with the model is said before anybody has answered
    if replay:
        people = together(dict(zip(_names(replay), [read_answers(path) for path in replay], strict=True)))
        if answers is not None:
            raise click.UsageError("--answers keeps new answers: leave it out with --replay")
        if not next(iter(people.values())):
            raise click.UsageError("The kept answers have no URL in common: use the same --seed and file for each")
        choices = wanted or tuple(dict.fromkeys(tag for given in people.values() for tag in given[0].choices))
        choice(opened, choices)
    else:
        assert file is not None
        choices = choice(opened, wanted or FIVE) or ()
        if len(choices) < 2:
            raise click.UsageError(f"There is nothing to choose: --languages needs two or more, not '{languages}'")
        if answers is not None and not answers.absolute().parent.is_dir():
            raise click.UsageError(f"No such folder: '{answers.parent}'")
        questions = _questions(file, column, label_column, choices, number, seed, evenly)
        found = ask(questions, choices, _line, lambda text: click.echo(text, nl=False, err=True), readable)
        people = {YOU: found}
        if answers is not None:
            with output(str(answers)) as stream:
                stream.write(to_lines(found))
    first = next(iter(people.values()))
    urls = [one.url for one in first]
    if not urls:
        click.echo("dragoman: nothing was answered, so there is nothing to score", err=True)
    said: dict[str, list[str | None]] = {person: [one.said for one in given] for person, given in people.items()}
    said[f"model {model}"] = answer(opened, ByteColumn.from_rows(urls), choices, threshold=0).tags()
    result = score(urls, [one.truth for one in first], said, choices)
    if form == "json":
        click.echo(json.dumps({"model": model} | result.to_json(), indent=1))
    elif urls:
        shown = replace(result, urls=tuple(readable(url) for url in urls))
        click.echo("\n\n".join(table.to_text() for table in quiz_tables(shown)))


def _line() -> str:
    """The next line of stdin, whatever its bytes; empty at the end."""
    return sys.stdin.buffer.readline().decode("utf-8", "replace")


def _questions(
    file: Path, column: str, label_column: str, choices: tuple[str, ...], number: int, seed: int | None, evenly: bool
) -> list[tuple[str, str]]:
    import secrets

    from dragoman.columns import ByteColumn, text_of
    from dragoman.errors import BadTable
    from dragoman.studies.url_2008.quiz import draw
    from dragoman.tables.labelled.reading import read_labelled

    labelled = read_labelled(file, column, label_column)
    for warning in labelled.warnings:
        click.echo(f"dragoman: {warning}", err=True)
    urls = [text_of(url) for url in ByteColumn.of(labelled.urls)]
    labels = labelled.languages.tolist()
    present = sorted({label for label in labels if label in choices})
    if len(present) < 2:
        found = f"only '{present[0]}'" if present else "none"
        raise BadTable(f"'{file}': a quiz needs URLs of two of the languages {', '.join(choices)}; found {found}")
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    click.echo(f"dragoman: URLs drawn with --seed {seed}", err=True)
    rows = draw(urls, labels, choices, number, seed, evenly)
    return [(urls[row], labels[row]) for row in rows]


def _names(paths: tuple[Path, ...]) -> list[str]:
    """A name for each person: the file's, or the path where two have the same."""
    stems = [path.stem for path in paths]
    names = [path.stem if stems.count(path.stem) == 1 else str(path) for path in paths]
    if len(set(names)) < len(names):
        raise click.UsageError("--replay was given the same file twice")
    return names
