"""Options that several commands have, each worded once; what differs from command to command is an argument."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from dragoman.cli import complete
from dragoman.identifiers.models import DEFAULT

Option = Callable[[Callable[..., Any]], Callable[..., Any]]

PATH = click.Path(path_type=Path)
#: A folder to write to: there, or to be made.
FOLDER = click.Path(path_type=Path, file_okay=False)
#: Tables that are read and written, by their names for --format and --input-format.
_TABLES = ("jsonl", "tsv", "csv", "parquet")

output_file = click.option(
    "-o", "--output", "path", metavar="FILE", help="Write here instead of to stdout; whole or not at all."
)
replace_columns = click.option(
    "--replace", is_flag=True, help="Write over columns of a table that have the names of ours."
)
top_scores = click.option(
    "--top", type=click.IntRange(min=1), metavar="K", help='Add the K likeliest languages as "scores".'
)
url_column = click.option(
    "--column", default="url", show_default=True, help="The column that holds the URLs of a table."
)
label_column = click.option("--label-column", default="lang", show_default=True, help="Column with the languages.")
table_or_json = click.option(
    "--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True
)
url_model = click.option(
    "--model", "model_name", default=DEFAULT, show_default=True, metavar="NAME|PATH", help="See 'dragoman models'.",
    shell_complete=complete.models,
)  # fmt: skip


def chosen_languages(
    help: str = "Choose among these only: tags, codes or names.", metavar: str = "en,de,..."
) -> Option:
    """--languages, which a shell completes."""
    return click.option("--languages", metavar=metavar, help=help, shell_complete=complete.languages)


def written_format(help: str) -> Option:
    """--format of a table of answers, which a terminal shows as a table."""
    return click.option("--format", "format_", type=click.Choice(["table", *_TABLES]), help=help)


def input_format(other: str, help: str) -> Option:
    """--input-format: a table, or what is read where it is none."""
    return click.option("--input-format", type=click.Choice([other, *_TABLES]), help=help)


def threshold(help: str) -> Option:
    """--threshold: below it there is no answer."""
    return click.option("--threshold", type=float, metavar="P", help=help)


def threads(help: str) -> Option:
    """--threads of a bulk run."""
    return click.option("--threads", type=click.IntRange(min=1), default=1, show_default=True, help=help)
