"""What a live crawl has done so far: for a terminal, for its report, and as a small file for other processes.

The crawl holds its SQLite file alone, so nobody else can read that while it runs. `progress.json` is replaced as a
whole every few seconds: a reader sees the last state or the one before, never a part of it.
"""

from __future__ import annotations

import json
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from dragoman.crawl.live.state.expected import FACTOR, CurvePoint
from dragoman.crawl.live.state.steering import Steering
from dragoman.errors import UsageError
from dragoman.files import write_whole
from dragoman.types import Language

T = TypeVar("T")

NAME, METRICS = "progress.json", "metrics.prom"
FORMAT = "dragoman-progress/2"
#: Points of the curve, names in each list, and servers that the file holds.
POINTS, NAMES, SERVERS = 400, 40, 25
#: What is not read from the file as it stands there.
_READ = ("wanted", "curve", "guesses", "languages", "reasons", "answers", "earlier", "largest", "failing", "quotas")
#: The late harvest is that of the last tenth of the pages, but of so many pages at least.
LATE = 50


@dataclass(frozen=True)
class CrawlProgress:
    """A crawl at one moment, as plain values."""

    wanted: tuple[Language, ...]
    strategy: str
    tolerance: int
    #: Why it has ended; None while it goes on.
    ended: str | None
    seconds: float
    pages: int
    relevant: int
    bytes: int
    #: URLs that wait or are on their way, and those that the queue had no room for.
    waiting: int
    forgotten: int
    #: The crawl at growing numbers of pages.
    curve: Sequence[CurvePoint]
    #: Servers (or directories) by status.
    servers: Mapping[str, int]
    languages: Counter[Language | None]
    reasons: Counter[str]
    answers: Counter[str]
    #: Pages by (looked wanted by their URL, are wanted).
    guesses: Mapping[tuple[bool, bool], int]
    #: The servers with most pages.
    largest: Sequence[tuple[str, int]]
    #: Pages of an earlier crawl by language; (language, pages, quota) of each quota.
    earlier: Counter[Language | None]
    quotas: Sequence[tuple[Language, int, int]]
    #: Wanted pages that are left where links lead, as far as can be told.
    expected: float
    #: URLs that were asked for, and the servers from which most errors came.
    requests: int
    failing: Sequence[tuple[str, int]]

    @classmethod
    def merged(cls, parts: Sequence[CrawlProgress]) -> CrawlProgress | None:
        """The parts of one crawl as a whole; its curve has only its end, and it took as long as the longest part."""
        if not parts:
            return None
        first = parts[0]
        counters: dict[str, Any] = {
            name: sum((Counter(getattr(part, name)) for part in parts), Counter())
            for name in ("servers", "languages", "reasons", "answers", "guesses", "earlier")
        }
        sums: dict[str, Any] = {
            name: sum(getattr(part, name) for part in parts)
            for name in ("pages", "relevant", "bytes", "waiting", "forgotten", "expected", "requests")
        }
        servers: dict[str, Any] = {
            name: sorted((row for part in parts for row in getattr(part, name)), key=lambda row: -row[1])[:SERVERS]
            for name in ("largest", "failing")
        }
        quotas = [
            (language, sum(part.quotas[number][1] for part in parts), quota)
            for number, (language, _, quota) in enumerate(first.quotas)
        ]
        seconds = max(part.seconds for part in parts)
        curve = [CurvePoint(**{name: sums[name] for name in CurvePoint._fields[:-1]}, seconds=seconds)]
        return replace(first, seconds=seconds, **sums, curve=curve, **counters, **servers, quotas=quotas)

    @property
    def harvest(self) -> float | None:
        """The share of pages in a wanted language."""
        return self.relevant / self.pages if self.pages else None

    @property
    def request_harvest(self) -> float | None:
        """The share of requests that brought a page in a wanted language."""
        return self.relevant / self.requests if self.requests else None

    @property
    def late_harvest(self) -> float | None:
        """Harvest over the last tenth of the crawl, or its last 50 pages."""
        return late_harvest(self.curve)

    @property
    def coverage(self) -> float | None:
        """The estimated share of what the links lead to, what was given up or left out included."""
        return coverage(self.relevant, self.expected)

    @property
    def coverage_range(self) -> tuple[float, float] | None:
        """The least and the most that it is, nine times out of ten."""
        return coverage_range(self.relevant, self.expected)

    @property
    def url_precision(self) -> float | None:
        """The share of wanted pages among those that looked wanted by their URL."""
        return self._hits_among((True, True), (True, False))

    @property
    def url_recall(self) -> float | None:
        """The share of pages that looked wanted by their URL among those that are."""
        return self._hits_among((True, True), (False, True))

    def _hits_among(self, *kinds: tuple[bool, bool]) -> float | None:
        among = sum(self.guesses.get(kind, 0) for kind in kinds)
        return self.guesses.get((True, True), 0) / among if among else None

    def as_json(self) -> dict[str, Any]:
        """What `progress.json` holds: serve draws it."""
        same = ("wanted", "strategy", "tolerance", "ended", "seconds", "pages", "relevant", "bytes", "waiting",
                "forgotten", "expected", "requests", "failing", "quotas")  # fmt: skip
        counts = {
            name: getattr(self, name).most_common(NAMES) for name in ("languages", "reasons", "answers", "earlier")
        }
        return {
            "format": FORMAT,
            "time": time.time(),
            **{name: getattr(self, name) for name in same},
            "curve": thinned(self.curve),
            "servers": self.servers,
            **counts,
            "guesses": [[guess, truth, count] for (guess, truth), count in sorted(self.guesses.items())],
            "largest": self.largest,
        }

    def write(self, folder: Path | str) -> None:
        """Replace `progress.json`, and `metrics.prom` with the same for Prometheus, in a folder or at an address."""
        write_whole(f"{folder}/{NAME}", json.dumps(self.as_json()))
        write_whole(f"{folder}/{METRICS}", self.metrics())

    @classmethod
    def read(cls, folder: Path) -> CrawlProgress:
        """Where the crawl of a folder stands, while it runs or afterwards; its lists are as long as the file's."""
        try:
            state = json.loads((folder / NAME).read_text(encoding="utf-8"))
            counts: dict[str, Any] = {
                name: Counter({key: int(count) for key, count in state[name]})
                for name in ("languages", "reasons", "answers", "earlier")
            }
            lists: dict[str, Any] = {
                name: [tuple(row) for row in state[name]] for name in ("largest", "failing", "quotas")
            }
            return cls(
                **{name: state[name] for name in cls.__dataclass_fields__ if name in state and name not in _READ},
                **counts, **lists, wanted=tuple(state["wanted"]),
                curve=[CurvePoint(*point) for point in state["curve"]],
                guesses={(bool(guess), bool(truth)): int(count) for guess, truth, count in state["guesses"]},
            )  # fmt: skip
        except (FileNotFoundError, NotADirectoryError) as error:
            raise UsageError(f"'{folder}' has no {NAME}: give the folder of a crawl that runs or has run") from error
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UsageError(
                f"'{folder / NAME}' is of another version of Dragoman, or damaged: see report.html there"
            ) from error

    def metrics(self) -> str:
        """The figures as Prometheus reads them: for the textfile collector of its node exporter."""
        values: list[tuple[str, str, str, float]] = [
            ("pages_total", "counter", "", self.pages),
            ("wanted_pages_total", "counter", "", self.relevant),
            ("requests_total", "counter", "", self.requests),
            ("bytes_total", "counter", "", self.bytes),
            ("seconds_total", "counter", "", round(self.seconds, 1)),
            ("waiting_urls", "gauge", "", self.waiting),
            ("expected_wanted_pages", "gauge", "", round(self.expected, 1)),
            ("running", "gauge", "", float(self.ended is None)),
        ]
        if self.coverage is not None and self.coverage_range is not None:
            values.append(("coverage", "gauge", "", round(self.coverage, 4)))
            for name, bound in zip(("low", "high"), self.coverage_range, strict=True):
                values.append((f"coverage_{name}", "gauge", "", round(bound, 4)))
        values += [("answers_total", "counter", f'{{kind="{_quoted(key)}"}}', count) for key, count in
                   self.answers.most_common(NAMES)]  # fmt: skip
        values += [("language_pages_total", "counter", f'{{language="{_quoted(key or "none")}"}}', count)
                   for key, count in self.languages.most_common(NAMES)]  # fmt: skip
        lines, before = [], ""
        for name, kind, label, value in values:
            if name != before:
                lines.append(f"# TYPE dragoman_crawl_{name} {kind}")
            lines.append(
                f"dragoman_crawl_{name}{label} {value:g}" if value % 1 else f"dragoman_crawl_{name}{label} {value:.0f}"
            )
            before = name
        return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    """A label's value."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")


def progress_of(steering: Steering, seconds: float, ended: str | None) -> CrawlProgress:
    """Where a crawl stands, after so many seconds."""
    target, pages = steering.target, steering.quota_pages()
    return CrawlProgress(
        target.languages, target.strategy, target.rule.tolerance, ended, seconds, steering.pages, steering.relevant,
        steering.bytes, steering.waiting, steering.frontier.forgotten, steering.curve, _servers(steering),
        steering.languages, steering.reasons, steering.answers, steering.guesses,
        [(steering.store.server_name(key), count) for key, count in steering.of_server.most_common(SERVERS)],
        steering.earlier_languages, [(language, pages[language], quota) for language, quota in target.quotas.items()],
        steering.expected, steering.requests,
        [(steering.store.server_name(key), count) for key, count in steering.errors.most_common(SERVERS)],
    )  # fmt: skip


def _servers(steering: Steering) -> dict[str, int]:
    """Servers (or directories) by status; where a strategy keeps no records, those that gave pages."""
    strategy, directory = steering.strategy, steering.store.directory
    records = strategy.records
    if records is None:
        return {"asked": len(steering.of_server)}
    keys = steering.of_server if strategy.grain == "server" else {directory[key] for key in steering.answered}
    return dict(sorted(Counter(records.status(key).name.lower() for key in keys).items()))


def late_harvest(curve: Sequence[Sequence[float]], points: int | None = None) -> float | None:
    """The share of wanted pages among the last tenth, or the last 50 if these are more; of all if there are fewer.

    `curve` has (pages, wanted pages, ...) at growing numbers of pages; with `points` only so many of its
    points count. None where nothing was fetched.

    >>> late_harvest([(5, 3, 20), (10, 3, 38)]), late_harvest([(900, 500, 0), (1000, 510, 0)]), late_harvest([])
    (0.3, 0.1, None)
    """
    end = len(curve) if points is None else points
    if not end or not curve[end - 1][0]:
        return None
    pages, relevant = curve[end - 1][0], curve[end - 1][1]
    begin = bisect_right(curve, min(0.9 * pages, pages - LATE), hi=end, key=lambda point: point[0])
    start, had = (curve[begin - 1][0], curve[begin - 1][1]) if begin else (0, 0)
    return (relevant - had) / (pages - start)


def coverage(relevant: float, expected: float) -> float | None:
    """The estimated share of what the links lead to: found / (found + expected); None where nothing was found.

    >>> coverage(3, 1.0), coverage(0, 7.0)
    (0.75, None)
    """
    return relevant / (relevant + expected) if relevant else None


def coverage_range(relevant: float, expected: float) -> tuple[float, float] | None:
    """The least and the most that the coverage is, nine times out of ten; None where nothing was found.

    >>> coverage_range(90, 30.0), coverage_range(0, 7.0)
    ((0.5, 0.9), None)
    """
    if not relevant:
        return None
    return relevant / (relevant + FACTOR * expected), relevant / (relevant + expected / FACTOR)


def coverages(curve: Sequence[Sequence[float]]) -> list[float | None]:
    """The estimated coverage at each point of a curve.

    >>> coverages([(10, 5, 10, 5.0), (20, 10, 0, 0.0)])
    [0.5, 1.0]
    """
    return [coverage(point[1], point[3]) for point in curve]


def thinned(curve: Sequence[T], points: int = POINTS) -> list[T]:
    """About so many points of a curve, evenly by their number, the first and the last among them.

    >>> thinned([(1, 1, 3), (2, 1, 4), (3, 2, 2)], points=2)
    [(1, 1, 3), (3, 2, 2)]
    """
    last = len(curve) - 1
    return list(curve) if last < points else [curve[round(step * last / (points - 1))] for step in range(points)]
