"""Ordinary URLs under hosts that say nothing, by kind: how often the likeliest language is one that is accepted.

python benchmarks/url_model/sense.py FILE [--half tune] [--model NAME]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet
from targets import CALIBRATION_ERROR, SENSE, SENSE_LARGE, WRONG_AND_SURE, Verdict

from dragoman import measures
from dragoman.columns import ByteColumn
from dragoman.errors import UnknownLanguage
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.models import open_url_model
from dragoman.languages import normalise

#: An answer that is wrong above this is wrong with confidence.
SURE = 0.9
EVERY = "all kinds"
#: Languages of many sites.
LARGE = frozenset(
    {"ar", "bg", "cs", "da", "de", "el", "en", "es", "fa", "fi", "fr", "he", "hi", "hr", "hu", "id", "it", "ja", "ko"}
    | {"nl", "no", "pl", "pt", "ro", "ru", "sk", "sv", "tr", "uk", "vi", "zh"}
)


@dataclass(frozen=True)
class Share:
    """What is right among the rows of a kind, what is wrong with confidence, and how true the probabilities are."""

    rows: int
    right: float
    wrong_and_sure: float
    calibration_error: float


def judge_sense(model: Classifier, path: Path, half: str) -> dict[str, Share]:
    """The shares of every kind in one half of a file with kind, url, accept and half, and of all together."""
    rows = [row for row in parquet.read_table(path).to_pylist() if row["half"] == half]
    matrix = np.nan_to_num(model.probabilities(ByteColumn.of([row["url"] for row in rows])))
    best, certain = matrix.argmax(axis=1), matrix.max(axis=1)
    right = np.array(
        [model.languages_[column] in _accepted(row["accept"]) for column, row in zip(best.tolist(), rows, strict=True)]
    )
    kinds = np.array([row["kind"] for row in rows])
    found = {}
    large = np.array([row["lang"] in LARGE for row in rows])
    names = sorted(set(kinds.tolist()))
    for kind in [*names, *(f"{name}, large languages" for name in SENSE_LARGE if name in names), EVERY]:
        name, _, only_large = kind.partition(", ")
        chosen = np.ones(len(rows), bool) if kind == EVERY else (kinds == name) & (large | (not only_large))
        found[kind] = Share(
            int(chosen.sum()),
            float(right[chosen].mean()),
            float((~right & (certain > SURE))[chosen].mean()),
            measures.expected_calibration_error(certain[chosen], right[chosen]),
        )
    return found


def verdicts(shares: dict[str, Share]) -> list[Verdict]:
    """The shares beside their targets."""
    wanted = SENSE | {f"{kind}, large languages": value for kind, value in SENSE_LARGE.items()}
    found = [
        Verdict(f"right on {kind}", shares[kind].right, ">=", value) for kind, value in wanted.items() if kind in shares
    ]
    every = shares[EVERY]
    return [
        *found,
        Verdict("wrong above .9, all kinds", every.wrong_and_sure, "<=", WRONG_AND_SURE),
        Verdict("calibration error, all kinds", every.calibration_error, "<=", CALIBRATION_ERROR),
    ]


def _accepted(tags: str) -> set[str]:
    found = set()
    for tag in tags.split(","):
        try:
            found.add(normalise(tag))
        except UnknownLanguage:
            continue
    return found | ({"ku"} if "ckb" in found else set())


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the shares beside their targets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--half", default="tune")
    parser.add_argument("--model", default="default")
    asked = parser.parse_args(arguments)
    shares = judge_sense(open_url_model(asked.model), asked.file, asked.half)
    for kind, share in shares.items():
        print(f"{kind:28} {share.rows:5}  right {share.right:.3f}  wrong above .9 {share.wrong_and_sure:.3f}")
    print("\n".join(verdict.line() for verdict in verdicts(shares)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
