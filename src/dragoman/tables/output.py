"""Where bytes go: a file that appears whole or not at all, or stdout."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from dragoman.errors import UsageError
from dragoman.tables.packing import packed


@contextmanager
def output(path: str | None) -> Iterator[IO[bytes]]:
    """A stream of bytes: stdout for None and `-`, else a temporary file beside `path` that takes its name at the end.

    An error or an interrupt on the way leaves what was there before, and no temporary file. A name ending in `.gz` or
    `.zst` is packed. What is no regular file (a pipe, `/dev/null`) is written directly.
    """
    if path is None or path == "-":
        stream: Any = getattr(sys.stdout, "buffer", sys.stdout)
        yield stream
        stream.flush()
        return
    target = Path(path).resolve()
    if target.is_dir():
        raise UsageError(f"Cannot write to '{path}': it is a folder; give the name of a file")
    if not target.parent.is_dir():
        raise UsageError(f"Cannot write to '{path}': there is no folder '{target.parent}'; make it first")
    if target.exists() and not target.is_file():
        with target.open("wb") as device:
            yield device
        return
    try:
        number, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.", suffix=".part")
    except OSError as error:
        raise UsageError(f"Cannot write to '{path}': {error.strerror}") from error
    part = Path(name)
    try:
        with os.fdopen(number, "wb") as plain, packed(plain, target.name) as stream:
            yield stream
        part.chmod(_usual_mode())
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def _usual_mode() -> int:
    """The permissions that a new file gets; temporary files are made for their owner alone."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask
