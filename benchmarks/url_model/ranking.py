"""Whether another order of the answers would leave fewer errors among the most certain ones.

    python benchmarks/url_model/ranking.py [--data DIR] [--model NAME]

The model's own probability orders its answers, and at 90 % coverage some share of the errors stays. Here boosted trees
see the probability of the three likeliest languages, the entropy, the length, the kind of domain and the language
itself, learn on the tuning halves which answers are right, and are judged in five folds by site. If they cannot order
the answers better, the share is a matter of what the URLs show, not of the confidence. About half a minute.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from material import Answered, Bools, Floats, load
from targets import CALIBRATION_BINS, COVERAGE
from thresholds import risk_at

from dragoman import measures
from dragoman.errors import need
from dragoman.identifiers.models import DEFAULT, open_model
from dragoman.studies.url_2008.plan import CAP

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "urls"
FOLDS = 5


def evidence(one: Answered) -> Floats:
    """What the trees see of every row."""
    probability = np.nan_to_num(one.probability)
    top = -np.sort(-probability, axis=1)[:, :3]
    entropy = -(probability * np.log(probability + 1e-12)).sum(axis=1)
    lengths = np.diff(one.test.urls.offsets)
    kinds = [chosen for parts in one.strata.values() for chosen in parts.values()]
    return np.column_stack([top, entropy, lengths, one.best, *kinds]).astype(np.float64)


def _ratio(certain: Floats, right: Bools) -> float:
    return risk_at(COVERAGE, certain, right) / risk_at(1.0, certain, right)


def main() -> int:
    """Learn in folds, print both orders beside each other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--model", default=DEFAULT)
    arguments = parser.parse_args()
    if not (arguments.data / "train.parquet").exists():
        print("ranking: skipped, there are no labelled URLs beside the repository (give some with --data)")
        return 0
    trees = need("train", "sklearn.ensemble").HistGradientBoostingClassifier
    sets = load(arguments.data, open_model(arguments.model), CAP).sets
    rows = {name: np.flatnonzero(~one.judge & ~np.isnan(one.certain)) for name, one in sets.items()}
    seen = np.concatenate([evidence(one)[rows[name]] for name, one in sets.items()])
    right = np.concatenate([one.right[rows[name]] for name, one in sets.items()])
    own = np.concatenate([one.certain[rows[name]] for name, one in sets.items()])
    of = np.concatenate([np.full(len(some), name) for name, some in rows.items()])
    sites = np.concatenate([one.test.sites[rows[name]] for name, one in sets.items()])
    fold = np.random.default_rng(0).integers(0, FOLDS, int(sites.max()) + 1)[sites]
    other = np.empty(len(right))
    for number in range(FOLDS):
        model = trees(max_depth=3, max_iter=100, random_state=0).fit(seen[fold != number], right[fold != number])
        other[fold == number] = model.predict_proba(seen[fold == number])[:, 1]
    print(f"risk at {100 * COVERAGE:g} % coverage as a share of the full risk, and calibration error; tuning halves")
    for name in sets:
        part = of == name
        for what, certain in (("the model's own order", own), ("boosted trees, by folds", other)):
            error = measures.expected_calibration_error(certain[part], right[part], CALIBRATION_BINS)
            print(f"  {name:10} {what:24} {_ratio(certain[part], right[part]):.3f}  {error:.4f}  n {part.sum():,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
