"""Runs the examples of README.md and docs and writes what they print into the pages.

    python tools/refresh_examples.py            run everything, rewrite the outputs that changed
    python tools/refresh_examples.py --check    fail when an example fails, or prints something else (numbers aside)
    python tools/refresh_examples.py PAGE ...   these pages only

Each page runs from top to bottom in an empty folder of its own. What its fenced blocks mean:

    csv NAME      the file NAME is made with this content; so with html, text and python in place of csv
    python        is run; with >>> it is a doctest and must print what it says, to the letter
    console       lines that begin with "$ dragoman", "$ python" or "$ cat" are run; what follows is what they print on
                  a terminal, and if its last line is "...", as many lines of it as there were. A command that ends in
                  "&" goes on until the page ends, and prints one line before the next command
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
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from dragoman.cli.main import cli

ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILES = ("csv", "html", "text", "python")
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
    if arguments[:1] == ["crawl"]:  # Scrapy runs once in a process
        return program(["-m", "dragoman", *arguments])
    result = CliRunner().invoke(cli, arguments, prog_name="dragoman")
    if result.exit_code or result.exception:
        raise SystemExit(f"$ dragoman {shlex.join(arguments)}\nfailed ({result.exit_code}): {result.output}")
    return result.output


def program(arguments: list[str]) -> str:
    """What a run of Python prints."""
    command = [sys.executable, *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"$ python {shlex.join(arguments)}\nfailed ({done.returncode}): {done.stdout}")
    return done.stdout


def started(program: str, arguments: list[str], still: contextlib.ExitStack) -> str:
    """The first line of a program that goes on until the page ends."""
    command = [sys.executable, *(["-m", "dragoman"] if program == "dragoman" else []), *arguments]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")  # noqa: S603
    still.callback(running.wait)
    still.callback(running.terminate)
    assert running.stdout is not None
    line = running.stdout.readline()
    if not line or running.poll():
        raise SystemExit(f"$ {program} {shlex.join(arguments)} &\nfailed: {line}{running.stdout.read()}")
    return line


def console(block: str, still: contextlib.ExitStack) -> str:
    """The block with what its commands print now."""
    out = []
    for command, before in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
        name, *arguments = shlex.split(command)
        if name not in ("dragoman", "python", "cat"):
            raise SystemExit(f"a console block runs dragoman, python and cat, not: {command}")
        if arguments[-1] == "&":
            text = started(name, arguments[:-1], still)
        elif name == "cat":
            text = Path(arguments[0]).read_text(encoding="utf-8")
        else:
            text = dragoman(arguments) if name == "dragoman" else program(arguments)
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
        if language in FILES and file:
            Path(file).write_text(match[2], encoding="utf-8")
        elif language == "python":
            python(match[2], names, where)
        elif language == "console":
            return f"```{match[1]}\n{console(match[2], still)}```"
        return match[0]

    with empty_folder(), contextlib.ExitStack() as still:
        return FENCE.sub(run, text)


def comparable(text: str) -> str:
    """The page without its numbers and the spaces that align them."""
    return re.sub(r"[ \-]+", " ", NUMBER.sub("#", text))


def main() -> int:
    """Run every page."""
    check, stale = "--check" in sys.argv[1:], []
    chosen = [Path(one).resolve() for one in sys.argv[1:] if not one.startswith("-")]
    for path in chosen or pages():
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
