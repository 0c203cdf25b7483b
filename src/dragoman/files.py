"""New files that appear whole or not at all, here or wherever fsspec reaches.

What is written goes to a hidden file beside the one that is meant, which takes its name at the end. An error or an
interrupt on the way leaves what was there before. Only a process that is killed leaves its hidden file behind, and
`is_unfinished` knows it by its name.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     write_whole(f"{folder}/new/note.txt", "whole").read_text()
'whole'
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from dragoman.errors import need

_HERE = "file://"
#: How the names of unfinished files begin and end.
_HIDDEN, _UNFINISHED = ".", ".part"
#: Characters of a name that are kept in the hidden one: names have an end.
_LONGEST = 40
#: No room, no room for this user, too large, damaged.
_OF_THE_DISK = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def is_remote(path: str) -> bool:
    """True for the address of a file or folder, such as `s3://bucket/folder`, and not a plain path of this machine.

    >>> is_remote("s3://a/b.parquet"), is_remote("a/b.parquet")
    (True, False)
    """
    return "://" in path


def local_path(path: str | os.PathLike[str]) -> Path | None:
    """The path of a file or folder of this machine; None for one of another file system.

    >>> local_path("s3://bucket/a.parquet"), str(local_path("file:///a.parquet"))
    (None, '/a.parquet')
    """
    here = os.fspath(path).removeprefix(_HERE)
    return None if is_remote(here) else Path(here)


def file_system(path: str) -> tuple[Any, str]:
    """(file system, path) of a remote path, as fsspec has them; it keeps the file systems that a process has opened."""
    system, inner = need("remote", "fsspec.core").url_to_fs(path)
    return system, inner


def is_unfinished(path: str) -> bool:
    """True for the path of a file that was being written when somebody was stopped.

    >>> is_unfinished("table/.a.parquet.5e1f.part"), is_unfinished("table/a.part")
    (True, False)
    """
    name = path.rpartition("/")[2]
    return name.startswith(_HIDDEN) and name.endswith(_UNFINISHED)


def _hidden(name: str) -> str:
    """A hidden name for a file of this name, which nobody else takes at the same time."""
    return f"{_HIDDEN}{name[:_LONGEST]}.{os.urandom(8).hex()}{_UNFINISHED}"


@contextmanager
def named_failures(path: str | os.PathLike[str]) -> Iterator[None]:
    """What the disk refuses while something is written says for which file: the system says it of paths alone."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in _OF_THE_DISK:
            error.filename = os.fspath(path)
        raise


@contextmanager
def new_file(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A stream of bytes for a file that is there, whole, when the block ends, in the place of what was there before.

    A link is followed. The folder must be there, but for that of an address (s3://..., file://...), which is made.
    """
    if (here := local_path(path)) is None:
        with _new_remote_file(os.fspath(path)) as stream:
            yield stream
        return
    if is_remote(os.fspath(path)):
        here.parent.mkdir(parents=True, exist_ok=True)
    target = here.resolve()
    unfinished = target.with_name(_hidden(target.name))
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "There is no such folder", str(target.parent))
    try:
        with named_failures(path), unfinished.open("xb") as stream:
            yield stream
        unfinished.replace(target)
    except BaseException:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
        raise


@contextmanager
def _new_remote_file(path: str) -> Iterator[IO[bytes]]:
    system, inner = file_system(path)
    folder, _, name = inner.rpartition("/")
    system.makedirs(folder, exist_ok=True)
    unfinished = f"{folder}/{_hidden(name)}"
    try:
        with system.open(unfinished, "wb") as stream:
            yield stream
        system.mv(unfinished, inner)
    except BaseException:
        with suppress(Exception):  # each file system has exceptions of its own
            system.rm_file(unfinished)
        raise


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> Path:
    """The path, once the file is there with all of `content`; its folder is made if it is missing."""
    target = Path(path)
    if not is_remote(os.fspath(path)):
        target.parent.mkdir(parents=True, exist_ok=True)
    with new_file(path) as stream:
        stream.write(content.encode("utf-8") if isinstance(content, str) else content)
    return target
