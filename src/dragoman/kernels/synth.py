"""The pages and links of a synthetic web, compiled; dragoman.crawl.synth says what they mean."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, DOUBLE, POINTER, SMALL, UNSIGNED, at, library, structure

__all__ = ["CLASSES", "KINDS", "DrawnLinks", "Laid", "LinkDrawer", "children", "lay_pages"]

#: What a page is: in its server's target language, in another on such a server, on any other server.
CLASSES = ("target", "mixed", "other")

#: What a link leads to, in the order of the enumeration in synth.c.
KINDS = (
    "own target", "own other", "target", "mixed", "foreign", "own seen", "target seen", "foreign seen", "dead",
)  # fmt: skip

#: Servers to draw from: one pool per target language, one per language, and one of all servers with target pages.
_POOLS = ("open_pools", "mixed_pools", "near_pools", "foreign_pools", "any_target")

_library = library(
    {
        "dragoman_synth_pages": (None, [POINTER]),
        "dragoman_synth_children": (None, [POINTER, COUNT, POINTER, POINTER]),
        "dragoman_synth_links": (SMALL, [POINTER]),
    }
)


class _ServerPool(ctypes.Structure):
    """The fields of `pool` in synth.c."""

    _fields_ = (("servers", POINTER), ("size", COUNT), ("reach", DOUBLE))


#: Servers and their pages, as both jobs have them.
_SERVERS = {"base": np.int64, "dirs": np.int32, "kind": np.uint8, "gate": np.uint8}

_PagesJob = structure(
    "pages_job", seed=UNSIGNED, servers=COUNT, dead=COUNT, languages=COUNT, targets=COUNT, **_SERVERS,
    share=np.float32, tongue=np.int16, others=np.int16, purity=DOUBLE, short_share=DOUBLE, stray=DOUBLE,
    language=np.int16, directory=np.int32, parent=np.uint32, length=np.int32, order=np.uint32, of_target=np.int32,
)  # fmt: skip

_LinksJob = structure(
    "links_job", seed=UNSIGNED, servers=COUNT, dead=COUNT, languages=COUNT, targets=COUNT, pages=COUNT,
    directories=COUNT, **_SERVERS, tongue=np.int16, language=np.int16, directory=np.int32, of_target=np.int32,
    order=np.uint32, child_start=np.uint32, children=np.uint32, **dict.fromkeys(_POOLS, POINTER), rates=np.float64,
    spread=DOUBLE, fresh=DOUBLE, first=DOUBLE, stray=DOUBLE, stride=COUNT, counts=np.int64, tree=np.int64,
    sources=np.int64, indptr=np.int64, targets_out=np.uint32, room=COUNT, seen_server=np.int32,
    seen_directory=np.int32, seen_language=np.int16, seen_room=COUNT, seen=np.int64,
)  # fmt: skip


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
    if any(len(column) != servers for column in (kind, gate, share, tongue)) or len(dirs) != servers + 1:
        raise ValueError("each server needs a kind, a gate, a share and a language")
    if len(others) != 1024 or tongue.min(initial=0) < 0 or max(tongue.max(initial=0), others.max()) >= languages:
        raise ValueError("a language has no number")
    laid = Laid(
        seed, targets, languages, base, dirs, kind, gate, tongue,
        np.empty(pages, np.int16), np.empty(pages, np.int32), np.empty(pages, np.uint32), np.empty(pages, np.int32),
        np.empty(pages, np.uint32), np.empty(servers, np.int32),
    )  # fmt: skip
    job = _PagesJob(
        seed=seed & (2**64 - 1), servers=servers, languages=languages, targets=targets, base=base, dirs=dirs, kind=kind,
        gate=gate, share=share, tongue=tongue, others=others, purity=purity, short_share=short_share, stray=stray,
        language=laid.language, directory=laid.directory, parent=laid.parent, length=laid.length, order=laid.order,
        of_target=laid.of_target,
    )  # fmt: skip
    _library.dragoman_synth_pages(ctypes.byref(job))
    return laid


def children(parent: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """(start, children): the pages whose parent is p are children[start[p]:start[p + 1]]; a root is nobody's child."""
    n = len(parent)
    if n and int(parent.max()) >= n:
        raise ValueError("a parent is no page")
    start, below = np.empty(n + 1, np.uint32), np.empty(n, np.uint32)
    _library.dragoman_synth_children(at(parent, np.uint32), n, at(start, np.uint32), at(below, np.uint32))
    return start, below[: int(start[-1])]


