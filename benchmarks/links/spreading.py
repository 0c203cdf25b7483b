"""Labels spread over a whole graph until they settle: what each page's URL and text say, and what its links say.

The recursive version of INLINKS that Hayati (2004, section 7) envisages. A link joins two pages of one language with
probability `same`, else their languages are independent, so that a neighbour of language l speaks for l with

    w(l) = log((same / p(l) + 1 - same) / (1 - same)),

p(l) being the language's share. `same` differs by place: links within a directory join one language more often than
those within a server, and these more often than those between servers. With beliefs q instead of certain languages,
the belief of page i is

    q_i(l) proportional to exp(evidence_i(l) + sum over neighbours j of c_i * c_j * w_ij(l) * q_j(l)),

evidence being the log of what URL and text say (a prior for every vertex, fetched or not). Links of one page are not
independent of each other, and a page with many says less about each: c_i = min(1, sqrt(most / number of neighbours)).
The equations are gone through page by page, each with the newest beliefs, until no belief changes by more than
`settle`. Since c and w are the same in both directions, each step raises one bounded sum (that of mean-field
inference), so it settles. Cost: links times languages per round; memory:
two rows of 4 bytes per language and vertex, and the links turned round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UsageError
from dragoman.kernels.graph import reversed_links, spread_round
from dragoman.types import Language, Scores
from dragoman.web.graph import Graph

Matrix = NDArray[np.float32]
_Rows = tuple[NDArray[np.int64], NDArray[np.uint32]]

#: No evidence makes a language less likely than this (its log): a model's zero must not silence all links.
_FLOOR = math.log(1e-6)


@dataclass(frozen=True, eq=False)
class Spread:
    """Beliefs of every vertex, which sum to 1, and how they came about."""

    languages: tuple[Language, ...]
    beliefs: Matrix
    rounds: int
    #: False: the last round still changed something by more than asked.
    settled: bool

    def answers(self, threshold: float = 0.5) -> NDArray[np.int16]:
        """The column of each vertex's likeliest language; -1, "I don't know", where its belief is below `threshold`."""
        if not len(self.languages) or not len(self.beliefs):
            return np.full(len(self.beliefs), -1, np.int16)
        best: NDArray[np.int16] = self.beliefs.argmax(axis=1).astype(np.int16)
        sure = self.beliefs.max(axis=1)
        # Where nothing is known all languages are equally likely, and the first is no answer.
        alike = sure <= self.beliefs.min(axis=1)
        if len(self.languages) > 1:
            best[alike] = -1
        best[sure < threshold] = -1
        return best


def spread(
    graph: Graph,
    evidence: Matrix,
    languages: Sequence[Language],
    *,
    same: float | Sequence[float] = 0.8,
    shares: Sequence[float] | None = None,
    most: float = 6.0,
    settle: float = 1e-3,
    rounds: int = 100,
) -> Spread:
    """Beliefs about every vertex, from its own evidence and its links.

    `evidence` has log-probabilities, a row per vertex; a row of NaN has none. `same` is one number, or three: within a
    directory, within a server, between servers (`couplings` finds them). `shares` are the languages' shares p(l), equal
    if they are not given.

    >>> graph = Graph.of([[1], [2], []])
    >>> known = np.log(np.array([[0.9, 0.1], [0.5, 0.5], [0.5, 0.5]], np.float32))
    >>> spread(graph, known, ("de", "en")).answers().tolist()
    [0, 0, 0]
    """
    start = _evidence(evidence, len(graph), len(languages))
    links, back = (graph.indptr, graph.targets), reversed_links(graph.indptr, graph.targets)
    weight = link_weights(same, len(languages), shares)
    places, scale = (graph.server, graph.directory), link_scale(links, back, most)
    beliefs = np.exp(start - start.max(axis=1, keepdims=True)) if start.size else start.copy()
    beliefs = (beliefs / beliefs.sum(axis=1, keepdims=True)).astype(np.float32) if start.size else beliefs
    done, change = 0, math.inf
    while done < rounds and change > settle:
        change = spread_round(links, back, places, start, weight, scale, beliefs)
        done += 1
    return Spread(tuple(languages), beliefs, done, change <= settle)


def link_scale(links: _Rows, back: _Rows, most: float) -> NDArray[np.float64]:
    """c: 1 for vertices of at most `most` neighbours, counted both ways, less for others."""
    around = np.diff(links[0]) + np.diff(back[0])
    found: NDArray[np.float64] = np.sqrt(np.minimum(1.0, most / np.maximum(1, around)))
    return found


def link_weights(
    same: float | Sequence[float], languages: int, shares: Sequence[float] | None = None
) -> NDArray[np.float64]:
    """w(l) for neighbours in the directory, elsewhere on the server and on other servers: three rows."""
    each = np.array([same] * 3 if isinstance(same, float | int) else list(same), np.float64)
    if each.shape != (3,) or not np.all((each >= 0) & (each < 1)):
        raise UsageError(f"The share of links between pages of one language is 0 to below 1 (one or three), not {same}")
    part = np.full(languages, 1 / max(1, languages)) if shares is None else np.asarray(shares, np.float64)
    if len(part) != languages or (languages and part.min() <= 0):
        raise UsageError("Each language needs a share above 0")
    found: NDArray[np.float64] = np.log((each[:, None] / part + 1 - each[:, None]) / (1 - each[:, None]))
    return found


