"""A made web with what its crawls need: scores, other seeds, the country's domain, and errors of identification."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.simulate import distances
from dragoman.crawl.synth import SyntheticWeb, make
from dragoman.crawl.synth.servers import SEEDS
from dragoman.crawl.synth.urls import urls
from dragoman.crawl.url_scores import model_score, noisy_score
from dragoman.identifiers.url.address import read_address
from dragoman.languages import country_domains
from dragoman.studies.crawling_2007.plan import CrawlJob, Web
from dragoman.studies.published import published_figures
from dragoman.web.graph import Graph

LANGUAGE = "th"
#: Other seeds are front pages in the target language of servers with so many pages at least.
LARGE = 20


@dataclass
class MadeWeb:
    """A synthetic web, the pages in its target language, and distances from its seeds."""

    plan: Web
    web: SyntheticWeb
    relevant: NDArray[np.bool_]
    distance: NDArray[np.int32]

    @classmethod
    def of(cls, plan: Web) -> MadeWeb:
        """The web of a plan, made now."""
        web = make(plan.recipe())
        return cls(plan, web, web.graph.is_in(LANGUAGE), distances(web.graph))

    def score(self, kind: str) -> NDArray[np.float32] | None:
        """What a crawl knows of URLs: nothing, a noisy score drawn from the labels, or that of our URL model."""
        if kind == "labels":
            return noisy_score(self.web.latent == 0, self.web.graph.server, seed=self.plan.seed)
        return self._by_model if kind == "model" else None

    @cached_property
    def _by_model(self) -> NDArray[np.float32]:
        return model_score(urls(self.web), (LANGUAGE,))

    def graph_for(self, job: CrawlJob) -> Graph:
        """The graph as a crawl meets it: from its seeds, and inside the country's domain if it stays there."""
        graph = self.web.graph
        if job.start:
            graph = replace(graph, seeds=self.seeds(job.start))
        if job.national:
            inside = graph.fetched & self.national[graph.server]
            graph = replace(graph, fetched=inside, seeds=self.seeds("national"))
        return graph

    @property
    def target_servers(self) -> NDArray[np.int64]:
        """Servers with a target page."""
        return np.unique(self.web.graph.server[self.relevant]).astype(np.int64)

    def seeds(self, start: str) -> NDArray[np.uint32]:
        """Where a crawl starts, at front pages of target servers.

        `sites`: of all of them; `national`: of the three largest under the country's domain; `other 1`: of three drawn.
        """
        base = self.web.base
        if start == "sites":
            return base[self.target_servers].astype(np.uint32)
        if start == "national":
            inside = self.target_servers[self.national[self.target_servers]]
            return base[inside[np.argsort(-np.diff(base)[inside], kind="stable")[:SEEDS]]].astype(np.uint32)
        large = self.target_servers[np.diff(base)[self.target_servers] >= LARGE]
        fronts = base[large[self.relevant[base[large]]]].astype(np.uint32)
        others = np.setdiff1d(fronts, self.web.graph.seeds)
        chance = np.random.default_rng([self.plan.seed, int(start.rpartition(" ")[2])])
        return np.sort(chance.choice(others, SEEDS, replace=False))

    @cached_property
    def national(self) -> NDArray[np.bool_]:
        """True for the servers under a domain of the language's countries."""
        domains = set(country_domains(LANGUAGE))
        national = np.zeros(self.web.graph.servers, np.bool_)
        for server in np.flatnonzero(self.web.tongue[: self.web.live] == 0).tolist():
            front = int(self.web.base[server])
            national[server] = read_address(urls(self.web, front, front + 1)[0]).tld in domains
        return national

    @cached_property
    def identified(self) -> NDArray[np.bool_]:
        """The pages taken for target pages by a rule that errs as the paper's (its Tables 2 and 3).

        86.7 % of the pages that were taken for Thai were so by their META element, the rest by n-grams: that gives how
        many target pages are missed and how many others are taken for one, per target page. Of the latter 27 in 59
        were pages of servers with target pages, about 20 were copies (here: whole servers), the others are drawn.
        """
        chance = np.random.default_rng([self.plan.seed, 59])
        missed, false = error_rates()
        identified = self.relevant & (chance.random(len(self.relevant)) >= missed)
        server = self.web.graph.server
        other = self.web.graph.fetched & ~self.relevant
        at_home = other & np.isin(server, self.target_servers)
        away = other & ~at_home
        wrong = false * int(np.count_nonzero(identified))
        for pool, part in ((at_home, 27 / 59), (away, 12 / 59)):
            pages = np.flatnonzero(pool)
            identified[chance.choice(pages, min(len(pages), round(part * wrong)), replace=False)] = True
        copies = chance.permutation(np.unique(server[away]))
        sizes = np.bincount(server[away])[copies]
        allowed = copies[sizes <= wrong * 20 / 59 / 4]  # four servers at least
        enough = int(np.searchsorted(np.cumsum(np.bincount(server[away])[allowed]), wrong * 20 / 59))
        identified |= away & np.isin(server, allowed[:enough])
        return identified


def error_rates() -> tuple[float, float]:
    """(share of target pages missed, pages wrongly taken for one per target page found), as the paper's rule errs.

    >>> [round(rate, 3) for rate in error_rates()]
    [0.019, 0.175]
    """
    tables = published_figures(__package__)["identification"]
    meta, ngrams, by_meta = tables["meta"], tables["ngrams"], tables["by_meta"]
    wrong = by_meta * meta["other_as_thai"] / (meta["other_as_thai"] + meta["thai_as_thai"])
    right_by_meta = (by_meta - wrong) / (1 - wrong)
    misses = [table["thai_as_other"] / (table["thai_as_other"] + table["thai_as_thai"]) for table in (meta, ngrams)]
    return right_by_meta * misses[0] + (1 - right_by_meta) * misses[1], wrong / (1 - wrong)
