"""What a crawl in shards loses beside one scout: harvest at 90 % coverage by shards and by how often the level is new.

    python benchmarks/simulate/shards.py [--pages 1000000] [--seeds 11,12,13] [--strict]

A line per web. With --strict it fails where 256 shards with the usual level lose more than 3 points.
"""

from __future__ import annotations

import argparse

from dragoman.crawl.simulate import Shards, simulate
from dragoman.crawl.synth import Recipe, make
from dragoman.crawl.url_scores import noisy_score

#: (shards, ticks from one level to the next; 0: there is no level).
CRAWLS = ((1, 4), (8, 0), (8, 4), (64, 0), (64, 4), (64, 16), (256, 0), (256, 4), (256, 16))
WORST = 0.03


def main() -> None:
    """The table, and whether the target is met."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--seeds", default="11,12,13")
    parser.add_argument("--strict", action="store_true")
    options = parser.parse_args()
    print(
        "| web | " + " | ".join(f"{shards}, {level or 'no'}" if shards > 1 else "1" for shards, level in CRAWLS) + " |"
    )
    print("|---" + "|---:" * len(CRAWLS) + "|")
    losses = []
    for seed in map(int, options.seeds.split(",")):
        web = make(Recipe(pages=options.pages, seed=seed))
        graph, relevant = web.graph, web.graph.is_in("th")
        score = noisy_score(web.latent == 0, graph.server, seed=seed)
        harvests = {}
        for shards, level in CRAWLS:
            run = simulate(graph, relevant, "scout", score=score, shards=Shards(shards, level))
            harvests[shards, level] = run.harvest_at(0.9) or 0.0
        print(f"| {seed} | " + " | ".join(f"{harvest:.3f}" for harvest in harvests.values()) + " |", flush=True)
        losses.append(harvests[1, 4] - harvests[256, 4])
    print(f"\n256 shards with a level every 4 ticks lose {100 * max(losses):.1f} points at most (negative: they gain).")
    if options.strict and max(losses) > WORST:
        raise SystemExit("that is more than 3 points")


if __name__ == "__main__":
    main()
