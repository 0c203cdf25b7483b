"""A Scrapy add-on: other people's spiders, steered towards the wanted languages.

    ADDONS = {"dragoman.integrations.scrapy.Addon": 500}
    DRAGOMAN_LANGUAGES = ["th"]
    DRAGOMAN_STRATEGY = "conservative-server"  # or any other of `dragoman crawl`; scout if it is left out

Requests that a callback yields get priorities, or are dropped with a reason that is counted in the stats
(`dragoman/dropped/...`). The texts of links and hreflang count as in `dragoman crawl`, and so do errors. DRAGOMAN_MODEL
names another URL model, DRAGOMAN_QUOTAS (a dict) says how many pages of a language are enough.

What only `dragoman crawl` has: Scrapy keeps its own queue, so a request that waits is not ranked anew. What a strategy
lets go later is applied when a request comes up: one to a server that has become irrelevant meanwhile is dropped before
it is sent. With JOBDIR the queue survives a stop, what the strategy has learnt does not: it begins anew.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest, NotConfigured
from scrapy.http import Response, TextResponse
from scrapy.settings import BaseSettings

from dragoman.crawl.live.driver.scoring import AnchorScorer, UrlScorer
from dragoman.crawl.live.state.links import links_of
from dragoman.crawl.live.state.targets import Target
from dragoman.crawl.records import ServerRule
from dragoman.crawl.strategies.base import SERVER_IRRELEVANT
from dragoman.errors import DragomanError
from dragoman.identifiers.models import DEFAULT
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.identify import identify_text, open_method
from dragoman.languages import normalise
from dragoman.types import Candidate, Decision, Decisions, Fetched, Language, Page, Shift
from dragoman.web.addresses import canonical, server_and_directory

#: A step of Scrapy's whole-number priorities per unit of a strategy's priority, and the farthest that they go.
SCALE, FARTHEST = 100, 10_000
QUOTAS_FULL = "every quota is full"


class Addon:
    """Puts the steering into a project's settings, and keeps what is both a spider and a downloader middleware."""

    def __init__(self) -> None:
        self._steering: SteeringMiddleware | None = None

    def steering(self, crawler: Crawler) -> SteeringMiddleware:
        """The steering of this add-on's crawler, made when it is first asked for."""
        if self._steering is None:
            try:
                self._steering = SteeringMiddleware(crawler)
            except DragomanError as error:
                raise ValueError(str(error)) from error
        return self._steering

    def update_settings(self, settings: BaseSettings) -> None:
        """Spider middleware for links, downloader middleware for what waits."""
        if not settings.getlist("DRAGOMAN_LANGUAGES"):
            raise NotConfigured("DRAGOMAN_LANGUAGES is not set: give a list of languages, such as ['th']")
        settings["SPIDER_MIDDLEWARES"][SteeringMiddleware] = 950
        settings["DOWNLOADER_MIDDLEWARES"][SteeringMiddleware] = 50


