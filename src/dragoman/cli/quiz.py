"""`dragoman quiz`: guess the language of URLs, and compare yourself with the model."""

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path
from typing import Any

import click

from dragoman.cli import complete, options
from dragoman.cli.asking import ask_each
from dragoman.identifiers.answer import choice
from dragoman.identifiers.models import open_url_model
from dragoman.languages import FIVE, find, name
from dragoman.measures import plain
from dragoman.studies.url_2008.quiz import Quiz, quiz_tables, read_answers
from dragoman.tables.output import output


@click.command(short_help="Guess the language of URLs, and compare yourself with the model.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option(
    "--model",
    default="default",
    show_default=True,
    help="Name or path of the model to compare with.",
    shell_complete=complete.models,
)
@options.chosen_languages("The languages to choose from.  [default: five]")
@click.option("--number", type=click.IntRange(1), default=20, show_default=True, help="How many URLs.")
@click.option("--seed", type=click.IntRange(0), help="Draw the same URLs again.  [default: others each time]")
@click.option("--evenly/--as-they-come", default=True, show_default=True, help="As many of each language, or any rows.")
@options.url_column
@options.label_column
@click.option("--answers", type=click.Path(path_type=Path), help="Keep your answers in this file (JSON lines).")
@click.option(
    "--replay", multiple=True, type=click.Path(path_type=Path), help="Score kept answers; repeat it to compare people."
)
@options.table_or_json
def quiz(file: Path | None, model: str, languages: str | None, replay: tuple[Path, ...], form: str, **how: Any) -> None:
    """URLs from FILE (Parquet, CSV, TSV or JSONL with a URL and a language per row), one by one: which language?

    Type a number or a language (de, deu, German), Enter for "don't know", q to stop early. Then your scores and the
    model's on the same URLs, their agreement, and the URLs that one of you got wrong, beside the two people who did
    this for the 2008 paper.
    """
    if bool(replay) == (file is not None):
        raise click.UsageError("Give a file of labelled URLs, or --replay with kept answers")
    if replay and how["answers"]:
        raise click.UsageError("--answers keeps new answers: leave it out with --replay")
    judge = open_url_model(model)  # what is wrong with the model is said before anybody has answered
    if file is not None:
        choices = choice(judge, languages or FIVE) or ()
        if len(choices) < 2:
            raise click.UsageError(f"There is nothing to choose: --languages needs two or more, not '{languages}'")
        asked = Quiz.read(file, judge, choices, url_column=how.pop("column"), language_column=how.pop("label_column"))
        people = {"you": _ask(asked, **how)}
    else:
        same = len({path.stem for path in replay}) < len(replay)
        by_person = {str(path) if same else path.stem: read_answers(path) for path in replay}
        rows = [row for answers in by_person.values() for row in answers.values()]
        choices = choice(judge, languages or [tag for row in rows for tag in row["choices"]]) or ()
        asked = Quiz({row["url"]: row["language"] for row in rows}, choices, judge)
        people = {person: {url: row["answer"] for url, row in rows.items()} for person, rows in by_person.items()}
    result = asked.result(people, f"model {model}")
    if replay and not result["n"]:
        raise click.UsageError("The kept answers have no URL in common: use the same --seed and file for each")
    if not result["n"]:
        click.echo("dragoman: nothing was answered, so there is nothing to score", err=True)
    if form == "json":
        click.echo(json.dumps({"model": model} | plain(result), indent=1))
    elif result["n"]:
        click.echo("\n\n".join(table.to_text() for table in quiz_tables(result)))


def _ask(asked: Quiz, number: int, seed: int | None, evenly: bool, answers: Path | None) -> dict[str, str | None]:
    """What somebody answers, by URL; kept in a file if one is given."""
    seed = secrets.randbelow(1 << 32) if seed is None else seed
    urls = asked.draw(number, seed, evenly)
    with output(str(answers or os.devnull)) as stream:  # a file that cannot be written is told before anybody answers
        for line in (*asked.warnings, f"URLs drawn with --seed {seed}"):
            click.echo(f"dragoman: {line}", err=True)
        tags = ask_each("Which language is the page in?", urls, {tag: name(tag) for tag in asked.choices}, find)
        given = dict(zip(urls, tags, strict=False))
        for url, tag in given.items():
            row = {"url": url, "language": asked.questions[url], "answer": tag, "choices": asked.choices}
            stream.write(json.dumps(row).encode() + b"\n")
    return given
