"""Processor time a page beside plain Scrapy's, on the same real pages in the same order: same_pages.py [--pages 600].

`dragoman crawl` crawls the web of manuals (real_web.py) for a number of pages. Then plain Scrapy asks for exactly the
URLs of its catalogue, in that order and with the same settings, from a list; it does what people do with it: it obeys
robots.txt, saves bodies, writes an item for each page to a JSONL feed, extracts all links with LinkExtractor and makes
a request of each, so that its duplicate filter sees it and its disk queue (JOBDIR) holds it, behind the list. With
`--identify` it also tells the language of each page's text with py3langid. Identification, steering, estimates, WARC,
catalogue and decisions are included on our side.

Processor seconds of the whole process are taken for two numbers of pages, and the difference is divided by the
difference in pages: start and end of the programs are left out.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from live.real_books import placed, unpack
from live.real_web import PORT, begin

HERE = Path(__file__).resolve().parent
FIGURES = HERE / "same_pages.json"
MUST = 2.0
SETTINGS: dict[str, Any] = {
    "CONCURRENT_REQUESTS": 8, "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "DOWNLOAD_DELAY": 0, "ROBOTSTXT_OBEY": True,
    "COOKIES_ENABLED": False, "RETRY_TIMES": 2, "DOWNLOAD_TIMEOUT": 60, "USER_AGENT": "dragoman",
    "TELNETCONSOLE_ENABLED": False, "LOG_ENABLED": False,
    "TWISTED_DNS_RESOLVER": "dragoman.crawl.live.driver.resolver.SafeResolver",
    "DRAGOMAN_RESOLVE": {"*": "127.0.0.1"}, "DRAGOMAN_ALLOW_PRIVATE": True,
}  # fmt: skip


def plain(urls: Path, folder: Path, identify: bool) -> None:
    """What runs in the process of plain Scrapy."""
    import hashlib

    import scrapy
    from scrapy.crawler import AsyncCrawlerProcess
    from scrapy.exceptions import CloseSpider
    from scrapy.linkextractors import LinkExtractor

    tell: Any = None
    if identify:
        tell = importlib.import_module("py3langid").classify
    asked = urls.read_text(encoding="utf-8").split()
    bodies = folder / "bodies"
    bodies.mkdir(parents=True)

    class Plain(scrapy.Spider):
        name = "plain"
        links = LinkExtractor()
        answers = 0

        async def start(self) -> Any:
            for rank, url in enumerate(asked):
                yield scrapy.Request(
                    url, priority=len(asked) - rank, dont_filter=True, meta={"handle_httpstatus_all": True}
                )

        def parse(self, response: Any) -> Any:
            self.answers += 1
            if self.answers > len(asked):
                raise CloseSpider("the list is done")
            if response.status != 200:
                return
            name = hashlib.sha1(response.url.encode(), usedforsecurity=False).hexdigest()
            (bodies / name).write_bytes(response.body)
            item = {"url": response.url, "status": response.status, "bytes": len(response.body), "body": name}
            if tell is not None:
                item["language"] = tell(" ".join(response.xpath("//body//text()").getall()))[0]
            yield item
            for link in self.links.extract_links(response):
                yield scrapy.Request(link.url, priority=-1)

    process = AsyncCrawlerProcess({
        **SETTINGS, "JOBDIR": str(folder / "job"), "FEEDS": {str(folder / "pages.jsonl"): {"format": "jsonlines"}},
    })  # fmt: skip
    process.crawl(Plain)
    process.start()


def used(command: list[str]) -> float:
    """Processor seconds of a program."""
    run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode and run.stderr is not None:
        raise SystemExit(run.stderr.read().decode())
    return usage.ru_utime + usage.ru_stime


def ours(seeds: Path, folder: Path, language: str, pages: int) -> list[str]:
    return [
        sys.executable, "-m", "dragoman", "crawl", "--language", language, "--seeds", str(seeds), "-o", str(folder),
        "--delay", "0", "--concurrent", "8", "--per-host", "8", "--resolve", "*=127.0.0.1", "--allow-private",
        "--include", f":{PORT}/", "--pages", str(pages),
    ]  # fmt: skip


def order_of(folder: Path) -> list[str]:
    table = pq.read_table(folder / "catalogue", columns=["url", "time"]).sort_by("time")
    return [str(url) for url in table["url"].to_pylist()]


def main(given: argparse.Namespace) -> None:
    unpack()
    _, first, _ = placed(PORT)
    player = subprocess.Popen(
        [sys.executable, str(HERE / "real_web.py"), "--play"], stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert player.stdout is not None
    assert player.stdout.readline(), f"nobody plays the web: is port {PORT} taken? Set REAL_WEB_PORT"
    ratios, rows = [], []
    try:
        for number in range(given.rounds):
            with tempfile.TemporaryDirectory() as name:
                home, seconds, answers = Path(name), {}, {}
                seeds = home / "seeds.txt"
                seeds.write_text("\n".join(begin(given.language, "wanted", first)), encoding="utf-8")
                for pages in (given.pages // 6, given.pages):
                    folder = home / f"ours-{pages}"
                    seconds["ours", pages] = used(ours(seeds, folder, given.language, pages))
                    urls = home / f"urls-{pages}.txt"
                    urls.write_text("\n".join(order := order_of(folder)), encoding="utf-8")
                    answers[pages] = len(order)
                    command = [sys.executable, __file__, "--plain", str(urls), str(home / f"plain-{pages}")]
                    seconds["plain", pages] = used([*command, *(["--identify"] if given.identify else [])])
                few, many = answers
                more = answers[many] - answers[few]
                mine, theirs = ((seconds[kind, many] - seconds[kind, few]) / more for kind in ("ours", "plain"))
                ratios.append(theirs / mine)
                rows.append({"answers": more, "ours": round(1000 * mine, 2), "plain": round(1000 * theirs, 2)})
                print(
                    f"round {number}: {more} answers; ms a page: dragoman {1000 * mine:.2f}, plain Scrapy "
                    f"{1000 * theirs:.2f}, ratio {theirs / mine:.2f} (must {MUST})",
                    flush=True,
                )
    finally:
        player.terminate()
        player.wait()
    figures = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    figures["with py3langid" if given.identify else "without languages"] = {
        "date": time.strftime("%Y-%m-%d"), "load": round(os.getloadavg()[1], 1), "ratio": round(median(ratios), 2),
        "rounds": rows,
    }  # fmt: skip
    FIGURES.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--language", default="de")
    parser.add_argument("--identify", action="store_true", help="plain Scrapy tells languages, too")
    parser.add_argument("--plain", nargs=2, type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.plain:
        plain(arguments.plain[0], arguments.plain[1], arguments.identify)
    else:
        main(arguments)
