"""ShardStore: the store of a shard, with what it has to tell other shards and what they told it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from dragoman.crawl.live.cluster.shards import LinkMessage
from dragoman.crawl.live.state.store import SENT, Store


class Mark(NamedTuple):
    """How far a shard had come: lines of its log, and messages by the shard that they went to, or came from."""

    lines: int
    sent: dict[int, int]
    received: dict[int, int]


class ShardStore(Store):
    """A message is written in the transaction of the page that it is about, and deleted when its receipt has come.

    The messages to each shard are numbered from 1 on, and of those the last stays. What another shard has of them is
    kept nowhere: it is asked. What comes from another shard is a page as those of earlier crawls are: it counts, and is
    not asked for here.
    """

    by_seq = (*Store.by_seq, "outbox")
    #: Many shards share the memory of one process.
    at_hand, cache = 4_000, 2_048

    def _open(self, identity: dict[str, Any]) -> None:
        super()._open(identity)
        self._db.execute(  # a crawl that began without shards has none
            "CREATE TABLE IF NOT EXISTS outbox (target INTEGER, number INTEGER, seq INTEGER, body TEXT, "
            "PRIMARY KEY (target, number)) WITHOUT ROWID"
        )

    def read_outbox(self) -> None:
        """Know again what was sent; what was received the log will tell."""
        self.last_to = defaultdict[int, int](int, self.rows("SELECT target, max(number) FROM outbox GROUP BY target"))
        self.last_from = defaultdict[int, int](int)
        #: Shards that owe a receipt, and the last message that each has, or that is on its way, where that is known.
        self.unanswered = set(self.last_to)
        self._reached: dict[int, int] = {}

    @property
    def lines(self) -> int:
        """How many lines the log has."""
        return self._seq

    @property
    def mark(self) -> Mark:
        """How far the shard has come."""
        return Mark(self._seq, dict(self.last_to), dict(self.last_from))

    @property
    def owed(self) -> int:
        """How many messages have no receipt."""
        return sum(self.last_to[target] - self._reached.get(target, 0) for target in self.unanswered)

    def post(self, target: int, message: LinkMessage) -> None:
        """Keep a message for another shard. Not committed yet."""
        seq = self.log(SENT, target)
        self.last_to[target] += 1
        self.unanswered.add(target)
        row = (target, self.last_to[target], seq, message.written())
        self._db.execute("INSERT INTO outbox VALUES (?, ?, ?, ?)", row)

    def unread(self, target: int, until: int, limit: int) -> tuple[int, list[str]] | None:
        """The next messages to a shard, up to a number, after that of the first; None if there is nothing to tell.

        There are no messages as long as nobody knows what it has.
        """
        last = self._reached.get(target)
        if last is None:
            return 0, []
        if last >= until:
            return None
        query = "SELECT body FROM outbox WHERE target = ? AND number > ? AND number <= ? ORDER BY number LIMIT ?"
        messages = [body for (body,) in self.rows(query, (target, last, until, limit))]
        self._reached[target] += len(messages)
        return last + 1, messages

    def forget(self, targets: Iterable[int]) -> None:
        """Nobody knows any more what these shards have: they may have less."""
        for target in self.last_to.keys() & targets:
            self._reached.pop(target, None)
            self.unanswered.add(target)

    def receipt(self, target: int, last: int, safe: int) -> None:
        """Another shard has what it was told up to `last`, and will not lose it up to `safe`."""
        self._reached[target] = last
        if last >= self.last_to[target]:
            self.unanswered.discard(target)
        self._db.execute("DELETE FROM outbox WHERE target = ? AND number < ?", (target, safe))

    # ---- segments (see ShardStorage)

    @property
    def ends(self) -> dict[str, int]:
        """One more than the last number in each table that only grows."""
        return {"urls": len(self.directory), **self._numbers, **dict.fromkeys(self.by_seq, self._seq)}

    def give_out(self, path: Path, begins: dict[str, int]) -> None:
        """Copy the rows from these numbers on into a file, with all values; commits."""
        query = "CREATE TABLE part.{0} AS SELECT * FROM main.{0} WHERE {1} >= {2}"
        columns = dict.fromkeys(self.by_seq, "seq")
        parts = [query.format(table, columns.get(table, "id"), first) for table, first in begins.items()]
        self._beside(path, *parts, "CREATE TABLE part.meta AS SELECT * FROM main.meta")

    def take_in(self, path: Path) -> None:
        """Copy the rows of such a file into this store; commits."""
        query = "INSERT OR REPLACE INTO main.{0} SELECT * FROM part.{0}"
        self._beside(path, *(query.format(table) for table in (*self.ends, "meta")))

    def _beside(self, path: Path, *statements: str) -> None:
        self._db.execute("COMMIT")
        self._db.execute("ATTACH ? AS part", (str(path),))
        for statement in (*statements, "DETACH part", "BEGIN"):
            self._db.execute(statement)
