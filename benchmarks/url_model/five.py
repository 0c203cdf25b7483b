"""The five languages of the paper, one answer per URL: macro balanced F by set, with intervals, and by stratum."""

from __future__ import annotations

from typing import Any

import numpy as np
from material import Answered, Bools, Material
from targets import FIVE_AIM, FIVE_MUST, Verdict

from dragoman import measures
from dragoman.languages import FIVE


def judge_five(material: Material, rounds: int) -> tuple[dict[str, Any], list[Verdict]]:
    """Figures by set, and how they stand to their targets. A closed test: only URLs of the five languages."""
    found: dict[str, Any] = {}
    verdicts: list[Verdict] = []
    for name, one, mask in material.places():
        figures = _figures(one, mask, rounds)
        truth = one.five_truth[rows := _rows(one, mask)]
        judged = measures.judge_all(truth, one.five_said[rows])
        figures["languages"] = {
            tag: {"n": each.positives, "f": each.f, "precision": each.precision, "recall": each.recall}
            for tag, each in zip(FIVE, judged, strict=True)
        }
        figures["strata"] = {
            stratum: {part: _figures(one, mask & chosen, rounds) for part, chosen in parts.items()}
            for stratum, parts in one.strata.items()
        }
        found[name] = figures
        for kind, targets in (("must", FIVE_MUST), ("aim", FIVE_AIM)):
            if name in targets:
                verdicts.append(Verdict(f"five languages, F on {name}", figures["f"], ">=", targets[name], kind))
    return found, verdicts


def _rows(one: Answered, mask: Bools) -> Bools:
    return one.judge & mask & (one.five_truth >= 0)


def _figures(one: Answered, mask: Bools, rounds: int) -> dict[str, Any]:
    rows = _rows(one, mask)
    interval = measures.site_bootstrap(one.five_truth[rows], one.test.sites[rows], one.five_said[rows], rounds=rounds)
    right = one.five_said[rows, one.five_truth[rows]]
    return {
        "n": int(rows.sum()),
        "sites": len(np.unique(one.test.sites[rows])),
        "f": interval.value,
        "interval": [interval.low, interval.high],
        "accuracy": float(right.mean()) if rows.any() else float("nan"),
    }
