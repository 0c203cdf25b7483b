"""Ways to do the same in the service, interleaved, as time on a processor: alternatives.py [ROUNDS].

Each way is run in turn, ROUNDS times (30), and the median and the spread are printed: on a busy machine the ratios of
medians are what can be trusted.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import orjson

sys.path.insert(0, str(Path(__file__).resolve().parent))

from load import made_urls

from dragoman.serve import batches
from dragoman.serve.judges import Judges, UrlsTogether

TOGETHER = 25


def compare(title: str, ways: dict[str, Callable[[], Any]], rounds: int, per: int = 1) -> None:
    """A line per way: median and quartiles of its microseconds, and its ratio to the first."""
    took: dict[str, list[float]] = {name: [] for name in ways}
    for way in ways.values():
        way()
    for _ in range(rounds):
        for name, way in ways.items():
            start = time.process_time()
            for _ in range(10):
                way()
            took[name].append((time.process_time() - start) / 10 / per * 1e6)
    print(f"{title} (n = {rounds})")
    first = median(next(iter(took.values())))
    for name, values in took.items():
        values.sort()
        low, high = values[len(values) // 4], values[3 * len(values) // 4]
        ratio = f"{median(values) / first:.2f} of the first"
        print(f"  {name:<30} {median(values):8.0f} µs (quartiles {low:.0f} and {high:.0f}), {ratio}")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    judge = Judges().default
    urls = made_urls(1000)
    rows = batches.from_json(urls, 8192)
    answers = judge.answers(rows.batch)

    def by_row() -> bytes:
        return orjson.dumps({"model": judge.name, "results": batches.results(rows, answers)})

    def by_column() -> bytes:
        return batches.to_json(judge.name, rows, answers)

    assert orjson.loads(by_row()) == orjson.loads(by_column())
    compare("answer to 1,000 URLs written as JSON", {"a dict per row": by_row, "three columns": by_column}, rounds)

    asked = [url.encode() for url in urls[:TOGETHER]]
    with asyncio.Runner() as runner:

        async def ask(together: bool) -> None:
            collected = UrlsTogether(judge)
            if together:
                await asyncio.gather(*(collected.ask(url) for url in asked))
            else:
                for url in asked:
                    await collected.ask(url)

        ways = {
            "one after the other": lambda: runner.run(ask(False)),
            "in one turn of the loop": lambda: runner.run(ask(True)),
        }
        compare(f"one of {TOGETHER} single URLs judged, without HTTP", ways, rounds, TOGETHER)


if __name__ == "__main__":
    main()
