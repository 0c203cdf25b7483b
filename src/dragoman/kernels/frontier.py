"""The queue of a live crawl, compiled; dragoman.crawl.frontier.compiled says what it does.

Keys are below 2^32 - 1, groups below 2^64. Memory: 28 bytes per URL that waits, 4 per key up to the largest, about
62 per group that was ever named. A function that answers -1 had no memory left.
"""

from __future__ import annotations

import weakref

from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, UNSIGNED, UNSIGNED_SMALL, library

__all__ = ["new_queue", "queue"]

#: The library with the functions of the queue, whose first argument (but that of `new`) is the queue.
queue = library(
    {
        "dragoman_frontier_new": (POINTER, [SMALL, SMALL, UNSIGNED, COUNT]),
        "dragoman_frontier_free": (None, [POINTER]),
        "dragoman_frontier_put": (SMALL, [POINTER, UNSIGNED_SMALL, UNSIGNED, DOUBLE, SMALL]),
        "dragoman_frontier_put_all": (SMALL, [POINTER, COUNT, POINTER, POINTER, POINTER]),
        "dragoman_frontier_pop": (COUNT, [POINTER]),
        "dragoman_frontier_peek": (COUNT, [POINTER]),
        "dragoman_frontier_values": (COUNT, [POINTER, COUNT, POINTER]),
        "dragoman_frontier_take": (SMALL, [POINTER, UNSIGNED_SMALL]),
        "dragoman_frontier_rest": (COUNT, [POINTER, UNSIGNED_SMALL]),
        "dragoman_frontier_wake": (None, [POINTER, COUNT]),
        "dragoman_frontier_drop": (COUNT, [POINTER, UNSIGNED]),
        "dragoman_frontier_shift_all": (SMALL, [POINTER, COUNT, POINTER, POINTER, POINTER]),
        "dragoman_frontier_state": (SMALL, [POINTER, UNSIGNED_SMALL]),
        "dragoman_frontier_waiting": (COUNT, [POINTER, UNSIGNED]),
        "dragoman_frontier_size": (COUNT, [POINTER]),
        "dragoman_frontier_forgotten": (COUNT, [POINTER]),
        "dragoman_frontier_groups": (COUNT, [POINTER, POINTER, COUNT]),
    }
)


def new_queue(owner: object, promotion: bool = True, seed: int | None = None, limit: int | None = None) -> int:
    """The address of a queue that lives as long as its owner."""
    address = queue.dragoman_frontier_new(promotion, seed is not None, (seed or 0) & (2**64 - 1), limit or 0)
    if not address:
        raise MemoryError("no memory for a queue")
    weakref.finalize(owner, queue.dragoman_frontier_free, address)
    return int(address)
