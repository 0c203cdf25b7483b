"""Plays a small web in a process of its own until it is ended: python benchmarks/live/web.py PAGES SEEDS_FILE."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.live_web import listen, small_web


async def play(pages: int, seeds: Path, share: float, seed: int) -> None:
    web = small_web(pages, share=share, seed=seed)
    _, moved = await listen(web)
    seeds.write_text("\n".join(moved.seeds), encoding="utf-8")
    wanted = int(moved.relevant("th").sum())
    print(f"{len(moved.urls)} pages, {moved.graph.servers} hosts, {wanted} wanted", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(play(int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])))
