"""Pages a second of `dragoman crawl` and of plain Scrapy on the same web, interleaved: throughput.py [--pages 2000].

Both crawl the whole web (unless a strategy is named that lets pages go), so both fetch the same pages, with the same
settings (concurrency, per host, delay, robots.txt, retries, timeouts, addresses). Identification, steering, WARC,
catalogue and decisions are included on our side; plain Scrapy keeps its disk queue (JOBDIR), saves bodies and follows
every link. The web takes the time between the first and the last page that it is asked for: start and end of a program
are left out. Processor time is taken over the same span.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

HERE = Path(__file__).resolve().parent
MUST = 0.8
CONCURRENT, PER_HOST = 16, 8
#: What both have; `dragoman crawl` gets the first from its options and has the others anyway.
SHARED: dict[str, Any] = {
    "CONCURRENT_REQUESTS": CONCURRENT,
    "CONCURRENT_REQUESTS_PER_DOMAIN": PER_HOST,
    "DOWNLOAD_DELAY": 0,
    "ROBOTSTXT_OBEY": True,
    "COOKIES_ENABLED": False,
    "RETRY_TIMES": 2,
    "DOWNLOAD_TIMEOUT": 60,
    "DOWNLOAD_MAXSIZE": 10_000_000,
    "DNS_TIMEOUT": 20,
    "CONCURRENT_ITEMS": 1,
    "USER_AGENT": "dragoman",
    "TELNETCONSOLE_ENABLED": False,
    "LOG_ENABLED": False,
    "EXTENSIONS": {
        "scrapy.extensions.logstats.LogStats": None,
        "scrapy.extensions.memusage.MemoryUsage": None,
        "scrapy.extensions.telnet.TelnetConsole": None,
    },
    "TWISTED_DNS_RESOLVER": "dragoman.crawl.live.driver.resolver.SafeResolver",
    "DRAGOMAN_RESOLVE": {"*": "127.0.0.1"},
    "DRAGOMAN_ALLOW_PRIVATE": True,
}


def command(kind: str, seeds: Path, folder: Path) -> list[str]:
    if kind == "plain":
        return [sys.executable, str(HERE / "plain.py"), str(seeds), str(folder), json.dumps(SHARED)]
    return [
        sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--seeds", str(seeds), "-o", str(folder),
        "--strategy", kind, "--concurrent", str(CONCURRENT), "--per-host", str(PER_HOST), "--delay", "0",
        "--resolve", "*=127.0.0.1", "--allow-private", "--user-agent", "dragoman",
    ]  # fmt: skip


def processor(pid: int) -> float:
    """Seconds of processor time that a program has used, all threads together; 0 when it has ended."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def timed(kind: str, seeds: Path, folder: Path, web: subprocess.Popen[str]) -> tuple[int, float, float]:
    """Different pages that were fetched, seconds between the first and the last, processor seconds since the first."""
    assert web.stdin is not None
    assert web.stdout is not None
    log = folder.with_suffix(".log")
    with log.open("wb") as out:
        run = subprocess.Popen(command(kind, seeds, folder), stdout=out, stderr=out)
        assert web.stdout.readline() == "first\n"
        began, used = time.monotonic(), [(0.0, processor(run.pid))]
        while run.poll() is None:
            time.sleep(0.05)
            used.append((time.monotonic() - began, processor(run.pid)))
    assert run.returncode == 0, log.read_text(encoding="utf-8")
    web.stdin.write("\n")
    web.stdin.flush()
    _, pages, took = web.stdout.readline().split()
    seconds = float(took)
    return int(pages), seconds, max(cpu for when, cpu in used if when <= seconds + 0.1) - used[0][1]


def main(pages: int, rounds: int, strategies: list[str], navigation: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        seeds = home / "seeds.txt"
        web = subprocess.Popen(
            [sys.executable, str(HERE / "web.py"), str(pages), str(seeds), "0.3", "1", str(navigation)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert web.stdout is not None
            print(web.stdout.readline().strip())
            print("round  kind          pages  seconds  pages/s  processor seconds")
            rates: dict[str, list[tuple[float, float]]] = {kind: [] for kind in ["plain", *strategies]}
            for number in range(rounds):
                for kind, found in rates.items():
                    fetched, seconds, cpu = timed(kind, seeds, home / f"{kind}-{number}", web)
                    found.append((fetched / seconds, fetched / cpu))
                    print(
                        f"{number:5}  {kind:12} {fetched:6} {seconds:8.1f} {fetched / seconds:8.1f} {cpu:8.1f}",
                        flush=True,
                    )
            for kind in strategies:
                for place, unit in enumerate(("second", "processor second")):
                    plain, ours = ([one[place] for one in rates[name]] for name in ("plain", kind))
                    ratios = sorted(mine / theirs for mine, theirs in zip(ours, plain, strict=True))
                    print(
                        f"{kind}, pages per {unit}: plain {median(plain):.1f}, dragoman {median(ours):.1f}, ratio "
                        f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f} in {rounds} rounds; must {MUST})"
                    )
        finally:
            web.terminate()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--strategies", nargs="+", default=["soft-focused"])
    parser.add_argument(
        "--navigation", type=int, default=0, help="links to pages of their own host that pages also have"
    )
    given = parser.parse_args()
    main(given.pages, given.rounds, given.strategies, given.navigation)
