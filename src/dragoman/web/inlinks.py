"""The language of pages whose text says too little, from the pages around them (Hayati 2004, section 5).

INLINKS: a page of at most MIN_LENGTH characters takes the majority of the answers of at most MAX_INLINKS pages that
link to it, each of at least MIN_REF_LENGTH characters, and of its own answer. OUTLINKS: the majority of the pages that
it links to, which the report tried and dropped, since short pages have few links. Both are linear in the links of the
pages that are asked about.

What the report leaves open: which pages are taken where more than MAX_INLINKS link to a page (here the first ones in
the order of the graph, each once), and ties (here the page's own answer if it is among the tied, else the one that an
earlier page gave). Pages without an answer do not vote; a page for which nobody votes has none.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UsageError
from dragoman.kernels.graph import reversed_links
from dragoman.web.graph import Graph

#: The report's values; it does not print the first, and its short pages have under 50 characters.
MIN_LENGTH, MAX_INLINKS, MIN_REF_LENGTH = 50, 10, 150

Answers = NDArray[np.int16]


def by_inlinks(
    graph: Graph,
    answers: Answers,
    *,
    min_length: int = MIN_LENGTH,
    max_inlinks: int = MAX_INLINKS,
    min_ref_length: int = MIN_REF_LENGTH,
) -> Answers:
    """INLINKS: the answer of every vertex, changed where its text is short. -1 is no answer.

    `answers` has the column of a language for every vertex, or -1.

    >>> graph = Graph.of([[2], [2], []], length=[500, 500, 10], languages=("de", "en"))
    >>> by_inlinks(graph, np.array([0, 0, 1], np.int16)).tolist()
    [0, 0, 0]
    """
    start, sources = reversed_links(graph.indptr, graph.targets)
    return _voted(graph, answers, start, sources, (min_length, max_inlinks, min_ref_length), own=True)


def by_outlinks(
    graph: Graph,
    answers: Answers,
    *,
    min_length: int = MIN_LENGTH,
    max_outlinks: int = MAX_INLINKS,
    min_ref_length: int = MIN_REF_LENGTH,
) -> Answers:
    """OUTLINKS: the same with the pages that a short page links to, which alone decide where there are any."""
    limits = min_length, max_outlinks, min_ref_length
    return _voted(graph, answers, graph.indptr, graph.targets, limits, own=False)


def counted_inlinks(graph: Graph, min_ref_length: int = MIN_REF_LENGTH) -> NDArray[np.int32]:
    """How many pages of at least `min_ref_length` characters link to each vertex; a repeated link counts again."""
    good = graph.fetched & (graph.length >= min_ref_length)
    of_good = np.repeat(good, np.diff(graph.indptr))
    return np.bincount(graph.targets[of_good], minlength=len(graph)).astype(np.int32)


def short_pages(graph: Graph, min_length: int = MIN_LENGTH) -> NDArray[np.int64]:
    """The fetched pages that have at most this many characters."""
    return np.flatnonzero(graph.fetched & (graph.length <= min_length))


def _voted(
    graph: Graph,
    answers: Answers,
    start: NDArray[np.int64],
    around: NDArray[np.uint32],
    limits: tuple[int, int, int],
    *,
    own: bool,
) -> Answers:
    min_length, most, min_ref = limits
    if len(answers) != len(graph) or answers.min(initial=0) < -1:
        raise UsageError(f"There must be one answer (a column, or -1) for each of the {len(graph):,} vertices")
    if most < 1 or min_ref < 0:
        raise UsageError(f"At least 1 page votes, with 0 or more characters, not {most} and {min_ref}")
    asked = short_pages(graph, min_length)
    votes = graph.fetched & (graph.length >= min_ref) & (answers >= 0)
    result = np.array(answers, np.int16)
    width = int(answers.max(initial=0)) + 1
    for first in range(0, len(asked), _TOGETHER):
        part = asked[first : first + _TOGETHER]
        result[part] = _majority(part, answers, start, around, votes, width, most, own)
    return result


#: Pages whose votes are counted together: what bounds memory.
_TOGETHER = 200_000


def _majority(
    part: NDArray[np.int64],
    answers: Answers,
    start: NDArray[np.int64],
    around: NDArray[np.uint32],
    votes: NDArray[np.bool_],
    width: int,
    most: int,
    own: bool,
) -> Answers:
    sizes = start[part + 1] - start[part]
    row = np.repeat(np.arange(len(part)), sizes)
    at = np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(start[part], sizes)
    page = around[at]
    voting = votes[page] & (page != part[row])
    voting[1:] &= (page[1:] != page[:-1]) | (row[1:] != row[:-1])  # inlinks are in rising order: a repeated one follows
    row, page = row[voting], page[voting]
    rank = np.arange(len(row)) - np.searchsorted(row, row)
    row, page, rank = row[rank < most], page[rank < most], rank[rank < most]
    counts = np.zeros((len(part), width), np.float64)
    np.add.at(counts, (row, answers[page]), 1)
    mine = answers[part]
    answered = mine >= 0
    voted = counts.sum(axis=1) > 0
    if own:
        counts[answered, mine[answered]] += 1
    # Ties: half a vote more for the page's own answer, then less than half for the earliest.
    earliest = np.full((len(part), width), most, np.float64)
    np.minimum.at(earliest, (row, answers[page]), rank)
    counts += (0.25 - 0.25 * earliest / (most + 1)) * (counts > 0)
    counts[answered, mine[answered]] += 0.5 * (counts[answered, mine[answered]] > 0)
    best = counts.argmax(axis=1).astype(np.int16)
    return np.where(voted, best, mine).astype(np.int16)


def plain_inlinks(graph: Graph, answers: Answers, page: int, limits: tuple[int, int, int] | None = None) -> int:
    """INLINKS for one page, by the definition."""
    min_length, most, min_ref = limits or (MIN_LENGTH, MAX_INLINKS, MIN_REF_LENGTH)
    own = int(answers[page])
    if not graph.fetched[page] or graph.length[page] > min_length:
        return own
    votes: list[int] = []
    for source in range(len(graph)):
        links = graph.targets[graph.indptr[source] : graph.indptr[source + 1]]
        good = graph.fetched[source] and graph.length[source] >= min_ref and answers[source] >= 0
        if source != page and good and page in links and len(votes) < most:
            votes.append(int(answers[source]))
    if not votes:
        return own
    counts = Counter(votes + [own] * (own >= 0))
    tied = [language for language in counts if counts[language] == max(counts.values())]
    return own if own in tied else min(tied, key=votes.index)
