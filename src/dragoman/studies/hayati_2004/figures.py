"""Answers become the numbers of the report: accuracies by draw, on the judge half."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.calibration import best_temperature, probabilities
from dragoman.languages import PRESETS
from dragoman.studies.cells import Arrays, Cells
from dragoman.studies.hayati_2004.domains import UrlDomains
from dragoman.studies.hayati_2004.links import AS_MADE
from dragoman.studies.hayati_2004.plan import (
    COMBINED,
    COMBINED_LENGTHS,
    PAGES,
    SHORT,
    USUAL,
    HayatiCell,
    HayatiPlan,
    Variant,
)
from dragoman.studies.published import published_figures
from dragoman.studies.text_draws import CHARACTERS, Half, LabelledTexts, Lengths, Texts, range_name
from dragoman.types import Scores

#: Languages that are easily taken for each other (section 3.4 names Spanish and Italian).
KIN = (("da", "no", "sv"), ("es", "fr", "it", "pt"), ("de", "en", "nl"))


def published() -> dict[str, float]:
    """The paper's accuracies by name."""
    return {name: float(entry["value"]) for name, entry in published_figures(__package__)["accuracy"].items()}


@dataclass
class HayatiFigures:
    """Everything that the tables, plots and findings ask of a study."""

    texts: Texts
    plan: HayatiPlan
    seed: int
    cells: Cells
    domains: UrlDomains | None
    _tests: dict[tuple[str, int, str, Lengths | None], LabelledTexts] = field(default_factory=dict)

    def test(self, languages: str, draw: int, lengths: Lengths | None, half: Half = "judge") -> LabelledTexts:
        """The test texts of a draw; without lengths: whole pages."""
        key = (languages, draw, half, lengths)
        if key not in self._tests:
            texts, seed = self.texts.only(PRESETS[languages]), self.seed * 1000 + draw
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

    def answers(self, cell: HayatiCell, lengths: Lengths | None) -> NDArray[np.int64]:
        """What a cell answered: columns, -1 for no answer."""
        name = PAGES if lengths is None else range_name(lengths)
        return np.asarray(self.cells.get(cell.name)[f"said {name}"], np.int64)

    def accuracies(
        self,
        variant: Variant,
        lengths: Lengths | None,
        languages: str = "eleven",
        characters: int = CHARACTERS,
        source: str = "",
        training: str = PAGES,
    ) -> list[float]:
        """The share of right answers in each draw; without lengths: on whole pages."""
        shares = []
        for draw in range(self.plan.draws):
            tests = PAGES if lengths is None else "sentences"
            cell = HayatiCell(variant, languages, draw, characters, tests, training)
            right = self.answers(cell, lengths) == self.truth(languages, draw, lengths)
            if source:
                right = right[np.array(self.test(languages, draw, lengths).sources) == source]
            shares.append(float(right.mean()))
        return shares

    def with_domains(self, variant: Variant, lengths: Lengths) -> tuple[list[float], list[float]]:
        """(the domain alone, domain and text): the share of right answers in each draw."""
        alone, both = [], []
        for draw in range(self.plan.draws):
            by_domain, by_both = self._with_domains(HayatiCell(variant, "eleven", draw), lengths)
            truth = self.truth("eleven", draw, lengths)
            alone.append(float((by_domain == truth).mean()))
            both.append(float((by_both == truth).mean()))
        return alone, both

    def _with_domains(self, cell: HayatiCell, lengths: Lengths) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(answers of the domain, answers of domain and text): each text gets a URL of its language at random.

        P(language | domain, text) is proportional to P(domain | language) P(language | text): every language is as
        likely as the others before either is seen, and the two are taken to be independent given the language.
        """
        assert self.domains is not None
        test = self.test("eleven", cell.draw, lengths)
        width = len(PRESETS["eleven"])
        rng = np.random.default_rng([self.seed, cell.draw, *lengths])
        drawn = [self.domains.tests[label][rng.integers(len(self.domains.tests[label]))] for label in test.labels]
        alone = np.array([self.domains.learnt.best(domain) for domain in drawn])
        prior = np.array([self.domains.learnt.log_likelihood(domain, width) for domain in drawn])
        scores = self._scores(cell, f"scores {range_name(lengths)}")
        chance = probabilities(scores, self._temperatures[cell.variant.name, cell.draw, lengths]).astype(np.float64)
        chance = np.where(np.isnan(chance), 1 / width, np.maximum(chance, 1e-12))
        return alone, np.argmax(prior + np.log(chance), axis=1)

    @cached_property
    def _temperatures(self) -> dict[tuple[str, int, Lengths], float]:
        """What turns scores into probabilities, found on the tuning half, for each range of lengths."""
        return {
            (variant.name, draw, lengths): best_temperature(
                self._scores(HayatiCell(variant, "eleven", draw), f"tune {range_name(lengths)}"),
                self.truth("eleven", draw, lengths, "tune"),
            )
            for variant in COMBINED
            for draw in range(self.plan.draws)
            for lengths in COMBINED_LENGTHS
        }

    def _scores(self, cell: HayatiCell, column: str) -> Scores:
        return Scores(tuple(sorted(PRESETS["eleven"])), self.cells.get(cell.name)[column])

    def answers_in(self, variant: Variant, draw: int, kind: int, language: int) -> NDArray[np.int64]:
        """What a variant answered to the test texts of a language, by kind: under 25, under 50, else whole pages."""
        lengths = (*SHORT, None)[kind]
        cell = HayatiCell(variant, "eleven", draw, tests=PAGES if lengths is None else "sentences")
        mine = self.truth("eleven", draw, lengths) == language
        return np.asarray(self.answers(cell, lengths)[mine])

    def linked(self, links: str, draw: int) -> Arrays:
        """The short pages of a web and what was answered to them."""
        return self.cells.get(f"links/{links}/{draw}")

    def by_links(
        self, links: str, variant: Variant, method: str, kind: int, inlinks: tuple[int, int] = (0, 127)
    ) -> list[float]:
        """The share of right answers to short pages in each draw: every language counts alike.

        `inlinks`: only pages to which so many pages link (both included).
        """
        shares = []
        for draw in range(self.plan.draws):
            pages = self.linked(links, draw)
            chosen = (pages["kind"] == kind) & (pages["inlinks"] >= inlinks[0]) & (pages["inlinks"] <= inlinks[1])
            right = (pages[f"{variant.name} {method}"] == pages["truth"])[chosen]
            truth = pages["truth"][chosen]
            shares.append(float(np.mean([right[truth == language].mean() for language in np.unique(truth)])))
        return shares

    def by_mixture(self, variant: Variant, lengths: Lengths, training: str) -> list[float]:
        """The share of right answers in each draw if languages were as frequent as on the webs of `links`."""
        shares = []
        for draw in range(self.plan.draws):
            answers = self.answers(HayatiCell(variant, "eleven", draw, training=training), lengths)
            truth = self.truth("eleven", draw, lengths)
            recalls = np.array([(answers == truth)[truth == column].mean() for column in range(len(PRESETS["eleven"]))])
            frequent = np.bincount(self.linked(AS_MADE, draw)["truth"], minlength=len(recalls)).astype(np.float64)
            shares.append(float(np.average(recalls, weights=frequent)))
        return shares

    def confusion(self, variant: Variant, lengths: Lengths = USUAL, training: str = PAGES) -> NDArray[np.int64]:
        """How often each language (row) was taken for each (column), all draws together; no answer is left out."""
        width = len(PRESETS["eleven"])
        matrix = np.zeros((width, width), np.int64)
        for draw in range(self.plan.draws):
            answers = self.answers(HayatiCell(variant, "eleven", draw, training=training), lengths)
            truth = self.truth("eleven", draw, lengths)
            np.add.at(matrix, (truth[answers >= 0], answers[answers >= 0]), 1)
        return matrix

    def kin_share(self, variant: Variant) -> float:
        """The share of errors that stay among close languages."""
        families = {tag: number for number, kin in enumerate(KIN) for tag in kin}
        order = sorted(PRESETS["eleven"])
        family = np.array([families.get(tag, -1 - column) for column, tag in enumerate(order)])
        wrong = self.confusion(variant) * ~np.eye(len(order), dtype=bool)
        return float((wrong * (family[:, None] == family[None, :])).sum() / max(1, wrong.sum()))
