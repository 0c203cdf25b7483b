"""Target: what a crawl is for, and when it has enough."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dragoman.crawl.live.state.safety import CrawlLimits
from dragoman.crawl.records import ServerRule
from dragoman.crawl.strategies import STRATEGIES, LinkStrategy, StrategyOptions
from dragoman.errors import UsageError, need, shorten
from dragoman.languages import find
from dragoman.tables.parquet.folders import Folder
from dragoman.tables.parquet.reading import not_parquet
from dragoman.tables.source import no_column, reading
from dragoman.types import Language
from dragoman.web.addresses import canonical, server_and_directory, server_of

#: (log-odds to be wanted, likeliest language) of each URL.
UrlScore = Callable[[Sequence[str]], list[tuple[float, Language | None]]]
#: What anchor texts say, in log-odds.
AnchorScore = Callable[[Sequence[str]], Sequence[float]]
#: How many URLs may wait in memory unless somebody says otherwise: 1.4 GB, and 3 GB with scout.
MOST_WAITING = 20_000_000
#: So many wrong lines of a file of seeds are told one by one.
MOST_TOLD = 10


#: How the lists of `dragoman sites`, and those of Common Crawl's web-languages, begin.
_LISTS = "# Web Language:"


@dataclass(frozen=True)
class Budget:
    """When a crawl ends although URLs wait: pages, bytes, hosts, seconds of crawling; None is no limit."""

    pages: int | None = None
    bytes: int | None = None
    hosts: int | None = None
    seconds: float | None = None

    def spent(self, pages: int, size: int, hosts: int, seconds: float) -> str | None:
        """What is used up, or None."""
        for name, used in (("pages", pages), ("bytes", size), ("hosts", hosts), ("seconds", seconds)):
            limit = getattr(self, name)
            if limit is not None and used >= limit:
                return f"the budget of {limit:,} {name if limit != 1 else name[:-1]} is used up"
        return None


@dataclass(frozen=True)
class Target:
    """The wanted languages and how to go after them."""

    languages: tuple[Language, ...]
    #: Pages per language; a crawl whose quotas are all full ends.
    quotas: Mapping[Language, int] = field(default_factory=dict)
    strategy: str = "scout"
    rule: ServerRule = field(default_factory=ServerRule)
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    #: Where nothing speaks for a wanted language is looked too, when little else is left.
    explore: bool = True

    def __post_init__(self) -> None:
        if STRATEGIES[self.strategy].omniscient:
            raise UsageError(f"'{self.strategy}' needs the whole web beforehand: use it with `dragoman simulate`")
        if not self.languages:
            raise UsageError("No language is wanted: give --language, such as --language th")
        for language in self.quotas:
            if language not in self.languages:
                raise UsageError(f"There is a quota for '{language}', which is not among the wanted languages")
        for pattern in (*self.include, *self.exclude):
            try:
                re.compile(pattern)
            except re.error as error:
                raise UsageError(f"'{shorten(pattern)}' is no regular expression: {error}") from error

    def new_strategy(self) -> LinkStrategy:
        """The strategy, with nothing learnt yet."""
        options = StrategyOptions(self.rule, quotas=self.quotas, languages=self.languages, wander=self.explore)
        return STRATEGIES[self.strategy].with_options(options)

    def full(self, pages: Mapping[Language, int]) -> bool:
        """True when there are quotas and every one is full, given the pages by language."""
        return bool(self.quotas) and all(pages.get(language, 0) >= quota for language, quota in self.quotas.items())

    def identity(self) -> dict[str, Any]:
        """What must be the same when a crawl is resumed."""
        rule = {name: getattr(self.rule, name) for name in ("tolerance", "share", "halve_every", "least", "readmit")}
        return {
            "languages": sorted(self.languages),
            "quotas": dict(sorted(self.quotas.items())),
            "strategy": self.strategy,
            "rule": rule,
            "include": list(self.include),
            "exclude": list(self.exclude),
            "explore": self.explore,
        }


@dataclass(frozen=True)
class KnownSite:
    """What somebody knows of a host, or of a directory of it: the share of its pages in a wanted language."""

    host: str
    directory: str | None
    share: float


@dataclass(frozen=True)
class CrawlPlan:
    """What a crawl is for, where it stops following, and what it makes of a URL that it has not fetched."""

    target: Target
    score: UrlScore
    limits: CrawlLimits = field(default_factory=CrawlLimits)
    #: False: what is on private addresses is not followed.
    allow_private: bool = False
    #: So many URLs may wait in memory.
    most_waiting: int = MOST_WAITING
    #: None if anchor texts say nothing.
    anchor: AnchorScore | None = None
    known_sites: Sequence[KnownSite] = ()


def lines_of(path: Path, columns: Sequence[str]) -> Iterable[str]:
    """The lines of a text; of a Parquet file, or a folder of such as Spark leaves it, its rows as such lines.

    These are the named columns with tabs between them. The first must be there.
    """
    if not path.is_dir() and path.suffix.lower() != ".parquet":
        try:
            return path.read_text(encoding="utf-8-sig").splitlines()
        except UnicodeDecodeError as error:
            first = "URL" if columns[0] == "url" else columns[0]
            raise UsageError(f"'{path}' is no text in UTF-8: give a file with one {first} per line") from error
    folder = Folder(str(path))
    return _rows_of([path / part for part in folder.parts()] if path.is_dir() else [path], path, columns)


def _rows_of(parts: Sequence[Path], path: Path, columns: Sequence[str]) -> Iterator[str]:
    if not parts:
        raise UsageError(f"'{path}' has no Parquet files: give a file, or a folder that Spark has written")
    parquet, invalid = need("bulk", "pyarrow.parquet"), need("bulk", "pyarrow").ArrowInvalid
    for part in parts:
        try:
            with reading(str(part)), parquet.ParquetFile(part) as table:
                there = [name for name in columns if name in table.schema_arrow.names]
                if columns[0] not in there:
                    raise no_column(str(part), columns[0], table.schema_arrow.names, False)
                for batch in table.iter_batches(columns=there):
                    rows = zip(*(batch.column(name).to_pylist() for name in there), strict=True)
                    yield from ("\t".join("" if value is None else str(value) for value in row) for row in rows)
        except invalid as error:
            raise not_parquet(str(part), error) from error


def read_seeds(lines: Iterable[str], source: str, language: Language | None = None) -> dict[str, Language | None]:
    """The seeds of a file, one URL per line, and after a tab the language that it is in, where somebody knows.

    `language` is that of all lines which do not name one. Empty lines and # comments are no seeds. A list of `dragoman
    sites` is read too: there only lines that begin with `- http` are.

    >>> read_seeds(["# mine", "http://a.de", "", "b.de/x\\tThai"], "seeds.txt")
    {'http://a.de/': None, 'http://b.de/x': 'th'}
    """
    seeds: dict[str, Language | None] = {}
    wrong: list[str] = []
    listed = False
    for number, line in enumerate(lines, 1):
        listed = listed or line.startswith(_LISTS)
        if listed and not (line := line.strip()).startswith("- http"):
            continue
        line = line.removeprefix("- ")
        address, _, rest = line.strip("\ufeff \r\n").partition("\t")
        address, language_name = address.strip(), rest.partition("\t")[0].strip()
        if not address or address.startswith("#"):
            continue
        promised = find(language_name) if language_name else language
        words = address.split()
        if not rest and len(words) == 2 and find(words[1]):
            wrong.append(f"line {number}: '{shorten(address)}' needs a tab between the URL and its language")
            continue
        if language_name and promised is None:
            wrong.append(f"line {number}: unknown language '{shorten(language_name)}' after the URL")
            continue
        whole = address if "://" in address else f"http://{address}"
        mail = whole != address and "@" in address.partition("/")[0]
        url = None if mail else canonical(whole)
        if url is None or not re.search(r"[.[]|localhost", server_of(url)):
            wrong.append(f"line {number}: '{shorten(address)}' is no URL of http or https")
            continue
        seeds[url] = seeds.get(url) or promised
    if wrong:
        more = f"; and {len(wrong) - MOST_TOLD:,} more" if len(wrong) > MOST_TOLD else ""
        raise UsageError(f"{source}, {'; '.join(wrong[:MOST_TOLD])}{more}")
    if not seeds:
        raise UsageError(f"{source} has no seeds: give one URL per line")
    return seeds


def read_known_sites(lines: Iterable[str], source: str, wanted: Sequence[Language]) -> list[KnownSite]:
    """The sites of a file: host or host/directory, a tab and a language, and after another the share of its pages.

    A host can have a line for each of its languages. The share is 1 where none is given.

    >>> read_known_sites(["a.de\\tde", "b.org/th\\tThai\\t0.9", "b.org/th\\ten\\t0.1"], "sites.tsv", ["th"])
    [KnownSite(host='a.de', directory=None, share=0.0), KnownSite(host='b.org', directory='b.org/th', share=0.9)]
    """
    shares: dict[tuple[str, str | None], float] = {}
    for number, line in enumerate(lines, 1):
        address, *rest = [field.strip() for field in line.strip("\ufeff \r\n").split("\t")]
        if not address or address.startswith("#"):
            continue
        language = find(rest[0]) if rest else None
        if language is None:
            raise UsageError(f"{source}, line {number}: give a host or host/directory, a tab and a language")
        try:
            share = float(rest[1]) if len(rest) > 1 and rest[1] else 1.0
        except ValueError:
            share = -1.0
        if not 0 <= share <= 1:
            raise UsageError(f"{source}, line {number}: '{shorten(rest[1])}' is no share of pages; give 0 to 1")
        url = canonical(address if "://" in address else f"http://{address}")
        if url is None:
            raise UsageError(f"{source}, line {number}: '{shorten(address)}' is no host and no prefix of a URL")
        server, directory = server_and_directory(url.rstrip("/") + "/")
        site = server, (None if directory.endswith("/") else directory)
        shares[site] = shares.get(site, 0.0) + share * (language in wanted)
    return [KnownSite(host, directory, min(share, 1.0)) for (host, directory), share in shares.items()]


def in_order(seeds: Mapping[str, Language | None], wanted: Sequence[Language]) -> list[str]:
    """The seeds: first those that are said to be in a wanted language, last those said to be in another one.

    >>> in_order({"http://a/": "en", "http://b/": None, "http://c/": "th"}, ["th"])
    ['http://c/', 'http://b/', 'http://a/']
    """
    return sorted(seeds, key=lambda url: 1 if seeds[url] is None else 2 * (seeds[url] not in wanted))


def differences(stored: Any, wanted: Mapping[str, Any]) -> str:
    """In words, the first two values in which the identity of a stored crawl differs from the wanted one.

    >>> differences({"languages": ["th"], "strategy": "bfs"}, {"languages": ["th", "lo"], "strategy": "scout"})
    'its languages are th, not lo, th; its strategy is bfs, not scout'
    >>> differences({"quotas": {}, "rule": {"tolerance": 10}}, {"quotas": {"th": 5}, "rule": {"tolerance": 3}})
    'its quotas are none, not th 5; its rule for servers is tolerance 10, not tolerance 3'
    """
    old = stored if isinstance(stored, dict) else {}
    names = [name for name in {**wanted, **old} if old.get(name) != wanted.get(name)]
    return "; ".join(
        f"its {_IDENTITY_WORDS.get(name, f'{name} is')} {in_words(old.get(name), wanted.get(name))}, "
        f"not {in_words(wanted.get(name), old.get(name))}"
        for name in names[:2]
    )


#: How the values of a crawl's identity are spoken of.
_IDENTITY_WORDS = {
    "languages": "languages are",
    "quotas": "quotas are",
    "rule": "rule for servers is",
    "include": "--include is",
    "exclude": "--exclude is",
    "earlier": "earlier crawls are",
    "revisit": "--revisit is",
}


def in_words(value: Any, other: Any) -> str:
    """A value of a crawl's identity, of a mapping what is not the same in the other one."""
    if isinstance(value, dict):
        same = other if isinstance(other, dict) else {}
        return ", ".join(f"{key} {part}" for key, part in value.items() if same.get(key, ...) != part) or "none"
    if isinstance(value, list):
        return ", ".join(sorted(map(str, value))) or "none"
    return {True: "given", False: "not given", None: "none"}.get(value, str(value))
