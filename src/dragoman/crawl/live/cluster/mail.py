"""OutgoingMail: what the shards of a worker have to tell those of others, in parcels, again until a receipt comes."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping

from dragoman.crawl.live.cluster.carried import CarriedShard
from dragoman.crawl.live.cluster.job import Owner, Parcel
from dragoman.crawl.live.cluster.shards import LinkMessage, Receipt

#: Seconds after which a message without a receipt is sent again.
AGAIN = 5.0
#: Messages in a parcel, and messages for one worker that may wait in memory: the others wait on the disk.
PARCEL, WAITING = 500, 2_000
#: Sends a parcel to a worker; calls back when it has arrived, or not.
Send = Callable[[int, Parcel, Callable[[], None]], None]


class OutgoingMail:
    """One parcel at a time is on its way to each worker: who is slow is not sent more."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._posts: dict[int, list[LinkMessage]] = defaultdict(list)
        self._receipts: dict[int, list[Receipt]] = defaultdict(list)
        self._sending: dict[int, float] = {}

    def collect(self, shard: CarriedShard, owners: Mapping[int, Owner], now: float) -> None:
        """Read what a shard has to tell and cannot lose any more."""
        crawl = shard.crawl
        if crawl.broken is not None or not crawl.store.unread_count:
            return
        if shard.sent_until >= crawl.safe_until and now - shard.sent_at > AGAIN:
            shard.sent_until = 0
        if shard.sent_until >= crawl.safe_until:
            return
        messages = crawl.store.unread(shard.sent_until, crawl.safe_until, PARCEL)
        shard.sent_at = now
        for message in messages:
            owner = owners.get(message.target)
            if owner is None:
                continue  # it is sent again
            if len(self._posts[owner.worker]) >= WAITING:
                return
            self._posts[owner.worker].append(message)
            shard.sent_until = message.number
        if len(messages) < PARCEL:
            shard.sent_until = crawl.safe_until

    def give_receipts(self, shard: CarriedShard, owners: Mapping[int, Owner]) -> None:
        """Tell those who wait for it what a shard has and cannot lose any more."""
        for receipt in shard.crawl.receipts(shard.sources):
            if (owner := owners.get(receipt.source)) is not None:
                self._receipts[owner.worker].append(receipt)
        shard.sources.clear()

    def post(self, own: int, carried: Mapping[int, CarriedShard]) -> list[Parcel]:
        """Send what waits to all workers that can take it; what is for the own one is given back."""
        parcels = []
        for worker in list(self._posts.keys() | self._receipts.keys()):
            if time.monotonic() - self._sending.get(worker, -AGAIN) < AGAIN:
                continue
            waiting, receipts = self._posts.pop(worker, []), self._receipts.pop(worker, [])
            messages = [message for message in waiting[:PARCEL] if message.source in carried]
            if waiting[PARCEL:]:
                self._posts[worker] = waiting[PARCEL:]
            if not messages and not receipts:
                continue
            epochs = {message.source: carried[message.source].crawl.epoch for message in messages}
            parcel = Parcel(messages, receipts, epochs)
            if worker == own:
                parcels.append(parcel)
            else:
                self._sending[worker] = time.monotonic()
                self._send(worker, parcel, lambda worker=worker: self._sent(worker))  # type: ignore[misc]
        return parcels

    def _sent(self, worker: int) -> None:
        self._sending.pop(worker, None)
