"""Rows are divided by site, never at random: two pages of one site are nearly one example."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import need

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def registered_domain(url: bytes, extract: Any) -> str:
    """The part of the host that somebody registered (`epfl.ch` of `ltaa.epfl.ch`), or the whole host."""
    parts = extract(url.decode("utf-8", "replace"))
    if parts.suffix:
        return str(parts.top_domain_under_public_suffix or parts.fqdn)
    # No public suffix (an intranet, an address, a reserved name): the whole host is the site.
    return ".".join(part for part in (parts.subdomain.removeprefix("www."), parts.domain) if part)


def number_sites(names: Iterable[Any]) -> Ints:
    """Equal names get equal numbers; a row without a name is a site of its own."""
    known: dict[str, int] = {}
    return np.array(
        [
            known.setdefault(str(name), len(known)) if name else known.setdefault(f"\0{row}", len(known))
            for row, name in enumerate(names)
        ],
        np.int64,
    )


def sites_of(urls: ByteColumn) -> Ints:
    """A number for the registered domain of every URL, by the public suffix list inside tldextract (no network)."""
    extract = need("train", "tldextract").TLDExtract(suffix_list_urls=(), cache_dir=None)
    return number_sites(registered_domain(url, extract) for url in urls)


def held_out(sites: Ints, share: float, seed: int = 0) -> Bools:
    """True for the rows of about this share of the sites.

    >>> rows = held_out(np.array([1, 1, 2, 2, 3, 3]), 0.34)
    >>> int(rows.sum()), len(set(np.array([1, 1, 2, 2, 3, 3])[rows].tolist()))
    (2, 1)
    """
    names, site = np.unique(sites, return_inverse=True)
    count = max(1, round(share * len(names))) if len(names) > 1 else 0
    chosen = np.zeros(len(names), np.bool_)
    chosen[np.random.default_rng(seed).permutation(len(names))[:count]] = True
    return np.asarray(chosen[site])
