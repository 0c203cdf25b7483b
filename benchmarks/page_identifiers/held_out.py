"""Close languages on sources that did not train: what a model reaches on kinds of text that it has never seen.

    python benchmarks/page_identifiers/held_out.py [--data ../shared/data/text] [--draws 4000000] [-o DIR]

For each group of close languages one whole source that all of them have is held out. Two models of these languages are
trained by the recipe of tools/make_text_model.py, with fewer draws, and balanced and calibrated on the same tuning
texts: one without what is held out, one with all of it. Told, for each language, among all of the groups: the share of
right answers on the lines of the source held out, by the one that has not seen it and by the one that has learnt from
these very lines; and by the first on the tuning half of the news sentences, which train neither. What lies between the
first two is what is learnt by heart. It takes some minutes. Says so and ends well where the data is not there.
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
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import make_text_model  # noqa: E402
from south_slavic import Line, bosnian  # noqa: E402
from text_material import Text as LabelledText  # noqa: E402

from dragoman.identifiers.text.algorithms.text import Text  # noqa: E402

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
LABELS = frozenset(" ".join(GROUPS).split())
#: Lines of each language that are judged, and letters that each has at least.
MOST, LETTERS = 400, 20
#: Features and words of so few languages.
KEPT, LISTED = 1 << 17, 150_000


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


def learnt(folder: Path, lines: list[Line], chance: NDArray[np.float64], draws: int) -> Text:
    """A model of these lines, balanced and calibrated."""
    model = Text(KEPT, draws, words=LISTED).fit(
        [line.text for line in lines], [line.label for line in lines], chance, make_text_model.MERGED
    )
    tuning = [text for text in make_text_model.judged_texts(folder, model.languages_) if text.part == "tune"]
    make_text_model.settle(model, tuning)
    return model


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=make_text_model.SHARED)
    parser.add_argument("--draws", type=int, default=4_000_000)
    parser.add_argument("-o", "--output", type=Path, default=HERE / "results")
    arguments = parser.parse_args()
    if not all((arguments.data / name).exists() for name in (*make_text_model.FILES, *make_text_model.TRAINING)):
        print("skipped: no labelled texts; give a folder of them with --data")
        return 0
    lines, chance = make_text_model.material(arguments.data, LABELS)
    places, texts = held_out(lines)
    with_all = learnt(arguments.data, lines, chance, arguments.draws)
    chance[places] = 0.0
    model = learnt(arguments.data, lines, chance, arguments.draws)
    seen, unseen = recalls(with_all, texts), recalls(model, texts)
    news = [
        text._replace(source=text.language)
        for text in make_text_model.judged_texts(arguments.data, model.languages_)
        if text.source == "news" and text.part == "tune"
    ]
    of_news = recalls(model, news)
    figures: dict[str, Any] = {"draws": arguments.draws, "groups": {}}
    for group, source in GROUPS.items():
        rows = {
            label: unseen[label]
            | {
                "right, had it trained": seen[label]["right"],
                "news": of_news.get(make_text_model.MERGED.get(label, label), {}).get("right"),
            }
            for label in group.split()
            if label in unseen
        }
        figures["groups"][group] = {"source": source, "languages": rows}
        print(group, source, json.dumps(rows))
    means = {name: [table[label]["right"] for label in table] for name, table in (("unseen", unseen), ("seen", seen))}
    figures["mean"] = {name: round(sum(values) / len(values), 4) for name, values in means.items()}
    print("mean", figures["mean"])
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "held_out.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
