"""Where bytes go: a file that appears whole or not at all, or stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import IO, Any

from dragoman.errors import UsageError
from dragoman.files import local_path, named_failures, new_file
from dragoman.tables.packing import packed


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
