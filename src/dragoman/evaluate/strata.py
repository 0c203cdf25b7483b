"""Kinds of URLs that differ in difficulty: figures are always given by stratum, because the kind decides most."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dragoman import languages
from dragoman.columns import ByteColumn
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.tokens import words_of

Strata = dict[str, dict[str, NDArray[np.bool_]]]

_QUERY_CODE = re.compile(
    r"[?&;](?:lang|language|locale|hl|lng|l|lc|setlang|ln)=([A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?)(?=[&;#]|$)"
)
_SEGMENT = re.compile(r"/([A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?)(?=[/?#]|$)")
_LABEL = re.compile(r"([A-Za-z]{2,3}(?:[-_][A-Za-z]{2,4})?)$")


@cache
def _codes() -> frozenset[str]:
    """Two-letter codes of languages, and the three-letter ones of those."""
    short = {tag for tag in languages.known() if len(tag) == 2}
    return frozenset(short | {languages.alpha3(tag) for tag in short})


def explicit_code(url: bytes) -> bool:
    """True where the URL names a language or locale: a path segment, the first label, or a query value.

    >>> explicit_code(b"http://example.org/fr/page"), explicit_code(b"http://example.org/page?lang=fr-CA")
    (True, True)
    >>> explicit_code(b"http://example.org/it-is-late")
    False
    """
    address = read_address(url)
    codes = _SEGMENT.findall(address.rest) + _QUERY_CODE.findall(address.rest)
    if len(address.labels) > 2 and (label := _LABEL.match(address.labels[0])):
        codes.append(label[1])
    return any(re.split("[-_]", code)[0].lower() in _codes() for code in codes)


def strata(
    urls: ByteColumn, unseen: NDArray[np.bool_] | None = None, mixed_site: NDArray[np.bool_] | None = None
) -> Strata:
    """Masks by stratum: words in the path, kind of top-level domain, explicit code, site seen, site's languages."""
    words, country, code = [], [], []
    for url in urls:
        address = read_address(url)
        words.append(sum(1 for _ in words_of(address.rest)))
        tld = address.tld or ""
        country.append(len(tld) == 2 or not tld.isascii())
        code.append(explicit_code(url))
    count, of_country, coded = np.array(words, int), np.array(country, bool), np.array(code, bool)
    masks: Strata = {
        "words in the path": {"0": count == 0, "1-2": (count >= 1) & (count <= 2), "3+": count >= 3},
        "top-level domain": {"generic": ~of_country, "country": of_country},
        "explicit code": {"none": ~coded, "some": coded},
    }
    if unseen is not None:
        masks["site"] = {"seen in training": ~unseen, "unseen": unseen}
    if mixed_site is not None:
        masks["languages of the site"] = {"one": ~mixed_site, "several": mixed_site}
    return masks


def mixed_sites(sites: NDArray[np.int64], truth: NDArray[np.int64], of: NDArray[np.int64]) -> NDArray[np.bool_]:
    """For each site in `of`: True where the labelled rows (sites, truth) show it in more than one language."""
    known = truth >= 0
    pairs = np.unique(np.stack([sites[known], truth[known]], axis=1), axis=0)
    names, counts = np.unique(pairs[:, 0], return_counts=True)
    return np.isin(of, names[counts > 1])
