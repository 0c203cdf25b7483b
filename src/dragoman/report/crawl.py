"""What a live crawl has done so far, as figures: for a terminal, and for report.html (see crawl_report)."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.crawl.live.driver.run import Live
from dragoman.crawl.live.state.progress import coverage, late_harvest, servers_by_status


@dataclass(frozen=True)
class Figures:
    """The figures of a crawl at one moment."""

    pages: int
    relevant: int
    bytes: int
    waiting: int
    #: URLs that the queue had no room for.
    forgotten: int
    seconds: float
    servers: dict[str, int]
    languages: list[tuple[str, int]]
    reasons: list[tuple[str, int]]
    answers: list[tuple[str, int]]
    #: Of the pages that the URL model took for wanted the share that was, and of those wanted the share it had found.
    url_precision: float | None
    url_recall: float | None
    #: Harvest over the last tenth of the crawl (50 pages at least), and what that makes of the queue.
    late_harvest: float | None
    coverage: float | None
    ended: str | None
    #: Pages of an earlier crawl, and those of them that are wanted; (language, found, wanted) of each quota.
    earlier: tuple[int, int] = (0, 0)
    quotas: tuple[tuple[str, int, int], ...] = ()

    @property
    def harvest(self) -> float | None:
        """The share of pages in a wanted language."""
        return self.relevant / self.pages if self.pages else None


def figures(live: Live) -> Figures:
    """The figures of a crawl now."""
    steering = live.steering
    waiting = len(steering.frontier) + len(steering.in_flight)
    late = late_harvest(steering.curve)
    hits, taken, wanted = (
        steering.guesses[True, True],
        steering.guesses[True, True] + steering.guesses[True, False],
        steering.guesses[True, True] + steering.guesses[False, True],
    )
    return Figures(
        steering.pages, steering.relevant, steering.bytes, waiting, steering.frontier.forgotten, live.seconds,
        servers_by_status(live),
        [(one or "none", count) for one, count in steering.languages.most_common()],
        steering.reasons.most_common(), steering.answers.most_common(),
        hits / taken if taken else None, hits / wanted if wanted else None, late,
        coverage(steering.relevant, late, waiting), live.ended,
        (steering.before.total(), sum(steering.before[one] for one in live.target.languages)), _quotas(live),
    )  # fmt: skip


def _quotas(live: Live) -> tuple[tuple[str, int, int], ...]:
    found = live.found()
    return tuple((one, found[one], quota) for one, quota in live.target.quotas.items())


def lines(found: Figures) -> list[tuple[str, str]]:
    """The figures as (name, value), for a terminal."""
    share = as_share
    told = [
        ("pages", f"{found.pages:,} ({found.pages / max(found.seconds, 1e-9):.1f} a second)"),
        ("wanted", f"{found.relevant:,} (harvest {share(found.harvest)}, lately {share(found.late_harvest)})"),
        ("coverage", _coverage(found)),
        ("queue", f"{found.waiting:,} URLs" + (f"; no room for {found.forgotten:,}" if found.forgotten else "")),
        ("servers", ", ".join(f"{count:,} {status}" for status, count in found.servers.items()) or "none"),
        ("languages", ", ".join(f"{one} {count:,}" for one, count in found.languages[:8]) or "none"),
        ("URL model", f"precision {share(found.url_precision)}, recall {share(found.url_recall)} on the pages fetched"),
        ("answers", ", ".join(f"{reason} {count:,}" for reason, count in found.answers[:5]) or "none"),
    ]
    if found.quotas:
        told.append(("quotas", ", ".join(f"{one} {count:,} of {quota:,}" for one, count, quota in found.quotas)))
    if found.earlier[0]:
        told.append(("earlier", f"{found.earlier[0]:,} pages of an earlier crawl, {found.earlier[1]:,} of them wanted"))
    return told


def _coverage(found: Figures) -> str:
    if found.coverage is None:
        return f"unknown: {'no wanted page was found' if found.pages else 'nothing was fetched'} so far"
    return f"about {as_share(found.coverage)} of what the links seen so far lead to"


def as_share(value: float | None) -> str:
    """A share for people.

    >>> as_share(0.123), as_share(None)
    ('12.3 %', 'unknown')
    """
    return "unknown" if value is None else f"{100 * value:.1f} %"
