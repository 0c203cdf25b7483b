"""What a live crawl has done so far: figures for a terminal, tables and plots for report.html."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np

from dragoman.crawl.live.run import Live
from dragoman.crawl.records import Records
from dragoman.languages import name
from dragoman.report.crawl_plots import Line, crawl_lines
from dragoman.report.html import Page, Part, Picture, Section
from dragoman.report.tables import Column, Table


@dataclass(frozen=True)
class Figures:
    """The figures of a crawl at one moment."""

    pages: int
    relevant: int
    bytes: int
    waiting: int
    seconds: float
    servers: dict[str, int]
    languages: list[tuple[str, int]]
    reasons: list[tuple[str, int]]
    answers: list[tuple[str, int]]
    #: Of the pages that the URL model took for wanted the share that was, and of those wanted the share it had found.
    url_precision: float | None
    url_recall: float | None
    #: Harvest over the last tenth of the crawl, and what that makes of the queue.
    late_harvest: float | None
    coverage: float | None
    ended: str | None

    @property
    def harvest(self) -> float | None:
        """The share of pages in a wanted language."""
        return self.relevant / self.pages if self.pages else None


def figures(live: Live) -> Figures:
    """The figures of a crawl now."""
    steering = live.steering
    waiting = len(steering.frontier) + len(steering.in_flight)
    late = _late(steering.curve)
    expected = steering.relevant + (late or 0.0) * waiting
    hits, taken, wanted = (
        steering.guesses[True, True],
        steering.guesses[True, True] + steering.guesses[True, False],
        steering.guesses[True, True] + steering.guesses[False, True],
    )
    return Figures(
        steering.pages, steering.relevant, steering.bytes, waiting, live.seconds, _servers(live),
        [(one or "none", count) for one, count in steering.languages.most_common()],
        steering.reasons.most_common(), steering.answers.most_common(),
        hits / taken if taken else None, hits / wanted if wanted else None, late,
        steering.relevant / expected if expected else None, live.ended,
    )  # fmt: skip


def _late(curve: list[tuple[int, int, int]]) -> float | None:
    if not curve:
        return None
    pages, relevant, _ = curve[-1]
    before = next((point for point in reversed(curve) if point[0] <= 0.9 * pages), (0, 0, 0))
    return (relevant - before[1]) / (pages - before[0])


def _servers(live: Live) -> dict[str, int]:
    """Servers (or directories) by status; where a strategy keeps no records, those that gave pages."""
    steering = live.steering
    records = getattr(steering.strategy, "records", None)
    if not isinstance(records, Records):
        return {"asked": len(steering.of_server)}
    if steering.of_directories:
        keys = {steering.store.directory[key] for key in steering.done}
    else:
        keys = set(steering.of_server)
    return dict(sorted(Counter(records.status(key).name.lower() for key in keys).items()))


def lines(found: Figures) -> list[tuple[str, str]]:
    """The figures as (name, value), for a terminal."""
    share = _share
    return [
        ("pages", f"{found.pages:,} ({found.pages / max(found.seconds, 1e-9):.1f} a second)"),
        ("wanted", f"{found.relevant:,} (harvest {share(found.harvest)}, lately {share(found.late_harvest)})"),
        ("coverage", f"about {share(found.coverage)} of what the links seen so far lead to"),
        ("queue", f"{found.waiting:,} URLs"),
        ("servers", ", ".join(f"{count:,} {status}" for status, count in found.servers.items()) or "none"),
        ("languages", ", ".join(f"{one} {count:,}" for one, count in found.languages[:8]) or "none"),
        ("URL model", f"precision {share(found.url_precision)}, recall {share(found.url_recall)} on the pages fetched"),
        ("answers", ", ".join(f"{reason} {count:,}" for reason, count in found.answers[:5]) or "none"),
    ]


def _share(value: float | None) -> str:
    return "unknown" if value is None else f"{100 * value:.1f} %"


def report(live: Live) -> Page:
    """The page behind report.html."""
    found = figures(live)
    target = live.target
    wanted = ", ".join(name(one) for one in target.languages)
    overview = Table("So far", (Column("figure", "text"), Column("value", "text")), [list(row) for row in lines(found)])
    parts: list[Part] = [overview, *_pictures(live)]
    sections = [
        Section("Harvest, coverage and queue", parts),
        Section("Servers", [_counts("Servers by status", "status", list(found.servers.items())), _largest(live)]),
        Section("Languages", [_counts("Pages by language", "language", found.languages)]),
        Section(
            "Reasons",
            [
                _counts("What was decided about links, and why", "reason", found.reasons),
                _counts("What came of the URLs that were asked for", "answer", found.answers),
            ],
        ),
        Section("The URL model", [_url_model(found)]),
    ]
    ended = f"The crawl ended: {found.ended}." if found.ended else "The crawl goes on."
    lead = f"Pages in {wanted} with the strategy `{target.strategy}`, tolerance {target.rule.tolerance}. {ended}"
    return Page("Crawl", sections, lead)


def _counts(title: str, first: str, rows: list[tuple[str, int]]) -> Table:
    total = sum(count for _, count in rows)
    columns = (Column(first, "text"), Column("count", "count"), Column("share", "percent", 1))
    return Table(title, columns, [[one, count, count / total if total else None] for one, count in rows])


def _largest(live: Live) -> Table:
    query = "SELECT name, pages, relevant, status FROM servers WHERE pages > 0 ORDER BY relevant DESC, pages DESC"
    columns = (Column("server", "text"), Column("pages", "count"), Column("wanted", "count"), Column("status", "text"))
    rows = [list(row) for row in live.store.rows(f"{query} LIMIT 25")]
    return Table("Servers with most wanted pages", columns, rows, "Empty for strategies without records of servers.")


def _url_model(found: Figures) -> str:
    if found.url_recall is None:
        return "No wanted page has been fetched yet, so nothing can be said about the URL model."
    return (
        f"Of the pages that their URL alone made look wanted, {_share(found.url_precision)} were; of the wanted pages, "
        f"{_share(found.url_recall)} had such a URL. The crawl chose these pages: they are no fair sample of the web."
    )


def _pictures(live: Live) -> list[Part]:
    curve = np.array(live.steering.curve, np.int64).reshape(-1, 3)
    if len(curve) < 2:
        return []
    pages, strategy = curve[:, 0], live.target.strategy
    harvest = [Line(strategy, strategy, pages, curve[:, 1] / np.maximum(pages, 1))]
    queue = [Line(strategy, strategy, pages, curve[:, 2])]
    return [
        Picture(
            crawl_lines(harvest, xlabel="pages", ylabel="harvest", shares=True, highest=1.03),
            "Harvest: share of wanted pages among those fetched",
        ),
        Picture(crawl_lines(queue, xlabel="pages", ylabel="URLs in the queue"), "Queue: URLs that wait"),
    ]
