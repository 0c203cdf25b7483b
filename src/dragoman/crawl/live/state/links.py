"""The links of pages and sitemaps, and which of them a crawl may follow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from html import unescape
from typing import NamedTuple
from urllib.parse import urljoin

from dragoman.crawl.live.state.hygiene import NO_PAGE, is_no_page, without_tracking
from dragoman.crawl.live.state.safety import NOT_WEB, PRIVATE, TOO_LONG, TOO_MANY_LINKS, literal_private
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.identifiers.text.document import read_page, refresh_of, resolve
from dragoman.languages import find
from dragoman.types import Language, Link, Page
from dragoman.web.addresses import canonical


class LinkEnd(NamedTuple):
    """Where a link leads, and what is said about it there: an absolute URL, hreflang's promise, and the anchor text."""

    url: str
    language: Language | None = None
    text: str = ""
    #: False if the author asks crawlers not to follow it.
    follow: bool = True


Links = Sequence[LinkEnd]

EXCLUDED = "excluded by a pattern"
NOFOLLOW = "its author asks not to follow it"
NOINDEX = "page asks not to be kept (noindex)"
_LOCATION = re.compile(r"<loc>\s*([^<\s]+)\s*</loc>")
_ALTERNATE = re.compile(r"<xhtml:link\b[^>]*>")
_LINK_TAG = re.compile(r"<link\b[^>]{0,2000}>", re.IGNORECASE)
_VALUES = re.compile(r"""([a-zA-Z-]+)\s*=\s*["']?([^"'\s>]+)""")
_FEED_TEXT = re.compile(r"<link>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]+)")
_FEED_LINK = re.compile(r"<link\b[^>]*\bhref\s*=\s*[\"']([^\"']+)")
_NOFRAMES = re.compile(r"<noframes\b[^>]*>(.*?)(?:</noframes|$)", re.IGNORECASE | re.DOTALL)
#: Links that are remembered with what was made of them.
MENUS = 8192
#: Characters in which a page names its canonical address and its feeds.
HEAD = 100_000
_ATTRIBUTE = re.compile(r"(hreflang|href)\s*=\s*[\"']([^\"']*)[\"']")


def links_of(page: Page) -> Links:
    """The links of a page in their order: anchors, versions in other languages, frames, META refresh.

    What a page with frames says to whom does not show them (`<noframes>`) has links, too.

    >>> from dragoman.identifiers.text.document import read_page
    >>> links_of(read_page("<a href=/x>this</a><link rel=alternate hreflang=th href=/th>", url="http://a.de/"))[0]
    LinkEnd(url='http://a.de/x', language=None, text='this', follow=True)
    >>> links_of(read_page("<a href=/x title='Die ganze Geschichte'>1</a>", url="http://a.de/"))[0].text
    '1 Die ganze Geschichte'
    """
    links = _anchors(page)
    links += [LinkEnd(url, find(language)) for language, url in page.alternates]
    links += [LinkEnd(url) for url in page.frames]
    if page.frames and (beside := _NOFRAMES.search(page.source)):
        # its anchors alone: frames within would have a page of a thousand of them read a thousand times
        links += _anchors(read_page(beside[1], "text/html", page.base or page.url))
    return links + ([LinkEnd(page.refresh)] if page.refresh else [])


def _anchors(page: Page) -> list[LinkEnd]:
    return [LinkEnd(link.url, link.language, _link_text(link), not link.nofollow) for link in page.links]


def refresh_link(page: Page, header: str) -> Links:
    """Where the header Refresh leads, which browsers obey as they do META refresh.

    >>> from dragoman.identifiers.text.document import read_page
    >>> [link.url for link in refresh_link(read_page("<p>", url="http://a.de/x/"), "0; url=../y")]
    ['http://a.de/y']
    """
    given = refresh_of(header)
    address = resolve(page.url, given) if given else None
    return [LinkEnd(address)] if address else []


def _link_text(link: Link) -> str:
    """The text of a link, and its title where that says something else."""
    return link.text if not link.title or link.title in link.text else f"{link.text} {link.title}".strip()


def promises_of(links: Iterable[LinkEnd]) -> dict[int, Language]:
    """The languages that hreflang promises, by place among the links."""
    return {index: link.language for index, link in enumerate(links) if link.language is not None}


def robots_of(page: Page, header: str, agent: str) -> frozenset[str]:
    """What a page asks of robots, by META robots and by X-Robots-Tag, which can name one of them.

    >>> from dragoman.identifiers.text.document import read_page
    >>> page = read_page('<meta name=robots content="nofollow">', url="http://a.de/")
    >>> sorted(robots_of(page, "noarchive, otherbot: noindex, dragoman: none", "dragoman (+http://a.de/)"))
    ['noarchive', 'nofollow', 'noindex']
    """
    words, mine = set(page.robots), True
    name = re.split(r"[/ (]", agent.lower(), maxsplit=1)[0]
    for part in header.lower().split(","):
        before, colon, after = part.partition(":")
        if colon and before.strip() not in (
            "max-snippet",
            "max-image-preview",
            "max-video-preview",
            "unavailable_after",
        ):
            mine, part = before.strip() == name, after
        if mine:
            words.add(part.strip())
    return frozenset(words - {"none", ""} | ({"noindex", "nofollow"} if "none" in words else set()))