def same_language_share(graph: Graph, answers: NDArray[np.int16]) -> float | None:
    """The share of links that join two pages of one language, among those whose pages have answers."""
    alike, total = _alike(graph, answers)
    return float(alike.sum() / total.sum()) if total.sum() else None


def couplings(graph: Graph, answers: NDArray[np.int16], shares: Sequence[float]) -> tuple[float, float, float]:
    """`same` within a directory, within a server and between servers, counted where both ends have an answer.

    Of s links that join one language, those that do so by chance are taken off: same = (s - r) / (1 - r), r being the
    sum of the squared shares. 0.5 where there is nothing to count.
    """
    alike, total = _alike(graph, answers)
    part = np.asarray(shares, np.float64) / np.sum(shares)
    chance = float(np.square(part).sum())
    joined = np.where(total > 0, alike / np.maximum(1, total), 0.5 + 0.5 * chance)
    directory, server, between = np.clip((joined - chance) / max(1e-9, 1 - chance), 0.0, 0.99).tolist()
    return directory, server, between


def _alike(graph: Graph, answers: NDArray[np.int16]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(links that join one language, links whose ends are known) within directories, within servers, between them."""
    alike, total = np.zeros(3, np.int64), np.zeros(3, np.int64)
    for first in range(0, len(graph), _TOGETHER):
        last = min(first + _TOGETHER, len(graph))
        source = np.repeat(np.arange(first, last), np.diff(graph.indptr[first : last + 1]))
        end = graph.targets[graph.indptr[first] : graph.indptr[last]]
        known = (answers[source] >= 0) & (answers[end] >= 0)
        source, end = source[known], end[known]
        near = np.where(graph.server[source] == graph.server[end], 1, 2)
        near[graph.directory[source] == graph.directory[end]] = 0
        total += np.bincount(near, minlength=3)
        alike += np.bincount(near[answers[source] == answers[end]], minlength=3)
    return alike, total


#: Vertices whose links are counted together: what bounds memory.
_TOGETHER = 500_000


def log_evidence(*parts: Scores | Matrix) -> Matrix:
    """The sum of the logs of several probabilities of the same languages; NaN rows add nothing."""
    total: Matrix | None = None
    for part in parts:
        matrix = part.matrix if isinstance(part, Scores) else part
        logs = np.log(np.maximum(np.nan_to_num(matrix, nan=1.0), math.exp(_FLOOR))).astype(np.float32)
        logs[np.isnan(matrix).any(axis=1)] = 0
        total = logs if total is None else total + logs
    if total is None:
        raise UsageError("There must be something to take as evidence")
    return total


def _evidence(evidence: Matrix, n: int, width: int) -> Matrix:
    if evidence.shape != (n, width):
        raise UsageError(f"Evidence needs {n:,} rows and {width} columns, not {evidence.shape}")
    start = np.array(evidence, np.float32, order="C")
    start[np.isnan(start).any(axis=1)] = 0
    if width:
        top = start.max(axis=1, keepdims=True) if n else start
        start = np.maximum(start, top + np.float32(2 * _FLOOR))
    return np.ascontiguousarray(start, np.float32)


def plain_round(
    graph: Graph, evidence: Matrix, weight: NDArray[np.float64], scale: NDArray[np.float64], belief: Matrix
) -> float:
    """What kernels.graph.spread_round does, one vertex at a time, in place; the largest change."""
    start, sources = reversed_links(graph.indptr, graph.targets)
    largest, width = 0.0, evidence.shape[1]
    for page in range(len(graph)):
        around = [
            *graph.targets[graph.indptr[page] : graph.indptr[page + 1]].tolist(),
            *sources[start[page] : start[page + 1]].tolist(),
        ]
        around = [one for one in around if one != page]
        sums = [[0.0] * width for _ in range(3)]
        for one in around:
            near = (
                0
                if graph.directory[one] == graph.directory[page]
                else 1
                if graph.server[one] == graph.server[page]
                else 2
            )
            for column in range(width):
                sums[near][column] += float(scale[one]) * float(belief[one, column])
        logs = []
        for c in range(width):
            said = (
                float(weight[0, c]) * sums[0][c] + float(weight[1, c]) * sums[1][c] + float(weight[2, c]) * sums[2][c]
            )
            logs.append(float(evidence[page, c]) + float(scale[page]) * said)
        parts = [math.exp(value - max(logs)) for value in logs]
        total = 0.0
        for part in parts:
            total += part
        for column, part in enumerate(parts):
            now = np.float32(part / total)
            largest = max(largest, abs(float(now) - float(belief[page, column])))
            belief[page, column] = now
    return largest
