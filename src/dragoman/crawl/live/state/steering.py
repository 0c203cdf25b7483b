"""Steering: strategy, frontier and store joined. It knows URLs and pages, and nothing of networks and clocks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from dragoman.crawl.frontier import Frontier
from dragoman.crawl.live.state.catalogue import DecisionRows, export_catalogue
from dragoman.crawl.live.state.expected import CurvePoint, Expectation
from dragoman.crawl.live.state.hygiene import NAME_FAILS, FailingNames
from dragoman.crawl.live.state.links import NOINDEX, LinkGate, Links, promises_of
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.resting import RestingServers
from dragoman.crawl.live.state.safety import HOST_IS_FULL, NOT_ASKED
from dragoman.crawl.live.state.seeds import keep_seeds, new_seeds
from dragoman.crawl.live.state.store import AGAIN, EARLIER, POPPED, SKIPPED, CrawlAnswer, Store
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.crawl.strategies.base import SERVER_IRRELEVANT
from dragoman.errors import DragomanError
from dragoman.types import Candidate, Decisions, Fetched, Language

ANSWERED_ALREADY = "fetched already, as the end of a redirect"


class Steering:
    """What the crawl knows and decides; everything that changes it goes through the store's log first.

    Keys of URLs, servers and directories are the store's numbers. `in_flight` holds what left the queue and has no
    answer yet: after a kill these are fetched again.
    """

    def __init__(self, store: Store, plan: CrawlPlan) -> None:
        self.store, self.target, self.limits, self.score = store, plan.target, plan.limits, plan.score
        self.anchor, self._known_sites = plan.anchor, plan.known_sites
        self.gate = LinkGate(plan)
        self.strategy = plan.target.new_strategy()
        self.frontier = Frontier(limit=plan.most_waiting)
        #: What counts less does not leave the queue.
        self.level = -math.inf
        self.decision_rows = DecisionRows(store, store.output / "decisions")
        self.in_flight: dict[int, None] = {}
        #: Where redirects lead that are being followed, by the URL that was asked for, and the other way round.
        self.ends: dict[int, int] = {}
        self.claimed: dict[int, int] = {}
        self.answered = NumberSet()
        self.wanted = NumberSet()
        #: What is passed over in the queue until its server is ready.
        self.resting = RestingServers()
        #: What an earlier crawl asked for and this one does not ask for again, and the languages of its pages.
        self.asked_earlier = NumberSet()
        self.earlier_languages: Counter[Language | None] = Counter()
        #: True if its wanted pages are asked for again: then they do not count for quotas yet.
        self.revisit = False
        #: Figures for views and reports.
        self.reasons: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.languages: Counter[Language | None] = Counter()
        self.guesses: Counter[tuple[bool, bool]] = Counter()
        self.of_server: Counter[int] = Counter()
        self.errors: Counter[int] = Counter()
        self._failing = FailingNames()
        self.pages = self.relevant = self.bytes = 0
        self.curve: list[CurvePoint] = []
        self._expectation = Expectation()
        self._first_time: float | None = None
        #: URLs that were found are below this; when a log is replayed the store knows of later ones too.
        self._known_urls = 0
        #: Seeds that were given when the crawl went on, and not before.
        self.new_seeds = 0

    def start(self, seeds: Sequence[str], promised: Mapping[str, Language] | None = None) -> None:
        """Queue the seeds of a new crawl, or replay the log of one that goes on.

        `promised` are the languages that somebody says some seeds are in.
        """
        self.asked_earlier = self.store.seen()
        self.answered.update(self.asked_earlier)
        if self.store.get("seeds") is None:
            numbers = dict(zip(seeds, self.numbers(seeds), strict=True))
            keep_seeds(self.store, numbers, promised or {}, self._known_sites)
        for server, directory, share in self.store.get("known_sites", []):
            self.strategy.expect(server, directory, share)
        self._queue_seeds()
        for kind, url, reason, answer in self.store.replay():
            self._repeat(kind, url, reason, answer)
        for key in new_seeds(self.store, self.numbers(seeds)) if seeds else ():
            if key not in self.answered and key not in self.in_flight:
                self.ask_again(key)
                self.new_seeds += 1
        self.store.commit()

    def _repeat(self, kind: int, url: int, reason: str | None, answer: CrawlAnswer | None) -> None:
        """Do again what a line of the log tells."""
        if kind == POPPED:
            if url not in self.frontier:
                raise DragomanError(
                    f"'{self.store.folder}' was crawled by a version that decides differently: go on with that "
                    "one, or begin a new folder with `--earlier` and this one"
                )
            self.frontier.take(url)
            self.in_flight[url] = None
        elif kind == SKIPPED:
            self._let_go(url, reason or "")
        elif kind == AGAIN:
            self._queue_again(url, reason)
        elif kind == EARLIER and answer is not None:
            self._take_earlier(answer)
        elif answer is not None:
            self._take(answer)

    def _queue_seeds(self) -> None:
        hreflang = {int(index): language for index, language in self.store.get("promised", {}).items()}
        self._carry_out(None, self.strategy.start(self._candidates(self.store.get("seeds"), hreflang)))

    def pop(
        self,
        is_ready: Callable[[int], bool] = lambda server: True,
        is_soon: Callable[[int], bool] = lambda server: True,
    ) -> int | None:
        """The best URL whose server is ready; None if there is none.

        What waits of a server that is not ready is passed over from then on, until `wake`. A URL that is hardly worth a
        request is not asked for only because the servers of better ones are not ready yet, if they are soon.
        """
        least = self.strategy.least
        while (key := self.frontier.peek()) is not None:
            assert isinstance(key, int)
            value = math.inf if least == self.level == -math.inf else self.frontier.values(1)[0]
            if value < self.level:
                return None
            reason, server = self.needless(key), self.store.server[key]
            if reason is None and self.resting.have_better(value, least):
                return None
            if reason is None and not is_ready(server):
                self.resting.add(server, self.frontier.rest(key), value, soon=is_soon(server))
                continue
            self.frontier.take(key)
            self.store.log(POPPED, key)
            self.in_flight[key] = None
            if reason is None:
                return key
            self.skip(key, reason)
        return None

    def wake(self, server: int) -> None:
        """Pass over a server's URLs no longer."""
        for group in self.resting.wake(server):
            self.frontier.wake(group)

    def needless(self, key: int) -> str | None:
        """Why a URL that leaves the queue is not to be fetched after all; None if it is."""
        server = self.store.server[key]
        if key in self.answered or key in self.claimed:
            return ANSWERED_ALREADY
        if server in self._failing.servers and self._failing.fails(server, self.store.url(key)):
            return NAME_FAILS
        return HOST_IS_FULL if self.is_full(server) else None

    def is_full(self, server: int, on_their_way: int = 0) -> bool:
        """True if a server has given its share of pages, or will have with those that are on their way."""
        return self.of_server[server] + on_their_way >= self.limits.pages_per_host

    def skip(self, key: int, reason: str) -> None:
        """Let a URL go that left the queue."""
        self.store.log(SKIPPED, key, reason)
        self._let_go(key, reason)

    def _let_go(self, key: int, reason: str) -> None:
        self.in_flight.pop(key, None)
        self.reasons[reason] += 1
        if reason == NAME_FAILS:  # nothing is expected of it any more
            self.answered.add(key)

    def let_go(self, key: int) -> bool:
        """True if a URL that waited for its host is no longer wanted: its server has become irrelevant, or is full."""
        if self.gave_up(key):
            self.skip(key, SERVER_IRRELEVANT)
        elif self.is_full(self.store.server[key]):
            self.skip(key, HOST_IS_FULL)
        else:
            return False
        return True

    def gave_up(self, key: int) -> bool:
        """True if the server (or directory) of a URL has become irrelevant."""
        return self.strategy.gave_up(self.store.server[key], self.store.directory[key])

    @property
    def waits(self) -> bool:
        """True while there is something to fetch that did not leave the queue yet."""
        return len(self.frontier) > 0

    @property
    def waiting(self) -> int:
        """How many URLs wait or are on their way."""
        return len(self.frontier) + len(self.in_flight)

    @property
    def requests(self) -> int:
        """How many URLs were asked for: robots.txt forbade the others."""
        return self.answers.total() - sum(self.answers[reason] for reason in NOT_ASKED)

    @property
    def expected(self) -> float:
        """How many wanted pages are left where links lead, as far as can be told."""
        return self._expectation.left(self.store, self._known_urls, self.answered, self.wanted, self._failing)

    def quota_pages(self) -> dict[Language, int]:
        """Pages by language that has a quota, with those of earlier crawls that are not asked for again."""
        earlier = {} if self.revisit else self.earlier_languages
        return {language: self.languages[language] + earlier.get(language, 0) for language in self.target.quotas}

    def claim(self, key: int, end: int) -> bool:
        """True if a redirect of `key` to `end` is to be followed; False if that page is there or on its way."""
        if not self.is_free(key, end):
            return False
        self._claim(key, end)
        return True

    def is_free(self, key: int, end: int) -> bool:
        """True if nobody has or fetches the page to which a redirect of `key` leads."""
        return end not in self.answered and end not in self.in_flight and self.claimed.get(end, key) == key

    def _claim(self, key: int, end: int) -> None:
        self._unclaim(key)
        self.ends[key] = end
        self.claimed[end] = key

    def _unclaim(self, key: int) -> None:
        end = self.ends.pop(key, None)
        if end is not None:
            self.claimed.pop(end, None)

    def number(self, url: str, parent: int) -> int | None:
        """The number of a URL to which a redirect leads; None if it must not be followed (the reason is counted)."""
        known = self.gate.follow(url, self.reasons)
        return None if known is None else self._numbers([known], self.store.depth(parent), parent)[0]

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """The numbers of canonical URLs that nobody linked to."""
        return self._numbers(urls, depth=0, parent=None)

    def page(self, answer: CrawlAnswer, links: Links, archive: tuple[str | None, int] | None = None) -> None:
        """Take an answer in: save it, show it to the strategy if it is a page, carry out what that decides.

        `archive` is the WARC file and its length with this answer in it. One transaction.
        """
        if archive is not None:
            self.store.set("warc", archive)
        if answer.reason in (None, NOINDEX):
            self._link(answer, links)
        self._keep(answer)
        self.store.commit()

    def _link(self, answer: CrawlAnswer, links: Links) -> None:
        """Give an answer the links that may be followed, by their numbers."""
        followed = self._refuse(answer, links)
        texts = {link.url: link.text for link in followed}
        answer.links = self._numbers(list(texts), self.store.depth(answer.url) + 1, answer.url, texts)

    def _refuse(self, answer: CrawlAnswer, links: Links) -> Links:
        """The links that may be followed; the answer knows what hreflang promises of them, and the others' reasons."""
        followed, refused = self.gate.follow_all(links)
        answer.refused = dict(refused)
        answer.hreflang = promises_of(followed)
        return followed

    def _keep(self, answer: CrawlAnswer) -> None:
        """Save an answer whose links have their numbers, and act on it. Not committed yet."""
        self.store.save(answer)
        self._take(answer)
        server, records = self.store.server[answer.final], self.strategy.records
        if records is not None and self.strategy.grain == "server":
            record = records[server]
            self.store.save_server(server, record.pages, record.relevant, record.status.name.lower())
        if self.answers.total() % 10_000 == 0:
            export_catalogue(self.store, self.store.output / "catalogue", all_rows=False)

    def earlier(self, answer: CrawlAnswer, links: Links) -> None:
        """Take in a page of an earlier crawl: its language and links count as those of any page. Not committed yet."""
        self._link(answer, links)
        self.store.save_earlier(answer)
        self._take_earlier(answer)

    def _take_earlier(self, answer: CrawlAnswer) -> None:
        store, server = self.store, self.store.server[answer.url]
        self.earlier_languages[answer.language] += 1
        self.reasons.update(answer.refused)
        language = None if self.revisit else answer.language
        page = Fetched(answer.url, server, store.directory[answer.url], answer.relevant, language)
        self._carry_out(answer.url, self.strategy.decide(page, self._candidates(answer.links, answer.hreflang)))

    def ask_again(self, key: int, chance: float | None = None) -> None:
        """Queue a URL: a page of an earlier crawl by its chance to have changed, others as seeds. Not committed yet."""
        reason = None if chance is None else f"{chance:.6f}"
        self.store.log(AGAIN, key, reason)
        self._queue_again(key, reason)

    def listed(self, links: Links) -> int:
        """Queue what sitemaps list and no page could be credited with, as seeds are queued; how many are new."""
        followed, refused = self.gate.follow_all(links)
        self.reasons.update(refused)
        before = len(self.frontier)
        for key in self.numbers([link.url for link in followed]):
            if key not in self.answered:
                self.ask_again(key)
        self.store.commit()
        return len(self.frontier) - before

    def _queue_again(self, key: int, chance: str | None) -> None:
        self.asked_earlier.discard(key)
        self.answered.discard(key)
        seeds, strategy = self._candidates([key], {}), self.strategy
        self._carry_out(None, strategy.start(seeds) if chance is None else strategy.revisit(seeds[0], float(chance)))

    def _take(self, answer: CrawlAnswer) -> None:
        self.in_flight.pop(answer.url, None)
        self._unclaim(answer.url)
        self.answered.add(answer.url)
        self.answered.add(answer.final)
        self._known_urls = max(self._known_urls, answer.final + 1)
        self.bytes += answer.bytes
        self._first_time = self._first_time or answer.time
        server = self.store.server[answer.final]
        self.answers[answer.reason or "page"] += 1
        self._expectation.answer(self.store, answer.url, is_wanted=answer.relevant and answer.reason is None)
        if answer.reason is not None and answer.reason != NOINDEX:
            self._failed(answer)
            return
        if answer.reason is None:
            self._count(answer, server)
        self.reasons.update(answer.refused)
        anchor = self.store.anchor(answer.url)
        page = Fetched(answer.url, server, self.store.directory[answer.final], answer.relevant, answer.language, anchor)
        self._carry_out(answer.url, self.strategy.decide(page, self._candidates(answer.links, answer.hreflang)))
        if answer.relevant and answer.reason is None:
            self._expectation.find(self.store.server[answer.url], answer.links, self._known_urls)
        if answer.reason is None and self.pages % max(1, self.pages // 16) == 0:  # what is expected takes its time
            counts = self.pages, self.relevant, self.waiting, self.expected, self.requests
            self.curve.append(CurvePoint(*counts, seconds=answer.time - (self._first_time or answer.time)))

    def _count(self, answer: CrawlAnswer, server: int) -> None:
        """One page more."""
        self.pages, self.relevant = self.pages + 1, self.relevant + answer.relevant
        if self.errors[server]:
            self._failing.count(server, self.store.url(answer.url), is_page=True)
        if answer.relevant:
            self.wanted.add(answer.url)
        self.of_server[server] += 1
        self.languages[answer.language] += 1
        self.guesses[self.store.score[answer.url] > 0, answer.relevant] += 1

    def _failed(self, answer: CrawlAnswer) -> None:
        """An answer that is no page tells something of where it was asked for, unless nobody was asked."""
        if answer.reason not in NOT_ASKED:
            server, directory = self.store.server[answer.url], self.store.directory[answer.url]
            self.errors[server] += 1
            self._failing.count(server, self.store.url(answer.url), is_page=False)
            failed = Fetched(answer.url, server, directory, relevant=False, anchor=self.store.anchor(answer.url))
            self._carry_out(None, self.strategy.fail(failed))

    def _carry_out(self, page: int | None, decisions: Decisions) -> None:
        """As dragoman.crawl.simulate.plain does."""
        for group in decisions.dropped:
            self.frontier.drop(group)
        decided = (*decisions.released, *decisions.links)
        asked = self.asked_earlier
        self.frontier.put_all([decision for decision in decided if decision.key not in asked] if asked else decided)
        self.frontier.shift_all(decisions.shifts)
        self.reasons.update(decision.reason for decision in decided)
        self.decision_rows.add(page, decided)

    def _candidates(self, keys: Sequence[int], hreflang: dict[int, Language]) -> list[Candidate]:
        store = self.store
        self._known_urls = max(self._known_urls, 1 + max(keys, default=-1))
        return [
            Candidate(
                key, store.server[key], store.directory[key], store.score[key], hreflang.get(index), store.anchor(key)
            )
            for index, key in enumerate(keys)
        ]

    def _numbers(
        self, urls: Sequence[str], depth: int, parent: int | None, texts: Mapping[str, str] | None = None
    ) -> list[int]:
        known = self.store.known(urls)
        new = [url for url in dict.fromkeys(urls) if url not in known]
        rows = [(url, score, guess) for url, (score, guess) in zip(new, self.score(new), strict=True)]
        anchors = self.anchor([texts[url] for url in new]) if texts and self.anchor is not None else None
        known.update(zip(new, self.store.register(rows, depth, parent, anchors), strict=True))
        return [known[url] for url in urls]

    def export(self) -> None:
        """Write catalogue and decisions to their end."""
        export_catalogue(self.store, self.store.output / "catalogue", all_rows=True)
        self.decision_rows.close()
        self.store.commit()
