"""Strategies on a web of real pages: real_web.py [--language de] [--seeds wanted|foreign] [--strategies scout bfs].

The pages are the translated manuals in Debian's packages (see real_books.py), played on loopback by a process of its
own: about 29,000 pages in 30 languages on some 90 hosts. Printed per strategy: requests, pages, coverage and harvest
per request at the end, and when half, 80, 90 and 95 % of the wanted pages were there: the requests until then, the
harvest per request, and what the crawl itself held its coverage for. Wanted and found are by the true languages, and
what counts as all is what links lead to from the list of books.

Seeds `wanted` are the front pages of three translations in the wanted language and the list of books; `foreign` the
list of books and three English front pages. The figures are kept in real_web.json. `--about` tells what the web is made
of, and which pages nobody translated. With `--cluster` and `--rounds` crawls alone and on the cluster take turns; kept
are the figures of the round whose harvest at the end is the median, and all of each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from live.real_books import LIST, RealPage, listing, placed, reached, truths, unpack
from tests.played_http import PlayedHttp

LEVELS = (0.5, 0.8, 0.9, 0.95)
#: Another one lets two runs go on beside each other.
PORT = int(os.environ.get("REAL_WEB_PORT", "8407"))
FIGURES = Path(__file__).with_name("real_web.json")


class Played(PlayedHttp):
    """The pages as they lie on disk, and those that were made to lead to them."""

    def __init__(self, files: dict[str, Path], made: dict[str, bytes]) -> None:
        super().__init__()
        self.files, self.made = files, made

    def answer(self, host: str, path: str, headers: Mapping[str, str]) -> None:
        url = f"http://{host}{path}"
        body = self.made.get(url)
        if body is None and (file := self.files.get(url) or self.files.get(f"{url}index.html")):
            body = file.read_bytes()
        if body is None:
            self.send(404, {"Content-Type": "text/plain"}, b"There is no such page.")
        else:
            self.send(200, {"Content-Type": "text/html"}, body)


async def play() -> None:
    files, first, _ = placed(PORT)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Played(files, listing(PORT, first)), "127.0.0.1", PORT)
    print("there", flush=True)
    await server.serve_forever()


def tell(pages: dict[str, RealPage], all_reached: set[str]) -> None:
    """What the web is made of."""
    hosts = {url.split("/")[2] for url in all_reached}
    languages = Counter(pages[url].language for url in all_reached)
    print(f"{len(all_reached):,} pages in {len(languages)} languages on {len(hosts)} hosts that links lead to")
    print(", ".join(f"{language} {count:,}" for language, count in languages.most_common()))
    english = Counter(url.split("/")[2].split(".")[0] for url in all_reached if not pages[url].translated)
    print(
        f"not translated: {english.total():,}; " + ", ".join(f"{host} {count}" for host, count in english.most_common())
    )


def begin(language: str, kind: str, first: dict[tuple[str, str, str], str]) -> list[str]:
    """The seeds: front pages in the order of the books' names, and the list of books."""
    code = language if kind == "wanted" else "en"
    fronts = {book: url for (book, translation, _), url in sorted(first.items()) if translation == code}
    return [*list(fronts.values())[:3], f"http://{LIST}:{PORT}/"]


def crawl(seeds: list[str], given: argparse.Namespace, strategy: str, folder: Path, cluster: str | None) -> None:
    file = folder.with_suffix(".seeds")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("\n".join(seeds), encoding="utf-8")
    command = [
        sys.executable, "-m", "dragoman", "crawl", "--language", given.language, "--seeds", str(file),
        "-o", str(folder), "--strategy", strategy,
        "--delay", "0", "--concurrent", "8", "--resolve", "*=127.0.0.1", "--allow-private",
        "--include", f":{PORT}/", *given.more,
    ]  # fmt: skip
    if cluster:
        command += ["--cluster", cluster, "--shards", "64", "--workers", "4", "--concurrent", "2"]
    if given.pages:
        command += ["--pages", str(given.pages)]
    done = subprocess.run(command, check=False, capture_output=True, encoding="utf-8")
    if done.returncode:
        raise SystemExit(done.stderr)


