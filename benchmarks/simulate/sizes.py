"""How long crawls take by size of the web, in time, time per page and memory.

    python benchmarks/simulate/sizes.py [--pages 10000,100000,1000000,4000000]

The paper's size is --pages 18344127 (about 3 GB).
"""

from __future__ import annotations

import argparse
import resource
import sys
import time

from dragoman.crawl.simulate import simulate
from dragoman.crawl.strategies import STRATEGIES
from dragoman.crawl.synth import Recipe, make
from dragoman.crawl.url_scores import noisy_score


def main() -> None:
    """One line per size and strategy."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pages", default="10000,100000,1000000,4000000")
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    names = [name for name, _ in STRATEGIES.items()]  # their modules are imported now, and not while a crawl is timed
    print("| web | strategy | crawled | wall s | CPU s | CPU us/page | coverage | peak MB |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    for pages in map(int, given.pages.split(",")):
        wall, cpu = time.perf_counter(), time.process_time()
        web = make(Recipe(pages=pages, seed=given.seed))
        graph = web.graph
        relevant = graph.is_in("th")
        score = noisy_score(web.latent == 0, graph.server, seed=given.seed)
        del web
        line = f"| {pages:,} | making it: {len(graph):,} URLs, {graph.links:,} links | | "
        print(
            line + f"{time.perf_counter() - wall:.1f} | {time.process_time() - cpu:.1f} | | | {_peak():,.0f} |",
            flush=True,
        )
        for name in names:
            wall, cpu = time.perf_counter(), time.process_time()
            run = simulate(graph, relevant, name, score=score)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            each = 1e6 * cpu / max(len(run.order), 1)
            figures = f"{len(run.order):,} | {wall:.2f} | {cpu:.2f} | {each:.2f} | {100 * run.coverage:.2f} %"
            print(f"| {pages:,} | {name} | {figures} | {_peak():,.0f} |", flush=True)


def _peak() -> float:
    """The most memory the process has had, in MB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20


if __name__ == "__main__":
    main()
