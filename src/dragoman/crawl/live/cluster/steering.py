"""ShardSteering: the steering of one shard. It decides about links to its own hosts, and tells the others of theirs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from dragoman.crawl.live.cluster.shards import LinkMessage, Shard
from dragoman.crawl.live.cluster.store import RECEIVED, ShardStore
from dragoman.crawl.live.state.links import LinkEnd, Links
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import CrawlAnswer
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.crawl.records import Status
from dragoman.types import Fetched, Language

MOVED = "redirect to a host of another shard"


class ShardSteering(Steering):
    """Strategy, queue and records of one shard, as those of a whole crawl; with one shard it is exactly that.

    Nothing leaves the queue that is below `level`, which is the same for all shards. Pages of other shards that lead
    here have numbers too, but are nobody's to fetch here.
    """

    store: ShardStore

    def __init__(self, store: ShardStore, plan: CrawlPlan, shard: Shard) -> None:
        super().__init__(store, plan)
        self.shard, self.level = shard, -math.inf
        #: How many redirects through other shards led to a URL.
        self.hops: dict[int, int] = {}
        self._elsewhere: dict[int, list[LinkEnd]] = {}

    def start(self, seeds: Sequence[str], promised: Mapping[str, Language] | None = None) -> None:
        """Begin with the seeds of this shard, or go on; what other shards told is decided about in its place."""
        self.store.read_mail()
        self._told: Iterator[tuple[int | None, bool, Language | None, str, int, Sequence[int], dict[int, Language]]]
        self._told = iter(self.store.all_received())
        super().start([url for url in seeds if self.shard.owns(url)], promised)

    def _repeat(self, kind: int, url: int, reason: str | None, answer: CrawlAnswer | None) -> None:
        if kind != RECEIVED:
            super()._repeat(kind, url, reason, answer)
            return
        self._take_received(*next(self._told))

    @property
    def best(self) -> float | None:
        """What the best URL counts that waits and whose host does not rest; None if there is none."""
        values = self.frontier.values(1)
        return float(values[0]) if len(values) else None

    def _best(self) -> int | None:
        if self.level > -math.inf and ((best := self.best) is None or best < self.level):
            return None
        return super()._best()

    # ---- what others are told

    def _refuse(self, answer: CrawlAnswer, links: Links) -> Links:
        """The links that stay here; the others wait until the page itself is saved."""
        followed = super()._refuse(answer, links)
        if self.shard.count == 1:
            return followed
        own: list[LinkEnd] = []
        for link in followed:
            owner = self.shard.owner(link.url, self.shard.count)
            (own if owner == self.shard.number else self._elsewhere.setdefault(owner, [])).append(link)
        answer.hreflang = {place: link.language for place, link in enumerate(own) if link.language is not None}
        return own

    def _keep(self, answer: CrawlAnswer) -> None:
        super()._keep(answer)
        elsewhere, self._elsewhere = self._elsewhere, {}
        if not elsewhere:
            return
        store, records = self.store, self.strategy.records
        page = Fetched(answer.url, store.server[answer.final], store.directory[answer.final], answer.relevant)
        status = Status.UNDECIDED if records is None else records.status(self.strategy.group_of(page))
        url, depth = store.url(answer.url), store.depth(answer.url) + 1
        for target, links in elsewhere.items():
            store.post(LinkMessage(self.shard.number, target, 0, 0, links, url, depth, answer.relevant,
                                   answer.language, status.name))  # fmt: skip

    def pass_on(self, url: str, key: int) -> bool:
        """Let another shard follow a redirect of `key`; False after too many. Kept with the next answer."""
        hops = self.hops.pop(key, 0) + 1
        if hops > self.limits.redirects:
            return False
        owner = self.shard.owner(url, self.shard.count)
        self.store.post(LinkMessage(self.shard.number, owner, 0, 0, [LinkEnd(url)], depth=self.store.depth(key),
                                    hops=hops))  # fmt: skip
        return True

    def listed(self, links: Links) -> int:
        """Queue what sitemaps list of this shard's hosts, and tell the others of the rest; how many are new here."""
        followed, refused = self.gate.follow_all(links)
        self.reasons.update(refused)
        parted: dict[int, list[LinkEnd]] = {}
        for link in followed:
            parted.setdefault(self.shard.owner(link.url, self.shard.count), []).append(link)
        own = parted.pop(self.shard.number, [])
        for target, told in parted.items():
            self.store.post(LinkMessage(self.shard.number, target, 0, 0, told))
        return super().listed(own)

    # ---- what others tell

    def receive(self, messages: Sequence[LinkMessage]) -> int:
        """Take in what other shards tell, in one transaction; how many messages were new."""
        new = 0
        for message in messages:
            if message.before != self.store.last_from[message.source]:
                continue  # known already, or too early: it comes again
            self._receive(message)
            new += 1
        if new:
            self.store.commit()
        return new

    def _receive(self, message: LinkMessage) -> None:
        page = None if message.page is None else self._numbers([message.page], message.depth - 1, None)[0]
        texts = {link.url: link.text for link in message.links}
        links = self._numbers([link.url for link in message.links], message.depth, page, texts)
        self.store.receive(message, page, links)
        self._take_received(
            page, message.relevant, message.language, message.status, message.hops, links, message.hreflang
        )

    def _take_received(
        self, page: int | None, relevant: bool, language: Language | None, status: str, hops: int,
        links: Sequence[int], hreflang: dict[int, Language],
    ) -> None:  # fmt: skip
        there = [(place, key) for place, key in enumerate(links) if page is not None or key not in self.answered]
        keys = [key for _, key in there]
        promised = {row: hreflang[place] for row, (place, _) in enumerate(there) if place in hreflang}
        candidates = self._candidates(keys, promised)
        if page is None:
            if hops:
                self.hops.update(dict.fromkeys(keys, hops))
            self._carry_out(None, self.strategy.start(candidates))
            return
        self.answered.add(page)  # by another shard
        if relevant:
            self.wanted.add(page)
        fetched = Fetched(page, self.store.server[page], self.store.directory[page], relevant, language)
        self._carry_out(page, self.strategy.receive(fetched, Status[status], candidates))
