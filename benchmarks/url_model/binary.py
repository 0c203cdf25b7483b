"""One yes or no per language, as in 2008: the model with thresholds from the tuning halves against the best pairs.

The pairs are trained by the study's own code on the same training URLs in the same run, and searched on the same
tuning halves. Which probability is compared with the thresholds (among the five languages or among all) and whether
there is one threshold or one per language is chosen on the tuning halves too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from material import Answered, Bools, Floats, Material
from targets import AHEAD, NOT_BEHIND, Verdict
from thresholds import best_threshold

from dragoman import measures
from dragoman.languages import FIVE
from dragoman.studies.cells import Cells
from dragoman.studies.url_2008.figures import UrlFigures
from dragoman.studies.url_2008.plan import CAP, SCALES
from dragoman.studies.url_2008.training import Trainer

#: Thresholds tried: evenly spread in the odds, from 1 in 200 to 199 in 200.
CANDIDATES: Floats = 1 / (1 + np.exp(-np.linspace(-5.3, 5.3, 213)))

Probability = Callable[[Answered], Floats]
#: Halvings of the tuning sites by which a way to answer is chosen. Ways this close are equal: the simplest is taken.
HALVINGS, CLOSE = 6, 0.001
PROBABILITIES: dict[str, Probability] = {
    "among the five": lambda one: one.five_probability,
    "among all languages": lambda one: one.probability[:, [one.languages.index(tag) for tag in FIVE]],
}


def best_pairs(material: Material, kept: Path) -> UrlFigures:
    """The classifiers of the paper that may be paired, trained; the study's figures read them."""
    corpus, plan = material.five_corpus(), SCALES["full"]
    cells = Cells(kept, {"data": corpus.digests, "cap": CAP, "plan": repr(plan), "rows": len(corpus.train)})
    figures = UrlFigures(corpus, plan, cells, has_text=False)
    trainer = Trainer(corpus, plan, {})
    for cell in figures.members:
        cells.compute(cell.name, lambda cell=cell: trainer.run(cell))  # type: ignore[misc]
    return figures


def judge_binary(material: Material, pairs: UrlFigures | None, rounds: int) -> tuple[dict[str, Any], list[Verdict]]:
    """Thresholds, F by set and, with the pairs, the paired difference and how it stands to its target."""
    choices = _choices(material)
    best = max(float(choice["halves_f"]) for choice in choices)
    chosen = min(
        (choice for choice in choices if choice["halves_f"] > best - CLOSE),
        key=lambda choice: (len(set(choice["thresholds"].values())), -float(choice["halves_f"])),
    )
    thresholds = np.array([chosen["thresholds"][tag] for tag in FIVE])
    found: dict[str, Any] = {
        "choices": choices,
        "chosen": {"probability": chosen["probability"], "how": chosen["how"]},
        "sets": {},
    }
    if pairs is not None:
        found["pairs"] = {tag: str(rule) for tag, rule in zip(FIVE, pairs.rules, strict=True)}
    verdicts: list[Verdict] = []
    for name, one, mask in material.places():
        rows = one.judge & mask & (one.five_truth >= 0)
        said = _said(one, PROBABILITIES[chosen["probability"]], thresholds)[rows]
        truth, sites = one.five_truth[rows], one.test.sites[rows]
        ours = measures.site_bootstrap(truth, sites, said, rounds=rounds)
        figures: dict[str, Any] = {"n": int(rows.sum()), "f": ours.value, "interval": [ours.low, ours.high]}
        if pairs is not None:
            theirs = pairs.combined(one.name)[rows]
            difference = measures.site_bootstrap(truth, sites, said, theirs, rounds=rounds)
            figures["pairs_f"] = measures.macro_f(truth, theirs)
            figures["difference"] = difference.value
            figures["difference_interval"] = [difference.low, difference.high]
            argmax = measures.site_bootstrap(truth, sites, one.five_said[rows], theirs, rounds=rounds)
            figures["argmax_difference"] = argmax.value
            figures["argmax_difference_interval"] = [argmax.low, argmax.high]
            figures["languages"] = {
                tag: {"f": mine.f, "recall": mine.recall, "precision": mine.precision, "pairs_f": other.f}
                for tag, mine, other in zip(
                    FIVE, measures.judge_all(truth, said), measures.judge_all(truth, theirs), strict=True
                )
            }
            if name in AHEAD:
                what = f"binary, ahead of the best pairs on {name}, lower end"
                verdicts.append(Verdict(what, difference.low, ">", 0.0))
            if name in NOT_BEHIND:
                verdicts.append(Verdict(f"binary, not behind the best pairs on {name}", difference.value, ">=", 0.0))
        found["sets"][name] = figures
    return found, verdicts


def _choices(material: Material) -> list[dict[str, Any]]:
    """Every way to answer yes or no, with its thresholds from the tuning halves and its macro F there.

    `halves_f` is the mean over random halvings of the tuning sites, thresholds from the one and F from the other half:
    five thresholds always fit the URLs that they were chosen on better than one does.
    """
    parts = [
        (one, np.flatnonzero(~one.judge & (one.five_truth >= 0)))
        for one in material.sets.values()
        if np.any(~one.judge & (one.five_truth >= 0))
    ]
    truths = [one.five_truth[rows] for one, rows in parts]
    sites = [one.test.sites[rows] for one, rows in parts]
    rng = np.random.default_rng(0)
    halves = [[rng.random(1 + int(some.max()))[some] < 0.5 for some in sites] for _ in range(HALVINGS)]
    found: list[dict[str, Any]] = []
    for name, probability in PROBABILITIES.items():
        values = [np.nan_to_num(probability(one)[rows], nan=-1.0) for one, rows in parts]
        for how, choose in THRESHOLDS.items():
            thresholds = choose(values, truths)
            kept = [
                _mean_f(_part(values, other), _part(truths, other), choose(_part(values, half), _part(truths, half)))
                for one in halves
                for half, other in ((one, [~rows for rows in one]), ([~rows for rows in one], one))
            ]
            found.append(
                {
                    "probability": name,
                    "how": how,
                    "thresholds": dict(zip(FIVE, thresholds.tolist(), strict=True)),
                    "tune_f": _mean_f(values, truths, thresholds),
                    "halves_f": float(np.mean(kept)),
                }
            )
    return found


def _one_per_language(values: list[Floats], truths: list[Any]) -> Floats:
    return np.array(
        [best_threshold([v[:, c] for v in values], [t == c for t in truths], CANDIDATES)[0] for c in range(len(FIVE))]
    )


def _one_for_all(values: list[Floats], truths: list[Any]) -> Floats:
    best = max(CANDIDATES.tolist(), key=lambda threshold: _mean_f(values, truths, np.full(len(FIVE), threshold)))
    return np.full(len(FIVE), best)


THRESHOLDS: dict[str, Callable[[list[Floats], list[Any]], Floats]] = {
    "one per language": _one_per_language,
    "one for all": _one_for_all,
}


def _part(columns: list[Any], rows: list[Bools]) -> list[Any]:
    return [column[some] for column, some in zip(columns, rows, strict=True)]


def _mean_f(values: list[Floats], truths: list[Any], thresholds: Floats) -> float:
    fs = [measures.macro_f(truth, value >= thresholds) for value, truth in zip(values, truths, strict=True)]
    return float(np.mean(fs)) if fs else float("nan")


def _said(one: Answered, probability: Probability, thresholds: Floats) -> Bools:
    with np.errstate(invalid="ignore"):
        return np.asarray(probability(one) >= thresholds)
