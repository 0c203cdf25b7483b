"""Top-level domains: the languages of their sites, counted and smoothed by what the people of the country use.

A domain below which many sites are registered (`qc.ca`, `com.co`) is one by itself, and its sites are none of the rest:
sites of `.co` beside `com.co` are not Colombian.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.parts.reading import REGISTRY_LETTERS
from dragoman.types import Language

#: Domains that say little about a country.
GENERIC = frozenset(
    {
        *("com", "org", "net", "info", "biz", "io", "co", "tv", "me", "ai", "ly", "cc", "to", "fm", "gg", "ws", "app"),
        *("dev", "xyz", "online", "site", "shop", "store", "blog", "club", "top", "pro", "name", "mobi", "int"),
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
#: Sites from which on two labels are a domain.
_REGISTRY_SITES = 25


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
    left_out: Collection[str] = (),
) -> DomainPriors:
    """The domains of labelled URLs and of all countries; each site counts once for each of its languages.

    `sites` names the site of each URL; without them a host is a site. `regions` has the languages of domains that are
    no country's; what is `left_out` is no domain, though many sites are below it.
    """
    number = {tag: column for column, tag in enumerate(languages)}
    met_below: dict[tuple[str, str], NDArray[np.float64]] = {}
    seen = set()
    for row, (url, language) in enumerate(zip(urls, truth.tolist(), strict=True)):
        address = read_address(url)
        site = sites[row] if sites is not None else address.host.lower()
        if address.tld is None or (site, language) in seen:
            continue
        seen.add((site, language))
        name = address.tld.lower()
        above = address.labels[-2].lower() if len(address.labels) > 2 else ""
        below = f"{above}.{name}" if 0 < len(above) <= REGISTRY_LETTERS else ""
        met_below.setdefault((name, below), np.zeros(len(languages)))[language] += 1
    counts: dict[str, NDArray[np.float64]] = {}
    registries: dict[str, str] = {}
    for (name, below), met in met_below.items():
        if below and met.sum() >= _REGISTRY_SITES and below not in left_out:
            counts[below], registries[below] = met, name
        else:
            counts[name] = counts.get(name, 0.0) + met
    everywhere = sum((np.minimum(row, _LARGEST) for row in counts.values()), start=np.zeros(len(languages)))
    base = (everywhere + _LEAST_SITES) ** _TEMPERED
    base /= base.sum()
    spoken = {name: shares for name, shares in countries.items() if len(name) == 2 and name not in _WORLDWIDE}
    for name, shares in (regions or {}).items():
        if known := {tag: share for tag, share in shares.items() if tag in number}:
            spoken[name] = known
    rows: dict[str, NDArray[np.float64]] = {}
    kinds: dict[str, int] = {}
    for name in sorted(
        {*counts, *registries.values(), *spoken, *(code for code in countries if len(code) == 2)}, key=_depth
    ):
        met = counts.get(name, np.zeros(len(languages)))
        prior = rows[registries[name]] if name in registries else base
        if name in spoken:
            prior = 0.1 * base
            for tag, share in spoken[name].items():
                prior[number[tag]] += 0.9 * share
        shares = (met + _PRIOR_SITES * prior) / (met.sum() + _PRIOR_SITES)
        if name in GENERIC:
            shares = shares**_FLATTENED
            shares /= shares.sum()
        rows[name] = shares
        if name in GENERIC or (name not in spoken and len(name) > 3 and met.sum() < 50 and name not in registries):
            kinds[name] = ANY_LANGUAGE
        else:
            kinds[name] = SEVERAL_LANGUAGES if shares.max() < _ALONE else ONE_LANGUAGE
    logs = [row - row.mean() for row in (np.log(shares + 1e-5) for shares in rows.values())]
    return DomainPriors(
        tuple(rows),
        np.array(list(kinds.values()), np.uint8),
        np.array(logs, np.float32).reshape(-1, len(languages)),
    )


def _depth(name: str) -> tuple[int, str]:
    """Domains above others first."""
    return name.count("."), name
