"""Where bytes go: a file that appears whole or not at all, or stdout."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import IO, Any

from dragoman.errors import UsageError
from dragoman.files import local_path, named_failures, new_file
from dragoman.tables.packing import packed


def check_kept(sources: Iterable[str | os.PathLike[str]], path: str | None) -> None:
    """UsageError if what is written would take the place of a source that it does not have in it."""
    target = None if path is None or path == "-" else local_path(path)
    if target is None or not target.is_file():
        return
    for source in filter(None, map(local_path, sources)):
        same = False
        with suppress(OSError, ValueError):  # a URL may be no name of a file
            same = source.samefile(target)
        if same:
            raise UsageError(f"'{path}' is what is read, and would be lost: give the output another name")


@contextmanager
def output(path: str | None) -> Iterator[IO[bytes]]:
    """A stream of bytes: stdout for None and `-`, else a new file (dragoman.files), which takes its name at the end.

    A name ending in `.gz` or `.zst` is packed. What is no regular file (a pipe, `/dev/null`) is written directly.
    """
    if path is None or path == "-":
        stream: Any = getattr(sys.stdout, "buffer", sys.stdout)
        with named_failures("stdout"):
            yield stream
            stream.flush()
        return
    target = local_path(path)
    if target is not None:
        target = target.resolve()
        if target.is_dir():
            raise UsageError(f"Cannot write to '{path}': it is a folder; give the name of a file")
        if not target.parent.is_dir():
            raise UsageError(f"Cannot write to '{path}': there is no folder '{target.parent}'; make it first")
        if target.exists() and not target.is_file():
            with named_failures(path), target.open("wb") as device:
                yield device
            return
    with ExitStack() as opened:
        try:
            plain = opened.enter_context(new_file(path))
        except OSError as error:
            raise UsageError(f"Cannot write to '{path}': {error.strerror or error}") from error
        yield opened.enter_context(packed(plain, path))
