"""Synthetic webs of several sizes and seeds: their statistics beside the paper's, time, memory, distances.

python benchmarks/links/synthetic_web.py [--sizes 200000,2000000] [--seeds 1,2,3] [-o benchmarks/links/results]
python benchmarks/links/synthetic_web.py --sizes 18344127 --seeds 2 --name full

Each web is made in a process of its own, so that its peak of memory is its own. Seconds are of the processor.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np


def one(pages: int, seed: int) -> dict[str, Any]:
    """Make a web and measure it."""
    import resource

    from dragoman.crawl.synth import Recipe, make, statistics
    from dragoman.crawl.url_scores import noisy_score
    from dragoman.web.locality import locality

    began, clock = time.process_time(), time.time()
    web = make(Recipe(pages=pages, seed=seed))
    made, wall = time.process_time() - began, time.time() - clock
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    found = locality(web.graph, "th")
    looked = time.process_time() - began - made
    target = web.latent == 0
    score = noisy_score(target, web.graph.server, seed=seed)
    return {
        "pages": found.pages, "vertices": len(web.graph), "links": web.graph.links, "seed": seed,
        "seconds": made, "wall": wall, "gigabytes": peak, "locality_seconds": looked,
        "statistics": [row.as_json() for row in statistics(web.graph, "th", found)],
        "pages_at": found.pages_at.tolist(), "target_at": found.target_at.tolist(),
        "nearest_at": found.nearest_at.tolist(),
        "score_recall": float((score[target] > 0).mean()), "score_false": float((score[~target] > 0).mean()),
    }  # fmt: skip


def lines_of(rows: list[dict[str, Any]]) -> list[str]:
    """Tables of all webs of one size."""
    names = [row["name"] for row in rows[0]["statistics"]]
    lines = ["| percent | paper | mean | smallest | largest | |", "|---|--:|--:|--:|--:|---|"]
    for number, name in enumerate(names):
        cells = [row["statistics"][number] for row in rows]
        ours = [cell["ours"] for cell in cells]
        misfit = "" if all(cell["fits"] for cell in cells) else f"misfit (allowed: {cells[0]['allowed']:g})"
        paper = "–" if cells[0]["paper"] is None else f"{cells[0]['paper']:.2f}"
        figures = f"{paper} | {np.mean(ours):.2f} | {min(ours):.2f} | {max(ours):.2f}"
        lines.append(f"| {name} | {figures} | {misfit} |")
    first = rows[0]
    within = np.cumsum(first["target_at"]) / np.maximum(1, np.cumsum(first["pages_at"]))
    distances = range(min(12, len(within)))
    lines += [
        "",
        f"Seed {first['seed']}, by distance from the seeds (Figure 1), and target pages by distance from the nearest "
        "other one (Figure 2):",
        "",
        f"| distance | {' | '.join(map(str, distances))} |",
        "|---" * (len(distances) + 1) + "|",
        "| pages | " + " | ".join(f"{n:,}" for n in first["pages_at"][: len(distances)]) + " |",
        f"| target share within | {' | '.join(f'{100 * within[d]:.1f}' for d in distances)} |",
        "| nearest | " + " | ".join(f"{n:,}" for n in (first["nearest_at"] + [0] * 12)[: len(distances)]) + " |",
    ]
    return lines


def main() -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="200000,2000000")
    parser.add_argument("--seeds", default="1,2,3")
    parser.add_argument("--name", default="synthetic_web")
    parser.add_argument("--one", nargs=2, type=int, help=argparse.SUPPRESS)
    parser.add_argument("-o", "--output", type=Path, default=Path("benchmarks/links/results"))
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(one(*asked.one)))
        return 0
    lines, rows = ["# Synthetic webs"], []
    for size in map(int, asked.sizes.split(",")):
        found = []
        for seed in asked.seeds.split(","):
            command = [sys.executable, __file__, "--one", str(size), seed]
            done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)
            found.append(json.loads(done.stdout))
        rows += found
        seconds, memory = np.mean([row["seconds"] for row in found]), max(row["gigabytes"] for row in found)
        looked = np.mean([row["locality_seconds"] for row in found])
        recall, false = (np.mean([row[key] for row in found]) for key in ("score_recall", "score_false"))
        lines += [
            "",
            f"## {found[0]['pages']:,} pages, {found[0]['vertices']:,} vertices, {found[0]['links']:,} links "
            f"(seeds {asked.seeds})",
            "",
            f"Made in {seconds:.1f} s of one processor within {memory:.2f} GB; tables and distances in {looked:.1f} s. "
            f"The noisy score (d' 1.8) has recall {recall:.3f} and false positives {false:.3f}.",
            "",
            *lines_of(found),
        ]
    lines += ["", "Made by `python benchmarks/links/synthetic_web.py`."]
    print("\n".join(lines))
    asked.output.mkdir(parents=True, exist_ok=True)
    (asked.output / f"{asked.name}.md").write_text("\n".join(lines) + "\n")
    (asked.output / f"{asked.name}.json").write_text(json.dumps(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
