"""URLs and requests a second of `dragoman serve` on loopback, client included: load.py [--against PYTHON|COMMIT].

Starts the service itself and drives it with wrk (Debian: apt-get install wrk), or, without it, with a client in Python
that is several times slower than wrk and says so. Prints each figure beside what it must be, and the processor time
that the service and the client took per request: on a machine that is busy with other things, that figure still holds.

Single URLs are asked for twice: at a pace (paced.py), which is what the bound of 20 ms is for, and as fast as 50
connections can, where every answer waits for a processor that the client wants, too.

With --against, the service of another Python's Dragoman, or of a commit, which is built in an environment of its own
(out/service-COMMIT), is driven in turn with this one's, round by round. With --model cctld-plus both have the same
model, which costs next to nothing: what is left is the service.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import re
import resource
import select
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from paced import Connection, Paced, paced  # noqa: E402
from tests.made_urls import WORDS  # noqa: E402
from tests.serve.started import Started, started  # noqa: E402

BATCH = 1000
#: What one worker does on a machine that is quiet: as fast as it can.
URLS_PER_SECOND, REQUESTS_PER_SECOND = 300_000, 3_000
#: Requests a second that are offered; the first is the one that has a bound. Of them, the share that must be answered.
PACES, REACHED, MILLISECONDS = (2_000, 4_000), 0.99, 20
#: Shares of another version's rates that must be reached.
BATCH_RATIO, SINGLE_RATIO = 0.9, 0.5
CORES = 2

Requests = list[tuple[str, str, str]]


@dataclass
class Figures:
    """What a run gave: requests a second, milliseconds that half and 99 % of them took, seconds on a processor."""

    rate: float
    p50: float
    p99: float
    failed: int
    service: float
    client: float


def made_urls(count: int, seed: int = 1) -> list[str]:
    """URLs of about 70 characters in several languages, some of them escaped."""
    chance = random.Random(seed)
    endings = {"en": "com", "de": "de", "fr": "fr", "es": "es", "it": "it"}
    found = []
    for number in range(count):
        language = chance.choice(list(endings))
        words = [chance.choice(WORDS[language]) for _ in range(5)]
        path = quote(f"{words[1]}/{words[2]}-{words[3]}/{words[4]}-{number}.html")
        host = words[0].encode("ascii", "ignore").decode() or "a"
        found.append(f"https://www.{host}{number}.{endings[language]}/{path}?page={number % 7}")
    return found


def with_wrk(service: Started, path: str, script: str, connections: int, seconds: float) -> Figures:
    """One run of wrk."""
    with tempfile.TemporaryDirectory() as folder:
        lua = Path(folder) / "requests.lua"
        lua.write_text(script)
        before, spent = service.processor_seconds(), resource.getrusage(resource.RUSAGE_CHILDREN)
        whole = f"-d{max(1, round(seconds))}s"  # wrk takes no fractions
        command = ["wrk", "-t1", f"-c{connections}", whole, "--timeout", "10s", "--latency", "-s", str(lua)]
        done = subprocess.run(
            [*command, service.address.rstrip("/") + path], capture_output=True, text=True, check=True
        )
        told, after = done.stdout, resource.getrusage(resource.RUSAGE_CHILDREN)
    requests = int(re.search(r"(\d+) requests in", told)[1])  # type: ignore[index]
    wrong = re.findall(r"(?:Non-2xx or 3xx responses|connect|read|write|timeout):? (\d+)", told)
    return Figures(
        float(re.search(r"Requests/sec:\s+([\d.]+)", told)[1]),  # type: ignore[index]
        _milliseconds(told, "50%"),
        _milliseconds(told, "99%"),
        sum(map(int, wrong)),
        (service.processor_seconds() - before) / max(requests, 1),
        (after.ru_utime + after.ru_stime - spent.ru_utime - spent.ru_stime) / max(requests, 1),
    )


def _milliseconds(told: str, name: str) -> float:
    found = re.search(rf"{name}\s+([\d.]+)(us|ms|s)\b", told)
    return float(found[1]) * {"us": 1e-3, "ms": 1.0, "s": 1e3}[found[2]] if found else float("nan")


def lua_of(requests: list[tuple[str, str, str]]) -> str:
    """A script for wrk that sends these requests (method, path, body) in turn."""
    rows = ",".join(f"{{{json.dumps(method)},{json.dumps(path)},{_lua(body)}}}" for method, path, body in requests)
    return (
        f"local all={{{rows}}}\nlocal at=0\nlocal made={{}}\n"
        'wrk.headers["Content-Type"]="application/json"\n'
        "init=function(arguments) for i,one in ipairs(all) do "
        'made[i]=wrk.format(one[1], one[2], nil, one[3]~="" and one[3] or nil) end end\n'
        "request=function() at=(at % #made)+1; return made[at] end\n"
    )


def _lua(text: str) -> str:
    return "[==[" + text + "]==]"


def with_python(service: Started, requests: list[tuple[str, str, str]], connections: int, seconds: float) -> Figures:
    """The same with a client in Python: a thread without a framework, as in paced.py."""
    written = [
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
        for method, path, body in requests
    ]
    turn = itertools.cycle(written)
    took: list[float] = []
    failed = 0
    before, own = service.processor_seconds(), time.process_time()
    open_connections = {one.socket: one for one in (Connection(service.port) for _ in range(connections))}
    for one in open_connections.values():
        one.due.append((time.perf_counter(), next(turn)))
        one.send()
    end = time.perf_counter() + seconds
    while (now := time.perf_counter()) < end:
        for ready in select.select(list(open_connections), [], [], end - now)[0]:
            one = open_connections[ready]
            good = one.receive()
            if good is None:
                continue
            now = time.perf_counter()
            took.append(now - (one.asked or now))
            failed += not good
            one.due.append((now, next(turn)))
            one.send()
    spent, client = service.processor_seconds() - before, time.process_time() - own
    for one in open_connections.values():
        one.socket.close()
    took.sort()
    count = len(took)
    return Figures(
        count / seconds, took[count // 2] * 1e3, took[int(count * 0.99)] * 1e3, failed, spent / count, client / count
    )


def drive(service: Started, requests: list[tuple[str, str, str]], connections: int, seconds: float) -> Figures:
    """A second to warm up, then the run."""
    figures = None
    for length in (1.0, seconds):
        if shutil.which("wrk"):
            figures = with_wrk(service, "", lua_of(requests), connections, length)
        else:
            figures = with_python(service, requests, connections, length)
    assert figures is not None
    return figures


def drive_paced(service: Started, single: list[str], connections: int, rate: float, seconds: float) -> Paced:
    """A second to warm up, then the run, and what it gave."""
    requests = [f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() for path in single]
    paced(service.port, requests, connections, rate, 1.0)
    before, waited = service.processor_seconds(), service.waited_seconds()
    figures = paced(service.port, requests, connections, rate, seconds)
    count = rate * seconds
    took = f"p50 {figures.p50:.1f} ms, p99 {figures.p99:.1f} ms, worst {figures.worst:.1f} ms"
    print(f"single URLs, {connections} connections, {rate:,.0f} requests/s offered: "
          f"{figures.rate:,.0f} requests/s, {took} from the moment they were due, {figures.failed} failed")  # fmt: skip
    spent, waited = service.processor_seconds() - before, service.waited_seconds() - waited
    print(f"  processor time per request: service {spent / count * 1e6:,.0f} µs, "
          f"and {waited / count * 1e6:,.0f} µs that it waited while others had the processor")  # fmt: skip
    print(f"  the client was late itself by {figures.late:.1f} ms (p99) and took {figures.client:.0%} of a core")
    return figures


def library_rate(urls: list[str]) -> float:
    """URLs a second of the library alone, one core, strings in and strings out, in batches of the same size."""
    import dragoman
    from dragoman.identifiers.answer import answer

    model = dragoman.load_model()
    best = 0.0
    for _ in range(5):
        start = time.process_time()
        for _ in range(20):
            answers = answer(model, dragoman.ByteColumn.from_rows(urls[:BATCH])).columns()
            answers.tags(), answers.probabilities()
        best = max(best, 20 * BATCH / (time.process_time() - start))
    return best


def told(name: str, figures: Figures, per: int) -> None:
    """The lines of a run."""
    quiet = CORES / (figures.service + figures.client)
    spent = f"service {figures.service * 1e6:,.0f} µs, client {figures.client * 1e6:,.0f} µs"
    took = f"p50 {figures.p50:.1f} ms, p99 {figures.p99:.1f} ms"
    print(f"{name}: {figures.rate:,.0f} requests/s, {took}, {figures.failed} failed")
    print(f"  processor time per request: {spent}; {CORES} cores have room for {quiet * per:,.0f} URLs/s of them")


def must(name: str, value: float, bound: float, least: bool, unit: str) -> bool:
    """A figure beside what it must be."""
    good = value >= bound if least else value <= bound
    print(f"  {name}: {value:,.1f} {unit} (must be {'at least' if least else 'at most'} {bound:,}): "
          f"{'holds' if good else 'DOES NOT HOLD'}")  # fmt: skip
    return good


def alone(options: argparse.Namespace, whole: Requests, single: Requests) -> bool:
    """One service, beside what it must do on a machine that is quiet."""
    good = True
    with started("--workers", str(options.workers), "--model", options.model) as service:
        service.wait_for(options.workers)
        figures = drive(service, whole, 8, options.seconds)
        told(f"batches of {BATCH:,} URLs as JSON, 8 connections", figures, BATCH)
        good &= must("URLs/s", figures.rate * BATCH, URLS_PER_SECOND, True, "URLs/s")
        for pace in PACES:
            at_pace = drive_paced(service, [path for _, path, _ in single], options.connections, pace, options.seconds)
            if pace == PACES[0]:
                good &= must("requests/s", at_pace.rate, REACHED * pace, True, "requests/s")
                good &= must("p99", at_pace.p99, MILLISECONDS, False, "ms")
        figures = drive(service, single, options.connections, options.seconds)
        told(f"single URLs, {options.connections} connections, as fast as they go", figures, 1)
        good &= must("requests/s", figures.rate, REQUESTS_PER_SECOND, True, "requests/s")
        print(f"  p99: {figures.p99:.1f} ms at full load, for which there is no bound")
    return good


def other_python(name: str) -> str:
    """A Python that has another Dragoman: the one that is named, or one that is made for a commit."""
    if Path(name).exists():
        return name
    clone = ROOT / "out" / f"service-{name}"
    python = clone / ".venv" / "bin" / "python"
    if not python.exists():
        install = ("-m", "pip", "install", "--quiet", "--constraint", str(clone / "constraints.txt"))
        for command in (
            ("git", "clone", "--quiet", str(ROOT), str(clone)),
            ("git", "-C", str(clone), "checkout", "--quiet", name),
            (sys.executable, "-m", "venv", str(clone / ".venv")),
            (str(python), *install, f"{clone}[serve,page]"),
        ):
            subprocess.run(command, check=True)
    return str(python)


def against(options: argparse.Namespace, whole: Requests, single: Requests) -> bool:
    """Two services in turn, round by round: on a machine that is busy only the ratios mean something."""
    settings = ("--workers", str(options.workers), "--model", options.model)
    there_python = other_python(options.against)
    kinds = {
        f"batches of {BATCH:,} URLs": (whole, 8, BATCH, BATCH_RATIO),
        "single URLs": (single, options.connections, 1, SINGLE_RATIO),
    }
    good = True
    with started(*settings) as here, started(*settings, python=there_python) as there:
        for service in (here, there):
            service.wait_for(options.workers)
        for name, (requests, connections, per, least) in kinds.items():
            rates: list[tuple[float, float]] = []
            spent: list[tuple[float, float]] = []
            for _ in range(options.rounds):
                ours, theirs = (drive(service, requests, connections, options.seconds) for service in (here, there))
                assert not ours.failed + theirs.failed
                rates.append((ours.rate * per, theirs.rate * per))
                spent.append((ours.service * 1e6, theirs.service * 1e6))
            print(
                f"{name}, {connections} connections, medians of {options.rounds} rounds of {options.seconds:g} seconds"
            )
            for what, pairs, digits in (("URLs/s", rates, 0), ("µs of a processor per request", spent, 0)):
                ours_and_theirs = [median(column) for column in zip(*pairs, strict=True)]
                ratios = sorted(ours / theirs for ours, theirs in pairs)
                print(f"  {what}: {ours_and_theirs[0]:,.{digits}f} here, {ours_and_theirs[1]:,.{digits}f} there; ratio "
                      f"{median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")  # fmt: skip
            good &= must("ratio of URLs/s", median(ours / theirs for ours, theirs in rates), least, True, "")
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--connections", type=int, default=50)
    parser.add_argument(
        "--against", metavar="PYTHON|COMMIT", help="a Python with another version of Dragoman, or a commit of it"
    )
    parser.add_argument("--model", default="default", help="the model that answers")
    parser.add_argument("--rounds", type=int, default=7, help="rounds of a comparison")
    options = parser.parse_args()
    if not shutil.which("wrk"):
        print("wrk is not installed (apt-get install wrk): a client in Python drives, which is the slower of the two")
    urls = made_urls(20 * BATCH)
    batches = [urls[at : at + BATCH] for at in range(0, len(urls), BATCH)]
    whole = [("POST", "/v1/urls", json.dumps({"urls": batch})) for batch in batches]
    single = [("GET", f"/v1/url?u={quote(url, safe='')}", "") for url in urls[:BATCH]]
    mean = sum(map(len, urls)) / len(urls)
    print(f"{options.workers} workers, a client with one thread, URLs of {mean:.0f} characters on average")
    if options.against:
        return 0 if against(options, whole, single) else 1
    print(f"library alone, strings to strings, one core: {library_rate(urls):,.0f} URLs/s")
    return 0 if alone(options, whole, single) else 1


if __name__ == "__main__":
    sys.exit(main())
