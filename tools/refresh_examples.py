"""Runs the examples of README.md and docs and writes what they print into the pages.

    python tools/refresh_examples.py            run everything, rewrite the outputs that changed
    python tools/refresh_examples.py --check    fail when an example fails, or prints something else (numbers aside)

Each page runs from top to bottom in an empty folder of its own. What its fenced blocks mean:

    csv NAME      the file NAME is made with this content
    python        is run; with >>> it is a doctest and must print what it says, to the letter
    console       lines that begin with "$ dragoman" or "$ cat" are run; what follows is what they print on a terminal,
                  and if its last line is "...", as many lines of it as there were
    anything else is left alone (sh: commands that take too long, or need what a reader has and we do not)

Numbers are not compared, as the last digits belong to the machine; words, languages and layout are.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import runpy
import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from dragoman.cli.main import cli

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"[-+]?\d[\d.,]*(?:e-?\d+)?|(?<![\w.])[-+]?\.\d+|\b[0-9a-f]{12,}\b")


def pages() -> list[Path]:
    """README.md and every page of docs, decisions aside."""
    return [ROOT / "README.md", *sorted(p for p in (ROOT / "docs").rglob("*.md") if "decisions" not in p.parts)]


@contextlib.contextmanager
def empty_folder() -> Iterator[None]:
    """Work in a new folder, then go back."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        try:
            yield
        finally:
            os.chdir(before)


def dragoman(arguments: list[str]) -> str:
    """What a command prints on a terminal: `dragoman url` and `page` make a table there and JSON lines elsewhere."""
    if arguments[:1] in (["url"], ["page"]) and not {"--format", "-o", "--output"} & set(arguments):
        arguments = [*arguments, "--format", "table"]
    result = CliRunner().invoke(cli, arguments, prog_name="dragoman")
    if result.exit_code or result.exception:
        raise SystemExit(f"$ dragoman {shlex.join(arguments)}\nfailed ({result.exit_code}): {result.output}")
    return result.output


def console(block: str) -> str:
    """The block with what its commands print now."""
    out = []
    for command, before in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        program, *arguments = shlex.split(command)
        if program not in ("dragoman", "cat"):
            raise SystemExit(f"a console block runs dragoman and cat, not: {command}")
        text = dragoman(arguments) if program == "dragoman" else Path(arguments[0]).read_text(encoding="utf-8")
        lines = [line.rstrip() for line in text.rstrip().splitlines()]
        if before.endswith("\n...\n"):
            lines = [*lines[: before.count("\n") - 1], "..."]
        out += [f"$ {command}", *lines]
    return "".join(f"{line}\n" for line in out)


def python(block: str, names: dict[str, Any], where: str) -> None:
    """Run a block of Python, as a doctest where it has prompts."""
    if ">>>" not in block:
        Path("example.py").write_text(block, encoding="utf-8")
        runpy.run_path("example.py", run_name="__main__")
        return
    told = io.StringIO()
    test = doctest.DocTestParser().get_doctest(block, names, where, where, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    if runner.run(test, out=told.write, clear_globs=False).failed:
        raise SystemExit(f"{where}: {told.getvalue()}")
    names.update(test.globs)


def refreshed(text: str, where: str) -> str:
    """A page with the outputs that its examples give now."""
    names: dict[str, Any] = {"__name__": "__main__"}

    def run(match: re.Match[str]) -> str:
        language, _, file = match[1].strip().partition(" ")
        if language == "csv" and file:
            Path(file).write_text(match[2], encoding="utf-8")
        elif language == "python":
            python(match[2], names, where)
        elif language == "console":
            return f"```{match[1]}\n{console(match[2])}```"
        return match[0]

    with empty_folder():
        return FENCE.sub(run, text)


def comparable(text: str) -> str:
    """The page without its numbers and the spaces that align them."""
    return re.sub(r"[ \-]+", " ", NUMBER.sub("#", text))


def main() -> int:
    """Run every page."""
    check, stale = "--check" in sys.argv[1:], []
    for path in pages():
        before = path.read_text(encoding="utf-8")
        after = refreshed(before, path.relative_to(ROOT).as_posix())
        if not check and after != before:
            path.write_text(after, encoding="utf-8")
        elif check and comparable(after) != comparable(before):
            stale.append(path.relative_to(ROOT).as_posix())
    if stale:
        print(f"out of date: {', '.join(stale)}; run python tools/refresh_examples.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
