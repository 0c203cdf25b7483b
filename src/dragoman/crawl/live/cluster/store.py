"""ShardStore: the store of a shard, with what it has to tell other shards and what they told it."""

from __future__ import annotations

import json
import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dragoman.crawl.live.cluster.shards import LinkMessage
from dragoman.crawl.live.state.links import LinkEnd
from dragoman.crawl.live.state.store import Store

#: What the log of a shard tells beside the usual: links came from another shard.
RECEIVED = 16

_TABLES = (
    "outbox (target INTEGER, number INTEGER, seq INTEGER, body TEXT, PRIMARY KEY (target, number)) WITHOUT ROWID",
    "received (seq INTEGER PRIMARY KEY, source INTEGER, number INTEGER, page INTEGER, links BLOB, body TEXT)",
)


class ShardStore(Store):
    """A message is written in the transaction of the page that it is about, and deleted when its receipt has come.

    Of the messages to each shard the last stays, so that the next one can name it. Receipts are not kept: who forgets
    one tells the last message again, which changes nothing.
    """

    by_seq = (*Store.by_seq, "outbox", "received")
    #: Many shards share the memory of one process.
    at_hand, cache = 4_000, 2_048

    def _open(self, identity: dict[str, Any]) -> None:
        super()._open(identity)
        for table in _TABLES:  # a crawl that began without shards has none
            self._db.execute(f"CREATE TABLE IF NOT EXISTS {table}")

    def read_mail(self) -> None:
        """Know again what was sent and received."""
        #: The last message of all, the last to each shard, and the last from each.
        self.sent = int(self.get("sent", 0))
        query = "SELECT {0}, max(number) FROM {1} GROUP BY {0}"
        self.last_to = defaultdict[int, int](int, self.rows(query.format("target", "outbox")))
        self.last_from = defaultdict[int, int](int, self.rows(query.format("source", "received")))
        #: Shards that owe a receipt, and from which number on nothing is on its way to a shard, or there.
        self.unanswered = set(self.last_to)
        self._next_to: dict[int, float] = dict.fromkeys(self.last_to, 0)
        #: The number below which messages to a shard are deleted.
        self._deleted_to: dict[int, int] = {}

    def post(self, target: int, message: LinkMessage) -> None:
        """Keep a message for another shard, under the next number. Not committed yet."""
        self.sent += 1
        message = message._replace(number=self.sent, before=self.last_to[target])
        self.last_to[target] = self.sent
        self.unanswered.add(target)
        self._next_to[target] = min(self.sent, self._next_to.get(target, math.inf))
        row = (target, self.sent, self._seq - 1, json.dumps(message))
        self._db.execute("INSERT INTO outbox VALUES (?, ?, ?, ?)", row)
        self.set("sent", self.sent)

    def unread(self, target: int, until: int, limit: int) -> list[LinkMessage]:
        """The first messages to a shard, up to a number, that are not on their way to it; now they are."""
        first = self._next_to.get(target, math.inf)
        if first > until:  # looked for many times a second: the table is asked only where there is something
            return []
        query = "SELECT body FROM outbox WHERE target = ? AND number BETWEEN ? AND ? ORDER BY number LIMIT ?"
        messages = [_message(body) for (body,) in self.rows(query, (target, first, until, limit))]
        if messages:
            self._delivered(target, messages[-1].number)
        return messages

    def _delivered(self, target: int, last: int) -> None:
        self._next_to[target] = last + 1 if last < self.last_to[target] else math.inf

    def receipt(self, target: int, last: int, safe: int) -> None:
        """Another shard has what it was told up to `last`, and will not lose it up to `safe`."""
        self._delivered(target, last)
        if safe >= self.last_to[target]:
            self.unanswered.discard(target)
        if safe > self._deleted_to.get(target, 0):
            self._db.execute("DELETE FROM outbox WHERE target = ? AND number < ?", (target, safe))
            self._deleted_to[target] = safe

    def receive(self, message: LinkMessage, page: int | None, links: Sequence[int]) -> None:
        """Keep what another shard told, by the numbers that its URLs have here. Not committed yet."""
        seq = self.log(RECEIVED, -1 if page is None else page)
        short = message._replace(page=None, links=[LinkEnd("", link.language) for link in message.links])
        row = (seq, message.source, message.number, page, array("i", links).tobytes(), json.dumps(short))
        self._db.execute("INSERT INTO received VALUES (?, ?, ?, ?, ?, ?)", row)
        self.last_from[message.source] = message.number

    def all_received(self) -> Iterator[tuple[int | None, Sequence[int], LinkMessage]]:
        """(page, links, the rest of the message) of all that was told, in its order."""
        for page, links, body in self.rows("SELECT page, links, body FROM received ORDER BY seq"):
            yield page, array("i", links), _message(body)

    # ---- segments (see ShardStorage)

    def ends(self, tables: Mapping[str, str]) -> dict[str, int]:
        """One more than the last number in each of these tables, by the column that numbers them."""
        query = "SELECT coalesce(max({}), -1) + 1 FROM {}"
        ends = {table: int(self.rows(query.format(column, table))[0][0]) for table, column in tables.items()}
        return ends | {"outbox": self.get("sent", 0) + 1}

    def give_out(self, path: Path, tables: Mapping[str, tuple[str, int]], before: str) -> None:
        """Copy the rows from these numbers on into a file, with all values; commits."""
        query = "CREATE TABLE part.{0} AS SELECT * FROM main.{0} WHERE {1} >= {2}"
        parts = [query.format(table, column, first) for table, (column, first) in tables.items()]
        parts.append("CREATE TABLE part.meta AS SELECT * FROM main.meta")
        self._beside(path, [*parts, f"CREATE TABLE part.before AS SELECT '{before}' AS name"])

    def take_in(self, path: Path, tables: Iterable[str]) -> None:
        """Copy the rows of such a file into this store; commits."""
        query = "INSERT OR REPLACE INTO main.{0} SELECT * FROM part.{0}"
        self._beside(path, [query.format(table) for table in (*tables, "meta")])

    def _beside(self, path: Path, statements: Iterable[str]) -> None:
        self._db.execute("COMMIT")
        self._db.execute("ATTACH ? AS part", (str(path),))
        for statement in (*statements, "DETACH part", "BEGIN"):
            self._db.execute(statement)


def _message(body: str) -> LinkMessage:
    message = LinkMessage(*json.loads(body))
    return message._replace(links=[LinkEnd(*link) for link in message.links])
