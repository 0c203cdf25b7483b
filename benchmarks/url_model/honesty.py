"""Whether stated probabilities are true, and what leaving the least certain URLs out saves."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from material import Answered, Bools, Floats, Material
from targets import CALIBRATION_BINS, CALIBRATION_ERROR, COVERAGE, RISK_RATIO, Verdict
from thresholds import risk_at, risk_coverage

from dragoman import measures

#: Points of a risk-coverage curve that are kept for the picture.
POINTS = 200


def judge_honesty(material: Material) -> tuple[dict[str, Any], list[Verdict]]:
    """Calibration error (by stratum too), bins of the reliability plot, and risk by coverage, for every set.

    All languages of the model, all URLs of the judge halves that get an answer. A URL in a language that the model
    does not have counts as wrong: it is there, and a probability was stated.
    """
    found: dict[str, Any] = {}
    verdicts: list[Verdict] = []
    for name, one, mask in material.places():
        rows = one.judge & mask & ~np.isnan(one.certain)
        certain, right = one.certain[rows], one.right[rows]
        coverage, risk = risk_coverage(certain, right)
        shown = np.unique(np.linspace(0, max(0, len(coverage) - 1), POINTS).astype(int))[: len(coverage)].tolist()
        found[name] = _figures(certain, right) | {
            "without_answer": int((one.judge & mask & np.isnan(one.certain)).sum()),
            "calibration_error_of_known_languages": _error(one, rows & (one.test.truth < one.known)),
            "reliability": [asdict(part) for part in measures.reliability(certain, right, CALIBRATION_BINS)],
            "strata": {
                stratum: {
                    part: {"n": int((rows & chosen).sum()), "calibration_error": _error(one, rows & chosen)}
                    for part, chosen in parts.items()
                }
                for stratum, parts in one.strata.items()
            },
            "among_the_five": _figures(*_five(one, mask)),
            "curve": [[float(coverage[i]), float(risk[i])] for i in shown],
        }
        if name in material.sets:
            what = f"calibration error on {name}"
            verdicts.append(Verdict(what, found[name]["calibration_error"], "<=", CALIBRATION_ERROR))
    for name in material.sets:
        what = f"risk at {100 * COVERAGE:g} % coverage on {name}, share of the full risk"
        verdicts.append(Verdict(what, found[name]["risk_ratio"], "<=", RISK_RATIO))
    return found, verdicts


def _figures(certain: Floats, right: Bools) -> dict[str, Any]:
    full, partial = risk_at(1.0, certain, right), risk_at(COVERAGE, certain, right)
    return {
        "n": len(certain),
        "calibration_error": measures.expected_calibration_error(certain, right, CALIBRATION_BINS),
        "mean_probability": float(certain.mean()) if len(certain) else float("nan"),
        "accuracy": 1 - full,
        "risk": full,
        f"risk_at_{COVERAGE:g}": partial,
        "risk_ratio": partial / full if full else full,
    }


def _five(one: Answered, mask: Bools) -> tuple[Floats, Bools]:
    """(certain, right) of the judged URLs of the five languages, answered among the five."""
    rows = one.judge & mask & (one.five_truth >= 0) & (one.five_best >= 0)
    return one.five_probability[rows].max(axis=1), one.five_best[rows] == one.five_truth[rows]


def _error(one: Answered, rows: Bools) -> float:
    return measures.expected_calibration_error(one.certain[rows], one.right[rows], CALIBRATION_BINS)
