"""ShardStorage: the log, archives and catalogue of a shard at an address that outlives the machines (a folder, s3://...).

The log is a chain of segments. A segment is a small SQLite file with the rows that were added since the one before it,
which it names: tables of a shard only grow. Whoever carries the shard next puts the chain together that ends in the
newest segment of the latest epoch; what an earlier owner uploads after that hangs on no chain.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import TypeVar

from dragoman.crawl.live.cluster.store import ShardStore
from dragoman.errors import DragomanError
from dragoman.files import file_system, new_file

T = TypeVar("T")
Check = Callable[[], bool]

#: Seconds after which what failed is tried again.
AGAIN = 2.0
#: What the store keeps the name of its last segment under.
HEAD = "segment"


def patiently(action: Callable[[], T], goes_on: Check) -> T:
    """What an action gives, which is tried again while the storage fails and it is not in vain."""
    while True:
        try:
            return action()
        except Exception:  # each file system has exceptions of its own
            if not goes_on():
                raise
            time.sleep(AGAIN)


class ShardStorage:
    """Where one shard of a crawl is kept, as long as somebody `goes_on` with it. Not for several threads at once.

    Nothing is uploaded while another one may carry the shard, as far as the one who `holds` it knows.
    """

    def __init__(self, address: str, number: int, epoch: int, goes_on: Check, holds: Check) -> None:
        self.address, self.epoch, self._goes_on, self._holds = address.rstrip("/"), epoch, goes_on, holds
        self._log = f"{self.address}/shards/{number:05}"
        self._count = 0
        #: The first row of each table that is in no segment yet.
        self._next: dict[str, int] = {}

    def restore(self, store: ShardStore) -> None:
        """Fill an empty store with what was uploaded."""
        system, inner = file_system(self._log)

        def listed() -> list[str]:
            system.invalidate_cache()  # others have been at work there
            return [path.rpartition("/")[2] for path in system.find(inner) if path.endswith(".segment")]

        names = [name for name in patiently(listed, self._goes_on) if int(name.partition("-")[0]) <= self.epoch]
        head = name = max(names, default="")
        with tempfile.TemporaryDirectory() as folder:
            chain = list[Path]()
            while name:
                chain.append(Path(folder) / name)
                content = patiently(partial(system.cat_file, f"{inner}/{name}"), self._goes_on)
                chain[-1].write_bytes(zlib.decompress(content))
                with closing(sqlite3.connect(chain[-1])) as db:
                    row = db.execute("SELECT value FROM meta WHERE key = ?", (HEAD,)).fetchone()
                name = json.loads(row[0]) if row else ""
            for part in reversed(chain):
                store.take_in(part)
        store.set(HEAD, head)

    def begin(self, store: ShardStore) -> None:
        """What a store has now was uploaded."""
        self._next = store.ends

    def segment(self, store: ShardStore) -> Path:
        """The rows that no segment has, as a file to be uploaded."""
        path = store.folder / f"{self.epoch:015}-{self._count:08}.segment"
        ends = store.ends
        store.give_out(path, self._next)
        path.write_bytes(zlib.compress(path.read_bytes(), 3))
        store.set(HEAD, path.name)
        self._next, self._count = ends, self._count + 1
        return path

    def upload(self, files: Iterable[Path], root: Path) -> None:
        """Move files below a folder to the address, one after the other, however long that takes."""
        for path in files:
            patiently(partial(self._put, path, f"{self.address}/{path.relative_to(root).as_posix()}"), self._goes_on)
            path.unlink()

    def _put(self, path: Path, address: str) -> None:
        if not self._holds():
            raise DragomanError(f"'{self._log}' may be another worker's by now")
        with path.open("rb") as stream, new_file(address) as out:
            shutil.copyfileobj(stream, out)
