"""Labelled URLs for training: what their sources agree on, at most a few of each site."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pyarrow.parquet as parquet

from dragoman.identifiers.url.parts.code_book import UrlNames
from url_material.texts import language_of

#: URLs per site, and rows of the lists that are by country of hosting and not by language.
CAP, MOST_OF_A_LIST = 20, 1_500
LISTS_BY_COUNTRY = frozenset({"dnsmasq_china", "iran_v2ray_ir"})
#: Lists that block: whose language they are is a guess, and the top-level domain of a region knows better.
BLOCKLIST = "adblock"
#: A list under the name of another language: of its 22 sites under national domains 15 are in countries of Spanish.
MISNAMED = frozenset({("adblock_regional", "th")})


class _Row(NamedTuple):
    url: str
    language: str
    kind: str
    source: str


@dataclass(frozen=True)
class RealUrls:
    """URLs, their languages and sites, and whether each label is to be doubted."""

    urls: list[str]
    languages: list[str]
    sites: list[str]
    doubted: list[bool]

    def take(self, rows: list[int]) -> RealUrls:
        """Some of them."""
        urls, languages, sites = ([column[row] for row in rows] for column in (self.urls, self.languages, self.sites))
        return RealUrls(urls, languages, sites, [self.doubted[row] for row in rows])


def _contradicted(site: str, language: str, source: str) -> bool:
    """True where what is known by name says otherwise: `ara.cat` is not Thai, whatever a list says."""
    names = UrlNames.shipped()
    known = names.sites.get(site, language)
    of_region = names.regions.get(site.rpartition(".")[2], {language: 1.0})
    return known != language or (source.startswith(BLOCKLIST) and language not in of_region)


def read_real(folder: Path, seed: int = 5) -> RealUrls:
    """train.parquet and train2.parquet; a site with pages of known languages keeps only those where labels differ."""
    draw = random.Random(seed)
    by_site: dict[str, list[_Row]] = defaultdict(list)
    for name in ("train.parquet", "train2.parquet"):
        table = parquet.read_table(folder / name, columns=["url", "lang", "label_kind", "source", "site"])
        for url, label, kind, source, site in zip(
            *(table[column].to_pylist() for column in table.column_names), strict=True
        ):
            misnamed = (source, label) in MISNAMED
            if (tag := language_of(label)) and not misnamed and not _contradicted(site, tag, source):
                by_site[site].append(_Row(url, tag, kind, source))
    listed: Counter[str] = Counter()
    found = RealUrls([], [], [], [])
    names = list(by_site)
    draw.shuffle(names)
    for site in names:
        rows = by_site[site]
        if len({row.language for row in rows}) > 1 and any(row.kind == "page" for row in rows):
            rows = [row for row in rows if row.kind == "page"]
        kept = []
        for row in rows:
            if row.source in LISTS_BY_COUNTRY:
                listed[row.source] += 1
                if listed[row.source] > MOST_OF_A_LIST:
                    continue
            kept.append(row)
        for row in draw.sample(kept, CAP) if len(kept) > CAP else kept:
            found.urls.append(row.url)
            found.languages.append(row.language)
            found.sites.append(site)
            found.doubted.append(row.kind != "page")
    return found
