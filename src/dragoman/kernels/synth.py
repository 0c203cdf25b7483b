"""The pages and links of a synthetic web, compiled; dragoman.crawl.synth says what they mean."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, POINTER, SMALL, at, library

__all__ = ["CLASSES", "KINDS", "Drawn", "Laid", "Links", "children", "lay_pages"]

#: What a page is: in its server's target language, in another on such a server, on any other server.
CLASSES = ("target", "mixed", "other")

#: What a link leads to, in the order of the enumeration in synth.c.
KINDS = (
    "own target", "own other", "target", "mixed", "foreign", "own seen", "target seen", "foreign seen", "dead",
)  # fmt: skip

_library = library(
    {
        "dragoman_synth_pages": (None, [POINTER]),
        "dragoman_synth_children": (None, [POINTER, COUNT, POINTER, POINTER]),
        "dragoman_synth_links": (SMALL, [POINTER]),
    }
)

_U64, _I64, _F64, _P = ctypes.c_uint64, ctypes.c_int64, ctypes.c_double, ctypes.c_void_p


class _Pool(ctypes.Structure):
    """The fields of `pool` in synth.c."""

    _fields_ = (("servers", _P), ("size", _I64), ("reach", _F64))


class _PagesJob(ctypes.Structure):
    """The fields of `pages_job` in synth.c."""

    _fields_ = (
        ("seed", _U64),
        *((name, _I64) for name in ("servers", "dead", "languages", "targets")),
        *((name, _P) for name in ("base", "dirs", "kind", "gate", "share", "tongue", "others")),
        *((name, _F64) for name in ("purity", "short_share", "stray")),
        *((name, _P) for name in ("language", "directory", "parent", "length", "order", "of_target")),
    )


class _LinksJob(ctypes.Structure):
    """The fields of `links_job` in synth.c."""

    _fields_ = (
        ("seed", _U64),
        *((name, _I64) for name in ("servers", "dead", "languages", "targets", "pages", "directories")),
        *((name, _P) for name in ("base", "dirs", "kind", "gate", "tongue", "language", "directory", "of_target")),
        *((name, _P) for name in ("order", "child_start", "children")),
        *((name, _P) for name in ("open_pools", "mixed_pools", "near_pools", "foreign_pools", "any_target")),
        ("rates", _P),
        *((name, _F64) for name in ("spread", "fresh", "first", "stray")),
        ("every", _I64),
        *((name, _P) for name in ("counts", "tree", "sources", "indptr", "targets_out")),
        ("room", _I64),
        *((name, _P) for name in ("seen_server", "seen_directory", "seen_language")),
        ("seen_room", _I64),
        ("seen", _P),
    )


@dataclass(frozen=True, eq=False)
class Laid:
    """Servers and their pages; `base` and `dirs` say where each server's pages and directories begin."""

    seed: int
    targets: int
    languages: int
    base: NDArray[np.int64]
    dirs: NDArray[np.int32]
    #: 0 no target page, 1 open, 2 gated.
    kind: NDArray[np.uint8]
    gate: NDArray[np.uint8]
    tongue: NDArray[np.int16]
    language: NDArray[np.int16]
    directory: NDArray[np.int32]
    #: The page whose link leads to a page in the tree; a server's first page is its own.
    parent: NDArray[np.uint32]
    length: NDArray[np.int32]
    #: The pages of each server, those in its target language first, and how many these are.
    order: NDArray[np.uint32]
    of_target: NDArray[np.int32]


def lay_pages(
    seed: int,
    *,
    targets: int,
    languages: int,
    base: NDArray[np.int64],
    dirs: NDArray[np.int32],
    kind: NDArray[np.uint8],
    gate: NDArray[np.uint8],
    share: NDArray[np.float32],
    tongue: NDArray[np.int16],
    others: NDArray[np.int16],
    purity: float,
    short_share: float,
    stray: float,
) -> Laid:
    """Each server's pages: language, directory, length, and a tree that leads from its first page to every other."""
    servers, pages = len(base) - 1, int(base[-1])
    sizes = np.diff(base)
    room = np.where(kind == 2, gate.astype(np.int64) + 2, 1)
    if base[0] != 0 or np.any(sizes < room) or np.any(np.diff(dirs) < 1) or np.any(np.diff(dirs) > sizes):
        raise ValueError(
            "a server has a page for everything in front of its gate and one behind, and in each directory"
        )
    if any(len(one) != servers for one in (kind, gate, share, tongue)) or len(dirs) != servers + 1:
        raise ValueError("each server needs a kind, a gate, a share and a language")
    if len(others) != 1024 or tongue.min(initial=0) < 0 or max(tongue.max(initial=0), others.max()) >= languages:
        raise ValueError("a language has no number")
    laid = Laid(
        seed, targets, languages, base, dirs, kind, gate, tongue,
        np.empty(pages, np.int16), np.empty(pages, np.int32), np.empty(pages, np.uint32), np.empty(pages, np.int32),
        np.empty(pages, np.uint32), np.empty(servers, np.int32),
    )  # fmt: skip
    job = _PagesJob(
        seed & (2**64 - 1), servers, 0, languages, targets, at(base, np.int64), at(dirs, np.int32), at(kind, np.uint8),
        at(gate, np.uint8), at(share, np.float32), at(tongue, np.int16), at(others, np.int16), purity, short_share,
        stray,
        at(laid.language, np.int16), at(laid.directory, np.int32), at(laid.parent, np.uint32),
        at(laid.length, np.int32), at(laid.order, np.uint32), at(laid.of_target, np.int32),
    )  # fmt: skip
    _library.dragoman_synth_pages(ctypes.byref(job))
    return laid


