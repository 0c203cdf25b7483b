"""What a command was given, URLs, files and stdin in any order, becomes inputs; and what it writes, and says."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from dragoman.errors import UsageError, printable, shorten
from dragoman.label.inputs import Inputs
from dragoman.tables.formats import Format, is_bare_word, looks_like_a_table
from dragoman.tables.pieces import Lines
from dragoman.tables.read import open_source
from dragoman.tables.source import Source

#: How the address of a file of another file system begins, such as s3://; what the web has is a URL.
_ELSEWHERE = re.compile(r"(?!https?:|ftps?:)[a-z][a-z0-9+-]*://", re.IGNORECASE)


def check_files(words: Sequence[str], command: str) -> None:
    """UsageError if there are no files, or stdin is there twice."""
    if not words:
        raise UsageError(f"Nothing to do: give files, or - for stdin (dragoman {command} --help)")
    if words.count("-") > 1:
        raise UsageError("'-' (stdin) can be read only once: give it once")
    there = [word for word in words if word == "-" or _is_there(word)]
    folders = [word for word in there if Path(word).is_dir()]
    # Of several pages, what cannot be read is told and the others are judged.
    if folders and (command == "url" or folders == there):
        ending = "*.csv" if command == "url" else "*.html"
        raise UsageError(
            f"'{shorten(folders[0])}' is a folder: give the files in it, such as {Path(folders[0]) / ending}"
        )
    if command != "url" and not there:
        raise UsageError(f"No such file: '{shorten(words[0])}'; {_remedy(words[0], command)}")


def _remedy(word: str, command: str) -> str:
    """What somebody may do who gave a command something that is no file."""
    if "://" in word:
        return f"nothing is fetched here: give a saved page, or 'curl -s URL | dragoman {command} -'"
    if " " in word.strip():
        return f"check its name; a text is given on stdin: echo TEXT | dragoman {command} -"
    return "check its name"


def urls_or_files(
    words: Sequence[str], format: Format | None, new_columns: Sequence[str], replace: bool, column: str | None = None
) -> Inputs:
    """The inputs in their order: files and stdin as sources, URLs beside each other as one piece.

    No input at all is stdin, where something is piped in.
    """
    if not words:
        if not _piped():
            raise UsageError("Nothing to do: give URLs, files, or - for stdin (dragoman url --help)")
        words = ("-",)
    check_files(words, "url")
    inputs: list[Source | Lines] = []
    for word in words:
        if word == "-" or _is_there(word):
            inputs.append(open_source(word, format, new_columns, replace, column))
        elif looks_like_a_table(word):
            hint = "if it is a URL, write http:// before it"
            raise UsageError(f"No such file: '{shorten(word)}'; check its name, or {hint}")
        elif (elsewhere := _ELSEWHERE.match(word)) and looks_like_a_table(word[elsewhere.end() :]):
            hint = "give its path on this machine, or pipe it in: ... | dragoman url -"
            raise UsageError(f"'{shorten(word)}' is a file of another file system, which is not read here: {hint}")
        elif is_bare_word(word):
            hint = f"write http://{shorten(word)} if it is a host"
            raise UsageError(f"'{shorten(word)}' is neither a URL nor a file: check its name, or {hint}")
        else:
            last = inputs[-1] if inputs else None
            if not isinstance(last, Lines):
                inputs.append(last := Lines([]))
            last.values.append(os.fsencode(word))
    return inputs


def _piped() -> bool:
    """True if stdin is a pipe or a file, and not a terminal or the nothing that a service starts with."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # closed, or not a stream of the system
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None or not stream.seekable():
            return False
        start = stream.tell()
        return bool(stream.read(1)) and stream.seek(start) >= 0
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def _is_there(word: str) -> bool:
    try:
        return bool(word) and Path(word).exists()  # no name at all would be this folder
    except (OSError, ValueError):  # too long for a name, or NUL in it
        return False


def tell(line: str) -> None:
    """A line on stderr."""
    click.echo(f"dragoman: {printable(line)}", err=True)


def note(lines: Iterable[str]) -> None:
    """Notes on stderr."""
    for line in lines:
        tell(f"note: {line}")
