"""The servers of a synthetic web: sizes, languages, gates, and who is popular."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.synth.recipe import Recipe

OTHER, OPEN, GATED = 0, 1, 2

#: The longest row of pages in front of what a gate hides.
LONGEST_GATE = 18
#: Seeds for each target language.
SEEDS = 3

Numbers = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Servers:
    """Servers in random order: a number says nothing about a server."""

    size: NDArray[np.int64]
    kind: NDArray[np.uint8]
    gate: NDArray[np.uint8]
    share: NDArray[np.float32]
    tongue: NDArray[np.int16]
    #: True for target servers to which nothing but other servers link.
    elsewhere: NDArray[np.bool_]
    #: Servers by language, the most popular first: open ones, those with pages in other languages, ...
    open_pools: list[Numbers]
    mixed_pools: list[Numbers]
    #: ... the others to which target pages link, per target language, and all others by their own language.
    near_pools: list[Numbers]
    foreign_pools: list[Numbers]


def pareto_sizes(
    chance: np.random.Generator, servers: int, pages: int, exponent: float, most: float
) -> NDArray[np.float64]:
    """Sizes that sum to about `pages`: a Pareto distribution between a smallest size and `most`.

    Each server takes its part of the distribution (jittered quantiles), so that the heavy tail is the same in every
    web and only which server is large differs. The smallest size is found by bisection.
    """
    u = (np.arange(servers) + chance.random(servers)) / servers

    def drawn(smallest: float) -> NDArray[np.float64]:
        tail = (smallest / most) ** exponent
        sizes: NDArray[np.float64] = smallest * (1 - u * (1 - tail)) ** (-1 / exponent)
        return sizes

    low, high = 1e-3, min(float(most), pages / servers)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if np.maximum(1, drawn(middle)).sum() < pages else (low, middle)
    sizes = np.maximum(1, drawn(low))
    chance.shuffle(sizes)
    return sizes


def plan(recipe: Recipe) -> Servers:
    """The servers of a web."""
    chance = np.random.default_rng([recipe.seed, 1])
    parts = [_target_servers(recipe, number, chance) for number in range(len(recipe.languages))]
    parts.append(_other_servers(recipe, chance))
    size, kind, gate, share, tongue, elsewhere = (np.concatenate(column) for column in zip(*parts, strict=True))
    mixed_order = chance.permutation(len(size))
    size, kind, gate, share = size[mixed_order], kind[mixed_order], gate[mixed_order], share[mixed_order]
    tongue, elsewhere = tongue[mixed_order], elsewhere[mixed_order]
    fame = size**0.7 * np.exp(chance.normal(size=len(size)))
    by_fame = np.argsort(-fame, kind="stable").astype(np.int32)

    def pool(chosen: NDArray[np.bool_]) -> Numbers:
        return np.ascontiguousarray(by_fame[chosen[by_fame]])

    known = (kind != OTHER) & ~elsewhere
    with_others = known & ((kind == GATED) | (share < 0.93)) & (size >= 3)
    other = kind == OTHER
    targets = range(len(recipe.languages))
    everywhere = len(recipe.languages) + len(recipe.rest)
    return Servers(
        size, kind, gate, share, tongue, elsewhere,
        [pool(known & (kind == OPEN) & (tongue == language)) for language in targets],
        [pool(with_others & (tongue == language)) for language in targets],
        [pool(other & (chance.random(len(size)) < recipe.near)) for _ in targets],
        [pool(other & (tongue == language)) for language in range(everywhere)],
    )  # fmt: skip


_Part = tuple[
    NDArray[np.int64], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.float32], NDArray[np.int16], NDArray[np.bool_]
]


def _target_servers(recipe: Recipe, number: int, chance: np.random.Generator) -> _Part:
    n, wanted = recipe.target_servers, recipe.target_pages
    total = round(wanted * (1 + recipe.others))
    size = pareto_sizes(chance, n, total, recipe.pareto, max(50.0, recipe.largest * total))
    # Types go round by size, so that the largest servers, which decide the shares, are not all of one type.
    turn = np.empty(n)
    turn[np.argsort(-size, kind="stable")] = (0.5 + chance.random() + 0.6180339887498949 * np.arange(n)) % 1
    pure, rare = turn < recipe.pure, turn >= recipe.pure + recipe.mixed
    share = np.where(pure, 1 - 0.04 * chance.random(n), 0.002)
    mixed = ~pure & ~rare
    size[rare] = np.minimum(size[rare], 400)
    # The mean of the mixed servers is what brings the pages in other languages to their number.
    spread = chance.beta(3, 2, n)
    low, high = 0.05, 8.0
    goal = 1 / (1 + recipe.others)
    for _ in range(50):
        power = (low + high) / 2
        share[mixed] = spread[mixed] ** power
        low, high = (power, high) if (size * share).sum() / size.sum() > goal else (low, power)
    share = np.clip(share, 0.002, 1)
    size = np.maximum(1, np.round(size * wanted / (size * share).sum())).astype(np.int64)
    within = np.maximum(1, size * share)
    kind, gate = np.full(n, OPEN, np.uint8), np.zeros(n, np.uint8)
    # Rare target pages lie deeper than what other gates hide.
    steps = np.minimum(chance.geometric(np.where(rare, 0.8 * (1 - recipe.gate), 1 - recipe.gate)) - 1, LONGEST_GATE)
    order = chance.permutation(n)
    small = (size >= 3) & (within <= max(20.0, 0.01 * wanted))
    gated = _until(order, small & ~rare, within, recipe.gated * wanted) | (rare & (size >= 3))
    kind[gated] = GATED
    gate[gated] = np.minimum(steps[gated], np.maximum(0, size[gated] // 2 - 1))
    apart = _until(order[::-1], small & ~gated & ~rare, within, recipe.elsewhere * wanted)
    return size, kind, gate, share.astype(np.float32), np.full(n, number, np.int16), apart


def _until(
    order: NDArray[np.int64], allowed: NDArray[np.bool_], within: NDArray[np.float64], goal: float
) -> NDArray[np.bool_]:
    """The allowed servers in this order until they hold `goal` pages."""
    candidates = order[allowed[order]]
    taken = np.zeros(len(allowed), np.bool_)
    taken[candidates[: int(np.searchsorted(np.cumsum(within[candidates]), goal))]] = True
    return taken


def _other_servers(recipe: Recipe, chance: np.random.Generator) -> _Part:
    n = recipe.other_servers
    drawn = pareto_sizes(chance, n, recipe.other_pages, recipe.pareto, max(100.0, min(1e5, 0.02 * recipe.other_pages)))
    size = np.maximum(1, np.floor(drawn + chance.random(n))).astype(np.int64)
    shares = np.array([part for _, part in recipe.rest])
    tongue = chance.choice(len(shares), n, p=shares).astype(np.int16) + np.int16(len(recipe.languages))
    none = np.zeros(n, np.uint8)
    return size, none, none.copy(), np.zeros(n, np.float32), tongue.astype(np.int16), np.zeros(n, np.bool_)
