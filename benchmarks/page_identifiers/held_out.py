"""Close languages on sources that did not train: what a model reaches on kinds of text that it has never seen.

    python benchmarks/page_identifiers/held_out.py [--data ../shared/data/text] [--draws 12000000] [-o DIR]

For each group of close languages one whole source that all of them have is held out, and one model is trained on the
rest by the recipe of tools/make_text_model.py (fewer draws; balanced and calibrated on the same tuning texts). Told,
for each language, among all languages that the model knows: the share of right answers on the lines of the source held
out, by that model and by the one that ships, which has learnt from them; and on the tuning half of the news sentences,
which train neither. What lies between the first two is what a source is worth that one has seen. Says so and ends well
where the data is not there.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import make_text_model  # noqa: E402
from south_slavic import Line, bosnian  # noqa: E402
from text_material import Text as LabelledText  # noqa: E402

from dragoman.identifiers.text.algorithms.text import Text  # noqa: E402
from dragoman.identifiers.text.identify import open_method  # noqa: E402

HERE = Path(__file__).resolve().parent
#: Labels of close languages, and the source that is held out for them.
GROUPS = {
    "da nb nn sv": "common-voice",
    "bs hr sr": "tatoeba",
    "id ms": "tico-19",
    "zu xh ss nr": "african-storybook",
    "mk bg": "common-voice",
    "ru uk be": "common-voice",
    "cs sk": "common-voice",
    "es pt gl ast ca": "common-voice",
    "nl af": "common-voice",
    "hi mr ne": "tico-19",
}
#: Lines of each language that are judged, and letters that each has at least.
MOST, LETTERS = 400, 20


def held_out(lines: list[Line]) -> tuple[list[int], list[LabelledText]]:
    """(places, texts): the lines that train nothing, and those of them that are judged."""
    source = {label: kind for group, kind in GROUPS.items() for label in group.split()}
    places = [number for number, line in enumerate(lines) if source.get(line.label) == line.kind]
    # Bosnian lines that were made of such a Croatian one would give it away
    croatian = [lines[number].text for number in places if lines[number].label == "hr"]
    made = {bosnian(text) or text.lower() for text in croatian}
    places += [number for number, line in enumerate(lines) if line.kind == "made from Croatian" and line.text in made]
    texts, counts = [], Counter[str]()
    for number in random.Random(3).sample(places, len(places)):
        line = lines[number]
        counts[line.label] += (good := sum(map(str.isalpha, line.text)) >= LETTERS and line.kind in GROUPS.values())
        if good and counts[line.label] <= MOST:
            language = make_text_model.MERGED.get(line.label, line.label)
            texts.append(LabelledText(line.text, language, "judge", line.label))
    return places, texts


def recalls(model: Text, texts: list[LabelledText]) -> dict[str, dict[str, Any]]:
    """{label: how many texts there are, and the share that is right}."""
    best = model.scores(make_text_model.batch_of(texts)).best
    truth = np.array([model.languages_.index(text.language) for text in texts])
    labels = np.array([text.source for text in texts])
    return {
        str(label): {
            "n": int(np.sum(labels == label)),
            "right": round(float(np.mean((best == truth)[labels == label])), 4),
        }
        for label in np.unique(labels)
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=make_text_model.SHARED)
    parser.add_argument("--draws", type=int, default=12_000_000)
    parser.add_argument("-o", "--output", type=Path, default=HERE / "results")
    arguments = parser.parse_args()
    if not all((arguments.data / name).exists() for name in (*make_text_model.FILES, *make_text_model.TRAINING)):
        print("skipped: no labelled texts; give a folder of them with --data")
        return 0
    shipped = open_method("text")
    assert isinstance(shipped, Text)
    lines, chance = make_text_model.material(arguments.data)
    places, texts = held_out(lines)
    chance[places] = 0.0
    model = Text(make_text_model.KEPT, arguments.draws, words=make_text_model.LISTED).fit(
        [line.text for line in lines], [line.label for line in lines], chance, make_text_model.MERGED
    )
    del lines, chance
    judged = make_text_model.judged_texts(arguments.data, model.languages_)
    make_text_model.settle(model, [text for text in judged if text.part == "tune"])
    news = [text._replace(source=text.language) for text in judged if text.source == "news" and text.part == "tune"]
    figures: dict[str, Any] = {"draws": arguments.draws, "groups": {}}
    seen, unseen = recalls(shipped, texts), recalls(model, texts)
    of_news = recalls(model, news)
    for group, source in GROUPS.items():
        rows = {
            label: unseen[label]
            | {
                "right, shipped": seen[label]["right"],
                "news": of_news.get(make_text_model.MERGED.get(label, label), {}).get("right"),
            }
            for label in group.split()
            if label in unseen
        }
        figures["groups"][group] = {"source": source, "languages": rows}
        print(group, source, json.dumps(rows))
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "held_out.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
