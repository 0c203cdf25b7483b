"""`dragoman quiz`: guess the language of URLs, and compare yourself with the model."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from dragoman.cli import options
from dragoman.cli.show import readable
from dragoman.identifiers.models import open_url_model
from dragoman.languages import find, name
from dragoman.measures import plain
from dragoman.studies.url_2008.quiz import Quiz, quiz_tables, replayed
from dragoman.tables.output import output


@click.command(short_help="Guess the language of URLs, and compare yourself with the model.")
@click.argument("file", required=False, type=options.PATH)
@options.url_model
@options.chosen_languages("The languages to choose from.  [default: five]")
@click.option("--number", type=click.IntRange(1), default=20, show_default=True, help="How many URLs.")
@click.option("--seed", type=click.IntRange(0), help="Draw the same URLs again.  [default: others each time]")
@click.option("--evenly/--as-they-come", default=True, show_default=True, help="As many of each language, or any rows.")
@options.url_column
@options.label_column
@click.option("--answers", type=options.PATH, help="Keep your answers in this file (JSON lines).")
@click.option("--replay", multiple=True, type=options.PATH, help="Score kept answers; repeat it to compare people.")
@options.table_or_json
def quiz(file: Path | None, model_name: str, languages: str | None, replay: tuple[Path, ...], **how: Any) -> None:
    """URLs from FILE (Parquet, CSV, TSV or JSONL with a URL and a language per row), one by one: which language?

    Type a number or a language (de, deu, German), Enter for "don't know", q to stop early. Then your scores, the
    model's and the 2008 paper's two people's, the agreement, and the URLs that one of you got wrong.
    """
    if bool(replay) == (file is not None) or (replay and how["answers"]):
        raise click.UsageError("Give a file of labelled URLs, or --replay with kept answers (and no --answers)")
    model = open_url_model(model_name)  # what is wrong with the model is said before anybody has answered
    if file is None:
        asked, people = replayed(replay, model, languages)
    else:
        asked = Quiz.read(file, model, languages or "five", how["column"], how["label_column"])
        people = {"you": _ask(asked, how["answers"], *asked.draw(how["number"], how["seed"], how["evenly"]))}
    result = asked.result(people, f"model {model_name}")
    if not result["n"]:
        click.echo("dragoman: nothing was answered (by everybody), so there is nothing to score", err=True)
    if how["form"] == "json":
        click.echo(json.dumps({"model": model_name} | plain(result), indent=1))
    elif result["n"]:
        click.echo("\n\n".join(table.to_text() for table in quiz_tables(result)))


def _ask(asked: Quiz, answers: Path | None, urls: list[str], seed: int) -> dict[str, str | None]:
    """What somebody types for each URL until `q`, the end of stdin, or Ctrl-C; kept in a file if one is given."""
    numbers, given = {str(key): tag for key, tag in enumerate(asked.choices, 1)}, dict[str, str | None]()
    menu = "  ".join(f"{key} {name(tag)}" for key, tag in numbers.items())
    with output(str(answers or os.devnull)) as stream, suppress(KeyboardInterrupt):
        for warning in (*asked.warnings, f"URLs drawn with --seed {seed}"):
            click.echo(f"dragoman: {warning}", err=True)
        click.echo(f"Which language is the page in?  {menu}\nEnter: don't know. q: stop.", err=True)
        while len(given) < len(urls):
            url = urls[len(given)]
            click.echo(f"\n{len(given) + 1}/{len(urls)}  {readable(url)}\n> ", nl=False, err=True)
            line = sys.stdin.buffer.readline().decode("utf-8", "replace")
            if not line or (text := line.strip()).lower() in ("q", "quit"):
                break
            tag = numbers.get(text) or find(text)
            if text and tag not in asked.choices:
                click.echo(f"Not one of the choices. Type a number or a language: {menu}", err=True)
                continue
            given[url] = tag
            row = {"url": url, "language": asked.questions[url], "answer": tag, "choices": asked.choices}
            stream.write(json.dumps(row).encode() + b"\n")
    click.echo(err=True)
    return given
