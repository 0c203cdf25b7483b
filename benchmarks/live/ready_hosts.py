"""How much of the rate that its processor time allows a crawl of many hosts keeps: ready_hosts.py [--hosts 800].

A web of 800 hosts with pages of English and 20 links is played on loopback, each answer after 50 ms. `dragoman crawl`
asks it with its default settings (a second between two requests to a host, 32 requests at a time, one per host). From
the first page on it is looked at how long it waited although it could have worked: the time by the clock less what
other programs took from it (the time that it waited for a processor, as the kernel counts it), and its own processor
time. Their ratio is the share of the rate that its processor time allows. Hosts are ready as long as there are more
of them than pages are fetched in a second and the latency: on a faster machine, give more of them.
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
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.played_http import PlayedHttp

FIGURES = Path(__file__).with_name("ready_hosts.json")
MUST = 0.8
PORT = 8409
TEXT = "the river ran past a house of stone and nobody in town could say who had lived there before them"
WORDS = TEXT.split()


def page(host: int, number: int) -> bytes:
    """A page whose links lead to other pages of its host and to the next hosts."""
    text = " ".join(WORDS[(host + 7 * number + step) % len(WORDS)] for step in range(600))
    links = [f'<a href="/page/{20 * number + step + 1}">page {step}</a>' for step in range(18)]
    links += [f'<a href="http://h{(host * 2 + step) % 100_000}.example:{PORT}/">host</a>' for step in (1, 2)]
    return f"<html><title>Page {number}</title><p>{text}</p>{' '.join(links)}</html>".encode()


class Played(PlayedHttp):
    """Answers any page of any host, and tells nobody to stay away."""

    pages = 0
    delay = 0.05

    def answer(self, host: str, path: str, headers: Mapping[str, str]) -> None:
        if path == "/robots.txt":
            self.send(404, {"Content-Type": "text/html"}, b"", self.delay)
            return
        Played.pages += 1
        body = page(int(host[1 : host.index(".")]), int(path.rpartition("/")[2] or 0))
        self.send(200, {"Content-Type": "text/html"}, body, self.delay)


def spent(pid: int) -> tuple[float, float]:
    """Seconds on a processor, and seconds of waiting for one, of the main thread of a process."""
    running, waiting, _ = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()
    return int(running) / 1e9, int(waiting) / 1e9


async def measure(hosts: int, pages: int, more: list[str]) -> dict[str, float]:
    loop = asyncio.get_running_loop()
    await loop.create_server(Played, "127.0.0.1", PORT, backlog=1000)
    with tempfile.TemporaryDirectory() as name:
        seeds = Path(name) / "seeds.txt"
        seeds.write_text("\n".join(f"http://h{host}.example:{PORT}/" for host in range(hosts)), encoding="utf-8")
        run = subprocess.Popen(
            [
                sys.executable, "-m", "dragoman", "crawl", "--language", "en", "--seeds", str(seeds), "-o",
                f"{name}/out",
                "--pages", str(pages), "--include", rf"^http://h({'|'.join(map(str, range(hosts)))})\.example",
                "--resolve", "*=127.0.0.1", "--allow-private", *more,
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while Played.pages < 2 * hosts:  # every host has answered
            await asyncio.sleep(0.02)
        first, began, (cpu, waited) = Played.pages, time.monotonic(), spent(run.pid)
        while Played.pages < pages - 50:
            await asyncio.sleep(0.02)
        seconds, count = time.monotonic() - began, Played.pages - first
        running, waiting = spent(run.pid)
        running, waiting = running - cpu, waiting - waited
        while run.poll() is None:
            await asyncio.sleep(0.1)
    own = seconds - waiting
    return {
        "pages": count, "by the clock": round(count / seconds, 1), "seconds": round(seconds, 1),
        "waited for a processor": round(waiting, 1),
        "processor seconds": round(running, 1), "pages a second": round(count / own, 1),
        "allowed": round(count / running, 1), "share": round(running / own, 3), "load": round(os.getloadavg()[0], 1),
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=800)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--latency", type=float, default=0.05, help="seconds until an answer comes")
    parser.add_argument("more", nargs="*", help="more options for `dragoman crawl`, after --")
    given = parser.parse_args()
    Played.delay = given.latency
    figures = asyncio.run(measure(given.hosts, given.pages, given.more))
    print(f"{figures} (must be {MUST} of what is allowed)")
    known = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    name = " ".join([f"{given.hosts} hosts, {1000 * given.latency:.0f} ms", *given.more])
    known[name] = figures | {"date": time.strftime("%Y-%m-%d")}
    FIGURES.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