def children(parent: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """(start, children): the pages whose parent is p are children[start[p]:start[p + 1]]; a root is nobody's child."""
    n = len(parent)
    if n and int(parent.max()) >= n:
        raise ValueError("a parent is no page")
    start, found = np.empty(n + 1, np.uint32), np.empty(n, np.uint32)
    _library.dragoman_synth_children(at(parent, np.uint32), n, at(start, np.uint32), at(found, np.uint32))
    return start, found[: int(start[-1])]


@dataclass(frozen=True, eq=False)
class Drawn:
    """The links that were drawn; without `indptr` they were only counted."""

    #: Links by class of the page and kind of the link: those of the tree, and the others.
    tree: NDArray[np.int64]
    counts: NDArray[np.int64]
    #: Pages looked at, by class.
    sources: NDArray[np.int64]
    indptr: NDArray[np.int64]
    targets: NDArray[np.uint32]
    seen_server: NDArray[np.int32]
    seen_directory: NDArray[np.int32]
    seen_language: NDArray[np.int16]


class Links:
    """Draws the links of pages that are laid; checked once, then asked as often as the calibration needs."""

    def __init__(
        self,
        laid: Laid,
        start: NDArray[np.uint32],
        below: NDArray[np.uint32],
        *,
        dead: int,
        open_pools: Sequence[NDArray[np.int32]],
        mixed_pools: Sequence[NDArray[np.int32]],
        near_pools: Sequence[NDArray[np.int32]],
        foreign_pools: Sequence[NDArray[np.int32]],
        any_target: NDArray[np.int32],
    ) -> None:
        servers = len(laid.kind)
        pools = {
            "open_pools": open_pools, "mixed_pools": mixed_pools, "near_pools": near_pools,
            "foreign_pools": foreign_pools, "any_target": [any_target],
        }  # fmt: skip
        if any(len(p) and (p.min() < 0 or p.max() >= servers) for group in pools.values() for p in group):
            raise ValueError("a pool names a server that is not there")
        if any(len(pools[name]) != laid.targets for name in ("open_pools", "mixed_pools", "near_pools")):
            raise ValueError("each target language needs its pools")
        if len(foreign_pools) != laid.languages:
            raise ValueError("each language needs its pool")
        self._laid, self._start, self._below, self._dead = laid, start, below, dead
        self._kept = pools  # the pools' memory must outlive the addresses
        self._pools = {name: (_Pool * max(1, len(group)))(*map(_pool, group)) for name, group in pools.items()}

    def draw(
        self,
        rates: NDArray[np.float64],
        *,
        spread: float,
        fresh: float,
        first: float,
        stray: float,
        every: int = 1,
        room: tuple[int, int] | None,
    ) -> Drawn:
        """The links of all pages, or (`room` is None) the counts of those of every `every`-th page.

        `room` is the room for links and for URLs that are only seen; MemoryError if it is too small.
        """
        laid, shape = self._laid, (len(CLASSES), len(KINDS))
        if rates.shape != shape:
            raise ValueError("there is a rate for each class of pages and each kind of links")
        pages, links, seen = int(laid.base[-1]), *(room or (0, 0))
        done = Drawn(
            np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape[0], np.int64),
            np.zeros(pages + 1 if room else 0, np.int64), np.empty(links, np.uint32),
            np.empty(seen, np.int32), np.empty(seen, np.int32), np.empty(seen, np.int16),
        )  # fmt: skip
        number = np.zeros(1, np.int64)
        job = _LinksJob(
            laid.seed & (2**64 - 1), len(laid.kind), self._dead, laid.languages, laid.targets, pages,
            int(laid.dirs[-1]), at(laid.base, np.int64), at(laid.dirs, np.int32), at(laid.kind, np.uint8),
            at(laid.gate, np.uint8), at(laid.tongue, np.int16), at(laid.language, np.int16),
            at(laid.directory, np.int32), at(laid.of_target, np.int32), at(laid.order, np.uint32),
            at(self._start, np.uint32), at(self._below, np.uint32),
            *(ctypes.addressof(self._pools[name]) for name in self._pools),
            at(rates, np.float64), spread, fresh, first, stray, every, at(done.counts, np.int64),
            at(done.tree, np.int64), at(done.sources, np.int64), at(done.indptr, np.int64) if room else None,
            at(done.targets, np.uint32) if room else None, links, at(done.seen_server, np.int32),
            at(done.seen_directory, np.int32), at(done.seen_language, np.int16), seen, at(number, np.int64),
        )  # fmt: skip
        if _library.dragoman_synth_links(ctypes.byref(job)):
            raise MemoryError("no room for the links of the synthetic web")
        if not room:
            return done
        n = int(number[0])
        return Drawn(
            done.tree, done.counts, done.sources, done.indptr, done.targets[: int(done.indptr[-1])],
            done.seen_server[:n], done.seen_directory[:n], done.seen_language[:n],
        )  # fmt: skip


def _pool(servers: NDArray[np.int32]) -> Any:
    return _Pool(at(servers, np.int32), len(servers), float((len(servers) + 1) ** 0.1 - 1.0))
