"""`dragoman crawl`: pages in the wanted languages from the web, into a folder that can be resumed."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from math import ceil, inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from dragoman.cli import complete, options
from dragoman.errors import DragomanError, UsageError, need, shorten
from dragoman.files import file_system, is_remote

if TYPE_CHECKING:
    from dragoman.crawl.live.driver.session import LiveCrawl
    from dragoman.crawl.live.state.progress import CrawlProgress
    from dragoman.crawl.live.state.targets import KnownSite

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_SIZES = {"k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def _status(context: click.Context, _: click.Parameter, destination: str | None) -> None:
    """Print where the crawl of a folder stands, and nothing else."""
    if destination is None or context.resilient_parsing:
        return
    from dragoman.crawl.live.state.progress import NAME, CrawlProgress
    from dragoman.report.crawl import lines

    with TemporaryDirectory() as folder:
        if is_remote(destination):
            system, inner = file_system(destination)
            if not system.exists(f"{inner}/{NAME}"):
                raise UsageError(f"'{destination}' has no {NAME}: give the address of a crawl that runs or has run")
            system.get_file(f"{inner}/{NAME}", f"{folder}/{NAME}")
        path = Path(folder if is_remote(destination) else destination)
        progress = CrawlProgress.read(path)
        ago = time.time() - float(json.loads((path / NAME).read_text(encoding="utf-8"))["time"])
    for name, value in lines(progress):
        click.echo(f"{name:10} {value}")
    click.echo(f"{'ended':10} {progress.ended or f'not yet; this was told {ago:,.0f} seconds ago'}")
    context.exit()


#: Where seeds come from.
SEEDS = "seeds come from a file, one URL per line, or from stdin: echo URL | dragoman crawl --seeds - ..."


@click.command(short_help="Pages in the wanted languages from the web, politely.")
@click.argument("urls", nargs=-1, metavar="")
@click.option(
    "--language",
    "languages",
    multiple=True,
    required=True,
    help="Wanted language; repeatable, or a,b,c.",
    shell_complete=complete.languages,
)
@click.option(
    "--seeds",
    "seed_files",
    multiple=True,
    metavar="[LANGUAGE=]FILE",
    help="URLs, one per line, a tab and their language if known; or Parquet, WARC, CDX, CDXJ; repeatable.",
)
@click.option(
    "--earlier",
    multiple=True,
    type=options.PATH,
    help="Go on after an earlier crawl: its folder, or its WARC, CDX or CDXJ files; repeatable.",
)
@click.option(
    "--known-sites",
    type=click.Path(path_type=Path, exists=True),
    metavar="FILE",
    help="What you know of sites: host or host/directory, a tab, a language, a tab, its share of pages; or Parquet.",
)
@click.option("--explore/--no-explore", default=True, show_default=True, help="Look where nothing speaks for it too.")
@click.option("--revisit", is_flag=True, help="Fetch the wanted pages of the earlier crawl again.")
@click.option(
    "--revisit-chance",
    type=click.FloatRange(0.0, 1.0),
    default=0.0,
    show_default=True,
    metavar="P",
    help="With --revisit: only pages that have changed with this chance, by how often they did.",
)
@click.option(
    "--status",
    metavar="DIR",
    is_eager=True,
    expose_value=False,
    callback=_status,
    help="Tell where the crawl in this folder stands, while it runs or afterwards, and end.",
)
@click.option("-o", "--output", "destination", metavar="DIR", required=True, help="Folder of the crawl.")
@click.option("--quota", "quotas", multiple=True, metavar="LANGUAGE=PAGES", help="Enough of a language; repeatable.")
@click.option(
    "--strategy",
    default="scout",
    show_default=True,
    help="As in `dragoman simulate`.",
    shell_complete=complete.strategies,
)
@click.option("--tolerance", type=int, default=10, show_default=True, help="T: pages before a server is given up.")
@click.option("--pages", type=int, help="Stop after so many pages.")
@click.option("--bytes", "size", metavar="SIZE", help="Stop after so many bytes: 500M, 2G.")
@click.option("--hosts", type=int, help="Stop when so many hosts have given pages.")
@click.option("--time", "duration", metavar="TIME", help="Stop after so long: 90s, 30m, 12h, 7d.")
@click.option("--include", multiple=True, metavar="REGEX", help="Follow only URLs that match; repeatable.")
@click.option("--exclude", multiple=True, metavar="REGEX", help="Do not follow URLs that match; repeatable.")
@click.option("--delay", type=float, default=1.0, show_default=True, help="Seconds from an answer to the next request.")
@click.option("--concurrent", type=int, default=32, show_default=True, help="Requests at a time.")
@click.option("--per-host", type=int, default=1, show_default=True, help="Requests at a time to one host.")
@click.option("--pages-per-host", type=int, default=100_000, show_default=True, help="Most pages of a host.")
@click.option("--links-per-page", type=int, default=2_000, show_default=True, help="Most links taken from a page.")
@click.option("--max-body", default="10M", show_default=True, metavar="SIZE", help="Largest body, also decompressed.")
@click.option("--timeout", default=60.0, show_default=True, help="Seconds that an answer may take.")
@click.option("--user-agent", help="How the crawl introduces itself: a name and an address for questions.")
@click.option(
    "--model", default="default", show_default=True, help="URL model: name or path.", shell_complete=complete.models
)
@click.option("--allow-private", is_flag=True, help="Also fetch from private and loopback addresses.")
@click.option("--allow-host", "allow_hosts", multiple=True, metavar="PATTERN", help="Hosts that may be private.")
@click.option("--allow-bad-certificates", is_flag=True, help="Also https whose certificate is wrong or expired.")
@click.option("--resolve", multiple=True, metavar="HOST=ADDRESS", help="Address of a host (*: of all); repeatable.")
@click.option("--most-waiting", type=int, default=20_000_000, show_default=True, help="Most URLs in the queue.")
@click.option("--cluster", metavar="ADDRESS", help="Crawl on a Ray cluster: auto, ray://HOST:10001, or local.")
@click.option("--shards", type=int, help="Parts of a crawl on a cluster, for good; 8 for each worker are plenty.")
@click.option("--workers", type=int, help="Processes that fetch on a cluster; one on each node unless given.")
def crawl(destination: str, **options: Any) -> None:
    """Collect pages in the wanted languages from the web, steered by what is learnt on the way.

    The same command goes on where the crawl was stopped or killed. Into the folder: warc/ (WARC 1.1), catalogue/ (a
    row per answer, Parquet), decisions/ (a row per link, with the reason), report.html and crawl.sqlite, which is all
    that a resumed crawl needs. robots.txt is obeyed; private addresses are refused.
    """
    if urls := options.pop("urls"):
        raise UsageError(f"'{shorten(urls[0])}' is given without an option; {SEEDS}")
    output = Path(destination)
    arguments = _arguments(output, options)
    if options["cluster"]:
        from dragoman.cli.crawl_cluster import crawl_on_cluster

        crawl_on_cluster(destination, options, arguments)
        return
    if is_remote(destination):
        raise UsageError(
            f"'{destination}' is no folder of this machine: give one, or --cluster too, such as --cluster local"
        )
    if (output / "cluster.json").exists() and not (output / "crawl.sqlite").exists():
        raise UsageError(f"'{output}' is a crawl in shards: give --cluster too, such as --cluster local")
    for name in ("shards", "workers"):
        if options[name] is not None:
            raise UsageError(f"--{name} is for a crawl on many machines: give --cluster too, such as --cluster local")
    from dragoman.crawl.live.driver.run import run
    from dragoman.crawl.live.driver.session import LiveCrawl
    from dragoman.report.crawl_report import report

    live = LiveCrawl(output, **arguments)
    for line in live.notes:
        click.echo(line, err=True)
    if live.resumed:
        # the queue is counted as at its end, with the URLs that are on their way
        more = f"; {live.steering.new_seeds:,} new seeds" if live.steering.new_seeds else ""
        click.echo(f"Resumed: {live.steering.pages:,} pages, {live.steering.waiting:,} URLs wait{more}", err=True)
    with _view(live) as watch:
        run(live, watch)
    report(live).write(output / "report.html")
    progress = live.progress
    live.store.close()
    conclude(progress, f"; {output / 'report.html'}")


def conclude(progress: CrawlProgress, where: str) -> None:
    """Say what was found, and why it ended."""
    from dragoman.crawl.live.state.safety import PRIVATE
    from dragoman.report.crawl import lines

    for name, value in lines(progress):
        click.echo(f"{name:10} {value}")
    click.echo(f"{'ended':10} {progress.ended}{where}")
    if progress.ended == "interrupted":
        raise KeyboardInterrupt
    if progress.answers and not progress.pages:
        why = ", ".join(f"{reason} ({count})" for reason, count in progress.answers.most_common())
        remedy = "; --allow-private fetches from these too" if PRIVATE in progress.answers else ""
        raise DragomanError(f"None of the seeds gave a page: {why}{remedy}")


def _arguments(output: Path, options: dict[str, Any]) -> dict[str, Any]:
    """What a LiveCrawl is made of, with everything checked before anything is fetched."""
    from dragoman.languages import normalise

    # what is wrong with the words is told before anybody waits for Scrapy
    wanted = dict.fromkeys(normalise(name) for text in options["languages"] for name in text.split(",") if name.strip())
    from dragoman.crawl.live.state.safety import CrawlLimits
    from dragoman.crawl.live.state.targets import Budget, Target, in_order
    from dragoman.crawl.records import ServerRule
    from dragoman.crawl.strategies.options import parse_quotas

    target = Target(
        tuple(wanted), parse_quotas(options["quotas"]), options["strategy"], ServerRule(options["tolerance"]),
        options["include"], options["exclude"], options["explore"],
    )  # fmt: skip
    for name in ("pages", "hosts", "concurrent", "per_host", "pages_per_host", "links_per_page", "most_waiting",
                 "workers"):  # fmt: skip
        if options[name] is not None and options[name] < 1:
            raise UsageError(f"--{name.replace('_', '-')} is {options[name]}; give 1 or more")
    if not 0 < options["timeout"] <= 86_400:
        raise UsageError(f"--timeout is {options['timeout']:g}; give seconds above 0, a day at most")
    if not 0 <= options["delay"] <= 3600:
        raise UsageError(f"--delay is {options['delay']:g}; give seconds between 0 and 3600")
    from dragoman.identifiers.text.identify import open_method
    from dragoman.languages import name as language_name

    if unknown := set(wanted).difference(open_method().languages_):
        names = ", ".join(f"{language_name(tag)} ({tag})" for tag in sorted(unknown))
        raise UsageError(f"No page is ever told to be in {names}: `dragoman models text --detail` has the languages")
    seeds = _seeds(options["seed_files"])
    _check_earlier(output, options["earlier"], bool(seeds), options["revisit"])
    if output.exists() and not output.is_dir():
        raise UsageError(f"'{output}' is a file; give a folder for the crawl")
    known = ("crawl.sqlite", "cluster.json")
    if output.exists() and any(output.iterdir()) and not any((output / name).exists() for name in known):
        raise UsageError(f"'{output}' holds other things than a crawl; give a new folder")
    need("crawl", "scrapy")
    from dragoman.crawl.live.driver.session import AGENT, Manners

    manners = Manners(
        options["delay"], options["concurrent"], options["per_host"], agent=options["user_agent"] or AGENT,
        allow_private=options["allow_private"], allow_hosts=options["allow_hosts"],
        resolve=_addresses(options["resolve"]), allow_bad_certificates=options["allow_bad_certificates"],
    )  # fmt: skip
    limits = CrawlLimits(
        body=_size(options["max_body"]), seconds=options["timeout"], pages_per_host=options["pages_per_host"],
        links_per_page=options["links_per_page"],
    )  # fmt: skip
    budget = Budget(options["pages"], _size(options["size"]) if options["size"] else None, options["hosts"],
                    _duration(options["duration"]) if options["duration"] else None)  # fmt: skip
    same = {name: options[name] for name in ("model", "most_waiting", "earlier", "revisit", "revisit_chance")}
    promised = {url: language for url, language in seeds.items() if language is not None}
    return {
        "target": target, "seeds": in_order(seeds, target.languages), "limits": limits, "budget": budget,
        "manners": manners, "promised": promised,
        "known_sites": _known_sites(options["known_sites"], target.languages), **same,
    }  # fmt: skip


def _seeds(files: tuple[str, ...]) -> dict[str, str | None]:
    """The seeds of all files, with the languages that they are said to be in."""
    seeds: dict[str, str | None] = {}
    for file in files:
        for url, language in _seeds_of(file).items():
            seeds[url] = seeds.get(url) or language
    return seeds


def _known_sites(path: Path | None, languages: Sequence[str]) -> list[KnownSite]:
    from dragoman.crawl.live.state.targets import lines_of, read_known_sites

    if path is None:
        return []
    return read_known_sites(lines_of(path, ("site", "language", "share")), str(path), languages)


def _seeds_of(file: str) -> dict[str, str | None]:
    from dragoman.crawl.live.earlier.archives import archived_urls, is_archive
    from dragoman.crawl.live.state.targets import lines_of, read_seeds
    from dragoman.languages import normalise

    language, path = None, file
    before, equals, after = file.partition("=")
    if equals and "/" not in before and not Path(file).exists():
        language, path = normalise(before), after
    if is_archive(path):
        return dict.fromkeys(archived_urls(Path(path)), language)
    if path == "-":
        return read_seeds(sys.stdin, "stdin", language)
    if "://" in path and not Path(path).exists():
        raise UsageError(f"--seeds is '{path}'; {SEEDS}")
    return read_seeds(lines_of(Path(path), ("url", "language")), path, language)


def _check_earlier(output: Path, earlier: tuple[Path, ...], seeds: bool, revisit: bool) -> None:
    from dragoman.crawl.live.earlier.archives import files_of

    if not earlier and not seeds:
        raise UsageError("Nothing to begin with: give --seeds, a file of URLs, or --earlier, an earlier crawl")
    if revisit and not earlier:
        raise UsageError("--revisit needs the crawl whose pages are to be fetched again: give --earlier")
    for path in earlier:
        if output.exists() and path.exists() and path.samefile(output):
            raise UsageError(f"'{output}' is the earlier crawl itself: give another folder, or leave out --earlier")
        if not (output / "crawl.sqlite").exists():  # what was taken over need not be there any more
            files_of(path)


def _addresses(texts: tuple[str, ...]) -> dict[str, str]:
    import ipaddress

    addresses = {}
    for text in texts:
        host, _, address = text.partition("=")
        try:
            addresses[host] = str(ipaddress.IPv4Address(address))
        except ValueError as error:
            raise UsageError(f"--resolve is '{text}'; give a host and an IPv4 address, a.example=192.0.2.1") from error
    return addresses


def _size(text: str) -> int:
    return ceil(_in_units(text, _SIZES, "size; give a number above 0, or one with k, M, G or T, such as 500M"))


def _duration(text: str) -> float:
    return _in_units(text, _UNITS, "time; give seconds above 0, or a number with s, m, h or d, such as 12h")


def _in_units(text: str, units: dict[str, int], kind: str) -> float:
    with suppress(ValueError):
        value = float(text[:-1]) * units[text[-1]] if text[-1:] in units else float(text)
        if 0 < value < inf:
            return value
    raise UsageError(f"'{text}' is no {kind}")


@contextmanager
def _view(live: LiveCrawl) -> Iterator[Callable[[], None] | None]:
    """On a terminal, what shows the figures while the crawl goes on."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.live import Live as Shown
    from rich.markup import escape
    from rich.table import Table

    from dragoman.report.crawl import lines

    def table() -> Table:
        title = f"{', '.join(live.target.languages)} into {live.folder} ({live.target.strategy})"
        rows = Table(show_header=False, box=None, title=escape(title), title_justify="left", caption_justify="left")
        rows.caption = f"{live.seconds:,.0f} s. Ctrl-C ends it, and the same command goes on."
        for name, value in lines(live.progress):
            rows.add_row(name, escape(value))
        return rows

    with Shown(table(), console=Console(stderr=True), transient=True, auto_refresh=False) as shown:
        yield lambda: shown.update(table(), refresh=True)
