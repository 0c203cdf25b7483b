"""SyntheticWeb: a web graph with the statistics of a real crawl, any size, any seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.synth.recipe import Recipe
from dragoman.crawl.synth.servers import GATED, SEEDS, Servers, plan
from dragoman.kernels.synth import DrawnLinks, Laid, LinkDrawer, children, lay_pages
from dragoman.web.graph import Graph

#: Rounds of calibration, and how many pages each looks at.
ROUNDS = 6
LOOKED_AT = 500_000


@dataclass(frozen=True, eq=False)
class SyntheticWeb:
    """A made graph and what only its maker knows."""

    recipe: Recipe
    graph: Graph
    #: The language that every vertex has, also those that were only seen (there `graph.language` is -1).
    latent: NDArray[np.int16]
    #: The language of each server; those behind `live` gave no page, and theirs is the common one.
    tongue: NDArray[np.int16]
    #: Where the pages of each server begin; servers from `live` on have none.
    base: NDArray[np.int64]

    @property
    def live(self) -> int:
        """How many servers gave a page."""
        return len(self.base) - 1


def make(recipe: Recipe) -> SyntheticWeb:
    """The web of a recipe; the same recipe gives the same web.

    Pages get a tree that reaches every one of them from the seeds, then further links: a lognormal number, whose kinds
    (own or other server, target language or not, fetched or only seen) are drawn at rates that are calibrated until
    the sums are those of the paper's Tables 4 and 5. Linear in pages and links; about 60 bytes per page at the peak
    besides the graph.
    """
    servers = plan(recipe)
    base = np.zeros(len(servers.size) + 1, np.int64)
    np.cumsum(servers.size, out=base[1:])
    dirs = np.zeros(len(base), np.int32)
    np.cumsum(np.maximum(1, np.round(servers.size**recipe.directories)).astype(np.int32), out=dirs[1:])
    laid = lay_pages(
        recipe.seed, targets=len(recipe.languages), languages=len(recipe.languages) + len(recipe.rest), base=base,
        dirs=dirs, kind=servers.kind, gate=servers.gate, share=servers.share, tongue=servers.tongue,
        others=_others(recipe), purity=recipe.purity, short_share=recipe.short, stray=recipe.stray,
    )  # fmt: skip
    seeds = _entries(recipe, servers, laid)
    dead = max(1, round(0.6 * len(servers.size)))
    start, below = children(laid.parent)
    links = LinkDrawer(
        laid, start, below, dead=dead, open_pools=servers.open_pools, mixed_pools=servers.mixed_pools,
        near_pools=servers.near_pools, foreign_pools=servers.foreign_pools,
        any_target=[np.concatenate([*servers.open_pools, np.flatnonzero(servers.elsewhere).astype(np.int32)])],
    )  # fmt: skip
    drawn = _calibrated(recipe, links, len(laid.language))
    return _assembled(recipe, laid, drawn, seeds, dead)


def _others(recipe: Recipe) -> NDArray[np.int16]:
    """1024 languages from which pages in another language than their server's take theirs; two in three English."""
    shares = np.array([part for _, part in recipe.rest])
    shares = shares / shares.sum() * 0.4
    shares[0] += 0.6
    column = np.searchsorted(np.cumsum(shares), (np.arange(1024) + 0.5) / 1024)
    return (np.minimum(column, len(shares) - 1) + len(recipe.languages)).astype(np.int16)


