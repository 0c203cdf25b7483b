"""Plays a small web in a process of its own until it is ended: web.py PAGES SEEDS_FILE SHARE SEED [NAVIGATION].

NAVIGATION is the number of links to pages of their own host that pages have beside those of the web.

Pages are made beforehand, so that serving them costs little. After the first page that is asked for it writes `first`;
a line on its standard input makes it tell how many requests for pages there were since the last such line, how many
different ones, and the seconds between the first and the last of them.
"""

from __future__ import annotations

import asyncio
import random
import sys
import time
from html import escape
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.live_web import listen, small_web


class Watch:
    def __init__(self) -> None:
        self.asked: list[str] = []
        self.first = self.last = 0.0

    def __call__(self, host: str, path: str) -> None:
        if path == "/robots.txt":
            return
        self.last = time.monotonic()
        if not self.asked:
            self.first = self.last
            print("first", flush=True)
        self.asked.append(host + path)

    def tell(self) -> None:
        print(len(self.asked), len(set(self.asked)), self.last - self.first, flush=True)
        self.asked = []


async def play(pages: int, seeds: Path, share: float, seed: int, navigation: int) -> None:
    web = small_web(pages, share=share, seed=seed)
    web.seen = watch = Watch()
    _, moved = await listen(web)
    html = {"Content-Type": "text/html; charset=utf-8"}
    on_host: dict[int, list[str]] = {}
    for place, url in enumerate(moved.urls):
        on_host.setdefault(int(moved.graph.server[place]), []).append(url)
    chance = random.Random(seed)
    for place, url in enumerate(moved.urls):
        own = on_host[int(moved.graph.server[place])]
        menu = "".join(f'<a href="{escape(chance.choice(own))}">{n}</a> ' for n in range(navigation))
        moved.special[url] = (200, html, moved.page(place).replace(b"<body>", f"<body><nav>{menu}</nav>".encode()))
    seeds.write_text("\n".join(moved.seeds), encoding="utf-8")
    wanted = int(moved.relevant("th").sum())
    size = sum(len(body) for _, _, body in moved.special.values()) / len(moved.urls)
    links = len(moved.graph.targets) / len(moved.urls) + navigation
    print(
        f"{len(moved.urls)} pages, {moved.graph.servers} hosts, {wanted} wanted, {size:.0f} bytes and "
        f"{links:.0f} links a page",
        flush=True,
    )
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        watch.tell()


if __name__ == "__main__":
    given = sys.argv[1:]
    menu = int(given[4]) if len(given) > 4 else 0
    asyncio.run(play(int(given[0]), Path(given[1]), float(given[2]), int(given[3]), menu))
