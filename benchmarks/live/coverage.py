"""The live crawl beside the simulator on one web: python benchmarks/live/coverage.py [PAGES] [STRATEGY ...].

Per strategy: coverage and harvest at the end, pages until 90 % of the wanted pages were there, live and simulated.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.live_web import serve, small_web

from dragoman.crawl.live.scoring import UrlScorer
from dragoman.crawl.records import Rule
from dragoman.crawl.simulate import Options, simulate


def main(pages: int, strategies: list[str], tolerance: int = 10) -> None:
    with serve(small_web(pages, share=0.1, seed=1)) as web, tempfile.TemporaryDirectory() as name:
        relevant = web.relevant("th")
        total = int(relevant.sum())
        print(f"{len(web.urls)} pages on {web.graph.servers} hosts, {total} wanted, {len(web.seeds)} seeds", flush=True)
        seeds = Path(name) / "seeds.txt"
        seeds.write_text("\n".join(web.seeds), encoding="utf-8")
        score = np.array([one for one, _ in UrlScorer(["th"])(web.urls)], np.float32)
        print("strategy               kind        pages  coverage  harvest  pages at 90 %  seconds")
        for strategy in strategies:
            run = simulate(web.graph, relevant, strategy, Options(Rule(tolerance)), score=score)
            _row(strategy, "simulated", len(run.order), run.coverage, run.harvest, run.pages_at(0.9), 0.0)
            folder, began = Path(name) / strategy, time.monotonic()
            command = [
                sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--seeds", str(seeds), "-o", str(folder),
                "--strategy", strategy, "--tolerance", str(tolerance), "--per-host", "8", "--delay", "0",
                "--resolve", "*=127.0.0.1", "--allow-private",
            ]  # fmt: skip
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            rows = pq.read_table(folder / "catalogue", columns=["relevant", "reason"]).to_pydict()
            wanted = np.array([one for one, why in zip(rows["relevant"], rows["reason"], strict=True) if why is None])
            found = np.cumsum(wanted)
            enough = int(np.searchsorted(found, np.ceil(0.9 * total))) + 1 if found[-1] >= 0.9 * total else None
            _row(
                strategy,
                "live",
                len(found),
                found[-1] / total,
                found[-1] / len(found),
                enough,
                time.monotonic() - began,
            )


def _row(
    strategy: str, kind: str, pages: int, coverage: float, harvest: float, enough: int | None, took: float
) -> None:
    print(
        f"{strategy:22} {kind:9} {pages:7} {100 * coverage:8.1f} {100 * harvest:8.1f} {enough or 0:14} {took:8.0f}",
        flush=True,
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000, sys.argv[2:] or ["conservative-server", "scout", "bfs"])
