"""ShardStorage: the log, archives and catalogue of a shard at an address that outlives the machines (a folder, s3://...).

The log is a chain of segments. A segment is a small SQLite file with the rows that were added since the one before it,
which it names: tables of a shard only grow. Whoever carries the shard next puts the chain together that ends in the
newest segment of the latest epoch; what an earlier owner uploads after that hangs on no chain.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

from dragoman.crawl.live.cluster.store import ShardStore
from dragoman.files import file_system, local_path, new_file

#: Tables that only grow, and the column by which they do.
GROWING = {"urls": "id", "servers": "id", "directories": "id", "log": "seq", "pages": "seq", "outbox": "number",
           "received": "seq"}  # fmt: skip
#: Seconds after which an upload that failed is tried again.
AGAIN = 2.0


def put(address: str, content: Path | str) -> None:
    """Let a text, or a file of this machine, be at an address, whole."""
    if (here := local_path(address)) is not None:
        here.parent.mkdir(parents=True, exist_ok=True)
    with new_file(address) as out:
        if isinstance(content, str):
            out.write(content.encode())
            return
        with content.open("rb") as stream:
            shutil.copyfileobj(stream, out)


class ShardStorage:
    """Where one shard of a crawl is kept. Not for several threads at once."""

    def __init__(self, address: str, number: int, epoch: int) -> None:
        self.address, self.epoch = address.rstrip("/"), epoch
        self._log = f"{self.address}/shards/{number:05}"
        self._head, self._count = "", 0
        #: The first row of each table that is in no segment yet.
        self._next = dict.fromkeys(GROWING, 0)

    def restore(self, store: ShardStore) -> None:
        """Fill an empty store with what was uploaded."""
        system, inner = file_system(self._log)
        names = sorted(path.rpartition("/")[2] for path in system.find(inner) if path.endswith(".segment"))
        names = [name for name in names if int(name.partition("-")[0]) < self.epoch]
        with tempfile.TemporaryDirectory() as folder:
            chain, name = list[Path](), names[-1] if names else ""
            self._head = name
            while name:
                part = Path(folder) / name
                part.write_bytes(zlib.decompress(system.cat_file(f"{inner}/{name}")))
                chain.append(part)
                with closing(sqlite3.connect(part)) as db:
                    (name,) = db.execute("SELECT name FROM before").fetchone()
            for part in reversed(chain):
                store.take_in(part, GROWING)
        self._next = store.ends(GROWING)

    def segment(self, store: ShardStore, folder: Path) -> Path:
        """The rows that no segment has, as a file to be uploaded."""
        path = folder / f"{self.epoch:015}-{self._count:08}.segment"
        ends = store.ends(GROWING)
        store.give_out(path, {table: (column, self._next[table]) for table, column in GROWING.items()}, self._head)
        path.write_bytes(zlib.compress(path.read_bytes(), 3))
        self._next, self._head, self._count = ends, path.name, self._count + 1
        return path

    def upload(self, segment: Path, files: Iterable[Path], root: Path, goes_on: Callable[[], bool]) -> bool:
        """Upload files and then the segment that tells of them, however long that takes; False if it is in vain."""
        waiting = [(path, f"{self.address}/{path.relative_to(root).as_posix()}") for path in files]
        waiting.append((segment, f"{self._log}/{segment.name}"))
        while waiting and goes_on():
            try:
                put(waiting[0][1], waiting[0][0])
            except Exception:  # each file system has exceptions of its own
                time.sleep(AGAIN)
                continue
            if (path := waiting.pop(0)[0]).suffix in (".gz", ".segment"):
                path.unlink()
        return not waiting
