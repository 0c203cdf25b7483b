"""The links of pages and sitemaps, and which of them a crawl may follow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from dragoman.crawl.live.state.safety import NOT_WEB, PRIVATE, TOO_LONG, TOO_MANY_LINKS, literal_private
from dragoman.crawl.live.state.targets import CrawlPlan
from dragoman.languages import find
from dragoman.types import Language, Page
from dragoman.web.addresses import canonical

#: Absolute URLs, each with the language that hreflang promises.
Links = Sequence[tuple[str, Language | None]]

EXCLUDED = "excluded by a pattern"
_LOCATION = re.compile(r"<loc>\s*([^<\s]+)\s*</loc>")
_ALTERNATE = re.compile(r"<xhtml:link\b[^>]*>")
_ATTRIBUTE = re.compile(r"(hreflang|href)\s*=\s*[\"']([^\"']*)[\"']")


def links_of(page: Page) -> Links:
    """The links of a page in their order: anchors, versions in other languages, frames, META refresh; none if the page
    asks not to follow them.

    >>> from dragoman.identifiers.text.document import read_page
    >>> links_of(read_page("<a href=/x>x</a><link rel=alternate hreflang=th href=/th>", url="http://a.de/"))
    [('http://a.de/x', None), ('http://a.de/th', 'th')]
    """
    if "nofollow" in page.robots:
        return []
    links = [(link.url, link.language) for link in page.links]
    links += [(url, find(language)) for language, url in page.alternates]
    links += [(url, None) for url in page.frames]
    return links + ([(page.refresh, None)] if page.refresh else [])


def links_of_sitemap(text: str) -> Links:
    """The URLs of a sitemap, with hreflang where it has them.

    >>> links_of_sitemap('<url><loc>http://a.de/</loc><xhtml:link rel="alternate" hreflang="th" href="http://a.de/th"/>')
    [('http://a.de/', None), ('http://a.de/th', 'th')]
    """
    pages = [(match[1].replace("&amp;", "&"), None) for match in _LOCATION.finditer(text)]
    tags = [dict(_ATTRIBUTE.findall(match[0])) for match in _ALTERNATE.finditer(text)]
    return pages + [(tag["href"].replace("&amp;", "&"), find(tag.get("hreflang", ""))) for tag in tags if "href" in tag]


class LinkGate:
    """Lets URLs pass that limits, patterns and the safety of private addresses allow; the others have a reason."""

    def __init__(self, plan: CrawlPlan) -> None:
        self._limits, self._allow_private = plan.limits, plan.allow_private
        self._include = [re.compile(pattern) for pattern in plan.target.include]
        self._exclude = [re.compile(pattern) for pattern in plan.target.exclude]

    def follow(self, url: str, refused: Counter[str]) -> str | None:
        """The URL in its canonical spelling; None if it is not to be followed, with the reason counted in `refused`."""
        if len(url) > self._limits.url_length:
            refused[TOO_LONG] += 1
        elif (known := canonical(url)) is None:
            refused[NOT_WEB] += 1
        elif (reason := self._reason(known)) is not None:
            refused[reason] += 1
        else:
            return known
        return None

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
        followed: dict[str, Language | None] = {}
        refused: Counter[str] = Counter()
        for url, language in links:
            known = self.follow(url, refused)
            if known is None:
                continue
            if len(followed) >= self._limits.links_per_page and known not in followed:
                refused[TOO_MANY_LINKS] += 1
            else:
                followed[known] = followed.get(known) or language
        return list(followed.items()), refused
