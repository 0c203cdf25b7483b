"""The coverage estimate on kept crawls of the real web, without crawling again: estimates.py FOLDER ...

A folder is one that `real_web.py --language cs --keep FOLDER/cs-wanted` has left, named after its language. The log of
its crawl is replayed through the estimate alone. Told is what the crawl holds its coverage for when it has 50, 80, 90
and 95 % of the wanted pages, by the true languages of the books, with the range that it tells; how far the two are
apart on the average from 45 % on; and for all crawls together how many are within ten points, and within the range.

`--learn` prints the weights (`WEIGHTS` in dragoman/crawl/live/state/beforehand.py) that these crawls teach: a logistic
regression on all URLs that wait at each twentieth of the coverage, each crawl with the same weight. A URL is wanted if
the crawl said so later, or by the books where it was never asked for. `--output FILE` writes the table as Markdown.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from live.real_books import LIST, RealPage, reached, truths
from live.real_web import PORT

from dragoman.crawl.live.state.beforehand import WEIGHTS, UrlFacts
from dragoman.crawl.live.state.expected import Expectation
from dragoman.crawl.live.state.hygiene import NAME_FAILS, FailingNames
from dragoman.crawl.live.state.numbers import NumberSet
from dragoman.crawl.live.state.progress import coverage, coverage_range
from dragoman.crawl.live.state.safety import NOT_ASKED
from dragoman.crawl.live.state.store import SKIPPED, CrawlAnswer, Store

#: Where estimates are told, where they have to be right, and from where on they are compared, at each of these steps.
LEVELS, MUST, FIRST, STEP = (0.5, 0.8, 0.9, 0.95), (0.5, 0.8, 0.95), 0.45, 0.025
#: Points that an estimate may be off.
CLOSE = 10.0
#: What is learnt: the first and the last coverage, and the steps between.
LEARNT = np.arange(0.3, 0.985, 0.05)


class EstimatePoint(NamedTuple):
    """Wanted pages by the books and by the crawl, those that are left by its estimate, and what waits then."""

    by_books: int
    by_crawl: int
    left: float
    facts: UrlFacts


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
        expectation.answer(store, url, is_wanted=answer.relevant and answer.reason is None)
        known, server = max(known, answer.final + 1), store.server[answer.final]
        if answer.reason is not None:
            if answer.reason not in NOT_ASKED:
                errors.add(store.server[url])
                failing.count(store.server[url], store.url(url), is_page=False)
            continue
        if server in errors:
            failing.count(server, store.url(url), is_page=True)
        known, count = max(known, 1 + max(answer.links, default=-1)), count + 1
        if answer.relevant:
            wanted.add(url)
            expectation.find(store.server[url], answer.links, known)
        if (address := page_of(store.url(answer.final), pages)) in wanted_urls:
            found.add(address)
        if len(wanted) and count % max(1, count // 50) == 0:
            left = expectation.left(store, known, answered, wanted, failing)
            yield EstimatePoint(len(found), len(wanted), left, expectation.learnt.facts(store, known, answered))


def page_of(url: str, pages: dict[str, RealPage]) -> str:
    return url if url in pages else f"{url}index.html"


class KeptCrawl:
    """A crawl that was kept, at growing numbers of pages, beside the truth."""

    def __init__(self, folder: Path, pages: dict[str, RealPage], whole: set[str]) -> None:
        self.name = folder.name
        path = next(chain(folder.glob("*/crawl.sqlite"), folder.glob("crawl.sqlite"))).parent
        self.wanted = {url for url in whole if pages[url].language == folder.name.partition("-")[0]}
        self.pages, self.store = pages, opened(path)
        self.points = list(replayed(self.store, self.wanted, pages))
        self.coverage = np.array([point.by_books for point in self.points]) / len(self.wanted)

    def places(self, levels: Sequence[float]) -> list[int]:
        """Where the crawl had reached these levels; of those that it did not reach none."""
        return [int(np.argmax(self.coverage >= level)) for level in levels if self.coverage[-1] >= level]

    def estimate(self, place: int) -> tuple[float, float, float]:
        """The coverage that the crawl tells there, and its range."""
        _, found, left, _ = self.points[place]
        low, high = coverage_range(found, left) or (0.0, 1.0)
        return 100 * (coverage(found, left) or 0.0), 100 * low, 100 * high

    def labels(self) -> Any:
        """Which URLs are wanted."""
        told = {
            url: answer.relevant and answer.reason is None
            for _, url, _, answer in self.store.replay()
            if isinstance(answer, CrawlAnswer)
        }
        every = self.store.rows("SELECT id, url FROM urls ORDER BY id")
        return np.array([told.get(key, page_of(url, self.pages) in self.wanted) for key, url in every], np.float64)


def learn(crawls: Sequence[KeptCrawl], smooth: float = 1e-4) -> list[float]:
    """The weights that fit all crawls best, each with the same weight."""
    facts, far, labels, shares = [], [], [], []
    for crawl in crawls:
        wanted = crawl.labels()
        for place in crawl.places(LEARNT.tolist()):
            waiting = crawl.points[place].facts
            facts.append(waiting.facts)
            far.append(waiting.far)
            labels.append(wanted[waiting.urls])
            shares.append(np.full(len(waiting.urls), 1.0 / len(crawl.wanted)))
    rows, given, truth, share = (np.concatenate(parts) for parts in (facts, far, labels, shares))
    share /= share.sum()
    weights = np.zeros(rows.shape[1])
    for _ in range(100):
        chances = 1.0 / (1.0 + np.exp(-rows @ weights - given))
        slope = rows.T @ (share * (truth - chances)) - smooth * weights
        bend = (rows * (share * chances * (1.0 - chances))[:, None]).T @ rows + smooth * np.eye(len(weights))
        weights += np.clip(np.linalg.solve(bend, slope), -1.0, 1.0)
    return [round(float(weight), 3) for weight in weights]


def table(crawls: Sequence[KeptCrawl]) -> list[str]:
    """Lines of Markdown."""
    lines = [
        "| crawl | wanted pages | at 50 % | at 80 % | at 90 % | at 95 % | points apart |",
        "|---|--:|---|---|---|---|--:|",
    ]
    apart, at_must, inside = [], [], []
    for crawl in crawls:
        cells = []
        for level in LEVELS:
            estimates = [crawl.estimate(place) for place in crawl.places([level])]
            cells += [f"{value:.0f} ({low:.0f} to {high:.0f})" for value, low, high in estimates] or ["never"]
        errors = []
        for place in crawl.places(np.arange(FIRST, 0.98, STEP).tolist()):
            value, low, high = crawl.estimate(place)
            errors.append(abs(value - 100 * crawl.coverage[place]))
            inside.append(low <= 100 * crawl.coverage[place] <= high)
        at_must += [crawl.estimate(place)[0] - 100 * crawl.coverage[place] for place in crawl.places(MUST)]
        apart.append(float(np.mean(errors)) if errors else np.nan)
        lines.append(f"| {crawl.name} | {len(crawl.wanted):,} | {' | '.join(cells)} | {apart[-1]:.1f} |")
    off = np.abs(at_must)
    summary = (
        f"{len(crawls)} crawls: at 50, 80 and 95 % {np.sum(off <= CLOSE)} of {len(off)} estimates are within "
        f"{CLOSE:.0f} points of the truth, {off.mean():.1f} apart on the average, {off.max():.0f} at most; from "
        f"{FIRST:.0%} on {np.nanmean(apart):.1f} apart on the average of crawls, and the truth is within the range in "
        f"{np.mean(inside):.0%} of {len(inside)} places."
    )
    return [summary, "", *lines]


def main(given: argparse.Namespace) -> None:
    pages = truths(PORT)
    whole = reached(pages, [f"http://{LIST}:{PORT}/"])
    crawls = [KeptCrawl(folder, pages, whole) for folder in given.folders]
    if given.learn:
        print("now ", list(WEIGHTS))
        print("then", learn(crawls))
    lines = table(crawls)
    print("\n".join(lines))
    if given.output:
        given.output.write_text("\n".join([*lines, ""]), encoding="utf-8")


def opened(path: Path) -> Store:
    """The store of a crawl, whatever it was for."""
    with sqlite3.connect(path / "crawl.sqlite") as database:
        (identity,) = database.execute("SELECT value FROM meta WHERE key = 'identity'").fetchone()
    database.close()
    return Store(path, json.loads(identity))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--output", type=Path)
    main(parser.parse_args())
