"""INLINKS and OUTLINKS (section 5): short pages of a made web, whose texts were answered by the study's own models.

No web graph with texts is to be had. The links are those of a synthetic web in which every page is in one of the eleven
languages: as it is made, where about 72 % of the links between pages stay in a language, and with as many of the others
led elsewhere that 95 % do, as the report counted. A page gets a test text of its language at random, and with it the
answer that the model gave: no other training than in the rest of the study.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.synth import Recipe, SyntheticWeb, make
from dragoman.languages import ELEVEN
from dragoman.studies.cells import Arrays
from dragoman.web.graph import Graph
from dragoman.web.inlinks import MIN_REF_LENGTH, by_inlinks, by_outlinks, counted_inlinks

#: The languages of the synthetic web's other pages, as these pages are labelled here: English first.
STAND_INS = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "fi", "no")
#: How links are made: as the synthetic web has them, and with the report's share of links inside one language.
AS_MADE, AS_REPORTED = "as made", "as reported"
#: Short pages have no links of their own with this probability: they "are unlikely to contain links" (5.3).
SILENT = 0.8
#: An eighth of the pages has under 25 characters, an eighth 25 to 50; these are their numbers, and that of the others.
UNDER_25, UNDER_50, LONG = 0, 1, 2
_LENGTHS = (20, 40, MIN_REF_LENGTH)


def eleven_web(pages: int, seed: int) -> SyntheticWeb:
    """A web whose every page is in one of the eleven languages."""
    web = make(Recipe(pages=pages, seed=seed, languages=ELEVEN, share=0.05))
    graph, eleven = web.graph, len(ELEVEN)
    others = len(graph.languages) - eleven
    to = np.array([*range(eleven), *(ELEVEN.index(STAND_INS[n % eleven]) for n in range(others)), -1], np.int16)
    graph = replace(graph, language=to[graph.language], languages=ELEVEN)
    return replace(web, graph=graph, latent=to[web.latent], tongue=to[web.tongue])


def silenced(graph: Graph, short: NDArray[np.int64], chance: np.random.Generator) -> Graph:
    """The graph in which only every fifth short page has links."""
    silent = np.zeros(len(graph), np.bool_)
    silent[short[chance.random(len(short)) < SILENT]] = True
    sizes = np.diff(graph.indptr)
    speaking = ~np.repeat(silent, sizes)
    indptr = np.zeros(len(graph) + 1, np.int64)
    np.cumsum(np.where(silent, 0, sizes), out=indptr[1:])
    return replace(graph, indptr=indptr, targets=graph.targets[speaking])


def same_language(graph: Graph) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(links between pages whose language is known, those of them that stay in a language), for every link."""
    source = np.repeat(np.arange(len(graph)), np.diff(graph.indptr))
    ends = graph.language[source], graph.language[graph.targets]
    known = (ends[0] >= 0) & (ends[1] >= 0)
    return known, known & (ends[0] == ends[1])


def rewired(graph: Graph, share: float, chance: np.random.Generator) -> Graph:
    """The graph with as many links led to a page of their own language that this share of them stays in a language.

    >>> graph = Graph.of([[1], [0], [0], [1]], language=[0, 1, 0, 1], languages=("de", "en"))
    >>> known, same = same_language(rewired(graph, 1.0, np.random.default_rng(0)))
    >>> int(known.sum()), int(same.sum())
    (4, 4)
    """
    known, same = same_language(graph)
    astray = np.flatnonzero(known & ~same)
    wanted = max(0, round(share * int(known.sum())) - int(same.sum()))
    chosen = np.sort(chance.choice(astray, min(wanted, len(astray)), replace=False))
    source = np.searchsorted(graph.indptr, chosen, side="right") - 1
    targets = graph.targets.copy()
    for column in range(len(graph.languages)):
        pages = np.flatnonzero(graph.fetched & (graph.language == column))
        mine = chosen[graph.language[source] == column]
        if len(mine):
            targets[mine] = chance.choice(pages, len(mine))
    return replace(graph, targets=targets)


@dataclass(frozen=True, eq=False)
class LinkedPages:
    """A web with short pages, and how long each page is."""

    graph: Graph
    #: UNDER_25, UNDER_50 or LONG, for every fetched page.
    kind: NDArray[np.int8]

    @classmethod
    def made(cls, pages: int, seed: int, links: str, share: float) -> LinkedPages:
        """A web of so many pages; links as made, or `share` of them inside one language."""
        chance = np.random.default_rng([seed, 77])
        graph = eleven_web(pages, seed).graph
        fetched = int(np.count_nonzero(graph.fetched))
        kind = np.minimum(chance.integers(0, 8, fetched), LONG).astype(np.int8)
        graph = silenced(graph, np.flatnonzero(kind != LONG), chance)
        if links == AS_REPORTED:
            graph = rewired(graph, share, chance)
        length = graph.length.copy()
        length[:fetched] = np.array(_LENGTHS)[kind]
        return cls(replace(graph, length=length), kind)

    def answered(
        self, pool: Callable[[int, int], NDArray[np.int64]], chance: np.random.Generator
    ) -> dict[str, NDArray[np.int8]]:
        """Answers of the text alone, of INLINKS and of OUTLINKS for the short pages, by method.

        `pool(kind, language)` are the answers that a model gave to test texts of that length in that language.
        """
        own = np.full(len(self.graph), -1, np.int16)
        truth = self.graph.language[: len(self.kind)]
        for kind in (UNDER_25, UNDER_50, LONG):
            for language in range(len(ELEVEN)):
                pages = np.flatnonzero((self.kind == kind) & (truth == language))
                own[pages] = chance.choice(pool(kind, language), len(pages))
        short = np.flatnonzero(self.kind != LONG)
        methods = {"text": own, "inlinks": by_inlinks(self.graph, own), "outlinks": by_outlinks(self.graph, own)}
        return {method: answers[short].astype(np.int8) for method, answers in methods.items()}

    def about(self) -> Arrays:
        """What the short pages are, how many pages link to each, and the share of links inside one language."""
        short = np.flatnonzero(self.kind != LONG)
        known, same = same_language(self.graph)
        return {
            "kind": self.kind[short],
            "truth": self.graph.language[short].astype(np.int8),
            "inlinks": np.minimum(counted_inlinks(self.graph)[short], 127).astype(np.int8),
            "same": np.array(same.sum() / known.sum()),
        }
