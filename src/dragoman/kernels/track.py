"""The loops of tracking: tokens, costs of tokens by language, evidence among some languages, and the best path.

What they compute is defined in plain Python in `identifiers.track` (tokens, lexicon, decode); tests hold both equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, POINTER, SMALL, Bytes, at, library

Points = NDArray[np.uint32]
Places = NDArray[np.int32]
Costs = NDArray[np.int32]
#: What can stand before a token (dragoman.identifiers.track.tokens).
BOUNDARIES = 10

_library = library(
    {
        "dragoman_track_tokens": (COUNT, [POINTER, COUNT, POINTER, POINTER, POINTER, POINTER]),
        "dragoman_track_costs": (
            SMALL,
            [
                POINTER,
                POINTER,
                POINTER,
                COUNT,
                POINTER,
                POINTER,
                COUNT,
                *[POINTER] * 5,
                SMALL,
                POINTER,
                POINTER,
                SMALL,
                POINTER,
            ],
        ),
        "dragoman_track_evidence": (
            None,
            [POINTER, COUNT, SMALL, POINTER, SMALL, *[POINTER] * 7],
        ),
        "dragoman_track_decode": (
            COUNT,
            [POINTER, POINTER, COUNT, SMALL, POINTER, POINTER, SMALL, POINTER, POINTER],
        ),
    }
)


@dataclass(frozen=True, eq=False)
class LexiconTable:
    """A lexicon's arrays: see dragoman.identifiers.track.table."""

    starts: NDArray[np.uint32]
    firsts: NDArray[np.uint32]
    prints: NDArray[np.uint16]
    counts: Bytes
    tags: Bytes
    values: Bytes
    backs: Bytes
    order: int

    @cached_property
    def addresses(self) -> tuple[int, ...]:
        """Where the arrays are, in the order in which the loop takes them; asking takes longer than a short text."""
        return (
            at(self.starts, np.uint32),
            at(self.firsts, np.uint32),
            len(self.firsts),
            at(self.prints, np.uint16),
            at(self.counts, np.uint8),
            at(self.tags, np.uint8),
            at(self.values, np.uint8),
            at(self.backs, np.uint8),
        )


def tokens(points: Points) -> tuple[Places, Places, Bytes, Bytes]:
    """(starts, ends, boundaries, coded) of the tokens of a text."""
    room = len(points)
    starts, ends = np.empty(room, np.int32), np.empty(room, np.int32)
    boundaries, coded = np.empty(room, np.uint8), np.empty(room, np.uint8)
    count = _library.dragoman_track_tokens(
        at(points, np.uint32), room, at(starts, np.int32), at(ends, np.int32), at(boundaries, np.uint8),
        at(coded, np.uint8),
    )  # fmt: skip
    return starts[:count].copy(), ends[:count].copy(), boundaries[:count].copy(), coded[:count].copy()


def costs(points: Points, starts: Places, ends: Places, table: LexiconTable, columns: Places, latin: Bytes) -> Costs:
    """What each token costs in each language, an int32 matrix; `columns` has each language's column, or -1.

    `latin` is 1 for the columns of languages that are written in Latin letters.
    """
    if len(starts) and not (starts.min() >= 0 and np.all(starts < ends) and ends.max() <= len(points)):
        raise ValueError("tokens must lie inside the text")
    width = int(columns.max(initial=-1)) + 1
    if len(latin) != width:
        raise ValueError("latin must say one thing of each column")
    out = np.empty((len(starts), width), np.int32)
    done = _library.dragoman_track_costs(
        at(points, np.uint32), at(starts, np.int32), at(ends, np.int32), len(starts),
        *table.addresses, table.order, at(columns, np.int32), at(latin, np.uint8), width, at(out, np.int32),
    )  # fmt: skip
    if not done:
        raise MemoryError
    return out


def evidence(
    costs: Costs, columns: Places, starts: Places, ends: Places, boundaries: Bytes, coded: Bytes, limits: Places
) -> tuple[Costs, Bytes]:
    """(evidence, known): costs above the cheapest chosen column, limited; known is 0 where none has a letter."""
    out, known = np.empty((len(costs), len(columns)), np.int32), np.empty(len(costs), np.uint8)
    if len(columns) and not (columns.min() >= 0 and columns.max() < costs.shape[1]):
        raise ValueError("columns must lie inside the costs")
    _library.dragoman_track_evidence(
        at(costs, np.int32), len(costs), costs.shape[1], at(columns, np.int32), len(columns), at(starts, np.int32),
        at(ends, np.int32), at(boundaries, np.uint8), at(coded, np.uint8), at(limits, np.int32), at(out, np.int32),
        at(known, np.uint8),
    )  # fmt: skip
    return out, known


def decode(
    evidence: Costs, boundaries: Bytes, switching: Places, entering: Places, styles: int, state: NDArray[np.int64]
) -> tuple[Places, int]:
    """(states, cost): the cheapest path. `state` is what each state costs at the start, afterwards at the end."""
    tokens, width = evidence.shape
    if (
        len(boundaries) != tokens
        or len(state) != styles * width
        or len(switching) != styles * BOUNDARIES + 2
        or len(entering) != width
    ):
        raise ValueError("evidence, boundaries, costs and states do not fit each other")
    path = np.empty(tokens, np.int32)
    total = _library.dragoman_track_decode(
        at(evidence, np.int32), at(boundaries, np.uint8), tokens, width, at(switching, np.int32),
        at(entering, np.int32), styles, at(state, np.int64), at(path, np.int32),
    )  # fmt: skip
    if total < 0:
        raise MemoryError
    return path, int(total)