def canonical_of(page: Page) -> str | None:
    """The address under which a page wants to be known, if that differs from its own in the query alone.

    A canonical link to another path is often a mistake (every page of a site names the front page), and believing it
    would lose pages.

    >>> from dragoman.identifiers.text.document import read_page
    >>> canonical_of(read_page('<link rel="canonical" href="/x">', url="http://a.de/x?print=1"))
    'http://a.de/x'
    """
    for tag in _LINK_TAG.finditer(page.source, 0, HEAD):
        values = {name.lower(): unescape(value) for name, value in _VALUES.findall(tag[0])}
        if "canonical" in values.get("rel", "").lower().split() and page.url is not None:
            try:
                url = canonical(urljoin(page.base or page.url, values.get("href", "")))
            except ValueError:
                return None
            same = url is not None and url.partition("?")[0] == page.url.partition("?")[0]
            return url if same and url != page.url else None
    return None


def feeds_of(page: Page) -> list[str]:
    """The feeds (RSS, Atom) that a page names.

    >>> from dragoman.identifiers.text.document import read_page
    >>> feeds_of(read_page('<link rel=alternate type="application/rss+xml" href="/feed">', url="http://a.de/x"))
    ['http://a.de/feed']
    """
    feeds = []
    for tag in _LINK_TAG.finditer(page.source, 0, HEAD):
        values = {name.lower(): unescape(value) for name, value in _VALUES.findall(tag[0])}
        if values.get("type", "").lower() in ("application/rss+xml", "application/atom+xml") and "href" in values:
            with suppress(ValueError):
                feeds.append(urljoin(page.base or page.url or "", values["href"]))
    return feeds


def links_of_feed(text: str) -> Links:
    """The pages that a feed lists.

    >>> [link.url for link in links_of_feed("<rss><item><link>http://a.de/1</link></item></rss>")]
    ['http://a.de/1']
    >>> [link.url for link in links_of_feed('<feed><entry><link href="http://a.de/2"/></entry></feed>')]
    ['http://a.de/2']
    """
    urls = [*_FEED_TEXT.findall(text), *_FEED_LINK.findall(text)]
    return [LinkEnd(unescape(url.strip())) for url in urls if url.strip()]


def links_of_sitemap(text: str) -> Links:
    """The URLs of a sitemap, with hreflang where it has them.

    >>> links = links_of_sitemap('<loc>http://a.de/</loc><xhtml:link rel="alternate" hreflang="th" href="http://a.de/th"/>')
    >>> [(link.url, link.language) for link in links]
    [('http://a.de/', None), ('http://a.de/th', 'th')]
    """
    pages = [LinkEnd(unescape(match[1])) for match in _LOCATION.finditer(text)]
    tags = [dict(_ATTRIBUTE.findall(match[0])) for match in _ALTERNATE.finditer(text)]
    return pages + [LinkEnd(unescape(tag["href"]), find(tag.get("hreflang", ""))) for tag in tags if "href" in tag]


class LinkGate:
    """Lets URLs pass that limits, patterns and the safety of private addresses allow; the others have a reason."""

    def __init__(self, plan: CrawlPlan) -> None:
        self._limits, self._allow_private = plan.limits, plan.allow_private
        self._include = [re.compile(pattern) for pattern in plan.target.include]
        self._exclude = [re.compile(pattern) for pattern in plan.target.exclude]
        self._looked_at = lru_cache(MENUS)(self._look_at)  # the menus of a site are the same on all its pages

    def follow(self, url: str, refused: Counter[str], *, pages_only: bool = True) -> str | None:
        """The URL in its canonical spelling; None if it is not to be followed, with the reason counted in `refused`."""
        if len(url) > self._limits.url_length:
            refused[TOO_LONG] += 1
            return None
        known, reason = self._looked_at(url, pages_only)
        if reason is not None:
            refused[reason] += 1
        return known

    def _look_at(self, url: str, pages_only: bool) -> tuple[str | None, str | None]:
        """(canonical spelling, None), or None and why it is not to be followed."""
        known = canonical(url)
        if known is None:
            return None, NOT_WEB
        if pages_only and is_no_page(known):
            return None, NO_PAGE
        known = without_tracking(known)
        reason = self._reason(known)
        return (known, None) if reason is None else (None, reason)

    def _reason(self, url: str) -> str | None:
        if reason := self._limits.refused(url):
            return reason
        if self._include and not any(pattern.search(url) for pattern in self._include):
            return EXCLUDED
        if any(pattern.search(url) for pattern in self._exclude):
            return EXCLUDED
        return PRIVATE if not self._allow_private and literal_private(url) else None

    def follow_all(self, links: Links) -> tuple[Links, Counter[str]]:
        """The links that are to be followed, each once, and the others by reason."""
        followed: dict[str, LinkEnd] = {}
        refused: Counter[str] = Counter()
        for link in links:
            if not link.follow:
                refused[NOFOLLOW] += 1
                continue
            known = self.follow(link.url, refused)
            if known is None:
                continue
            if (before := followed.get(known)) is not None:
                followed[known] = LinkEnd(known, before.language or link.language, before.text or link.text)
            elif len(followed) >= self._limits.links_per_page:
                refused[TOO_MANY_LINKS] += 1
            else:
                followed[known] = LinkEnd(known, link.language, link.text)
        return list(followed.values()), refused
