"""What the model that ships reaches on the news sites, and the floors below which it must not fall.

Figures, for each of the test sets of tests/gate/news_sites.py:

- `SET/five, macro F`: balanced F, mean of the URL paper's five languages, choosing among them, on their URLs;
- `SET/all, accuracy`: share of URLs that get the right language, choosing among all languages of the model, on the
  languages that have 30 URLs or more;
- `SET/xx, recall`: the same for one of these languages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tests.gate.news_sites import Urls

from dragoman import measures
from dragoman.columns import ByteColumn
from dragoman.identifiers.classifier import Classifier
from dragoman.languages import FIVE

FLOORS = Path(__file__).with_name("floors.json")
#: A language with fewer URLs has no floor: one URL would move it by more than a model does.
ENOUGH = 30
#: Floors lie this far below what was reached, those of a language two URLs at least: a better model may lose one.
MARGIN, URLS_BELOW = 0.002, 2


@dataclass(frozen=True)
class Figure:
    """A share, and the number of URLs that it was measured on."""

    value: float
    n: int


@dataclass(frozen=True)
class Below:
    """A figure below its floor."""

    name: str
    floor: float
    found: float
    n: int

    def __str__(self) -> str:
        return f"{self.name}: floor {self.floor:.4f}, found {self.found:.4f}, n = {self.n:,}"


def figures(model: Classifier, sets: Mapping[str, Urls]) -> dict[str, Figure]:
    """The figures of a model, by name."""
    found: dict[str, Figure] = {}
    for name, test in sets.items():
        scores = model.scores(ByteColumn.of(test.urls))
        truth = np.array(test.languages, object)
        five = np.flatnonzero(np.isin(truth, FIVE))
        closed = measures.one_hot(scores.restricted(FIVE).best[five], len(FIVE))
        columns = np.array([FIVE.index(language) for language in truth[five]], np.int64)
        found[f"{name}/five, macro F"] = Figure(measures.macro_f(columns, closed), len(five))
        answers = np.array([*scores.languages, None], object)[scores.best]
        counts = sorted(Counter(test.languages).items(), key=lambda one: (-one[1], one[0]))
        enough = [language for language, n in counts if n >= ENOUGH]
        chosen = np.isin(truth, enough)
        right = answers == truth
        found[f"{name}/all, accuracy"] = Figure(float(right[chosen].mean()), int(chosen.sum()))
        for language in enough:
            own = truth == language
            found[f"{name}/{language}, recall"] = Figure(float(right[own].mean()), int(own.sum()))
    return found


def below(found: Mapping[str, Figure], floors: Mapping[str, float]) -> list[Below]:
    """The figures that are below their floors; a floor whose figure is no longer measured counts as found at 0."""
    nothing = Figure(0.0, 0)
    pairs = [(name, floor, found.get(name, nothing)) for name, floor in floors.items()]
    return [Below(name, floor, one.value, one.n) for name, floor, one in pairs if one.value < floor]


def raised(found: Mapping[str, Figure], floors: Mapping[str, float]) -> dict[str, float]:
    """The floors for what was reached; none is lower than before, and none is dropped."""
    new = {name: round(max(0.0, one.value - _margin(name, one)), 4) for name, one in found.items()}
    return {name: max(new.get(name, 0.0), floors.get(name, 0.0)) for name in {**new, **floors}}


def _margin(name: str, figure: Figure) -> float:
    return max(MARGIN, URLS_BELOW / figure.n) if name.endswith("recall") else MARGIN


@dataclass(frozen=True)
class Kept:
    """The floors, and the digest of the list that they belong to."""

    list: str
    floors: Mapping[str, float]


def kept() -> Kept:
    """The floors as they stand."""
    if not FLOORS.exists():
        return Kept("", {})
    content = json.loads(FLOORS.read_text(encoding="utf-8"))
    return Kept(content["list"], content["floors"])


def keep(floors: Kept) -> None:
    """Write the floors."""
    part = FLOORS.with_suffix(".part")
    part.write_text(json.dumps({"list": floors.list, "floors": floors.floors}, indent=1) + "\n", encoding="utf-8")
    part.replace(FLOORS)
