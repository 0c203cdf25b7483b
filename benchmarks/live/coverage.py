"""The live crawl beside the simulator on one web: coverage.py [--web 2] [--tolerance 5] [--strategies ...] [--bfs].

The web has 200 hosts and 20,000 pages, a tenth of them wanted; its seeds are three wanted pages and the first pages of
20 other hosts. Per strategy: coverage and harvest at the end, pages until 90 % of the wanted pages were there, and
these as a share of what breadth-first needs, live and simulated. `--bfs` crawls breadth-first live too (20,000 pages).
`--simulated 1 2 3` only simulates, on several webs, with several tolerances and also from the three seeds alone.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.live_web import SmallWeb, serve, small_web

from dragoman.crawl.live.driver.scoring import UrlScorer
from dragoman.crawl.records import ServerRule
from dragoman.crawl.simulate import Run, simulate
from dragoman.crawl.strategies import StrategyOptions

HALF, POINTS = 0.5, 3.0


def made(given: argparse.Namespace, web: int, more_seeds: int) -> SmallWeb:
    return small_web(given.pages, share=0.1, seed=web, servers=given.hosts, more_seeds=more_seeds)


def simulated(web: SmallWeb, strategy: str, tolerance: int, score: np.ndarray | None = None) -> Run:
    if score is None and strategy == "scout":
        score = np.array([one for one, _ in UrlScorer(["th"])(web.urls)], np.float32)
    return simulate(web.graph, web.relevant("th"), strategy, StrategyOptions(ServerRule(tolerance)), score=score)


def needs(web: SmallWeb, strategy: str, tolerance: int, bfs: int) -> str:
    pages = simulated(web, strategy, tolerance).pages_at(0.9)
    return "never" if pages is None else f"{pages / bfs:.2f}"


def several(given: argparse.Namespace) -> None:
    """Pages that 90 % coverage takes as a share of those of breadth-first, on several webs."""
    rows = [("perfect-fewest", 0), *((one, t) for one in given.strategies for t in (1, 3, 5, 10))]
    for more, what in ((0, "three wanted pages as seeds"), (given.more_seeds, f"{given.more_seeds} others among them")):
        webs = [made(given, web, more) for web in given.simulated]
        bfs = [simulated(web, "bfs", 0).pages_at(0.9) or 0 for web in webs]
        print(f"{what}: breadth-first needs {', '.join(f'{one:,}' for one in bfs)} pages")
        for strategy, tolerance in rows:
            found = [needs(web, strategy, tolerance, one) for web, one in zip(webs, bfs, strict=True)]
            print(f"  {strategy:22} {f'T {tolerance}' if tolerance else '':5} {'  '.join(found)}", flush=True)


def crawled(web: SmallWeb, strategy: str, tolerance: int, folder: Path) -> np.ndarray:
    """Wanted pages after each page of a live crawl."""
    seeds = folder.with_suffix(".txt")
    seeds.write_text("\n".join(web.seeds), encoding="utf-8")
    command = [
        sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--seeds", str(seeds), "-o", str(folder),
        "--strategy", strategy, "--tolerance", str(tolerance), "--delay", "0",
        "--resolve", "*=127.0.0.1", "--allow-private",
    ]  # fmt: skip
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    rows = pq.read_table(folder / "catalogue", columns=["relevant", "reason"]).to_pydict()
    return np.cumsum([one for one, why in zip(rows["relevant"], rows["reason"], strict=True) if why is None])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--web", type=int, default=2, help="the seed of the web")
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--more-seeds", type=int, default=20)
    parser.add_argument("--tolerance", type=int, default=5)
    parser.add_argument("--strategies", nargs="+", default=["conservative-server", "scout"])
    parser.add_argument("--bfs", action="store_true")
    parser.add_argument("--simulated", type=int, nargs="+")
    given = parser.parse_args()
    if given.simulated:
        several(given)
        return
    with serve(made(given, given.web, given.more_seeds)) as web, tempfile.TemporaryDirectory() as name:
        total, tolerance = int(web.relevant("th").sum()), given.tolerance
        print(
            f"{len(web.urls)} pages on {web.graph.servers} hosts, {total} wanted, {len(web.seeds)} seeds, T {tolerance}"
        )
        print("strategy               kind        pages  coverage  harvest  pages at 90 %  of bfs  seconds", flush=True)
        bfs: dict[str, int] = {}
        for strategy in ["bfs", *given.strategies]:
            run, began = simulated(web, strategy, tolerance), time.monotonic()
            curves = {"simulated": run.relevant_so_far}
            if strategy != "bfs" or given.bfs:
                curves["live"] = crawled(web, strategy, tolerance, Path(name) / strategy)
            figures = {}
            for kind, found in curves.items():
                end, reached = int(found[-1]), bool(found[-1] >= 0.9 * total)
                at = int(np.searchsorted(found, np.ceil(0.9 * total))) + 1 if reached else 0
                bfs[kind] = bfs.get(kind) or (at if strategy == "bfs" else bfs["simulated"])
                figures[kind] = 100 * end / total, 100 * end / len(found)
                print(
                    f"{strategy:22} {kind:9} {len(found):7} {figures[kind][0]:8.1f} {figures[kind][1]:8.1f} {at:14} "
                    f"{at / bfs[kind]:7.2f} {time.monotonic() - began if kind == 'live' else 0:8.0f}",
                    flush=True,
                )
            if "live" in figures:
                apart = [abs(a - b) for a, b in zip(figures["live"], figures["simulated"], strict=True)]
                print(
                    f"{'':22} coverage {apart[0]:.1f} and harvest {apart[1]:.1f} points apart (must: {POINTS:.0f}); "
                    f"pages at 90 % must be below {HALF} of breadth-first's",
                    flush=True,
                )


if __name__ == "__main__":
    main()
