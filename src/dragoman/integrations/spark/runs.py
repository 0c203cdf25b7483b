"""A run over the files of a table: what is done is passed over, other settings are refused, one bad file is told."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Protocol

from dragoman.errors import BadTable, UsageError, need, shorten
from dragoman.files import is_remote
from dragoman.tables.parquet.folders import is_part

#: What a table was labelled with; Spark passes over names that begin so when it reads.
SETTINGS = "_dragoman.json"
Say = Callable[[str], None]


class Place(Protocol):
    """A folder that files are read from and written to; their paths go from the folder on."""

    @property
    def name(self) -> str:
        """The folder, as it was given."""

    def files(self) -> list[str]:
        """The paths of all files below it, in order; none where there is no such folder."""

    def read(self, path: str) -> bytes | None:
        """The bytes of a small file; None if it is not there."""

    def write(self, path: str, content: bytes) -> None:
        """Write a small file."""


@dataclass(frozen=True)
class HadoopFolder:
    """A folder of any file system that Spark's JVM reads."""

    spark: Any
    name: str

    def files(self) -> list[str]:
        """The paths of all files below it, in order; none where there is no such folder."""
        root, system = self._path()
        if not system.exists(root):
            return []
        start = system.getFileStatus(root).getPath().toUri().getPath().rstrip("/") + "/"
        paths, listing = [], system.listFiles(root, True)
        while listing.hasNext():
            paths.append(listing.next().getPath().toUri().getPath().removeprefix(start))
        return sorted(paths)

    def read(self, path: str) -> bytes | None:
        """The bytes of a small file; None if it is not there."""
        where, system = self._path(path)
        if not system.exists(where):
            return None
        with closing(system.open(where)) as stream:
            return bytes(stream.readAllBytes())

    def write(self, path: str, content: bytes) -> None:
        """Write a small file."""
        where, system = self._path(path)
        with closing(system.create(where, True)) as stream:
            stream.write(content)

    def _path(self, path: str = "") -> tuple[Any, Any]:
        """(path, file system), as Hadoop has them."""
        context = self.spark.sparkContext
        hadoop_path = context._jvm.org.apache.hadoop.fs.Path(f"{self.name.rstrip('/')}/{path}" if path else self.name)
        return hadoop_path, hadoop_path.getFileSystem(context._jsc.hadoopConfiguration())


def parts_of(source: Place) -> list[str]:
    """The Parquet files below a folder; BadTable if there are none."""
    names = [name for name in source.files() if is_part(name)]
    if not names:
        raise BadTable(f"'{source.name}' has no Parquet files")
    return names


def agree(target: Place, settings: dict[str, Any], empty: bool) -> None:
    """Note the settings in the target; UsageError if something was written there with others, or nothing can be."""
    written = json.dumps(settings).encode()
    try:
        begun = target.read(SETTINGS)
        if begun != written and (empty or not begun):
            target.write(SETTINGS, written)
            return
    except OSError as error:
        raise UsageError(f"Cannot write to '{target.name}': {error.strerror or error}") from error
    if begun != written:
        before = _noted(begun or b"")
        others = [name for name, value in settings.items() if before.get(name) != json.loads(json.dumps(value))]
        raise UsageError(f"'{target.name}' was begun with other settings ({', '.join(others)}): give another folder")


def _noted(content: bytes) -> dict[str, Any]:
    try:
        settings = json.loads(content)
    except ValueError:
        return {}
    return settings if isinstance(settings, dict) else {}


def _reason(error: Exception) -> str:
    """What went wrong, in a line: of a Python process that failed, the last line of what it says."""
    errors = re.findall(r"^(\w*(?:Error|Exception): .+)$", str(error), re.MULTILINE)
    return shorten(errors[-1] if errors else str(error).partition("\n")[0], 200)


def work_off(names: Sequence[str], finished: set[str], work: Callable[[str], object], at_once: int, say: Say) -> int:
    """Call `work` with each name that is not among the finished ones, `at_once` at a time; how many these were.

    What fails, in Spark or as a BadTable, is told and stops no other; it is a BadTable at the end.
    """
    waiting = [name for name in names if name not in finished]
    say(f"{len(names):,} files, {len(names) - len(waiting):,} of them done already")
    failures = need("spark", "pyspark.errors").PySparkException, need("spark", "py4j.protocol").Py4JJavaError, BadTable
    failed = []

    def attempt(name: str) -> None:
        try:
            work(name)
        except failures as error:
            failed.append(name)
            say(f"{name} failed: {_reason(error)}")
        else:
            say(name)

    pool = ThreadPoolExecutor(at_once)
    try:
        list(pool.map(attempt, waiting))
    finally:
        pool.shutdown(cancel_futures=True)
    if failed:
        more = f" and {len(failed) - 1:,} more" if len(failed) > 1 else ""
        raise BadTable(f"'{min(failed)}'{more} could not be labelled; the same call again tries only what is missing")
    return len(waiting)


def check(source: str, target: str, at_once: int) -> None:
    """UsageError for what cannot be meant: no files at once, or a target whose files are the source's next time."""
    if at_once < 1:
        raise UsageError(f"{at_once} files at once are none: give 1 or more")
    read, written = (name if is_remote(name) else os.path.realpath(name) for name in (source, target))
    if f"{written.rstrip('/')}/".startswith(f"{read.rstrip('/')}/"):
        raise UsageError(f"'{target}' lies in '{source}', whose files are read: give a folder elsewhere to write to")
