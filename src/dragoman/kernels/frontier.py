"""The queue of a live crawl, compiled: numbers as keys and groups, about 44 bytes per URL that waits."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, UNSIGNED, UNSIGNED_SMALL, at, library

__all__ = ["LARGEST_KEY", "NumberFrontier"]

#: Keys are below this.
LARGEST_KEY = 2**32 - 1

_library = library(
    {
        "dragoman_frontier_new": (POINTER, [SMALL, SMALL, UNSIGNED, COUNT]),
        "dragoman_frontier_free": (None, [POINTER]),
        "dragoman_frontier_put": (SMALL, [POINTER, UNSIGNED_SMALL, UNSIGNED, DOUBLE, SMALL]),
        "dragoman_frontier_put_all": (SMALL, [POINTER, COUNT, POINTER, POINTER, POINTER]),
        "dragoman_frontier_pop": (COUNT, [POINTER]),
        "dragoman_frontier_peek": (COUNT, [POINTER]),
        "dragoman_frontier_take": (SMALL, [POINTER, UNSIGNED_SMALL]),
        "dragoman_frontier_drop": (COUNT, [POINTER, UNSIGNED]),
        "dragoman_frontier_shift": (SMALL, [POINTER, UNSIGNED, DOUBLE, DOUBLE]),
        "dragoman_frontier_shift_all": (SMALL, [POINTER, COUNT, POINTER, POINTER, POINTER]),
        "dragoman_frontier_state": (SMALL, [POINTER, UNSIGNED_SMALL]),
        "dragoman_frontier_waiting": (COUNT, [POINTER, UNSIGNED]),
        "dragoman_frontier_size": (COUNT, [POINTER]),
        "dragoman_frontier_forgotten": (COUNT, [POINTER]),
        "dragoman_frontier_groups": (COUNT, [POINTER, POINTER, COUNT]),
    }
)


class NumberFrontier:
    """What dragoman.crawl.frontier.Frontier does, for keys below 2^32 - 1 and groups below 2^64.

    Memory: 40 bytes per URL that waits, 4 per key up to the largest, about 70 per group that was ever named.
    """

    def __init__(self, promotion: bool, seed: int | None, limit: int | None) -> None:
        given = 0 if seed is None else seed & (2**64 - 1)
        made = _library.dragoman_frontier_new(promotion, seed is not None, given, limit or 0)
        if not made:
            raise MemoryError("no memory for a queue")
        self._at = ctypes.c_void_p(made)
        weakref.finalize(self, _library.dragoman_frontier_free, self._at)

    def put(self, key: int, group: int, priority: float, held: bool) -> bool:
        """True if something changed."""
        if not 0 <= key < LARGEST_KEY:
            raise ValueError(f"a key is {key}; keys are numbers from 0 to below {LARGEST_KEY}")
        done: int = _library.dragoman_frontier_put(self._at, key, group, priority, held)
        if done < 0:
            raise MemoryError("no memory for one more URL in the queue")
        return bool(done)

    def put_all(self, keys: Sequence[int], groups: Sequence[int], priorities: Sequence[float]) -> None:
        """Many at once, in their order."""
        which, where, how = np.array(keys, np.uint32), np.array(groups, np.uint64), np.array(priorities, np.float64)
        if not len(which) == len(where) == len(how):
            raise ValueError("each key needs a group and a priority")
        if _library.dragoman_frontier_put_all(
            self._at, len(which), at(which, np.uint32), at(where, np.uint64), at(how, np.float64)
        ):
            raise MemoryError("no memory for more URLs in the queue")

    def pop(self) -> int:
        """The best key, or -1."""
        key: int = _library.dragoman_frontier_pop(self._at)
        return key

    def peek(self) -> int:
        """The key that `pop` would give, or -1."""
        key: int = _library.dragoman_frontier_peek(self._at)
        return key

    def take(self, key: int) -> bool:
        """Count a key as popped; False if it was already."""
        if not 0 <= key < LARGEST_KEY:
            raise ValueError(f"a key is {key}; keys are numbers from 0 to below {LARGEST_KEY}")
        done: int = _library.dragoman_frontier_take(self._at, key)
        if done < 0:
            raise MemoryError("no memory for one more URL in the queue")
        return bool(done)

    def drop(self, group: int) -> int:
        """How many went."""
        gone: int = _library.dragoman_frontier_drop(self._at, group)
        return gone

    def shift(self, group: int, offset: float, scale: float) -> None:
        """Rank a group anew."""
        if _library.dragoman_frontier_shift(self._at, group, offset, scale):
            raise MemoryError("no memory for one more group in the queue")

    def shift_all(
        self, groups: Sequence[int] | NDArray[np.uint64], offsets: Sequence[float], scales: Sequence[float]
    ) -> None:
        """Many at once."""
        which, offset, scale = np.array(groups, np.uint64), np.array(offsets, np.float64), np.array(scales, np.float64)
        if not len(which) == len(offset) == len(scale):
            raise ValueError("each group needs an offset and a scale")
        if _library.dragoman_frontier_shift_all(
            self._at, len(which), at(which, np.uint64), at(offset, np.float64), at(scale, np.float64)
        ):
            raise MemoryError("no memory for more groups in the queue")

    def state(self, key: int) -> int:
        """0: unknown or let go, 1: waits, 2: was popped."""
        if not 0 <= key < LARGEST_KEY:
            return 0
        found: int = _library.dragoman_frontier_state(self._at, key)
        return found

    def waiting(self, group: int) -> int:
        """How many keys of a group wait."""
        count: int = _library.dragoman_frontier_waiting(self._at, group)
        return count

    def __len__(self) -> int:
        size: int = _library.dragoman_frontier_size(self._at)
        return size

    @property
    def forgotten(self) -> int:
        """How many keys the limit has cost."""
        count: int = _library.dragoman_frontier_forgotten(self._at)
        return count

    def groups(self) -> list[int]:
        """The groups of which something waits."""
        names = np.empty(_library.dragoman_frontier_groups(self._at, None, 0), np.uint64)
        _library.dragoman_frontier_groups(self._at, at(names, np.uint64), len(names))
        return [int(name) for name in names]
