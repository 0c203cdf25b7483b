"""Trains the papers' methods on texts, small, so that `dragoman page --method rank-order` and its like have a model.

    python tools/make_paper_models.py [--data DIR] [-o DIR]

Eleven languages, 22,446 characters each, as in the papers: sentences that train (tools/text_material.py). The same data
gives the same bytes. Says so and ends well where the data is not there.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import text_material

from dragoman.identifiers import model_file as store
from dragoman.identifiers.algorithms import make
from dragoman.languages import ELEVEN

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data" / "text"
#: The methods, and what differs from their defaults: a shorter ranking, so that the file stays small.
METHODS: dict[str, dict[str, int]] = {"rank-order": {"common": 2000}, "fisher-cosine": {}, "hmm": {}}
CHARACTERS = 22_446


def main() -> int:
    """Train each method and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "src/dragoman/data/models")
    arguments = parser.parse_args()
    if not (arguments.data / "sentences.parquet").exists():
        print("There are no labelled texts to make models from (--data DIR): those that ship stay as they are.")
        return 0
    taken: dict[str, int] = defaultdict(int)
    texts: list[text_material.Text] = []
    for one in text_material.sentences(arguments.data / "sentences.parquet"):
        wanted = one.part == "train" and one.source == "tatoeba" and one.language in ELEVEN
        if wanted and taken[one.language] < CHARACTERS:
            texts.append(one._replace(text=one.text[: CHARACTERS - taken[one.language]]))
            taken[one.language] += len(texts[-1].text)
    for method, params in METHODS.items():
        model = make(method, **params).fit([one.text for one in texts], [one.language for one in texts])
        model.notes_ = {
            "provenance": "Learnt from Tatoeba sentences (CC BY 2.0 FR).",
            "characters": dict(sorted(taken.items())),
        }
        path = arguments.output / f"{method}.dragoman"
        print(method, store.save(model, path), f"{path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
