"""Judges the URL model that ships on labelled URLs, beside its targets.

    python benchmarks/url_model/judge.py [--data DIR] [--output DIR] [--model NAME] [--quick] [--strict] [--half tune]

Reads train.parquet and dev_*.parquet; claims are from the judge halves, choices from the tuning halves (`--half tune`
tells the same figures of those). Prints tables and PASS or MISS for every target; writes README.md, results.json and
pictures to --output. About two minutes, most of them for the classifiers of 2008, which are trained for comparison;
`--quick` leaves them out, draws fewer resamples and writes nothing unless told where. `--strict` fails where a target
that must be reached is missed. Says so and ends well where the data is not there.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import page
from binary import best_pairs, judge_binary
from five import judge_five
from honesty import judge_honesty
from many import judge_many
from material import load
from open_set import judge_open_set
from sense import judge_sense
from sense import verdicts as sense_verdicts
from tables import tables
from targets import Verdict, missed

from dragoman.identifiers.models import DEFAULT, describe, open_model
from dragoman.studies.url_2008.plan import CAP

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[2] / "shared" / "data" / "urls"


def judgement(
    data: Path, name: str, rounds: int, pairs_in: Path | None, half: str
) -> tuple[dict[str, Any], list[Verdict]]:
    """Everything that is known about the model on this data; the pairs of 2008 where there is a folder for them."""
    material = load(data, open_model(name), CAP, half)
    pairs = None
    if pairs_in is not None:
        print("training the classifiers of 2008 ...", file=sys.stderr)
        pairs = best_pairs(material, pairs_in)
    about = describe(name)
    parts = {
        "five": judge_five(material, rounds),
        "binary": judge_binary(material, pairs, rounds),
        "many": judge_many(material, rounds),
        "open_set": judge_open_set(material),
        "honesty": judge_honesty(material),
    }
    if (ordinary := data / "dev_sense.parquet").exists():
        shares = judge_sense(material.model, ordinary, half)
        parts["sense"] = {kind: asdict(share) for kind, share in shares.items()}, sense_verdicts(shares)
    verdicts = [verdict for _, some in parts.values() for verdict in some]
    results: dict[str, Any] = {
        "model": {
            "name": about["name"],
            "digest": about["digest"],
            "size": about["size"],
            "languages": len(about["languages"]),
            "parameters": about["parameters"],
        },
        "data": material.corpus.digests,
        "rounds": rounds,
        "targets": [verdict.to_json() for verdict in verdicts],
    }
    return results | {part: found for part, (found, _) in parts.items()}, verdicts


def main() -> int:
    """Judge, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--output", type=Path, help="where README.md, results.json and pictures go (results beside me)")
    parser.add_argument("--model", default=DEFAULT, help="a model's name or file")
    parser.add_argument("--quick", action="store_true", help="without the classifiers of 2008")
    parser.add_argument(
        "--cells", type=Path, help="keep the scores of the classifiers of 2008 here, and use them again"
    )
    parser.add_argument("--half", choices=("judge", "tune"), default="judge")
    parser.add_argument("--strict", action="store_true", help="fail where a target is missed")
    arguments = parser.parse_args()
    if not (arguments.data / "train.parquet").exists():
        print("url model: skipped, there are no labelled URLs beside the repository (give some with --data)")
        return 0
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        cells = None if arguments.quick else arguments.cells or Path(temporary)
        rounds = 200 if arguments.quick else 1000
        results, verdicts = judgement(arguments.data, arguments.model, rounds, cells, arguments.half)
    for table in tables(results):
        print(table.to_text(), end="\n\n")
    print("\n".join(verdict.line() for verdict in verdicts))
    output = arguments.output or (None if arguments.quick else HERE / "results")
    if output is not None:
        page.write(results, verdicts, output)
    low = missed(verdicts)
    print(f"url model: {len(low)} of {sum(one.kind == 'must' for one in verdicts)} targets missed, ", end="")
    print(f"{time.monotonic() - started:.0f} s")
    return 1 if low and arguments.strict else 0


if __name__ == "__main__":
    sys.exit(main())
