"""Malformed, huge and slow requests against `dragoman serve`, all at once, while others ask politely: hardness.py.

Every attack of tests/serve/attacks.py runs in a thread of its own, over and over, for some seconds, beside hundreds of
connections that send nothing and large pages that keep all threads for large work busy. Meanwhile one client asks for
single URLs, one at a time, and takes the time. Afterwards the service must answer, and memory must not have grown
beyond what the limits allow. Prints what was sent, what the polite client saw, and memory.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.serve.attacks import ATTACKS  # noqa: E402
from tests.serve.started import Started, started  # noqa: E402

IDLE = 300
#: Bytes that a worker may grow by: bodies in flight, the threads' work on them, and what Python keeps.
MOST = 600e6
TEXT = ("Das ist ein schönes Haus in der Stadt. This is a beautiful house in the city. " * 10_000).encode()


def large_pages(service: Started) -> None:
    """A text of 800 kB, tracked."""
    status, _, told = service.ask("POST", "/v1/track", TEXT, content_type="text/plain; charset=utf-8", timeout=60)
    assert status in (200, 429, 503, 504), told[:200]


def over_and_over(
    attack: Callable[[Started], None], service: Started, until: float, done: Counter[str], failed: list[str]
) -> None:
    """One attack until the time is over; what does not come out as it must is noted."""
    while time.monotonic() < until:
        try:
            attack(service)
        except Exception as error:
            failed.append(f"{attack.__name__}: {type(error).__name__} {str(error)[:200]}")
        done[attack.__name__] += 1
        time.sleep(0.05)  # all of them are one process, and the quick ones would leave the others no time


def polite(port: int, seconds: float) -> None:
    """Ask for single URLs, one at a time, in a process that does nothing else, and print how long each took."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        start = time.perf_counter()
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/v1/url?u=http%3A%2F%2Fwww.wetter.de%2F")
        answer = connection.getresponse()
        assert (answer.status, b'"de"' in answer.read()) == (200, True)
        connection.close()
        print(time.perf_counter() - start)
        time.sleep(0.02)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--polite", type=int, metavar="PORT", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    if given.polite:
        polite(given.polite, given.seconds)
        return 0
    options = ("--patience", "2", "--max-body", "2", "--max-page", "1", "--workers", str(given.workers))
    with started(*options) as service:
        service.wait_for(given.workers)
        before = service.memory()
        done: Counter[str] = Counter()
        failed: list[str] = []
        until = time.monotonic() + given.seconds
        threads = [
            threading.Thread(target=over_and_over, args=(attack, service, until, done, failed))
            for attack in (*ATTACKS, large_pages, large_pages, large_pages)
        ]
        idle = [service.connect() for _ in range(IDLE)]
        for thread in threads:
            thread.start()
        most = before
        asking = subprocess.Popen(
            [sys.executable, __file__, "--polite", str(service.port), "--seconds", str(given.seconds)],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        while asking.poll() is None:
            most = max(most, service.memory())
            time.sleep(0.1)
        assert asking.stdout is not None
        waits = sorted(float(line) for line in asking.stdout)
        for thread in threads:
            thread.join()
        for one in idle:
            one.close()
        time.sleep(3)
        ready, after = service.get("/health")["ready"], service.memory()
        print(f"{sum(done.values()):,} attacks: " + ", ".join(f"{name} {count:,}" for name, count in done.items()))
        half, nearly = waits[len(waits) // 2] * 1e3, waits[int(len(waits) * 0.99)] * 1e3
        print(f"single URLs meanwhile: {len(waits):,} answered, half within {half:.0f} ms, 99 % within {nearly:.0f} ms")
        print(f"memory: {before / 1e6:.0f} MB before, {most / 1e6:.0f} MB at most, {after / 1e6:.0f} MB after "
              f"(may grow by {MOST / 1e6:.0f} MB)")  # fmt: skip
        print(f"afterwards /health says {'ready' if ready else 'not ready'}")
        for line in failed[:10]:
            print(f"  not as it must be: {line}")
        good = ready and most - before < MOST * given.workers and not failed
        print("holds" if good else "DOES NOT HOLD")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
