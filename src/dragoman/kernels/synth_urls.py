"""URLs and noisy scores of a synthetic web, compiled; dragoman.crawl.synth.urls says what they are made of."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, UNSIGNED, Bytes, Offsets, at, library, structure

__all__ = ["LONGEST_URL", "Phrases", "noisy_scores", "urls"]

#: Bytes that a made URL has at most.
LONGEST_URL = 200

_library = library(
    {
        "dragoman_synth_urls": (COUNT, [POINTER, COUNT, COUNT, COUNT, POINTER, POINTER]),
        "dragoman_synth_scores": (None, [UNSIGNED, COUNT, POINTER, POINTER, DOUBLE, DOUBLE, POINTER]),
    }
)


_UrlsJob = structure(
    "urls_job", seed=UNSIGNED, live=COUNT, text=np.uint8, marks=np.int32, words=np.int32, domains=np.int32,
    codes=np.int32, national=np.float32,
    **dict.fromkeys(("common", "general", "generals", "plain", "plains"), SMALL), foreign_word=DOUBLE, base=np.int64,
    dirs=np.int32, dir_language=np.int16, tongue=np.int16, server=np.int32, directory=np.int32, latent=np.int16,
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Phrases:
    """What URLs are made of: entries (bytes and marks) and where each language's begin."""

    text: Bytes
    marks: NDArray[np.int32]
    words: NDArray[np.int32]
    domains: NDArray[np.int32]
    codes: NDArray[np.int32]
    national: NDArray[np.float32]
    common: int
    #: The first general domain and how many there are; the same of words that belong to no language.
    general: tuple[int, int]
    plain: tuple[int, int]

    def __post_init__(self) -> None:
        entries = len(self.marks) - 1
        if self.marks[0] < 0 or self.marks[-1] > len(self.text) or np.any(np.diff(self.marks) < 0):
            raise ValueError("the entries do not fit the text")
        if any(max(entry) > entries for entry in (self.words, self.domains, self.codes + 1)):
            raise ValueError("a language has an entry that is not there")
        if any(entry[1] < 1 or sum(entry) > entries for entry in (self.general, self.plain)):
            raise ValueError("there are general domains and plain words")


def urls(
    phrases: Phrases,
    seed: int,
    foreign_word: float,
    base: NDArray[np.int64],
    dirs: NDArray[np.int32],
    dir_language: NDArray[np.int16],
    tongue: NDArray[np.int16],
    server: NDArray[np.int32],
    directory: NDArray[np.int32],
    latent: NDArray[np.int16],
    first: int,
    last: int,
) -> tuple[Bytes, Offsets]:
    """(data, offsets) of the URLs of the vertices first to last."""
    if not 0 <= first <= last <= len(server):
        raise ValueError("there is no such vertex")
    data = np.empty((last - first) * LONGEST_URL, np.uint8)
    offsets = np.zeros(last - first + 1, np.int64)
    job = _UrlsJob(
        seed=seed & (2**64 - 1), live=len(base) - 1, text=phrases.text, marks=phrases.marks, words=phrases.words,
        domains=phrases.domains, codes=phrases.codes, national=phrases.national, common=phrases.common,
        general=phrases.general[0], generals=phrases.general[1], plain=phrases.plain[0], plains=phrases.plain[1],
        foreign_word=foreign_word, base=base, dirs=dirs, dir_language=dir_language, tongue=tongue, server=server,
        directory=directory, latent=latent,
    )  # fmt: skip
    size = _library.dragoman_synth_urls(
        ctypes.byref(job), first, last, LONGEST_URL, at(data, np.uint8), at(offsets, np.int64)
    )
    return data[:size].copy(), offsets


def noisy_scores(
    seed: int, server: NDArray[np.int32], wanted: NDArray[np.bool_], strength: float, rho: float
) -> NDArray[np.float32]:
    """strength * wanted + sqrt(rho) * (noise of the server) + sqrt(1 - rho) * (noise of the vertex)."""
    if len(wanted) != len(server) or not 0 <= rho <= 1:
        raise ValueError("each vertex is wanted or not, and rho is 0 to 1")
    scores = np.empty(len(server), np.float32)
    _library.dragoman_synth_scores(
        seed & (2**64 - 1), len(server), at(server, np.int32), at(wanted, np.bool_), strength, rho,
        at(scores, np.float32),
    )  # fmt: skip
    return scores
