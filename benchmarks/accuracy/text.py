"""Quality is a test: the share of right answers of the text model that ships must not fall below its floors.

    python benchmarks/accuracy/text.py [--data DIR] [--update]

Judged by the texts that neither trained nor tuned it (tools/text_material.py): sentences by length for 5, 11 and all
languages, whole pages, the mean over languages, and whether its mean probability is what it reaches. `--update` raises
floors to what was reached, less a margin, and refuses to lower any. Floors belong to the data they were measured on:
another digest is said and not compared.

They were set anew with the first model of 292 languages, some of them lower than those of the model of 186 languages
before, and have risen with its listed words: sentences in eleven languages of 20-200 characters from 98.7 to 99.05 %
among the eleven and from 98.0 to 98.7 % among all, as they were before; words and pairs of words are new. With the
words that say most and the letters that classes lack nearly all rose again; those of sentences of fewer than 25
characters in five languages fell by .004, and that of the honesty of short answers by .003.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import text_material  # noqa: E402
from make_text_model import FILES, SHARED, digest_of, judged_texts, quality  # noqa: E402

from dragoman.identifiers.text.algorithms.text import Text  # noqa: E402
from dragoman.identifiers.text.identify import open_method  # noqa: E402

FLOORS = Path(__file__).with_name("text_floors.json")
#: Floors lie this far below what was reached: libraries that read pages move the last digits.
MARGIN = 0.002
#: Languages whose recall is in the mean.
ENOUGH = 20


def measure(folder: Path) -> dict[str, float]:
    """Right answers by set, and 1 - |mean probability - right answers| as `honesty`."""
    model = open_method("text")
    assert isinstance(model, Text)
    judging = [one for one in judged_texts(folder, model.languages_) if one.part == "judge"]
    pages = [one for one in text_material.pages(folder / FILES[1], "judge") if one.language in model.languages_]
    judged = quality(model, judging, pages)
    languages = [one["recall"] for one in judged.pop("languages").values() if one["n"] >= ENOUGH]
    reached = {name: one["accuracy"] for name, one in judged.items()}
    for name in ("news", "words", "pairs of words"):
        reached[f"{name}, mean over languages"] = judged[name]["macro"]
    reached["50 characters and more, answered"] = judged["50 characters and more"]["answered"]
    reached["languages with 20 texts or more, mean recall"] = sum(languages) / len(languages)
    for name in ("all, 20-200 characters", "all, under 25 characters"):
        reached[f"{name}, honesty"] = 1 - abs(judged[name]["mean_probability"] - judged[name]["accuracy"])
    return {name: round(value, 4) for name, value in reached.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--update", action="store_true")
    arguments = parser.parse_args()
    if not all((arguments.data / name).exists() for name in FILES):
        print("skipped: no labelled texts; give a folder of them with --data")
        return 0
    digests = {name: digest_of(arguments.data / name) for name in FILES}
    kept: dict[str, Any] = {"data": digests, "floors": {}}
    if FLOORS.exists():
        kept = json.loads(FLOORS.read_text(encoding="utf-8"))
    if kept["data"] != digests:
        print("The floors belong to other data: nothing to compare.")
        return 0
    reached, floors = measure(arguments.data), kept["floors"]
    below = {name: floor for name, floor in floors.items() if reached.get(name, 0.0) < floor}
    for name, value in reached.items():
        print(f"{value:.4f}  floor {floors.get(name, 0.0):.4f}  {name}{'  BELOW' if name in below else ''}")
    if below:
        return 1
    if arguments.update:
        raised = {name: max(floors.get(name, 0.0), round(value - MARGIN, 4)) for name, value in reached.items()}
        part = FLOORS.with_suffix(".part")
        part.write_text(
            json.dumps({"data": digests, "floors": raised}, indent=1, sort_keys=True) + "\n", encoding="utf-8"
        )
        part.replace(FLOORS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
