"""Memory of a long queue of generated URLs: memory.py [--urls 1000000] [--strategy soft-focused] [--from-log].

Pages of 200 links are shown to the steering of a live crawl until so many URLs wait: 160 links to URLs that are new (50
on each host, in 7 directories) and 40 to URLs that were seen. Everything that a live crawl keeps is there (queue,
store, records, decisions); only fetching, reading and scoring are left out. Then the folder is opened again by a new
process, as when a crawl is resumed. Present and peak size of the process, bytes per URL (beyond what the program had
before the first page) and rates are printed. `--from-log` leaves the first part out, which takes most of the time: the
folder is written as such a crawl leaves it, and resumed by a process that has loaded all that a live crawl has (models,
Scrapy); then 1,000 URLs leave the queue. The figures are kept in memory.json.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dragoman.crawl.frontier import Frontier
from dragoman.crawl.live.driver.scoring import AnchorScorer, UrlScorer
from dragoman.crawl.live.state.links import LinkEnd
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import POPPED, CrawlAnswer, Store, _short
from dragoman.crawl.live.state.targets import CrawlPlan, Target
from dragoman.identifiers.text.identify import DEFAULT as METHOD
from dragoman.label.pages import PageJudge, page_judge
from dragoman.types import Language
from dragoman.web.addresses import server_and_directory, server_of

MUST = 1_000_000_000
FIGURES = Path(__file__).with_name("memory.json")
NEW, OLD, PER_HOST, DIRECTORIES = 160, 40, 50, 7


def nothing(urls: object) -> list[tuple[float, Language | None]]:
    return [(0.0, None) for _ in urls]  # type: ignore[attr-defined]


def url(number: int) -> str:
    return f"http://www.host{number // PER_HOST}.example/section{number % DIRECTORIES}/page-{number:09}.html"


def opened(folder: Path, strategy: str, urls: int) -> Steering:
    target = Target(("th",), strategy=strategy)
    return Steering(Store(folder, target.identity()), CrawlPlan(target, nothing, most_waiting=2 * urls))


def now() -> int:
    with Path("/proc/self/statm").open(encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def loaded() -> tuple[UrlScorer, AnchorScorer, PageJudge]:
    """What a process that crawls has in memory before its first page."""
    import scrapy.crawler  # noqa: F401

    import dragoman.crawl.live.driver.run  # noqa: F401

    judge = page_judge(METHOD, shares=True, fused=True)
    scorer, anchors = UrlScorer(["th"]), AnchorScorer(["th"], judge.judge.model)
    scorer(["http://www.host.example/"])
    anchors(["a text of some letters"])
    return scorer, anchors, judge


def told(what: str, waiting: int, before: int, seconds: float) -> None:
    name = f"{what}, {waiting:,} URLs"
    kept = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    kept[name] = {"megabytes": round(now() / 1e6), "most": round(peak() / 1e6), "before": round(before / 1e6)}
    FIGURES.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(
        f"{what}: {waiting:,} URLs wait; {now() / 1e6:,.0f} MB, at most {peak() / 1e6:,.0f} MB (must be below "
        f"{MUST / 1e6:,.0f} with 10 million), {(now() - before) / waiting:.0f} bytes per URL; {seconds:,.0f} s, "
        f"{waiting / seconds:,.0f} URLs a second",
        flush=True,
    )


def fill(folder: Path, strategy: str, urls: int) -> None:
    one = opened(folder, strategy, urls)
    one.start([url(0)])
    before, began, next_url = now(), time.monotonic(), 1
    while len(one.frontier) < urls:
        key = one.pop()
        assert key is not None
        links = [url(number) for number in range(next_url, next_url + NEW)]
        links += [url(next_url * (step + 1) // (OLD + 1)) for step in range(OLD)]
        next_url += NEW
        one.page(CrawlAnswer(key, key, 0.0, 200, "th", relevant=True), [LinkEnd(link) for link in links])
    told(f"{strategy}, {one.pages:,} pages", len(one.frontier), before, time.monotonic() - began)
    began, count = time.monotonic(), 20_000
    for _ in range(count):
        assert one.pop() is not None
    print(f"popped {count / (time.monotonic() - began):,.0f} URLs a second; forgotten {one.frontier.forgotten:,}")
    one.store.abandon()
    size = sum(path.stat().st_size for path in folder.glob("crawl.sqlite*"))
    print(f"SQLite: {size / 1e6:,.0f} MB on the disk", flush=True)


def write_log(folder: Path, strategy: str, urls: int) -> None:
    """A folder as `fill` makes it, written without crawling; URLs leave the queue in the order in which they came."""
    pages = urls // (NEW - 1) + 1
    count = 1 + pages * NEW
    store = Store(folder, Target(("th",), strategy=strategy).identity())
    for name, value in (("seeds", [0]), ("promised", {}), ("began", 0.0), ("decision_parts", 10**9)):
        store.set(name, value)
    hosts = count // PER_HOST + 1
    servers = ((host, server_of(url(host * PER_HOST))) for host in range(hosts))
    store._db.executemany("INSERT INTO servers (id, name) VALUES (?, ?)", servers)
    directories = [server_and_directory(url(number))[1].partition("/")[2] for number in range(DIRECTORIES)]
    names = (
        (host * DIRECTORIES + place, f"{server_of(url(host * PER_HOST))}/{name}")
        for host in range(hosts)
        for place, name in enumerate(directories)
    )
    store._db.executemany("INSERT INTO directories (id, name) VALUES (?, ?)", names)
    known = (
        (number, link := url(number), host := number // PER_HOST, host * DIRECTORIES + number % DIRECTORIES, 0.0, None,
         1, None, _short(link), 0.0)
        for number in range(count)
    )  # fmt: skip
    (index,) = store.rows("SELECT sql FROM sqlite_master WHERE name = 'urls_by_short'")[0]
    store._db.execute("DROP INDEX urls_by_short")
    store._db.executemany("INSERT INTO urls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", known)
    store._db.execute(index)
    next_url = 1
    for page in range(pages):
        store.log(POPPED, page)
        links = [*range(next_url, next_url + NEW), *(next_url * (step + 1) // (OLD + 1) for step in range(OLD))]
        store.save(CrawlAnswer(page, page, 0.0, 200, "th", relevant=True, links=links))
        next_url += NEW
    store.close()


def resume(folder: Path, strategy: str, urls: int) -> None:
    models = loaded()
    before, began = now(), time.monotonic()
    one = opened(folder, strategy, urls)
    one.start([])
    for _ in range(1_000):
        assert one.pop() is not None
    seconds = time.monotonic() - began
    assert one.expected > 0
    told(f"{strategy}, resumed", len(one.frontier), before, seconds)
    assert models
    one.store.abandon()


def queue_alone(urls: int) -> None:
    frontier, before, began = Frontier(), now(), time.monotonic()
    for key in range(urls):
        frontier.put(key, key // PER_HOST, float(key * 7919 % 1000))
    put = urls / (time.monotonic() - began)
    grown, began = (now() - before) / urls, time.monotonic()
    while frontier.pop() is not None:
        pass
    popped = urls / (time.monotonic() - began)
    print(
        f"the queue alone: {grown:.0f} bytes per URL, put {put:,.0f} and popped {popped:,.0f} URLs a second", flush=True
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--strategy", default="soft-focused")
    parser.add_argument("--no-resume", action="store_true")
    parser.add_argument("--from-log", action="store_true", help="write the folder without crawling, and resume it")
    parser.add_argument("--step", choices=("alone", "fill", "write", "resume"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step == "alone":
        queue_alone(given.urls)
    elif given.step:
        {"fill": fill, "write": write_log, "resume": resume}[given.step](given.folder, given.strategy, given.urls)
    else:
        with tempfile.TemporaryDirectory() as name:
            steps = ("write", "resume") if given.from_log else ("fill", *(() if given.no_resume else ("resume",)))
            for step in ("alone", *steps):
                command = [sys.executable, __file__, "--urls", str(given.urls), "--strategy", given.strategy]
                subprocess.run([*command, "--step", step, "--folder", name], check=True)


if __name__ == "__main__":
    main()