def _entries(recipe: Recipe, servers: Servers, laid: Laid) -> NDArray[np.uint32]:
    """Gives each server's first page a parent on another server; returns the seeds, which need none."""
    chance = np.random.default_rng([recipe.seed, 2])
    base, parent = laid.base, laid.parent
    seeds = [int(base[server]) for pool in servers.open_pools for server in pool[:SEEDS]]

    def target_page(pool: NDArray[np.int32], rank: NDArray[np.int64]) -> NDArray[np.uint32]:
        at = pool[rank]
        pages: NDArray[np.uint32] = laid.order[
            base[at] + (laid.of_target[at] * chance.random(len(at)) ** 4).astype(np.int64)
        ]
        return pages

    def any_page(at: NDArray[np.int32]) -> NDArray[np.uint32]:
        pages: NDArray[np.uint32] = laid.order[
            base[at] + (servers.size[at] * chance.random(len(at)) ** 6).astype(np.int64)
        ]
        return pages

    def earlier(n: int, first: int) -> NDArray[np.int64]:
        ranks = np.arange(first, n)
        return (ranks * chance.random(len(ranks)) ** 4).astype(np.int64)

    def famous(pool: NDArray[np.int32], n: int) -> NDArray[np.int64]:
        return (len(pool) * chance.random(n) ** 3).astype(np.int64)

    foreign = np.concatenate(servers.foreign_pools)
    for pool in servers.foreign_pools:
        if len(pool):
            parent[base[pool[1:]]] = any_page(pool[earlier(len(pool), 1)])
            home = servers.open_pools[0]
            parent[base[pool[:1]]] = target_page(home, famous(home, 1))
    for number, home in enumerate(servers.open_pools):
        parent[base[home[SEEDS:]]] = target_page(home, earlier(len(home), SEEDS))
        near = servers.near_pools[number]
        parent[base[near]] = target_page(home, famous(home, len(near)))
        gated = np.flatnonzero((servers.kind == GATED) & (servers.tongue == number) & ~servers.elsewhere)
        from_target = chance.random(len(gated)) < 0.98
        parent[base[gated]] = np.where(
            from_target,
            target_page(home, famous(home, len(gated))),
            any_page(foreign[(len(foreign) * chance.random(len(gated))).astype(np.int64)]),
        )
    apart = np.flatnonzero(servers.elsewhere)
    parent[base[apart]] = any_page(foreign[(len(foreign) * chance.random(len(apart))).astype(np.int64)])
    return np.array(seeds, np.uint32)


def _calibrated(recipe: Recipe, links: LinkDrawer, pages: int) -> DrawnLinks:
    """The links, drawn at rates whose outcome is what the recipe wants: a link that is there already is lost."""
    wanted = recipe.wanted()
    step = max(1, pages // LOOKED_AT)
    shape: dict[str, Any] = {"spread": recipe.spread, "first": recipe.first, "stray": recipe.stray}
    tried = links.draw(np.zeros_like(wanted), fresh=1, stride=step, room=None, **shape)
    sources = np.maximum(1, tried.sources)[:, None] * step
    rates = np.maximum(0, wanted - tried.tree * step) / sources
    for _ in range(ROUNDS):
        tried = links.draw(rates, fresh=1, stride=step, room=None, **shape)
        missing = np.maximum(0, wanted - tried.tree * step) / np.maximum(1, tried.counts * step)
        rates = rates * np.clip(missing, 0.2, 5)
    room = int(1.1 * wanted.sum()) + 100_000, int(wanted[:, 5:].sum() * (recipe.fresh + 0.15)) + 100_000
    return links.draw(rates, fresh=recipe.fresh, room=room, **shape)


def _assembled(recipe: Recipe, laid: Laid, drawn: DrawnLinks, seeds: NDArray[np.uint32], dead: int) -> SyntheticWeb:
    pages, seen = len(laid.language), len(drawn.seen_server)
    indptr = np.full(pages + seen + 1, drawn.indptr[-1], np.int64)
    indptr[: pages + 1] = drawn.indptr
    fetched = np.zeros(pages + seen, np.bool_)
    fetched[:pages] = True
    length = np.zeros(pages + seen, np.int32)
    length[:pages] = laid.length
    language = np.full(pages + seen, -1, np.int16)
    language[:pages] = laid.language
    servers = np.repeat(np.arange(len(laid.kind), dtype=np.int32), np.diff(laid.base))
    common = np.int16(len(recipe.languages))
    graph = Graph(
        indptr, drawn.targets.copy(), np.concatenate([servers, drawn.seen_server]),
        np.concatenate([laid.directory, drawn.seen_directory]), language, length, fetched,
        recipe.languages + tuple(language for language, _ in recipe.rest), seeds,
    )  # fmt: skip
    return SyntheticWeb(
        recipe, graph, np.concatenate([laid.language, drawn.seen_language]),
        np.concatenate([laid.tongue, np.full(dead, common, np.int16)]), laid.base,
    )  # fmt: skip
