"""What a live crawl has done so far as one small file, for whoever looks on from another process.

The crawl holds its SQLite file alone, so nobody else can read that while it runs. `progress.json` is replaced as a
whole every few seconds: a reader sees the last state or the one before, never a part of it.
"""

from __future__ import annotations

import json
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from dragoman.files import write_whole

if TYPE_CHECKING:
    from dragoman.crawl.live.driver.run import Live

T = TypeVar("T")

NAME = "progress.json"
FORMAT = "dragoman-progress/1"
#: Seconds between two states; points of the curves, and names in each list, that are kept.
EVERY, POINTS, NAMES = 2.0, 400, 40
#: The late harvest is that of the last tenth of the pages, but of so many pages at least.
LATE = 50


def progress(live: Live) -> dict[str, Any]:
    """The state of a crawl as plain values."""
    steering, target = live.steering, live.target
    return {
        "format": FORMAT,
        "time": time.time(),
        "wanted": list(target.languages),
        "strategy": target.strategy,
        "tolerance": target.rule.tolerance,
        "ended": live.ended,
        "seconds": live.seconds,
        "pages": steering.pages,
        "relevant": steering.relevant,
        "bytes": steering.bytes,
        "waiting": len(steering.frontier) + len(steering.in_flight),
        "forgotten": steering.frontier.forgotten,
        "curve": thinned(steering.curve),
        "servers": servers_by_status(live),
        "languages": [[one, count] for one, count in steering.languages.most_common(NAMES)],
        "reasons": [[one, count] for one, count in steering.reasons.most_common(NAMES)],
        "answers": [[one, count] for one, count in steering.answers.most_common(NAMES)],
        "guesses": [[taken, wanted, count] for (taken, wanted), count in sorted(steering.guesses.items())],
        "largest": [[steering.store.server_name(key), count] for key, count in steering.of_server.most_common(25)],
    }


def write_progress(live: Live) -> float:
    """Replace `progress.json`; after how many seconds to do it again, so that it takes 2 % of the time at most.

    A full disk does not stop a crawl here: its own files will tell.
    """
    began = time.monotonic()
    try:
        write_whole(live.folder / NAME, json.dumps(progress(live)))
    except OSError:
        return EVERY
    return max(EVERY, 50 * (time.monotonic() - began))


def late_harvest(curve: Sequence[Sequence[int]], points: int | None = None) -> float | None:
    """The share of wanted pages among the last tenth, or the last 50 if these are more; of all if there are fewer.

    `curve` has (pages, wanted pages, URLs that wait) at growing numbers of pages; with `points` only so many of its
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


def coverage(relevant: int, late: float | None, waiting: int) -> float | None:
    """The estimated share of what the links lead to: found / (found + late harvest x queue); None for nothing of it.

    >>> coverage(3, 0.3, 7), coverage(0, 0.0, 7), coverage(0, None, 7)
    (0.5882352941176471, None, None)
    """
    expected = relevant + (late or 0.0) * waiting
    return relevant / expected if expected else None


def coverages(curve: Sequence[Sequence[int]]) -> list[float | None]:
    """The estimated coverage at each point of a curve.

    >>> coverages([(10, 5, 10), (20, 10, 0)])
    [0.5, 1.0]
    """
    return [
        coverage(relevant, late_harvest(curve, place), waiting) for place, (_, relevant, waiting) in enumerate(curve, 1)
    ]


def thinned(curve: Sequence[T], points: int = POINTS) -> list[T]:
    """About so many points of a curve, evenly by their number, the first and the last among them.

    >>> thinned([(1, 1, 3), (2, 1, 4), (3, 2, 2)], points=2)
    [(1, 1, 3), (3, 2, 2)]
    """
    last = len(curve) - 1
    return list(curve) if last < points else [curve[round(place * last / (points - 1))] for place in range(points)]


def servers_by_status(live: Live) -> dict[str, int]:
    """Servers (or directories) by status; where a strategy keeps no records, those that gave pages."""
    steering, records = live.steering, live.steering.strategy.records
    if records is None:
        return {"asked": len(steering.of_server)}
    of_servers = steering.strategy.grain == "server"
    keys = steering.of_server if of_servers else {steering.store.directory[key] for key in steering.done}
    return dict(sorted(Counter(records.status(key).name.lower() for key in keys).items()))
