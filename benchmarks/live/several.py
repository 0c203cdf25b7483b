"""Two crawlers on one Redis beside one, interleaved, and kills with two: several.py [PAGES] [ROUNDS].

- busy: no delay, so processors decide. A machine of two cores that also plays the web has no room for twice as much.
- polite: each process may ask for few pages at a time and every host has its delay, as on the real web.
Seconds are those between the first and the last page that the web was asked for. `alone` has no Redis.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

import numpy as np
import pyarrow.parquet as pq
import redis

from dragoman.crawl.live.cluster.events import Link, answer_event, new_url, pack
from dragoman.crawl.live.cluster.log import SharedLog
from dragoman.crawl.live.state.store import CrawlAnswer

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))
from tests.live_web import serve, small_web  # noqa: E402

SETTINGS = {
    "busy": ["--delay", "0", "--per-host", "8"],
    "polite": ["--delay", "0.2", "--concurrent", "4"],
}
#: The webs: (share of wanted pages, seed), chosen for many hosts of about the same size.
WEBS = {"busy": ("0.04", "1"), "polite": ("0.02", "4")}


def command(seeds: Path, folder: Path, address: str | None, *more: str) -> list[str]:
    return [
        sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--seeds", str(seeds), "-o", str(folder),
        "--strategy", "bfs", "--resolve", "*=127.0.0.1", "--allow-private", *more,
        *(["--shared", address] if address else []),
    ]  # fmt: skip


def timed(web: subprocess.Popen[str], commands: list[list[str]]) -> tuple[int, int, float, float]:
    """(requests for pages, different pages, seconds between the first and the last, processor seconds) of all these."""
    assert web.stdin is not None
    assert web.stdout is not None
    running = [subprocess.Popen(one, stdout=subprocess.DEVNULL) for one in commands]
    assert web.stdout.readline() == "first\n"
    used = 0.0
    for one in running:
        _, status, usage = os.wait4(one.pid, 0)
        one.returncode = os.waitstatus_to_exitcode(status)
        assert one.returncode == 0
        used += usage.ru_utime + usage.ru_stime
    web.stdin.write("\n")
    web.stdin.flush()
    asked, pages, seconds = web.stdout.readline().split()
    return int(asked), int(pages), float(seconds), used


def throughput(name: str, pages: int, rounds: int, home: Path, address: str) -> None:
    seeds = home / f"{name}.seeds"
    web = subprocess.Popen(
        [sys.executable, str(HERE / "web.py"), str(pages), str(seeds), *WEBS[name], "0"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert web.stdout is not None
        print(f"{name}: {web.stdout.readline().strip()}; {' '.join(SETTINGS[name])}")
        rates: dict[str, list[float]] = {"alone": [], "one on Redis": [], "two on Redis": []}
        for number in range(rounds):
            for kind, found in rates.items():
                with redis.Redis.from_url(address) as client:
                    client.flushdb()
                folders = [home / f"{name}-{kind}-{number}-{one}" for one in range(1 + kind.startswith("two"))]
                given = None if kind == "alone" else address
                commands = [command(seeds, one, given, *SETTINGS[name]) for one in folders]
                asked, fetched, seconds, used = timed(web, commands)
                found.append(fetched / seconds)
                parts = [len(urls(one)) for one in folders]
                print(f"  {kind:13} {fetched} pages ({'+'.join(map(str, parts))}), {asked - fetched} asked for twice, "
                      f"{seconds:.1f} s, {fetched / seconds:.1f} a second; {used:.1f} processor seconds with the start",
                      flush=True)  # fmt: skip
        with redis.Redis.from_url(address) as client:
            log = int(client.memory_usage("{dragoman}:log", samples=0) or 0)
            every = sum(int(client.memory_usage(key, samples=0) or 0) for key in client.scan_iter())
        print(f"  two against one on Redis: {ratio(rates, 'two on Redis', 'one on Redis')}")
        print(f"  one on Redis against alone: {ratio(rates, 'one on Redis', 'alone')}")
        print(f"  Redis: {log / fetched:.0f} bytes a page for the log, {every / fetched:.0f} for everything; "
              f"{log / fetched / 1000:.2f} GB for a million such pages")  # fmt: skip
    finally:
        web.terminate()
        web.wait()


def urls(folder: Path) -> list[str]:
    """The URLs of a catalogue; a process that got nothing has none."""
    if not (folder / "catalogue").exists():
        return []
    found: list[str] = pq.read_table(folder / "catalogue", columns=["url"])["url"].to_pylist()
    return found


def ratio(rates: dict[str, list[float]], one: str, other: str) -> str:
    found = sorted(a / b for a, b in zip(rates[one], rates[other], strict=True))
    return f"{median(found):.2f} ({found[0]:.2f} to {found[-1]:.2f} in {len(found)} rounds)"


def kills(pages: int, times: int, home: Path, address: str) -> None:
    """Two processes, one of which is killed again and again and started again: what is there in the end."""
    chance, asked = random.Random(1), Counter[str]()
    with redis.Redis.from_url(address) as client:
        client.flushdb()
    with serve(small_web(pages, share=0.04, seed=1)) as web:
        web.seen = lambda host, path: asked.update([f"http://{host}{path}"])
        seeds = home / "kills.seeds"
        seeds.write_text("\n".join(web.seeds), encoding="utf-8")
        commands = [command(seeds, home / f"killed-{one}", f"{address}?lease=5", "--delay", "0") for one in range(2)]
        running, done = [subprocess.Popen(one, stdout=subprocess.DEVNULL) for one in commands], 0
        every = len(web.urls) // (times + 1)
        while done < times and all(one.poll() is None for one in running):
            before = sum(asked.values())
            while sum(asked.values()) < before + every and all(one.poll() is None for one in running):
                time.sleep(0.005)
            time.sleep(chance.random() * 0.1)
            which = chance.randrange(2)
            if running[which].poll() is None:
                running[which].send_signal(signal.SIGKILL)
                running[which].wait()
                done += 1
                running[which] = subprocess.Popen(commands[which], stdout=subprocess.DEVNULL)
        codes = [one.wait() for one in running]
        rows = Counter(url for one in range(2) for url in urls(home / f"killed-{one}"))
        again = sum(count - 1 for url, count in asked.items() if not url.endswith("/robots.txt"))
        print(f"kills: {len(web.urls)} pages, {done} kills of one of two: exit {codes}; catalogues: {len(rows)} URLs, "
              f"{sum(rows.values()) - len(rows)} twice, {len(set(web.urls) - set(rows))} lost (must 0 and 0); "
              f"{again} asked for again, {again / max(done, 1):.1f} a kill (at most 16 are on their way)")  # fmt: skip


def calls(address: str, times: int = 1000) -> None:
    """How long one call takes."""
    log, took = SharedLog(address), []
    log.join({}, "measure", None)
    for number in range(times):
        began = time.perf_counter()
        log.append(b'["P",123456,"0a1b2c3d.1"]', number, strict=True)
        took.append(1000 * (time.perf_counter() - began))
    took.sort()
    print(f"a call of Redis: {median(took):.2f} ms, the slowest hundredth {took[-times // 100]:.2f} ms or more")
    log.close()


def sizes(links: int = 100, new: int = 20, pages: int = 300) -> None:
    """What an event takes for pages with many links, whose words and numbers are drawn."""
    chance, total = random.Random(1), 0
    words = [
        one for one in (HERE.parents[1] / "README.md").read_text(encoding="utf-8").lower().split() if one.isalpha()
    ]

    def url(host: str) -> str:
        return f"https://www.{host}/{chance.choice(words)}/{chance.choice(words)}-{chance.randrange(10**6)}.html"

    for _ in range(pages):
        host = f"{chance.choice(words)}{chance.randrange(1000)}.example"
        found: list[Link] = [chance.randrange(10**7) for _ in range(links - new)]
        found += [new_url(url(host), (float(np.float32(chance.uniform(-5, 5))), "th")) for _ in range(new)]
        digest = "sha1:" + "".join(chance.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", k=32))
        key, file = chance.randrange(10**7), "pages-0a1b2c3d-00012.warc.gz"
        answer = CrawlAnswer(key, key, 1.7e9 + 1e6 * chance.random(), 200, "th", chance.random(), "th", "utf-8", 50_000,
                        digest, True, warc=file, offset=chance.randrange(10**9), length=9_000)  # fmt: skip
        total += len(pack(answer_event("0a1b2c3d.1", answer, found, [file, chance.randrange(10**9)])))
    print(f"a page with {links} links, {new} of them new: {total / pages:.0f} bytes; "
          f"{total / pages / 1000:.2f} GB for a million such pages")  # fmt: skip


def main(pages: int, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as name, socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
        one.close()
        server = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", name],
            stdout=subprocess.DEVNULL,
        )
        try:
            time.sleep(0.5)
            home, address = Path(name), f"redis://127.0.0.1:{port}/0"
            calls(address)
            sizes()
            throughput("busy", pages, rounds, home, address)
            throughput("polite", pages * 3 // 4, rounds, home, address)
            kills(pages, 4, home, address)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
