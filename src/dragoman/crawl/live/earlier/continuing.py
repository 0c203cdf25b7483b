"""A crawl that begins where an earlier one ended: its pages are evidence, and are not fetched again or are first.

Two readings of the earlier files. The first only notes the URLs, so that no page's links put another page of the
earlier crawl into the queue. The second shows every page to the strategy as if it had just been fetched: its language
counts for the record of its server, its links are decided about.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from urllib.parse import urljoin

from dragoman.crawl.live.earlier.archives import Damage, Earlier, answers, files_of
from dragoman.crawl.live.state.links import Links, links_of
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import AGAIN, CrawlAnswer
from dragoman.identifiers.text.document import read_page
from dragoman.types import Language, Page, Prediction

#: Answers between two commits.
BATCH = 500
Identify = Callable[[Page], Prediction]


@dataclass
class Continued:
    """What was taken over from earlier crawls."""

    urls: int = 0
    pages: int = 0
    relevant: int = 0
    #: URLs that are queued: pages that are visited again, and ends of redirects that nobody had followed.
    again: int = 0
    damage: Damage = field(default_factory=Counter)

    def lines(self) -> list[str]:
        """What people should know of it, a line each."""
        told = [
            f"Earlier crawl: {self.urls:,} URLs, {self.pages:,} pages whose language is known, {self.relevant:,} of "
            f"them wanted; {self.again:,} URLs to ask again"
        ]
        return told + [f"'{name}': {count:,} {kind} left out" for (name, kind), count in sorted(self.damage.items())]


def note_urls(steering: Steering, paths: Sequence[Path]) -> None:
    """Register every URL of earlier crawls, as not to be asked for. Before the crawl starts; not committed."""
    damage: Damage = Counter()
    found = (one.url for path in paths for file in files_of(path) for one in answers(file, damage, bodies=False)
             if one.for_good)  # fmt: skip
    while part := list(islice(found, BATCH)):
        steering.store.see(steering.numbers(part))


def take_over(steering: Steering, paths: Sequence[Path], identify: Identify, *, revisit: bool) -> Continued:
    """Show the pages of earlier crawls to the strategy; with `revisit` queue those that are wanted or unknown.

    What was taken over before a kill is not taken over again.
    """
    done = Continued(urls=len(steering.store.seen()))
    taken = NumberSet(int(row[0]) for row in steering.store.rows("SELECT url FROM earlier"))
    asked = NumberSet(int(row[0]) for row in steering.store.rows("SELECT url FROM log WHERE kind = ?", (AGAIN,)))
    done.pages, done.again = len(taken), len(asked)
    done.relevant = sum(steering.earlier_languages[one] for one in steering.target.languages)
    for file in (file for path in paths for file in files_of(path)):
        rows: Iterator[Earlier] = answers(file, done.damage, bodies=True)
        while part := list(islice(rows, BATCH)):
            for one, key in zip(part, steering.numbers([one.url for one in part]), strict=True):
                again = [] if key in taken else _take(steering, one, key, identify, revisit, done, taken)
                for end in again:
                    if end not in asked and (end == key or end not in steering.answered):
                        asked.add(end)
                        steering.ask_again(end)
                        done.again += 1
            steering.store.commit()
    steering.store.set("earlier", [done.urls, done.pages, done.relevant, done.again])
    steering.store.commit()
    return done


def _take(
    steering: Steering, one: Earlier, key: int, identify: Identify, revisit: bool, done: Continued, taken: NumberSet
) -> list[int]:
    """Count one answer; the URLs that are to be asked for because of it."""
    if one.location is not None and one.status is not None and 300 <= one.status < 400:
        try:
            end = steering.number(urljoin(one.url, one.location), key)
        except ValueError:
            end = None
        return [] if end is None else [end]
    if not one.is_page:
        return []
    language = one.language
    links: Links = []
    if one.body is not None:
        language, links = _read(one, identify)
    relevant = language in steering.target.languages
    if language is not None:
        taken.add(key)
        done.pages += 1
        done.relevant += relevant
        steering.earlier(CrawlAnswer(key, key, 0.0, 200, language, relevant=relevant), links)
    return [key] if revisit and (relevant or language is None) else []


def _read(one: Earlier, identify: Identify) -> tuple[Language | None, Links]:
    """Language and links of a page, read as the live crawl reads it."""
    assert one.body is not None
    try:
        page = read_page(one.body, one.kind or None, one.url, one.content_language)
        language = identify(page).language
    except (ValueError, ArithmeticError, LookupError, RecursionError):
        return None, []
    return (None, []) if page.kind == "binary" else (language, links_of(page))
