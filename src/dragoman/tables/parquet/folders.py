"""Folders of Parquet files, here or wherever fsspec reaches: what is in them, and new files, whole or not at all.

A folder is known by its name alone, so that it can be sent to another process, which opens it for itself.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from dragoman.errors import BadTable, DragomanError, shorten
from dragoman.files import file_system, is_unfinished, local_path
from dragoman.tables.output import output
from dragoman.tables.source import reading


def is_part(path: str) -> bool:
    """True for a Parquet file of a table: no part of its path begins with `_` or `.`.

    Spark passes over the same ones: what it has not finished lies there.

    >>> is_part("crawl=2024/part-0.parquet"), is_part("_temporary/part-0.parquet")
    (True, False)
    """
    return path.endswith(".parquet") and not any(part.startswith(("_", ".")) for part in path.split("/"))


@contextmanager
def foreign(name: str) -> Iterator[None]:
    """What a file system of somebody else's raises becomes a BadTable: each has exceptions of its own."""
    try:
        yield
    except (DragomanError, OSError):
        raise
    except Exception as error:
        raise BadTable(f"Cannot read '{name}': {shorten(str(error) or type(error).__name__)}") from error


def below(system: Any, root: str) -> list[str]:
    """The paths of all files below a folder of a file system of fsspec's, from the folder on, in order."""
    start = root.rstrip("/") + "/"
    with suppress(FileNotFoundError):
        return sorted(path.removeprefix(start) for path in system.find(root) if path.startswith(start))
    return []


@dataclass(frozen=True)
class Folder:
    """A folder by its name; the paths that it takes and gives go from the folder on, with `/` between their parts."""

    name: str

    def files(self) -> list[str]:
        """The paths of all files below the folder, in order; none where there is no such folder."""
        with reading(self.name), foreign(self.name):
            if (root := local_path(self.name)) is not None:
                return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
            system, top = file_system(self.name)
            system.invalidate_cache()  # others write here too
            return below(system, top)

    def parts(self) -> list[str]:
        """The paths of the Parquet files that are a table's."""
        return [path for path in self.files() if is_part(path)]

    def is_file(self, path: str) -> bool:
        """True if there is a file of this path."""
        if (root := local_path(self.name)) is not None:
            return (root / path).is_file()
        with foreign(self.path(path)):
            system, inner = file_system(self.path(path))
            return bool(system.isfile(inner))

    @contextmanager
    def here(self, path: str) -> Iterator[str]:
        """A file of the folder as one of this machine: itself, or a copy that is deleted afterwards."""
        if (root := local_path(self.name)) is not None:
            yield str(root / path)
            return
        with tempfile.TemporaryDirectory(prefix="dragoman-") as folder:
            copy, name = str(Path(folder) / "copy.parquet"), self.path(path)
            with reading(name), foreign(name):
                system, inner = file_system(name)
                system.get_file(inner, copy)
            yield copy

    def read(self, path: str) -> bytes | None:
        """The bytes of a small file; None if it is not there."""
        if path not in self.files():
            return None
        with self.here(path) as copy:
            return Path(copy).read_bytes()

    def write(self, path: str, content: bytes) -> None:
        """Write a small file."""
        with self.new(path) as stream:
            stream.write(content)

    @contextmanager
    def new(self, path: str) -> Iterator[IO[bytes]]:
        """A stream for a new file, which appears at the end; folders on the way to it are made."""
        with output(self.room_for(path)) as stream:
            yield stream

    def room_for(self, path: str) -> str:
        """The whole path of a new file, with the folders on the way to it made."""
        if (root := local_path(self.name)) is not None:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
        return self.path(path)

    def path(self, path: str) -> str:
        """The whole path of a file of the folder."""
        return f"{self.name.rstrip('/')}/{path}"

    def sweep(self) -> None:
        """Delete what was being written when somebody was stopped."""
        for path in filter(is_unfinished, self.files()):
            with suppress(FileNotFoundError):
                if (root := local_path(self.name)) is not None:
                    (root / path).unlink()
                else:
                    system, inner = file_system(self.path(path))
                    system.rm_file(inner)
