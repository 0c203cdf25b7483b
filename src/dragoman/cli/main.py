"""The `dragoman` command: finds the subcommand, and turns what goes wrong into one line and an exit code.

Exit codes: 0 done, 1 it failed, 2 what was asked cannot be, 130 interrupted. Data goes to stdout, talk to stderr.
Commands are imported when they are called: `dragoman --help` and `dragoman url` do not wait for what they do not use.
"""

from __future__ import annotations

import errno
import importlib
import os
import shlex
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click

from dragoman.errors import DragomanError, UnknownName, UsageError, shorten

#: Each command: where it is, and its line in the list of commands.
COMMANDS = {
    "url": ("dragoman.cli.url:url", "The language of URLs: arguments, a file or stdin."),
    "page": ("dragoman.cli.page:page", "The language of documents: HTML, text, tables and web archives of them."),
    "track": ("dragoman.cli.track:track", "Where the language of a text or a page changes."),
    "train": ("dragoman.cli.train:train", "A model from labelled URLs, with a report of its quality."),
    "evaluate": ("dragoman.cli.evaluate:evaluate", "How good models are on labelled URLs."),
    "models": ("dragoman.cli.models:models", "The models that are there: languages, size, digest, quality."),
    "links": ("dragoman.cli.links:links", "Locality and distances of a web graph; short pages by their inlinks."),
    "simulate": ("dragoman.cli.simulate:simulate", "Crawls of a stored or made web, strategy by strategy."),
    "crawl": ("dragoman.cli.crawl:crawl", "Pages in the wanted languages from the web, politely."),
    "records": ("dragoman.cli.records:records", "Pages of web archives by an index, as WARC or as text (WET)."),
    "sites": ("dragoman.cli.sites:sites", "Lists of the sites, or parts of sites, that are in a language."),
    "pairs": ("dragoman.cli.pairs:pairs", "Pages that are translations of each other, from a crawl or web archives."),
    "serve": ("dragoman.cli.serve:serve", "Languages over HTTP, and a page to look at them."),
    "papers": ("dragoman.cli.papers:papers", "The tables and figures of a paper, theirs and ours side by side."),
    "quiz": ("dragoman.cli.quiz:quiz", "Guess the language of URLs, and compare yourself with the model."),
}


#: What the system says of a path that was mistyped, or of which we have no say: what was asked cannot be.
_NOT_THERE = (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError, FileExistsError)


class Failed(click.ClickException):
    """An error told in one line."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.exit_code = code  # type: ignore[misc]

    def show(self, file: IO[Any] | None = None) -> None:
        """`dragoman: what went wrong` on stderr."""
        click.echo(f"dragoman: {self.message}", file=file, err=file is None)


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Whatever goes wrong inside becomes one line and the right exit code."""
    try:
        yield
    except DragomanError as error:
        raise Failed(shorten(str(error), 2000), 2 if isinstance(error, UsageError) else 1) from error
    except Failed:
        raise
    except click.exceptions.NoArgsIsHelpError:
        raise
    except click.UsageError as error:
        message = shorten(error.format_message(), 2000)
        if error.ctx:
            message = (
                f"{message.rstrip('.')}{'' if message.endswith('?') else '.'} Try '{error.ctx.command_path} --help'"
            )
        raise Failed(message, 2) from error
    except click.ClickException as error:
        raise Failed(shorten(error.format_message(), 2000), error.exit_code) from error
    except KeyboardInterrupt:
        click.echo("dragoman: interrupted", err=True)
        raise click.exceptions.Exit(130) from None
    except BrokenPipeError:
        # Whoever read our output has enough (`| head`). Python would complain when it flushes stdout at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        raise click.exceptions.Exit(0) from None
    except OSError as error:
        if error.errno == errno.EBADF:  # a closed stdout, which Python would flush once more
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        text = f"{error.strerror or error}" + (f": '{error.filename}'" if error.filename else "")
        text += ", which is no folder: give another name" if isinstance(error, FileExistsError) else ""
        raise Failed(shorten(text, 2000), 2 if isinstance(error, _NOT_THERE) else 1) from error
    except MemoryError:
        raise Failed("out of memory", 1) from None


class Commands(click.Group):
    """A group whose commands are imported when they are called."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Options of the group itself; the whole line is kept for reports that say how they were made."""
        given = extra.get("args", args[1] if len(args) > 1 else ())
        with one_line_errors():
            context = super().make_context(*args, **extra)
        context.meta["command"] = shlex.join(["dragoman", *given])
        return context

    def invoke(self, ctx: click.Context) -> Any:
        """The subcommand."""
        with one_line_errors():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import it now."""
        if cmd_name in ("help", "version"):
            raise UsageError(f"'{cmd_name}' is an option: dragoman --{cmd_name}")
        if cmd_name not in COMMANDS:
            raise UnknownName("command", cmd_name, COMMANDS)
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="dragoman", message="dragoman %(version)s")
def cli() -> None:
    """Dragoman tells the language of a web page, before and after it is fetched, and steers crawls by it."""


def main() -> None:
    """The entry point."""
    # Being told to stop is an interrupt too: files that are half written go away on the same path.
    signal.signal(signal.SIGTERM, _stop)
    _open_closed_streams()
    cli(prog_name="dragoman")


def _open_closed_streams() -> None:
    """Streams that were closed (`>&-`): stdin has nothing, what is written to stdout fails, talk goes nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            number = os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            setattr(sys, name, os.fdopen(number, mode))


def _stop(number: int, frame: Any) -> None:
    sys.exit(128 + number)
