"""The coverage estimate on kept crawls of the real web, without crawling again: estimates.py FOLDER ...

A folder is one that `real_web.py --language cs --keep FOLDER/cs` has left, named after its language. The log of its
crawl is replayed through the estimate alone: about a second of processor time. Told is what the crawl holds its
coverage for when it has 50, 80, 90 and 95 % of the wanted pages, by the true languages of the books and, since of some
mixed pages the crawl tells another language than the books do, by the languages that the crawl itself tells; and how
far the two are apart on the average from 45 % on. Pages that were never asked for count by the books in both.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from live.real_books import LIST, RealPage, reached, truths
from live.real_web import LEVELS, PORT

from dragoman.crawl.live.state.expected import Expectation, prospect_of
from dragoman.crawl.live.state.hygiene import NAME_FAILS, FailingNames
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.safety import FORBIDDEN
from dragoman.crawl.live.state.store import SKIPPED, CrawlAnswer, Store

FIRST = 0.45


class EstimatePoint(NamedTuple):
    """Wanted pages by the books and by the crawl, and the coverage that the crawl holds itself to have."""

    by_books: int
    by_crawl: int
    estimate: float


def replayed(store: Store, wanted_urls: set[str], pages: dict[str, RealPage]) -> Iterator[EstimatePoint]:
    """The crawl as it was at growing numbers of pages."""
    answered, wanted, failing, expectation = NumberSet(), NumberSet(), FailingNames(), Expectation()
    known, count, errors, found = 1 + max(store.get("seeds")), 0, set[int](), set[str]()
    for kind, url, reason, answer in store.replay():
        if kind == SKIPPED and reason == NAME_FAILS:
            answered.add(url)
        if not isinstance(answer, CrawlAnswer):
            continue
        answered.update((answer.url, answer.final))
        known, server = max(known, answer.final + 1), store.server[answer.final]
        if answer.reason is not None:
            if answer.reason != FORBIDDEN:
                errors.add(store.server[url])
                failing.count(store.server[url], store.url(url), is_page=False)
            continue
        if server in errors:
            failing.count(server, store.url(url), is_page=True)
        if answer.relevant:
            wanted.add(url)
            expectation.find(store.server[url], known)
        known, count = max(known, 1 + max(answer.links, default=-1)), count + 1
        if (address := page_of(store.url(answer.final), pages)) in wanted_urls:
            found.add(address)
        if len(wanted) and count % max(1, count // 50) == 0:
            prospect = prospect_of(store, known, answered, wanted, failing)
            left = expectation.left(prospect, store, known, wanted)
            yield EstimatePoint(len(found), len(wanted), len(wanted) / (len(wanted) + left))


def page_of(url: str, pages: dict[str, RealPage]) -> str:
    return url if url in pages else f"{url}index.html"


def wanted_by_crawl(store: Store, wanted_urls: set[str], pages: dict[str, RealPage]) -> int:
    """How many pages are wanted by the crawl's own judgement, where it asked for them."""
    told = {
        page_of(store.url(answer.final), pages): answer.relevant
        for _, _, _, answer in store.replay()
        if answer is not None and answer.reason is None
    }
    return sum(told.values()) + len(wanted_urls - told.keys())


def at_levels(coverage: Any, estimate: Any) -> tuple[str, float]:
    """What it is held for at each level, and the mean distance."""
    held = [f"{100 * estimate[np.argmax(coverage >= level)]:4.0f}" for level in LEVELS if coverage[-1] >= level]
    grid = np.arange(FIRST, min(0.98, coverage[-1]), 0.025)
    places = [int(np.argmax(coverage >= level)) for level in grid]
    apart = np.abs(estimate[places] - coverage[places]).mean() if places else np.nan
    return " ".join(held), 100 * float(apart)


def main(folders: list[Path]) -> None:
    pages = truths(PORT)
    whole = reached(pages, [f"http://{LIST}:{PORT}/"])
    print("language   held for at 50, 80, 90, 95 % by the books; apart   by the crawl's own judgement; apart")
    for folder in folders:
        path = next(chain(folder.glob("*/crawl.sqlite"), folder.glob("crawl.sqlite"))).parent
        language = folder.name.partition("-")[0]
        wanted = {url for url in whole if pages[url].language == language}
        store = opened(path)
        points = np.array(list(replayed(store, wanted, pages)))
        books = at_levels(points[:, 0] / len(wanted), points[:, 2])
        own = at_levels(points[:, 1] / wanted_by_crawl(store, wanted, pages), points[:, 2])
        store.close()
        print(f"{folder.name:12} {books[0]:20} {books[1]:5.1f}   {own[0]:20} {own[1]:5.1f}", flush=True)


def opened(path: Path) -> Store:
    """The store of a crawl, whatever it was for."""
    import json
    import sqlite3

    with sqlite3.connect(path / "crawl.sqlite") as database:
        (identity,) = database.execute("SELECT value FROM meta WHERE key = 'identity'").fetchone()
    database.close()
    return Store(path, json.loads(identity))


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
