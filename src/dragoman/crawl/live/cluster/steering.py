"""ShardSteering: the steering of one shard. It decides about links to its own hosts, and tells the others of theirs."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from dragoman.crawl.live.cluster.shards import LinkMessage, Shard
from dragoman.crawl.live.cluster.store import ShardStore
from dragoman.crawl.live.state.links import LinkEnd, Links, promises_of
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import RECEIVED, CrawlAnswer
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.crawl.records import Status
from dragoman.types import Fetched, Language

MOVED, TOO_MANY = "its host is another shard's", "too many redirects"


class ShardSteering(Steering):
    """Strategy, queue and records of one shard, as those of a whole crawl; with one shard it is exactly that.

    Nothing leaves the queue that is below `level`, which is the same for all shards. Pages of other shards that lead
    here have numbers too, but are nobody's to fetch here.
    """

    store: ShardStore

    def __init__(self, store: ShardStore, plan: CrawlPlan, shard: Shard) -> None:
        super().__init__(store, plan)
        self.shard = shard
        #: How many redirects through other shards led to a URL.
        self.hops: dict[int, int] = {}
        #: Links of the page at hand to other shards.
        self._elsewhere: dict[int, list[LinkEnd]] = {}

    def start(self, seeds: Sequence[str], promised: Mapping[str, Language] | None = None) -> None:
        """Begin with the seeds of this shard, or go on; what other shards told is decided about in its place."""
        self.store.read_outbox()
        super().start([url for url in seeds if self.shard.owns(url)], promised)

    def _repeat(self, kind: int, url: int, reason: str | None, answer: CrawlAnswer | None) -> None:
        if kind == RECEIVED and answer is not None and reason is not None:
            source, status, hops = reason.split()
            self._take_received(int(source), answer, Status[status], int(hops))
        else:
            super()._repeat(kind, url, reason, answer)

    @property
    def best(self) -> float:
        """What the best URL counts that waits and whose host does not rest; minus infinity if there is none."""
        return float(max(self.frontier.values(1), default=-math.inf))

    @property
    def likely(self) -> bool:
        """True if a URL waits that is worth a request, whether its host is ready or not."""
        return max(self.resting.best, self.best) >= self.strategy.least

    # ---- what others are told

    def _parted(self, links: Links) -> tuple[list[LinkEnd], dict[int, list[LinkEnd]]]:
        """Links to hosts of this shard, and those to hosts of each other one."""
        parts: dict[int, list[LinkEnd]] = defaultdict(list)
        for link in links:
            parts[self.shard.owner(link.url)].append(link)
        return parts.pop(self.shard.number, []), parts

    def _refuse(self, answer: CrawlAnswer, links: Links) -> Links:
        """The links that stay here; the others wait until the page itself is saved."""
        own, self._elsewhere = self._parted(super()._refuse(answer, links))
        answer.hreflang = promises_of(own)
        return own

    def _keep(self, answer: CrawlAnswer) -> None:
        super()._keep(answer)
        elsewhere, self._elsewhere = self._elsewhere, {}
        if not elsewhere:
            return
        store, records = self.store, self.strategy.records
        page = Fetched(answer.url, store.server[answer.final], store.directory[answer.final], answer.relevant)
        status = Status.UNDECIDED if records is None else records.status(self.strategy.group_of(page))
        about = (store.url(answer.url), store.depth(answer.url) + 1, answer.relevant, answer.language, status.name)
        for target, links in elsewhere.items():
            store.post(target, LinkMessage(links, *about))

    def pass_on(self, url: str, key: int) -> bool:
        """Let another shard follow a redirect of `key`; False after too many. Kept with the next answer."""
        hops = self.hops.pop(key, 0) + 1
        if hops > self.limits.redirects:
            return False
        message = LinkMessage([LinkEnd(url)], depth=self.store.depth(key), hops=hops)
        self.store.post(self.shard.owner(url), message)
        return True

    def number(self, url: str, parent: int) -> int | None:
        """As usual; a redirect to a host of another shard is left to that one."""
        end = self.gate.follow(url, Counter())
        if end is None or self.shard.owns(end):
            return super().number(url, parent)
        self.reasons[MOVED if self.pass_on(end, parent) else TOO_MANY] += 1
        return None

    def listed(self, links: Links) -> int:
        """Queue what sitemaps list of this shard's hosts, and tell the others of the rest; how many are new here."""
        followed, refused = self.gate.follow_all(links)
        self.reasons.update(refused)
        own, elsewhere = self._parted(followed)
        for target, theirs in elsewhere.items():
            self.store.post(target, LinkMessage(theirs))
        return super().listed(own)

    # ---- what others tell

    def receive(self, source: int, first: int, messages: Sequence[str]) -> bool:
        """Take in what another shard tells, of which the first message has this number; True if something was new.

        Not committed yet: then it is told again. What comes before others that are missing is told again, too.
        """
        known = self.store.last_from[source] + 1 - first
        new = messages[known:] if known >= 0 else ()
        for text in new:
            message = LinkMessage.read(text)
            texts, page = {link.url: link.text for link in message.links}, -1
            if message.page is not None:  # numbered with its links, for which the URL model is asked once then
                page = self.store.known([message.page]).get(message.page, len(self.store.score))
                texts = {message.page: "", **texts}
            links = self._numbers(list(texts), message.depth, None if page < 0 else page, texts)[page >= 0 :]
            answer = CrawlAnswer(page, page, 0.0, language=message.language, relevant=message.relevant, links=links,
                                 hreflang=promises_of(message.links))  # fmt: skip
            self.store.save_earlier(answer, RECEIVED, f"{source} {message.status} {message.hops}")
            self._take_received(source, answer, Status[message.status], message.hops)
        return bool(new)

    def _take_received(self, source: int, answer: CrawlAnswer, status: Status, hops: int) -> None:
        self.store.last_from[source] += 1
        page, store, candidates = answer.url, self.store, self._candidates(answer.links, answer.hreflang)
        if page < 0:
            left = {key: at for key, at in zip(answer.links, candidates, strict=True) if key not in self.answered}
            self.hops.update(dict.fromkeys(left, hops) if hops else {})
            self._carry_out(None, self.strategy.start(list(left.values())))
            return
        self.answered.add(page)  # by another shard
        if answer.relevant:
            self.wanted.add(page)
        fetched = Fetched(page, store.server[page], store.directory[page], answer.relevant, answer.language)
        self._carry_out(page, self.strategy.receive(fetched, status, candidates))
