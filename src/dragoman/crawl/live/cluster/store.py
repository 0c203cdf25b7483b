"""ShardStore: the store of a shard, with what it has to tell other shards and what they told it."""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dragoman.crawl.live.cluster.shards import LinkMessage, Receipt
from dragoman.crawl.live.state.links import LinkEnd
from dragoman.crawl.live.state.store import Store
from dragoman.types import Language

#: What the log of a shard tells beside the usual: links came from another shard.
RECEIVED = 16


_TABLES = (
    "outbox (number INTEGER PRIMARY KEY, seq INTEGER, target INTEGER, body TEXT)",
    "received (seq INTEGER PRIMARY KEY, source INTEGER, number INTEGER, page INTEGER, relevant INTEGER, language TEXT, "
    "status TEXT, hops INTEGER, links BLOB, hreflang TEXT)",
)


class ShardStore(Store):
    """A message is written in the transaction of the page that it is about, and deleted when its receipt has come.

    Of the messages to each shard the last stays, so that the next one can name it.
    """

    by_seq = (*Store.by_seq, "outbox", "received")
    #: Many shards share the memory of one process.
    at_hand, cache = 4_000, 2_048

    def __init__(self, folder: Path, identity: dict[str, Any], output: Path | None = None, prefix: str = "") -> None:
        super().__init__(folder, identity, output, prefix)
        for table in _TABLES:  # a crawl that began without shards has none
            self._db.execute(f"CREATE TABLE IF NOT EXISTS {table}")

    def read_mail(self) -> None:
        """Know again what was sent and received."""
        #: The last message to each shard, and the last from each shard; the last of all; how many were received.
        self.last_to: dict[int, int] = defaultdict(int)
        self.last_from: dict[int, int] = defaultdict(int)
        self.last_to.update(self.rows("SELECT target, max(number) FROM outbox GROUP BY target"))
        self.last_from.update(self.rows("SELECT source, max(number) FROM received GROUP BY source"))
        self.sent = int(self.get("sent", 0))
        (self.received,) = self.rows("SELECT count(*) FROM received")[0]
        self._receipts: dict[int, int] = {int(shard): number for shard, number in self.get("receipts", {}).items()}

    def ends(self, tables: Mapping[str, str]) -> dict[str, int]:
        """One more than the last number in each of these tables, by the column that numbers them."""
        query = "SELECT coalesce(max({}), -1) + 1 FROM {}"
        ends = {table: int(self.rows(query.format(column, table))[0][0]) for table, column in tables.items()}
        return ends | {"outbox": self.get("sent", 0) + 1}

    def give_out(self, path: Path, tables: Mapping[str, tuple[str, int]], before: str) -> None:
        """Copy the rows from these numbers on into a file, with all values; commits."""
        self._db.execute("COMMIT")
        self._db.execute("ATTACH ? AS part", (str(path),))
        for table, (column, first) in tables.items():
            query = f"CREATE TABLE part.{table} AS SELECT * FROM main.{table} WHERE {column} >= ?"  # noqa: S608
            self._db.execute(query, (first,))
        self._db.execute("CREATE TABLE part.meta AS SELECT * FROM main.meta")
        self._db.execute("CREATE TABLE part.before AS SELECT ? AS name", (before,))
        self._db.execute("DETACH part")
        self._db.execute("BEGIN")

    def take_in(self, path: Path, tables: Iterable[str]) -> None:
        """Copy the rows of such a file into this store; commits."""
        self._db.execute("COMMIT")
        self._db.execute("ATTACH ? AS part", (str(path),))
        for table in (*tables, "meta"):
            self._db.execute(f"INSERT OR REPLACE INTO main.{table} SELECT * FROM part.{table}")  # noqa: S608
        self._db.execute("DETACH part")
        self._db.execute("BEGIN")

    def post(self, message: LinkMessage) -> None:
        """Keep a message for another shard, whose number follows. Not committed yet."""
        self.sent += 1
        message = message._replace(number=self.sent, before=self.last_to[message.target])
        self.last_to[message.target] = self.sent
        row = (self.sent, self._seq - 1, message.target, json.dumps(message))
        self._db.execute("INSERT INTO outbox VALUES (?, ?, ?, ?)", row)
        self.set("sent", self.sent)

    def unread(self, after: int, until: int, limit: int) -> list[LinkMessage]:
        """The first messages between two numbers for which there is no receipt, in their order."""
        query = "SELECT target, number, body FROM outbox WHERE number > ? AND number <= ? ORDER BY number LIMIT ?"
        receipts = self._receipts
        return [
            _message(json.loads(body))
            for target, number, body in self.rows(query, (after, until, limit))
            if number > receipts.get(target, 0)
        ]

    @property
    def unread_count(self) -> int:
        """How many messages have no receipt yet."""
        receipts = self._receipts
        last = self.last_to.items()
        if all(receipts.get(target, 0) >= number for target, number in last):
            return 0
        return int(self.rows("SELECT count(*) FROM outbox")[0][0])

    def receipt(self, receipt: Receipt) -> None:
        """Another shard has what it was told."""
        if receipt.number > self._receipts.get(receipt.target, 0):
            self._receipts[receipt.target] = receipt.number
            self._db.execute("DELETE FROM outbox WHERE target = ? AND number < ?", (receipt.target, receipt.number))

    def keep_receipts(self) -> None:
        """Remember receipts with the next commit; who forgets them tells things twice, which changes nothing."""
        if self._receipts != self.get("receipts", {}):
            self.set("receipts", self._receipts)

    def receive(self, message: LinkMessage, page: int | None, links: Sequence[int]) -> None:
        """Keep what another shard told, by the numbers that its URLs have here. Not committed yet."""
        seq = self.log(RECEIVED, -1 if page is None else page)
        hreflang = message.hreflang
        self._db.execute(
            "INSERT INTO received VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (seq, message.source, message.number, page, int(message.relevant), message.language, message.status,
             message.hops, array("i", links).tobytes(), json.dumps(hreflang) if hreflang else None),
        )  # fmt: skip
        self.last_from[message.source] = message.number
        self.received += 1

    def all_received(self) -> list[tuple[int | None, bool, Language | None, str, int, Sequence[int], dict[int, str]]]:
        """(page, it is relevant, its language, status of its server, hops, links, hreflang) of all that was told."""
        rows = self.rows("SELECT page, relevant, language, status, hops, links, hreflang FROM received ORDER BY seq")
        return [
            (page, bool(relevant), language, status, hops, array("i", links),
             {int(place): name for place, name in json.loads(hreflang or "{}").items()})
            for page, relevant, language, status, hops, links, hreflang in rows
        ]  # fmt: skip


def _message(row: list[Any]) -> LinkMessage:
    message = LinkMessage(*row)
    return message._replace(links=[LinkEnd(*link) for link in message.links])
