"""Two classifiers are asked for each language: yes if either says yes, or only if both do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import measures
from dragoman.errors import BadTable
from dragoman.identifiers.classifier import (
    Arrays,
    Classifier,
    Labels,
    batch,
    encode_labels,
    joined_states,
    restored_member,
)
from dragoman.types import Scores

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Rule:
    """How one language is decided: two members and what joins them (`or`: recall, `and`: precision)."""

    main: str
    helper: str
    how: str

    def __str__(self) -> str:
        return self.main if self.main == self.helper else f"{self.main} {self.how.upper()} {self.helper}"


def join(rule: Rule, main: NDArray[Any], helper: NDArray[Any]) -> NDArray[Any]:
    """The joint score: the larger of two is above zero where either is, the smaller where both are."""
    return np.asarray(np.maximum(main, helper) if rule.how == "or" else np.minimum(main, helper))


def best_rules(answers: Mapping[str, Sequence[Bools]], truths: Sequence[NDArray[np.int64]], width: int) -> list[Rule]:
    """The pair with the highest F for each language, averaged over the tuning sets (section 3.3).

    `answers` holds, for every member, its yes/no matrix on each set. A member with itself is allowed, so a single
    classifier wins where no pair is better. Ties go to the pair named first. Cost: members squared x languages.
    """
    names = list(answers)
    rules = []
    for column in range(width):
        best, best_f = None, -1.0
        for i, main in enumerate(names):
            for helper in names[i:]:
                for how in ("or", "and") if helper != main else ("or",):
                    combine = np.logical_or if how == "or" else np.logical_and
                    fs = [
                        measures.judge(truth == column, combine(yes[:, column], helping[:, column])).f
                        for truth, yes, helping in zip(truths, answers[main], answers[helper], strict=True)
                        if np.any(truth == column)
                    ]
                    mean = float(np.mean(fs)) if fs else 0.0
                    if mean > best_f + 1e-12:
                        best, best_f = Rule(main, helper, how), mean
        assert best is not None
        rules.append(best)
    return rules


class Combined(Classifier):
    """The best pair of members per language, joined by OR or AND (section 3.3 and 5.6 of the URL paper).

    `members` are written `algorithm:features`. `fit` trains them on a part of the rows and searches the pairs on the
    rest (`held`), then trains them again on all; the paper does not say on what it searched. Scores of different
    members have different scales: the sign is the decision, the size is not comparable between languages.
    """

    algorithm: ClassVar[str] = "combined"

    def __init__(
        self,
        members: Sequence[str] = ("max-entropy:trigrams", "relative-entropy:words", "naive-bayes:words"),
        held: float = 0.2,
        seed: int = 0,
    ) -> None:
        self.members = tuple(members)
        self.held = held
        self.seed = seed

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Train, search on the held-out part, train again on everything."""
        urls = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(urls))
        held = np.random.default_rng(self.seed).random(len(urls)) < self.held
        names = np.array([*self.languages_, None], dtype=object)[truth]
        inside, outside = np.flatnonzero(~held), np.flatnonzero(held & (truth >= 0))
        try:
            encode_labels(names[inside], len(inside), self.languages_)
        except BadTable:  # too few rows to hold some out: search on the rows themselves
            inside = outside = np.flatnonzero(truth >= 0)
        first = self._train(urls.take(inside), names[inside])
        part = urls.take(outside)
        answers = {spec: [member.scores(part).yes] for spec, member in first.items()}
        self.rules_ = best_rules(answers, [truth[outside]], len(self.languages_))
        return self.of(self._train(urls, names), self.rules_)

    def _train(self, urls: Any, names: NDArray[Any]) -> dict[str, Classifier]:
        from dragoman.identifiers.algorithms import make_spec

        return {spec: make_spec(spec, seed=self.seed).fit(urls, names) for spec in self.members}

    def of(self, members: Mapping[str, Classifier], rules: Sequence[Rule]) -> Self:
        """Combine classifiers that are trained already; members that no rule uses are dropped."""
        used = {name for rule in rules for name in (rule.main, rule.helper)}
        self.members_ = {spec: member for spec, member in members.items() if spec in used}
        if not rules or used - members.keys() or any(len(m.languages_) != len(rules) for m in self.members_.values()):
            raise ValueError("rules that do not fit their members")
        self.languages_ = next(iter(self.members_.values())).languages_
        self.rules_ = list(rules)
        self.notes_ = {}
        return self

    def scores(self, inputs: Any) -> Scores:
        """The members' scores, joined column by column; NaN only where no member has a score."""
        urls = batch(inputs)
        matrices = {spec: member.scores(urls).matrix for spec, member in self.members_.items()}
        silent = np.all([np.isnan(matrix).any(axis=1) for matrix in matrices.values()], axis=0)
        columns = self._joined(matrices)
        columns[silent] = np.nan
        return Scores(self.languages_, columns.astype(np.float32))

    def _joined(self, matrices: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        """A member without a score says no: its score counts as zero."""
        scores = {spec: np.nan_to_num(matrix, nan=0.0) for spec, matrix in matrices.items()}
        columns = [
            join(rule, scores[rule.main][:, column], scores[rule.helper][:, column])
            for column, rule in enumerate(self.rules_)
        ]
        return np.stack(columns, axis=1)

    def plain_scores(self, row: bytes) -> list[float]:
        """The same for one URL."""
        matrices = {spec: np.array([member.plain_scores(row)]) for spec, member in self.members_.items()}
        if all(np.isnan(row).any() for row in matrices.values()):
            return [math.nan] * len(self.languages_)
        return [float(value) for value in self._joined(matrices)[0]]

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The members' states side by side."""
        headers, arrays = joined_states(self.members_.values())
        parts = {
            spec: {"number": number, "state": header}
            for number, (spec, header) in enumerate(zip(self.members_, headers, strict=True))
        }
        return {"rules": [[rule.main, rule.helper, rule.how] for rule in self.rules_], "parts": parts}, arrays

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The members again."""
        from dragoman.identifiers.algorithms import make_spec

        members = {
            spec: restored_member(make_spec(spec), self.languages_, part["number"], part["state"], arrays)
            for spec, part in header["parts"].items()
        }
        return self.of(members, [Rule(*rule) for rule in header["rules"]])