@dataclass(frozen=True, eq=False)
class DrawnLinks:
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


class LinkDrawer:
    """Draws the links of pages that are laid; checked once, then asked as often as the calibration needs.

    `pools` are lists of servers to draw from, by the names in _POOLS.
    """

    def __init__(
        self,
        laid: Laid,
        start: NDArray[np.uint32],
        below: NDArray[np.uint32],
        *,
        dead: int,
        **pools: Sequence[NDArray[np.int32]],
    ) -> None:
        servers = len(laid.kind)
        if any(len(p) and (p.min() < 0 or p.max() >= servers) for group in pools.values() for p in group):
            raise ValueError("a pool names a server that is not there")
        sizes = dict(zip(_POOLS, (laid.targets, laid.targets, laid.targets, laid.languages, 1), strict=True))
        if {name: len(group) for name, group in pools.items()} != sizes:
            raise ValueError("each target language needs its pools, and each language the one of its servers")
        self._laid, self._start, self._below, self._dead = laid, start, below, dead
        self._servers = pools  # their memory must outlive the addresses
        self._pools = {name: (_ServerPool * max(1, len(group)))(*map(_pool, group)) for name, group in pools.items()}

    def draw(
        self,
        rates: NDArray[np.float64],
        *,
        stride: int = 1,
        room: tuple[int, int] | None,
        **shares: float,
    ) -> DrawnLinks:
        """The links of all pages, or (`room` is None) the counts of those of each `stride`-th page.

        `room` is the room for links and for URLs that are only seen; MemoryError if it is too small. `shares` are
        spread, fresh, first and stray, as in a recipe.
        """
        laid, shape = self._laid, (len(CLASSES), len(KINDS))
        if rates.shape != shape:
            raise ValueError("there is a rate for each class of pages and each kind of links")
        pages, links, seen = int(laid.base[-1]), *(room or (0, 0))
        drawn = DrawnLinks(
            np.zeros(shape, np.int64), np.zeros(shape, np.int64), np.zeros(shape[0], np.int64),
            np.zeros(pages + 1 if room else 0, np.int64), np.empty(links, np.uint32),
            np.empty(seen, np.int32), np.empty(seen, np.int32), np.empty(seen, np.int16),
        )  # fmt: skip
        number = np.zeros(1, np.int64)
        job = _LinksJob(
            seed=laid.seed & (2**64 - 1), servers=len(laid.kind), dead=self._dead, languages=laid.languages,
            targets=laid.targets, pages=pages, directories=int(laid.dirs[-1]), base=laid.base, dirs=laid.dirs,
            kind=laid.kind, gate=laid.gate, tongue=laid.tongue, language=laid.language, directory=laid.directory,
            of_target=laid.of_target, order=laid.order, child_start=self._start, children=self._below,
            **{name: ctypes.addressof(pools) for name, pools in self._pools.items()}, rates=rates, stride=stride,
            counts=drawn.counts, tree=drawn.tree, sources=drawn.sources, indptr=drawn.indptr if room else None,
            targets_out=drawn.targets if room else None, room=links, seen_server=drawn.seen_server,
            seen_directory=drawn.seen_directory, seen_language=drawn.seen_language, seen_room=seen, seen=number,
            **shares,
        )  # fmt: skip
        if _library.dragoman_synth_links(ctypes.byref(job)):
            raise MemoryError("no room for the links of the synthetic web")
        if not room:
            return drawn
        end, n = int(drawn.indptr[-1]), int(number[0])
        return replace(
            drawn, targets=drawn.targets[:end], seen_server=drawn.seen_server[:n],
            seen_directory=drawn.seen_directory[:n], seen_language=drawn.seen_language[:n],
        )  # fmt: skip


def _pool(servers: NDArray[np.int32]) -> _ServerPool:
    return _ServerPool(at(servers, np.int32), len(servers), float((len(servers) + 1) ** 0.1 - 1.0))
