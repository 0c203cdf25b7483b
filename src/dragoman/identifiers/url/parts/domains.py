"""Top-level domains: the languages of their sites, counted and smoothed by what the people of the country use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.identifiers.url.address import read_address
from dragoman.types import Language

#: Domains that say little about a country.
GENERIC = frozenset(
    {
        *("com", "org", "net", "info", "biz", "io", "co", "tv", "me", "ai", "ly", "cc", "to", "fm", "gg", "ws", "app"),
        *("dev", "xyz", "online", "site", "shop", "store", "blog", "club", "top", "pro", "name", "mobi", "edu", "int"),
        *("eu", "asia", "tech"),
    }
)
#: Domains of countries that are used all over the world.
_WORLDWIDE = GENERIC | {"la", "sh", "ac", "im", "vc"}
#: Sites that the prior counts for, and how far generic domains are flattened.
_PRIOR_SITES, _FLATTENED = 8.0, 0.8
_LARGEST, _LEAST_SITES, _TEMPERED = 5000, 3.0, 0.7
#: Kinds of domains: `.de`, `.com`, `.ch`. A country's is of several languages if none has so many of its sites.
ONE_LANGUAGE, ANY_LANGUAGE, SEVERAL_LANGUAGES = range(3)
_ALONE = 0.85


@dataclass(frozen=True, eq=False)
class DomainPriors:
    """For each top-level domain its kind, and the logarithms of the shares of its languages."""

    names: tuple[str, ...]
    kinds: NDArray[np.uint8]
    rows: NDArray[np.float32]


def domain_priors(
    urls: ByteColumn,
    truth: NDArray[np.int64],
    languages: Sequence[Language],
    countries: Mapping[str, Mapping[Language, float]],
    sites: Sequence[object] | None = None,
    regions: Mapping[str, Mapping[Language, float]] | None = None,
) -> DomainPriors:
    """The domains of labelled URLs and of all countries; each site counts once for each of its languages.

    `sites` names the site of each URL; without them a host is a site. `regions` has the languages of domains that are
    no country's.
    """
    number = {tag: column for column, tag in enumerate(languages)}
    counts: dict[str, NDArray[np.float64]] = {}
    seen = set()
    for row, (url, language) in enumerate(zip(urls, truth.tolist(), strict=True)):
        address = read_address(url)
        site = sites[row] if sites is not None else address.host.lower()
        if address.tld is None or (site, language) in seen:
            continue
        seen.add((site, language))
        counts.setdefault(address.tld.lower(), np.zeros(len(languages)))[language] += 1
    everywhere = sum((np.minimum(row, _LARGEST) for row in counts.values()), start=np.zeros(len(languages)))
    base = (everywhere + _LEAST_SITES) ** _TEMPERED
    base /= base.sum()
    spoken = {name: shares for name, shares in countries.items() if len(name) == 2 and name not in _WORLDWIDE}
    for name, shares in (regions or {}).items():
        if known := {tag: share for tag, share in shares.items() if tag in number}:
            spoken[name] = known
    names, kinds, rows = sorted({*counts, *spoken, *(code for code in countries if len(code) == 2)}), [], []
    for name in names:
        met = counts.get(name, np.zeros(len(languages)))
        prior = base
        if name in spoken:
            prior = 0.1 * base
            for tag, share in spoken[name].items():
                prior[number[tag]] += 0.9 * share
        shares = (met + _PRIOR_SITES * prior) / (met.sum() + _PRIOR_SITES)
        if name in GENERIC:
            shares = shares**_FLATTENED
            shares /= shares.sum()
        if name in GENERIC or (name not in spoken and len(name) > 3 and met.sum() < 50):
            kinds.append(ANY_LANGUAGE)
        else:
            kinds.append(SEVERAL_LANGUAGES if shares.max() < _ALONE else ONE_LANGUAGE)
        row = np.log(shares + 1e-5)
        rows.append(row - row.mean())
    return DomainPriors(tuple(names), np.array(kinds, np.uint8), np.array(rows, np.float32).reshape(-1, len(languages)))
