"""Memory of a long queue of generated URLs: python benchmarks/live/memory.py [URLS] [STRATEGY]."""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

from dragoman.crawl.live.safety import Limits
from dragoman.crawl.live.steering import Steering
from dragoman.crawl.live.store import Answer, Store
from dragoman.crawl.live.targets import Target
from dragoman.types import Language


def nothing(urls: object) -> list[tuple[float, Language | None]]:
    return [(0.0, None) for _ in urls]  # type: ignore[attr-defined]


def main(urls: int, strategy: str, per_page: int = 1000) -> None:
    target = Target(("th",), strategy=strategy)
    with tempfile.TemporaryDirectory() as name:
        one = Steering(Store(Path(name), target.identity()), target, Limits(), nothing)
        one.start(["http://seed.example/"])
        before, began, page = _peak(), time.monotonic(), 0
        while len(one.frontier) < urls:
            key = one.pop()
            assert key is not None
            links = [
                (f"http://host{page % 5000}.example/d{number % 7}/{page}-{number}.html", None)
                for number in range(per_page)
            ]
            one.page(Answer(key, key, 0.0, 200, "th", relevant=True), links)
            page += 1
        grown = _peak() - before
        size = sum(path.stat().st_size for path in Path(name).glob("crawl.sqlite*"))
        print(
            f"{strategy}: {len(one.frontier):,} URLs wait; memory grew by {grown / 1e6:,.0f} MB "
            f"({grown / len(one.frontier):.0f} bytes each), SQLite {size / 1e6:,.0f} MB, "
            f"{len(one.frontier) / (time.monotonic() - began):,.0f} URLs a second"
        )
        one.store.abandon()


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000, sys.argv[2] if len(sys.argv) > 2 else "soft-focused")