def judge(folder: Path, pages: dict[str, RealPage], wanted: set[str], strategy: str) -> dict[str, Any]:
    rows = pq.read_table(
        folder / "catalogue", columns=["url", "final_url", "reason", "relevant", "language", "time"]
    ).to_pylist()
    rows.sort(key=lambda row: row["time"])  # shards have parts of their own
    state = json.loads((folder / "progress.json").read_text(encoding="utf-8"))
    found: set[str] = set()
    points: list[tuple[int, int]] = []
    count = wrong = 0
    for row in rows:
        url = row["final_url"] if row["final_url"] in pages else f"{row['final_url']}index.html"
        if row["reason"] is None:
            count += 1
            if url in wanted:
                found.add(url)
            wrong += row["relevant"] != (url in wanted)
        points.append((count, len(found)))
    errors = Counter(row["reason"] for row in rows if row["reason"])
    print(
        f"{strategy:20} {len(rows):8,} {count:7,} {100 * len(found) / len(wanted):8.1f} "
        f"{100 * len(found) / max(len(rows), 1):8.1f}   taken for another language {wrong}; "
        + ", ".join(f"{reason} {number:,}" for reason, number in errors.most_common(3))
    )
    levels: dict[str, Any] = {}
    for level in LEVELS:
        at = next((place for place, (_, have) in enumerate(points, 1) if have >= level * len(wanted)), None)
        if at is None:
            print(f"{'':20} {level:.0%} never")
            continue
        estimate = estimated(state["curve"], points[at - 1][0])
        levels[f"{level:.0%}"] = {
            "requests": at,
            "harvest": round(100 * points[at - 1][1] / at, 1),
            "estimate": None if estimate is None else round(100 * estimate, 1),
        }
        print(
            f"{'':20} {level:.0%} after {at:,} requests, harvest {100 * points[at - 1][1] / at:.1f} a request, "
            f"held for {'unknown' if estimate is None else f'{100 * estimate:.0f} %'}"
        )
    return {"pages": len(wanted), "requests": len(rows), "coverage": round(100 * len(found) / len(wanted), 1),
            "harvest": round(100 * len(found) / max(len(rows), 1), 1),
            "harvest of pages": round(100 * len(found) / max(count, 1), 1),
            "wrong": wrong, "levels": levels}  # fmt: skip


def keep(name: str, rounds: list[dict[str, Any]]) -> None:
    """Put the figures of a crawl into the file of all: those of the median round, and the harvest of each."""
    figures = sorted(rounds, key=lambda one: one["harvest"])[len(rounds) // 2]
    if len(rounds) > 1:
        levels = {
            level: [one["levels"].get(level, {}).get("harvest") for one in rounds]
            for level in map("{:.0%}".format, LEVELS)
        }
        every = {"seconds": [one["seconds"] for one in rounds], "harvest": [one["harvest"] for one in rounds]}
        figures = figures | {"rounds": every | levels}
    kept = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    figures = kept | {name: figures | {"date": time.strftime("%Y-%m-%d")}}
    FIGURES.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def estimated(curve: list[list[float]], count: int) -> float | None:
    """The crawl's own estimate of its coverage at so many pages, between the two moments for which it kept one."""
    known = [point for point in curve if point[1]]
    shares = [relevant / (relevant + left) for _, relevant, _, left, *_ in known]
    return float(np.interp(count, [point[0] for point in known], shares)) if known else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", default="de")
    parser.add_argument("--seeds", choices=("wanted", "foreign"), default="wanted")
    parser.add_argument("--strategies", nargs="+", default=["scout"])
    parser.add_argument("--pages", type=int, help="end each crawl after so many pages")
    parser.add_argument(
        "--cluster", help="crawl with 4 workers of this Ray cluster; `nodes`: of 3 nodes that play machines"
    )
    parser.add_argument("--rounds", type=int, default=1, help="crawl so often, with --cluster in turns alone and there")
    parser.add_argument("--about", action="store_true")
    parser.add_argument("--play", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--keep", type=Path, help="keep the crawls in this folder")
    parser.add_argument("more", nargs="*", help="more options for `dragoman crawl`, after --")
    given = parser.parse_args()
    if given.play:
        asyncio.run(play())
        return
    unpack()
    pages, (_, first, _) = truths(PORT), placed(PORT)
    whole = reached(pages, [f"http://{LIST}:{PORT}/"])
    if given.about:
        tell(pages, whole)
        return
    wanted = {url for url in whole if pages[url].language == given.language}
    seeds = begin(given.language, given.seeds, first)
    player = subprocess.Popen([sys.executable, __file__, "--play"], stdout=subprocess.PIPE, encoding="utf-8")
    assert player.stdout is not None
    with ExitStack() as ended:
        ended.callback(player.wait)
        ended.callback(player.terminate)
        if not player.stdout.readline():
            raise SystemExit(f"nobody plays the web: is port {PORT} taken? Set REAL_WEB_PORT")
        if given.cluster == "nodes":
            from tests.ray_cluster import ray_cluster

            given.cluster = ended.enter_context(ray_cluster()).address
        print(f"{len(wanted):,} of {len(whole):,} pages are in '{given.language}'; seeds: {given.seeds}")
        print("strategy             requests   pages coverage  harvest", flush=True)
        every: dict[str, list[dict[str, Any]]] = defaultdict(list)
        places = [given.cluster] if given.rounds == 1 else list(dict.fromkeys([None, given.cluster]))
        for number, strategy, cluster in product(range(given.rounds), given.strategies, places):
            with tempfile.TemporaryDirectory() as name:
                folder, began = (given.keep or Path(name)) / f"{strategy}{number or ''}", time.monotonic()
                crawl(seeds, given, strategy, folder, cluster)
                seconds = round(time.monotonic() - began)
                title = f"{given.language} {given.seeds} {strategy}"
                title += f" {given.pages} pages" * bool(given.pages) + " on 3 nodes" * bool(cluster)
                every[title].append(judge(folder, pages, wanted, strategy) | {"seconds": seconds})
                keep(title, every[title])
                print(f"{'':20} {seconds} seconds{' on the cluster' if cluster else ''}", flush=True)


if __name__ == "__main__":
    main()