class SteeringMiddleware:
    """One strategy for one crawler.

    As a spider middleware it reads each page, and decides about the requests that its callback yields; items pass. As a
    downloader middleware it drops requests whose server was given up while they waited in Scrapy's queue.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        assert crawler.stats is not None
        self.stats = crawler.stats
        languages = tuple(normalise(name) for name in settings.getlist("DRAGOMAN_LANGUAGES"))
        rule = ServerRule(settings.getint("DRAGOMAN_TOLERANCE", 10))
        quotas = {normalise(name): int(pages) for name, pages in settings.getdict("DRAGOMAN_QUOTAS").items()}
        self.target = Target(languages, quotas, settings.get("DRAGOMAN_STRATEGY", "scout"), rule)
        self.strategy = self.target.new_strategy()
        self.score = UrlScorer(languages, settings.get("DRAGOMAN_MODEL", DEFAULT))
        self.anchor = AnchorScorer(languages, open_method())
        self._pages_found: Counter[Language] = Counter()
        self._ranks: dict[Any, Shift] = {}
        self._fetched: set[str] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> SteeringMiddleware:
        """That of the crawler's add-on: the same for links and for what waits."""
        addon = crawler.get_addon(Addon)
        if addon is None:
            raise NotConfigured(f"ADDONS lacks {__name__}.Addon")
        return addon.steering(crawler)

    def process_spider_output(self, response: Response, result: Iterable[Any]) -> Iterable[Any]:
        """Items at once, requests when all are there: a strategy sees a page with all its links."""
        requests: list[Request] = []
        for output in result:
            if isinstance(output, Request):
                requests.append(output)
            else:
                yield output
        yield from self._decided(response, requests)

    async def process_spider_output_async(self, response: Response, result: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """The same for callbacks that are asynchronous."""
        requests: list[Request] = []
        async for output in result:
            if isinstance(output, Request):
                requests.append(output)
            else:
                yield output
        await asyncio.sleep(0)
        for request in self._decided(response, requests):
            yield request

    def process_request(self, request: Request) -> None:
        """Nothing, or IgnoreRequest."""
        url = canonical(request.url)
        if url is None or request.url.endswith("/robots.txt"):
            return
        reason = None
        if self.target.full(self._pages_found):
            reason = QUOTAS_FULL
        elif self.strategy.gave_up(*server_and_directory(url)):
            reason = SERVER_IRRELEVANT
        if reason is not None:
            self.stats.inc_value(f"dragoman/dropped/{reason}")
            raise IgnoreRequest(reason)

    def process_response(self, request: Request, response: Response) -> Response:
        """The response; a strategy is told of errors."""
        url = canonical(response.url)
        if response.status >= 400 and url is not None and not url.endswith("/robots.txt"):
            self._remember(self.strategy.fail(Fetched(url, *server_and_directory(url), relevant=False)))
            self.stats.inc_value("dragoman/errors")
        return response

    def _decided(self, response: Response, requests: list[Request]) -> list[Request]:
        page = self._read(response)
        return requests if page is None else self._decide(*page, requests)

    def _read(self, response: Response) -> tuple[Fetched, Page] | None:
        """The page of a response, first as a strategy sees it; None for what is no page or has been shown before."""
        url = canonical(response.url)
        if url is None or response.status != 200 or not isinstance(response, TextResponse) or url in self._fetched:
            return None
        page: Page = read_page(response.body, (response.headers.get("Content-Type") or b"").decode("latin-1"), url)
        language = identify_text(page).language
        self._fetched.add(url)
        relevant = language in self.target.languages
        self.stats.inc_value(f"dragoman/pages/{'wanted' if relevant else 'other'}")
        self.stats.inc_value(f"dragoman/language/{language or 'none'}")
        if relevant and language is not None:
            self._pages_found[language] += 1
        return Fetched(url, *server_and_directory(url), relevant, language), page

    def _decide(self, page: Fetched, read: Page, requests: list[Request]) -> list[Request]:
        """The requests that go on, with priorities; the others are counted by reason."""
        urls = [canonical(request.url) for request in requests]
        known = [url for url in urls if url is not None]
        by_address = {canonical(link.url): link for link in reversed(links_of(read))}
        texts = [by_address[url].text if url in by_address else "" for url in known]
        links = [
            Candidate(
                url, *server_and_directory(url), score, by_address[url].language if url in by_address else None, anchor
            )
            for url, (score, _), anchor in zip(known, self.score(known), self.anchor(texts), strict=True)
        ]
        decisions = self.strategy.decide(page, links)
        self._remember(decisions)
        by_url = {str(decision.key): decision for decision in decisions.links}
        return [
            request
            for request, url in zip(requests, urls, strict=True)
            if url is None or self._goes_on(request, by_url[url])
        ]

    def _remember(self, decisions: Decisions) -> None:
        for group in decisions.dropped:
            self._ranks.pop(group, None)
        for shift in decisions.shifts:
            self._ranks[shift.group] = shift

    def _goes_on(self, request: Request, decision: Decision) -> bool:
        if decision.priority is None:
            self.stats.inc_value(f"dragoman/dropped/{decision.reason}")
            return False
        self.stats.inc_value(f"dragoman/queued/{decision.reason}")
        shift = self._ranks.get(decision.group)
        rank = decision.priority if shift is None else shift.offset + shift.scale * decision.priority
        request.priority += round(max(-FARTHEST, min(FARTHEST, SCALE * rank)))
        return True
