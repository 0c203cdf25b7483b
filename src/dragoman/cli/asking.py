"""Questions on a terminal, one after the other, each with the same numbered choices."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import click

from dragoman.cli.show import readable


def ask_each(
    question: str, items: Sequence[str], choices: Mapping[str, str], parse: Callable[[str], str | None]
) -> list[str | None]:
    """The choice that somebody types for each item, a number or what `parse` understands; None for Enter alone.

    Until all are answered, `q`, the end of stdin, or Ctrl-C. `choices` have a name for each; talk is on stderr.
    """
    numbers = {str(number): choice for number, choice in enumerate(choices, 1)}
    menu = "  ".join(f"{number} {choices[choice]}" for number, choice in numbers.items())
    click.echo(f"{question}  {menu}\nEnter: don't know. q: stop.", err=True)
    answers: list[str | None] = []
    with suppress(KeyboardInterrupt):
        while len(answers) < len(items):
            click.echo(f"\n{len(answers) + 1}/{len(items)}  {readable(items[len(answers)])}\n> ", nl=False, err=True)
            line = sys.stdin.buffer.readline().decode("utf-8", "replace")
            text = line.strip()
            if not line or text.lower() in ("q", "quit"):
                break
            choice = numbers.get(text) or parse(text)
            if choice in choices or not text:
                answers.append(choice)
            else:
                click.echo(f"Not one of the choices. Type a number or a language: {menu}", err=True)
    click.echo(err=True)
    return answers
