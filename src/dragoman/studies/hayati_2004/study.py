"""The whole study: every cell trained, tested and kept; then read again by the report."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.calibration import best_temperature, probabilities
from dragoman.languages import PRESETS
from dragoman.studies.cells import Arrays, Cells
from dragoman.studies.hayati_2004.domains import UrlDomains, load_domains
from dragoman.studies.hayati_2004.plan import (
    BASE,
    COMBINED,
    MAIN,
    NARROW,
    NFC,
    OUR_BASE,
    OUR_NFC,
    PAGES,
    SCALES,
    SENTENCES,
    SHORT,
    USUAL,
    Cell,
    Plan,
    all_cells,
    range_name,
)
from dragoman.studies.text_draws import Half, Labelled, Texts, load_texts
from dragoman.types import Scores

#: Changes with the meaning of the kept pieces, so that old ones are not read as new.
EDITION = 1

Report = Callable[[int, int, str], None]
Lengths = tuple[int, int]


@dataclass
class Study:
    """A finished study, ready to be read."""

    texts: Texts
    plan: Plan
    seed: int
    cells: Cells
    domains: UrlDomains | None
    _tests: dict[tuple[str, int, str, Lengths | None], Labelled] = field(default_factory=dict)

    @property
    def digests(self) -> dict[str, str]:
        """The files that were read, and what they held."""
        return self.texts.digests | (self.domains.digests if self.domains else {})

    def of(self, languages: str) -> Texts:
        """The texts of a preset of languages."""
        kept = PRESETS[languages]
        return Texts(kept, self.texts.pages, self.texts.sentences, self.texts.digests)

    def test(self, languages: str, draw: int, lengths: Lengths | None, half: Half = "judge") -> Labelled:
        """The test texts of a draw; without lengths: whole pages."""
        key = (languages, draw, half, lengths)
        if key not in self._tests:
            texts, seed = self.of(languages), self.seed * 1000 + draw
            self._tests[key] = (
                texts.whole(seed, half, self.plan.pages)
                if lengths is None
                else texts.testing(seed, lengths, half, self.plan.per_language)
            )
        return self._tests[key]

    def truth(self, languages: str, draw: int, lengths: Lengths | None, half: Half = "judge") -> NDArray[np.int64]:
        """The column of each test text's language."""
        order = sorted(PRESETS[languages])
        return np.array([order.index(label) for label in self.test(languages, draw, lengths, half).labels])

    def said(self, cell: Cell, lengths: Lengths | None) -> NDArray[np.int64]:
        """What a cell answered: columns, -1 for no answer."""
        name = PAGES if lengths is None else range_name(lengths)
        return np.asarray(self.cells.get(cell.name)[f"said {name}"], np.int64)

    @cached_property
    def temperatures(self) -> dict[tuple[str, int, Lengths], float]:
        """What turns scores into probabilities, found on the tuning half, for each range of lengths."""
        found = {}
        for variant in COMBINED:
            for draw in range(self.plan.draws):
                for lengths in (*SHORT, USUAL):
                    scores = self.cells.get(Cell(variant, "eleven", draw).name)[f"tune {range_name(lengths)}"]
                    truth = self.truth("eleven", draw, lengths, "tune")
                    found[variant.name, draw, lengths] = best_temperature(_scores(scores), truth)
        return found

    def with_domains(self, cell: Cell, lengths: Lengths) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(answers of the domain, answers of domain and text): each text gets a URL of its language at random.

        P(language | domain, text) is proportional to P(domain | language) P(language | text): every language is as
        likely as the others before either is seen, and the two are taken to be independent given the language.
        """
        assert self.domains is not None
        test = self.test("eleven", cell.draw, lengths)
        order = sorted(PRESETS["eleven"])
        rng = np.random.default_rng([self.seed, cell.draw, *lengths])
        drawn = [self.domains.tests[label][rng.integers(len(self.domains.tests[label]))] for label in test.labels]
        alone = np.array([self.domains.learnt.best(domain) for domain in drawn])
        prior = np.array([self.domains.learnt.log_likelihood(domain, len(order)) for domain in drawn])
        scores = _scores(self.cells.get(cell.name)[f"scores {range_name(lengths)}"])
        chance = probabilities(scores, self.temperatures[cell.variant.name, cell.draw, lengths]).astype(np.float64)
        chance = np.where(np.isnan(chance), 1 / len(order), np.maximum(chance, 1e-12))
        return alone, np.argmax(prior + np.log(chance), axis=1)


def _scores(matrix: NDArray[np.float32]) -> Scores:
    return Scores(tuple(sorted(PRESETS["eleven"])), matrix)


def tests_of(cell: Cell) -> tuple[Lengths, ...]:
    """The ranges of length that a cell is tested on."""
    if cell.tests == PAGES:
        return ()
    if cell.languages == "eleven" and cell.variant in (BASE, OUR_BASE, NFC, OUR_NFC) and cell.characters == 22_446:
        return (*SHORT, *SENTENCES, *NARROW)
    return (*SHORT, *SENTENCES) if cell.variant in MAIN and cell.characters == 22_446 else ((5, 24), (20, 100), USUAL)


def run_study(data: Path, out: Path, scale: str, report: Report, urls: Path | None = None, seed: int = 0) -> Study:
    """Train what is not there yet; `report(done, total, what)` is told about each piece."""
    plan = SCALES[scale]
    report(0, 1, "reading the text")
    texts = load_texts(data, PRESETS["eleven"])
    domains = None
    if urls is not None and (urls / "train.parquet").exists():
        report(0, 1, "reading the URLs")
        domains = load_domains(urls, sorted(PRESETS["eleven"]), plan.urls, seed)
    digest = hashlib.sha256(repr(plan).encode()).hexdigest()
    kept = Cells(out, {"edition": EDITION, "plan": digest, "scale": scale, "seed": seed, "data": texts.digests})
    study = Study(texts, plan, seed, kept, domains)
    cells = all_cells(plan)
    training: dict[tuple[str, int, int, str], Labelled] = {}
    for number, cell in enumerate(cells):
        report(number, len(cells), cell.name)
        kept.compute(cell.name, lambda cell=cell: _run(study, cell, training))  # type: ignore[misc]
    report(len(cells), len(cells), "done")
    return study


def _run(study: Study, cell: Cell, training: dict[tuple[str, int, int, str], Labelled]) -> Arrays:
    """Train a cell's model and answer its tests."""
    key = (cell.languages, cell.draw, cell.characters, cell.tests)
    if key not in training:
        training.clear()  # cells of one kind follow each other: one draw at a time is enough
        half: Half | None = "tune" if cell.tests == PAGES else None
        seed = study.seed * 1000 + cell.draw
        training[key] = study.of(cell.languages).training(seed, cell.characters, half=half)
    model = cell.variant.make().fit(training[key].texts, training[key].labels)
    found: Arrays = {}
    if cell.tests == PAGES:
        test = study.test(cell.languages, cell.draw, None)
        found[f"said {PAGES}"] = model.scores(test.texts).best.astype(np.int8)
    for lengths in tests_of(cell):
        name = range_name(lengths)
        scores = model.scores(study.test(cell.languages, cell.draw, lengths).texts)
        found[f"said {name}"] = scores.best.astype(np.int8)
        if cell.variant in COMBINED and cell.languages == "eleven" and lengths in (*SHORT, USUAL):
            found[f"scores {name}"] = scores.matrix
            found[f"tune {name}"] = model.scores(study.test(cell.languages, cell.draw, lengths, "tune").texts).matrix
    return found
