"""The whole study: every cell on every draw, kept as it finishes; then read again by the figures."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.languages import FIVE
from dragoman.studies.cells import Arrays, Cells
from dragoman.studies.hmm_2004.draws import Drawn, drawn_sentences, training
from dragoman.studies.hmm_2004.plan import SCALES, Cell, Plan, all_cells, range_name, tests_of
from dragoman.studies.hmm_2004.tracking import PARTS, track
from dragoman.studies.text_draws import CHARACTERS, Texts, load_texts

#: Changes with the meaning of the kept pieces, so that old ones are not read as new.
EDITION = 1

Report = Callable[[int, int, str], None]


@dataclass
class Study:
    """A finished study, ready to be read."""

    texts: Texts
    plan: Plan
    seed: int
    cells: Cells
    _tests: dict[tuple[int, tuple[int, int]], Drawn] = field(default_factory=dict)

    def drawn(self, draw: int) -> int:
        """The seed of a draw."""
        return 1000 * self.seed + draw

    def test(self, draw: int, lengths: tuple[int, int]) -> Drawn:
        """The test sentences of a draw, of the judge half."""
        key = (draw, lengths)
        if key not in self._tests:
            self._tests[key] = drawn_sentences(self.texts, self.drawn(draw), lengths, "judge", self.plan.per_language)
        return self._tests[key]

    def train(self, draw: int, what: str) -> Drawn:
        """The training text of a draw."""
        seed = self.drawn(draw)
        if what == "sentences":
            return training(self.texts, seed, CHARACTERS, "sentences")
        return training(self.texts, seed, CHARACTERS, every=10 if what == "tenth" else 1)

    def truth(self, draw: int, lengths: tuple[int, int]) -> NDArray[np.int64]:
        """The column of each test sentence's language."""
        return np.array([FIVE.index(label) for label in self.test(draw, lengths).labels], np.int64)

    def said(self, cell: Cell, draw: int, lengths: tuple[int, int]) -> NDArray[np.int64]:
        """What a cell answered: columns, -1 for no answer."""
        return np.asarray(self.cells.get(f"{cell.name}/{draw}")[range_name(lengths)], np.int64)

    def seconds(self, cell: Cell) -> float:
        """How long a cell took to train, mean of the draws."""
        return float(np.mean([self.cells.get(f"{cell.name}/{draw}")["seconds"] for draw in range(self.plan.draws)]))

    def tracked(self, part: str) -> Arrays:
        """The figures of the network: see dragoman.studies.hmm_2004.tracking."""
        return self.cells.get(f"tracking/{part}")


def run_study(data: Path, out: Path, scale: str, report: Report, seed: int = 0) -> Study:
    """Train what is not there yet; `report(done, total, what)` is told about each piece."""
    plan = SCALES[scale]
    report(0, 1, "reading the text")
    texts = load_texts(data, FIVE)
    kept = Cells(out, {"edition": EDITION, "plan": repr(plan), "seed": seed, "data": texts.digests})
    study = Study(texts, plan, seed, kept)
    cells = all_cells(plan)
    total = len(cells) * plan.draws + len(PARTS)
    done = 0
    for draw in range(plan.draws):
        texts_of: dict[str, Drawn] = {}
        for cell in cells:
            name = f"{cell.name}/{draw}"
            report(done, total, name)
            if not kept.has(name) and cell.training not in texts_of:
                texts_of[cell.training] = study.train(draw, cell.training)
            kept.compute(name, partial(_run, study, cell, draw, texts_of))
            done += 1
    for part in PARTS:
        report(done, total, f"tracking/{part}")
        kept.compute(f"tracking/{part}", partial(_track, study, part))
        done += 1
    report(total, total, "done")
    return study


def _track(study: Study, part: str) -> Arrays:
    return track(study.train(0, "pages"), study.texts, study.plan, study.seed, part)


def _run(study: Study, cell: Cell, draw: int, texts_of: dict[str, Drawn]) -> Arrays:
    """Train a cell's classifier and answer the tests."""
    train = texts_of[cell.training]
    started = time.perf_counter()
    model = cell.make().fit(train.texts, train.labels)
    found: Arrays = {"seconds": np.array(time.perf_counter() - started)}
    column = np.array([*(FIVE.index(language) for language in model.languages_), -1], np.int8)
    for lengths in tests_of(cell):
        found[range_name(lengths)] = column[model.scores(study.test(draw, lengths).texts).best]
    return found
