"""Words against trigrams under the paper's protocol and under ours, one part changed at a time (sections 4.1 and 6).

The paper has one pool of URLs, split at random by URL, with equally many of each language, and naive Bayes smoothed
with s = 1. Our study trains on sites apart from most test sites, on languages of uneven size, at most 30 URLs of a
site, with s = 0.1. Here everything comes from train.parquet: a tenth of the pool is held out and tests.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dragoman import measures
from dragoman.evaluate.corpus import Corpus, UrlSet, capped
from dragoman.studies.cells import Arrays
from dragoman.studies.url_2008.plan import CAP, LINEAR, UrlCell, UrlPlan
from dragoman.studies.url_2008.training import Trainer

#: The share of the pool that tests.
HELD = 0.1
#: What is compared.
FEATURES = ("words", "trigrams")


@dataclass(frozen=True)
class Protocol:
    """How training and test URLs are drawn, and how naive Bayes is smoothed."""

    by_site: bool = False
    even: bool = True
    cap: int | None = None
    smoothing: float = 1.0


THEIRS = Protocol()
#: By name: the paper's, one part of ours at a time, and ours.
PROTOCOLS = {
    "the paper's": THEIRS,
    "split by site": replace(THEIRS, by_site=True),
    "sizes as they come": replace(THEIRS, even=False),
    f"at most {CAP} URLs of a site": replace(THEIRS, cap=CAP),
    "s = 0.1": replace(THEIRS, smoothing=0.1),
    "ours: all four": Protocol(by_site=True, even=False, cap=CAP, smoothing=0.1),
}


def split(pool: UrlSet, protocol: Protocol, languages: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(training rows, test rows) of the pool."""
    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(pool.truth >= 0)
    if protocol.cap is not None:
        rows = rows[capped(pool.sites[rows], protocol.cap, rng)]
    if protocol.even:
        size = int(np.bincount(pool.truth[rows], minlength=languages).min())
        by_language = (rows[pool.truth[rows] == column] for column in range(languages))
        rows = np.sort(np.concatenate([rng.choice(own, size, replace=False) for own in by_language]))
    if protocol.by_site:
        sites = np.unique(pool.sites[rows])
        held = np.isin(pool.sites[rows], rng.choice(sites, max(1, int(HELD * len(sites))), replace=False))
    else:
        held = rng.random(len(rows)) < HELD
    return rows[~held], rows[held]


def run_protocol(pool: UrlSet, languages: tuple[str, ...], plan: UrlPlan, name: str) -> Arrays:
    """`f`: mean F by features, algorithm and share of the training rows; `seen`: test URLs on sites of training."""
    protocol = PROTOCOLS[name]
    train, test = split(pool, protocol, len(languages), seed=0)
    corpus = Corpus(languages, pool.take(train), {"held": pool.take(test)}, {})
    trainer = Trainer(corpus, plan, {})
    truth = corpus.tests["held"].truth
    f = np.zeros((len(FEATURES), len(LINEAR), len(plan.pool_sizes)))
    for i, features in enumerate(FEATURES):
        for j, algorithm in enumerate(LINEAR):
            params = (("smoothing", protocol.smoothing),) if algorithm == "naive-bayes" else ()
            for k, share in enumerate(plan.pool_sizes):
                drawn = [UrlCell(features, algorithm, share, seed, params=params) for seed in plan.seeds(share)]
                f[i, j, k] = np.mean([measures.macro_f(truth, trainer.run(cell)["held"] > 0) for cell in drawn])
    seen = np.isin(pool.sites[test], pool.sites[train]).mean()
    return {"f": f, "seen": np.array(seen), "sizes": np.array([len(train), len(test)], np.int64)}
