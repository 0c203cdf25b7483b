"""Steering: strategy, frontier and store joined. It knows URLs and pages, and nothing of networks and clocks."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, MutableSet, Sequence

from dragoman.crawl.frontier import CompactFrontier, Frontier
from dragoman.crawl.live.state.catalogue import DecisionRows, export_catalogue
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.safety import HOST_IS_FULL, NOT_WEB, PRIVATE, TOO_MANY_LINKS, Limits, literal_private
from dragoman.crawl.live.state.store import AGAIN, EARLIER, POPPED, SKIPPED, Answer, Store
from dragoman.crawl.live.state.targets import Patterns, Target
from dragoman.crawl.strategies.base import SERVER_IRRELEVANT
from dragoman.errors import DragomanError
from dragoman.types import Candidate, Decisions, Fetched, Language
from dragoman.web.addresses import canonical

#: (score, likeliest language) for each URL.
Score = Callable[[Sequence[str]], list[tuple[float, Language | None]]]
DONE_ALREADY = "fetched already, as the end of a redirect"
#: How many URLs may wait in memory unless somebody says otherwise: 1.4 GB, and 3 GB with scout.
MOST_WAITING = 20_000_000


class Steering:
    """What the crawl knows and decides; everything that changes it goes through the store's log first.

    Keys of URLs, servers and directories are the store's numbers. `in_flight` holds what left the queue and has no
    answer yet: after a kill these are fetched again.
    """

    def __init__(
        self,
        store: Store,
        target: Target,
        limits: Limits,
        score: Score,
        *,
        allow_private: bool = False,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        self.store, self.target, self.limits, self.score = store, target, limits, score
        self.allow_private = allow_private
        self.strategy = target.new_strategy()
        self.frontier: Frontier = CompactFrontier(limit=most_waiting)
        self.patterns = Patterns(target)
        self.decision_rows = DecisionRows(store, store.folder / "decisions")
        self.in_flight: dict[int, None] = {}
        #: Where redirects lead that are being followed, by the URL that was asked for, and the other way round.
        self.ends: dict[int, int] = {}
        self.claimed: dict[int, int] = {}
        self.done: MutableSet[int] = NumberSet()
        #: What an earlier crawl asked for and this one does not ask for again, and the languages of its pages.
        self.seen: MutableSet[int] = NumberSet()
        self.before: Counter[Language | None] = Counter()
        #: True if its wanted pages are asked for again: then they do not count for quotas yet.
        self.revisit = False
        #: Figures for views and reports.
        self.reasons: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.languages: Counter[Language | None] = Counter()
        self.guesses: Counter[tuple[bool, bool]] = Counter()
        self.of_server: Counter[int] = Counter()
        self.pages = self.relevant = self.bytes = 0
        self.curve: list[tuple[int, int, int]] = []

    def start(self, seeds: Sequence[str], promised: Mapping[str, Language] | None = None) -> None:
        """Queue the seeds of a new crawl, or replay the log of one that goes on.

        `promised` are the languages that somebody says some seeds are in.
        """
        self.seen = self.store.seen()
        self.done |= self.seen
        if self.store.get("seeds") is None:
            numbers = self.numbers(seeds)
            self.store.set("seeds", numbers)
            said = promised or {}
            self.store.set("promised", {place: said[one] for place, one in enumerate(seeds) if one in said})
            self.store.set("began", time.time())
            self.store.commit()
        hreflang = {int(place): language for place, language in self.store.get("promised", {}).items()}
        self._carry_out(None, self.strategy.start(self._candidates(self.store.get("seeds"), hreflang)))
        for _, kind, url, reason, answer in self.store.replay():
            if kind == POPPED:
                popped = self.frontier.pop()
                if popped != url:
                    raise DragomanError(
                        f"'{self.store.folder}' was crawled by a version that decides differently: go on with that one"
                    )
                self.in_flight[url] = None
            elif kind == SKIPPED:
                self.in_flight.pop(url, None)
                self.reasons[reason or ""] += 1
            elif kind == AGAIN:
                self._queue_again(url)
            elif kind == EARLIER and answer is not None:
                self._take_earlier(answer)
            elif answer is not None:
                self._take(answer)

    def pop(self) -> int | None:
        """The next URL to fetch; None if nothing waits."""
        while (key := self.frontier.pop()) is not None:
            assert isinstance(key, int)
            self.store.log(POPPED, key)
            self.in_flight[key] = None
            if key in self.done or key in self.claimed:
                self.skip(key, DONE_ALREADY)
            elif self.of_server[self.store.server[key]] >= self.limits.pages_per_host:
                self.skip(key, HOST_IS_FULL)
            else:
                return key
        return None

    def skip(self, key: int, reason: str) -> None:
        """Let a URL go that left the queue."""
        self.store.log(SKIPPED, key, reason)
        self.in_flight.pop(key, None)
        self.reasons[reason] += 1

    def let_go(self, key: int) -> bool:
        """True if a URL that waited for its host is no longer wanted, since its server has become irrelevant."""
        if not self._unwanted(key):
            return False
        self.skip(key, SERVER_IRRELEVANT)
        return True

    def _unwanted(self, key: int) -> bool:
        return self.strategy.gave_up(self.store.server[key], self.store.directory[key])

    def owns(self, key: int) -> bool:
        """True while it is on this process to fetch a URL that left the queue: always, where there is no other."""
        return True

    def turn(self, key: int, at_a_time: int) -> bool:
        """True if a URL that left the queue may be asked for, as far as other processes are concerned."""
        return True

    def may_hold(self, held: int, at_a_time: int) -> bool:
        """True if one more URL may be taken that may have to wait for its host, as far as others are concerned."""
        return True

    def freed(self) -> Sequence[int]:
        """The servers that other processes have asked since this was last looked at."""
        return ()

    def left_over(self) -> list[int]:
        """What an earlier run took from the queue and did not fetch."""
        return list(self.in_flight)

    @property
    def waits(self) -> bool:
        """True while there is something to fetch that did not leave the queue yet."""
        return len(self.frontier) > 0

    def permit(self, pages: int | None) -> bool:
        """True if one more page may be fetched, given so many for all processes; Live.enough counts those of one."""
        return True

    def return_permit(self) -> None:
        """There was nothing to fetch after all."""

    def claim(self, key: int, end: int) -> bool:
        """True if a redirect of `key` to `end` is to be followed; False if that page is there or on its way."""
        if end in self.done or end in self.in_flight or self.claimed.get(end, key) != key:
            return False
        self._unclaim(key)
        self.ends[key] = end
        self.claimed[end] = key
        return True

    def _unclaim(self, key: int) -> None:
        end = self.ends.pop(key, None)
        if end is not None:
            self.claimed.pop(end, None)

    def number(self, url: str, parent: int) -> int | None:
        """The number of a URL to which a redirect leads; None if it must not be followed (the reason is counted)."""
        found = self._checked(url, self.reasons)
        if found is None:
            return None
        return self._numbers([(found, None)], self.store.depth(parent), parent)[0]

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """The numbers of canonical URLs that nobody linked to."""
        return self._numbers([(one, None) for one in urls], depth=0, parent=None)

    def page(self, answer: Answer, links: Sequence[tuple[str, Language | None]]) -> Decisions | None:
        """Take an answer in: save it, show it to the strategy if it is a page, carry out what that decides.

        `links` are the absolute URLs on the page, with the language that hreflang promises. One transaction.
        """
        if answer.reason is None:
            kept, refused = self._followed(links)
            answer.refused = dict(refused)
            answer.links = self._numbers(kept, self.store.depth(answer.url) + 1, answer.url)
            answer.hreflang = {place: one for place, (_, one) in enumerate(kept) if one is not None}
        decisions = self._keep(answer)
        self.store.commit()
        if len(self.answers) and sum(self.answers.values()) % 10_000 == 0:
            export_catalogue(self.store, self.store.folder / "catalogue", all_rows=False)
        return decisions

    def _keep(self, answer: Answer) -> Decisions | None:
        """Save an answer whose links have their numbers, and act on it. Not committed yet."""
        self.store.save(answer)
        decisions = self._take(answer)
        server, records = self.store.server[answer.final], self.strategy.records
        if records is not None and self.strategy.grain == "server":
            record = records[server]
            self.store.save_server(server, record.pages, record.relevant, record.status.name.lower())
        return decisions

    def archived(self, file: str | None, length: int) -> None:
        """The archive's last file and its length, to be kept with the next answer."""
        self.store.set("warc", [file, length])

    def earlier(self, answer: Answer, links: Sequence[tuple[str, Language | None]]) -> None:
        """Take in a page of an earlier crawl: its language and links count as those of any page. Not committed yet."""
        kept, refused = self._followed(links)
        answer.refused = dict(refused)
        answer.links = self._numbers(kept, self.store.depth(answer.url) + 1, answer.url)
        answer.hreflang = {place: one for place, (_, one) in enumerate(kept) if one is not None}
        self.store.save_earlier(answer)
        self._take_earlier(answer)

    def _take_earlier(self, answer: Answer) -> None:
        store, server = self.store, self.store.server[answer.url]
        self.before[answer.language] += 1
        self.reasons.update(answer.refused)
        language = None if self.revisit else answer.language
        page = Fetched(answer.url, server, store.directory[answer.url], answer.relevant, language)
        self._carry_out(answer.url, self.strategy.decide(page, self._candidates(answer.links, answer.hreflang)))

    def ask_again(self, key: int) -> None:
        """Queue a URL of an earlier crawl as seeds are queued. Not committed yet."""
        self.store.log(AGAIN, key)
        self._queue_again(key)

    def listed(self, links: Sequence[tuple[str, Language | None]]) -> int:
        """Queue what sitemaps list and no page could be credited with, as seeds are queued; how many are new."""
        kept, refused = self._followed(links)
        self.reasons.update(refused)
        new = [key for key in self.numbers([url for url, _ in kept]) if key not in self.done]
        before = len(self.frontier)
        for key in new:
            self.ask_again(key)
        self.store.commit()
        return len(self.frontier) - before

    def _queue_again(self, key: int) -> None:
        self.seen.discard(key)
        self.done.discard(key)
        self._carry_out(None, self.strategy.start(self._candidates([key], {})))

    def _take(self, answer: Answer) -> Decisions | None:
        self.in_flight.pop(answer.url, None)
        self._unclaim(answer.url)
        self.done.add(answer.url)
        self.done.add(answer.final)
        self.bytes += answer.bytes
        server = self.store.server[answer.final]
        self.answers[answer.reason or "page"] += 1
        if answer.reason is not None:
            return None
        self.pages += 1
        self.relevant += answer.relevant
        self.of_server[server] += 1
        self.languages[answer.language] += 1
        self.reasons.update(answer.refused)
        wanted = self.store.score[answer.url] > 0
        self.guesses[wanted, answer.relevant] += 1
        page = Fetched(answer.url, server, self.store.directory[answer.final], answer.relevant, answer.language)
        decisions = self.strategy.decide(page, self._candidates(answer.links, answer.hreflang))
        self._carry_out(answer.url, decisions)
        if self.pages % max(1, self.pages // 200) == 0:
            self.curve.append((self.pages, self.relevant, len(self.frontier) + len(self.in_flight)))
        return decisions

    def _carry_out(self, page: int | None, decisions: Decisions) -> None:
        """As dragoman.crawl.simulate.plain does."""
        for group in decisions.dropped:
            self.frontier.drop(group)
        every = (*decisions.released, *decisions.links)
        self.frontier.put_all([one for one in every if one.key not in self.seen] if self.seen else every)
        self.frontier.shift_all(decisions.shifts)
        self.reasons.update(decision.reason for decision in every)
        self.decision_rows.add(page, every)

    def _candidates(self, keys: Sequence[int], hreflang: dict[int, Language]) -> list[Candidate]:
        store = self.store
        return [
            Candidate(key, store.server[key], store.directory[key], store.score[key], hreflang.get(place))
            for place, key in enumerate(keys)
        ]

    def _followed(
        self, links: Sequence[tuple[str, Language | None]]
    ) -> tuple[list[tuple[str, Language | None]], Counter[str]]:
        """The links that may be followed, each once, and the others by reason."""
        kept: dict[str, Language | None] = {}
        refused: Counter[str] = Counter()
        for url, language in links:
            found = self._checked(url, refused)
            if found is None:
                continue
            if len(kept) >= self.limits.links_per_page and found not in kept:
                refused[TOO_MANY_LINKS] += 1
            else:
                kept[found] = kept.get(found) or language
        return list(kept.items()), refused

    def _checked(self, url: str, refused: Counter[str]) -> str | None:
        reason: str | None
        found = None
        if len(url) > self.limits.url_length:
            reason = self.limits.refused(url)
        elif (found := canonical(url)) is None:
            reason = NOT_WEB
        else:
            reason = self.limits.refused(found) or self.patterns.refused(found)
            if reason is None and not self.allow_private and literal_private(found):
                reason = PRIVATE
        if reason is not None:
            refused[reason] += 1
            return None
        return found

    def _numbers(self, links: Sequence[tuple[str, Language | None]], depth: int, parent: int | None) -> list[int]:
        urls = [url for url, _ in links]
        known = self.store.known(urls)
        new = [url for url in dict.fromkeys(urls) if url not in known]
        said = self.score(new)
        rows = [(url, score, guess) for url, (score, guess) in zip(new, said, strict=True)]
        known.update(zip(new, self.store.register(rows, depth, parent), strict=True))
        return [known[url] for url in urls]

    def look(self) -> bool:
        """True if others who crawl with this process did anything: nobody does."""
        return False

    def leave(self) -> None:
        """Tell whoever crawls with this process that it ends: nobody."""

    def export(self) -> None:
        """Write catalogue and decisions to their end."""
        export_catalogue(self.store, self.store.folder / "catalogue", all_rows=True)
        self.decision_rows.close()
        self.store.commit()
