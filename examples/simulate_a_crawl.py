"""Compare strategies on a made web: pages fetched until 50 and 90 % of the Thai pages are found.

    python examples/simulate_a_crawl.py [PAGES]

`dragoman simulate --synth` does the same with curves and plots.
"""

from __future__ import annotations

import sys

from dragoman.crawl.simulate import simulate
from dragoman.crawl.synth import Recipe, make
from dragoman.crawl.url_scores import noisy_score


def compare(pages: int) -> None:
    """One line per strategy."""
    web = make(Recipe(pages=pages, seed=7))
    graph = web.graph
    thai = graph.is_in("th")
    score = noisy_score(web.latent == 0, graph.server)  # stands for a URL classifier with recall .82
    print(f"{int(thai.sum()):,} Thai pages among {pages:,}")
    for name in ("bfs", "soft-focused", "conservative-server", "scout", "perfect"):
        run = simulate(graph, thai, name, score=score)
        half, most = (run.pages_at(share) for share in (0.5, 0.9))
        print(f"{name:<20} 50 %: {half or 0:>8,} pages   90 %: {most or 0:>8,} pages   servers: {run.servers[-1]:,}")


if __name__ == "__main__":
    compare(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
