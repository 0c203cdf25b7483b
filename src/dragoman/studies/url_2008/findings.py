"""Which of the paper's claims hold on our data: each with its figures, intervals and a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from dragoman.identifiers.url.algorithms.custom_columns import SELECTION
from dragoman.measures import Interval
from dragoman.studies.url_2008.figures import CCTLD_PLUS, NB_WORDS, Figures, spec
from dragoman.studies.url_2008.plan import LINEAR, PAPER_FEATURES, Cell, content_cell
from dragoman.studies.url_2008.study import FOCUS

#: A figure of the evidence: a value, a difference with its interval, or both as text.
Figure = Interval | float | str


@dataclass(frozen=True)
class Finding:
    """A claim of the paper, whether it holds here, and what was measured: figures by line and test set."""

    claim: str
    verdict: str
    measured: str
    evidence: tuple[tuple[str, dict[str, Figure]], ...]


def verdict(differences: list[Interval]) -> str:
    """What intervals of differences say about a claim that they are above zero."""
    n = len(differences)
    ahead, behind = sum(one.low > 0 for one in differences), sum(one.high < 0 for one in differences)
    if ahead == n:
        return "confirmed"
    if behind == n:
        return "contradicted"
    if behind == 0 and all(one.value > 0 for one in differences):
        return f"confirmed in direction; beyond the interval in {ahead} of {n} cases"
    if ahead == 0 and all(one.value < 0 for one in differences):
        return f"contradicted in direction; beyond the interval in {behind} of {n} cases"
    return f"mixed: ahead beyond the interval in {ahead}, behind in {behind} of {n} cases"


def findings(figures: Figures) -> Iterator[Finding]:
    """The paper's main claims, in its order."""
    yield _learning_beats_the_rule(figures)
    yield _words_win_at_full_size(figures)
    yield _trigrams_win_with_little(figures)
    yield _relative_entropy_is_precise(figures)
    yield _pairs_help(figures)
    yield _features_matter_more(figures)
    yield _trees_start_as_the_rule(figures)
    yield _raw_trigrams_are_noise(figures)
    if figures.study.has_text:
        yield from _content_hurts(figures)


def _learning_beats_the_rule(figures: Figures) -> Finding:
    differences = _compare(figures, NB_WORDS, CCTLD_PLUS)
    recalls: dict[str, Figure] = {}
    for test in figures.tests:
        rule, learnt = (
            float(np.mean([one.recall for one in figures.judgements(figures.said(cell, test), test)]))
            for cell in (CCTLD_PLUS, NB_WORDS)
        )
        recalls[test] = f"{rule:.2f} to {learnt:.2f}".replace("0.", ".")
    return Finding(
        "Machine learning beats the country-code rule by a wide margin, most of all in recall (5.2, 5.3).",
        verdict(list(differences.values())),
        "Naive Bayes on words against ccTLD+",
        (("F, difference", {**differences}), ("recall", recalls)),
    )


def _compare(figures: Figures, one: Cell, other: Cell) -> dict[str, Interval]:
    """F of one less F of the other, by test set."""
    return {test: figures.interval(figures.said(one, test), test, figures.said(other, test)) for test in figures.tests}


def _comparisons(
    figures: Figures, claim: str, measured: str, pairs: Iterable[tuple[str, Cell, Cell]]
) -> tuple[Finding, list[Interval]]:
    """A claim that the first of each pair is better."""
    found = [(label, _compare(figures, one, other)) for label, one, other in pairs]
    every = [interval for _, by_test in found for interval in by_test.values()]
    return Finding(claim, verdict(every), measured, tuple((label, {**by_test}) for label, by_test in found)), every


def _words_win_at_full_size(figures: Figures) -> Finding:
    return _comparisons(
        figures,
        "Words beat trigrams when all training URLs are used (5.3, 5.4).",
        "F of words less F of trigrams",
        [(algorithm, Cell("words", algorithm), Cell("trigrams", algorithm)) for algorithm in LINEAR],
    )[0]


def _trigrams_win_with_little(figures: Figures) -> Finding:
    lines: list[tuple[str, dict[str, Figure]]] = []
    wins = 0
    for algorithm in LINEAR:
        words = dict(figures.curve("words", algorithm, FOCUS))
        grams = dict(figures.curve("trigrams", algorithm, FOCUS))
        for share in words:
            if share <= 0.1:
                gap = float(np.mean(grams[share]) - np.mean(words[share]))
                wins += gap > 0
                lines.append((f"{algorithm}, {100 * share:g} % of the URLs", {FOCUS: gap}))
    points = len(lines)
    return Finding(
        "Trigrams beat words when a tenth of the training URLs or less is used (6).",
        "confirmed" if wins == points else "contradicted" if wins == 0 else f"holds at {wins} of {points} points",
        "F of trigrams less F of words",
        tuple(lines),
    )


def _relative_entropy_is_precise(figures: Figures) -> Finding:
    means = {
        algorithm: {
            test: float(
                np.mean(
                    [one.precision for one in figures.judgements(figures.said(Cell("words", algorithm), test), test)]
                )
            )
            for test in figures.tests
        }
        for algorithm in LINEAR
    }
    wins = sum(max(LINEAR, key=lambda name: means[name][test]) == "relative-entropy" for test in figures.tests)
    n = len(figures.tests)
    return Finding(
        "Relative entropy has the best precision of the learnt classifiers (5.6, 5.7).",
        "confirmed" if wins == n else "not confirmed" if wins == 0 else f"holds on {wins} of {n} sets",
        "Balanced precision on words, mean of the languages",
        tuple((algorithm, {**by_test}) for algorithm, by_test in means.items()),
    )


def _pairs_help(figures: Figures) -> Finding:
    single = figures.best_single
    differences = {
        test: figures.interval(figures.combined(test), test, figures.said(single, test)) for test in figures.tests
    }
    return Finding(
        "Combining two classifiers by OR or AND helps (5.6).",
        verdict(list(differences.values())),
        "F of the best pair per language less F of the best single classifier, both chosen on the tuning halves",
        ((f"less {spec(single)}", {**differences}),),
    )


def _features_matter_more(figures: Figures) -> Finding:
    f = {
        (features, algorithm): figures.macro(figures.said(Cell(features, algorithm), FOCUS), FOCUS)
        for features in PAPER_FEATURES
        for algorithm in LINEAR
    }
    table = np.array([[f[features, algorithm] for algorithm in LINEAR] for features in PAPER_FEATURES])
    by_features = float(np.ptp(table.mean(axis=1)))
    by_algorithm = float(np.ptp(table, axis=1).mean())
    return Finding(
        "The feature set matters more than the algorithm (6).",
        "confirmed" if by_features > by_algorithm else "contradicted",
        "Highest less lowest F at full size",
        (
            ("of the feature sets' means", {FOCUS: by_features}),
            ("of the algorithms in one feature set", {FOCUS: by_algorithm}),
        ),
    )


def _trees_start_as_the_rule(figures: Figures) -> Finding:
    share, values = figures.curve(SELECTION, "decision-tree", FOCUS)[0]
    rule = figures.macro(figures.said(CCTLD_PLUS, FOCUS), FOCUS)
    tree = float(np.mean(values))
    return Finding(
        "With 0.1 % of the training URLs the decision tree is no better than ccTLD+ (6).",
        "confirmed" if tree - rule < 0.03 else "not confirmed",
        "F of the decision tree and of ccTLD+",
        ((f"tree, {100 * share:g} % of the URLs", {FOCUS: tree}), ("ccTLD+", {FOCUS: rule})),
    )


def _raw_trigrams_are_noise(figures: Figures) -> Finding:
    return _comparisons(
        figures,
        "Trigrams across tokens are more random than those inside: the conjecture of 3.1, left open there.",
        "F of inside-token trigrams less F of raw trigrams",
        [(algorithm, Cell("trigrams", algorithm), Cell("raw-trigrams", algorithm)) for algorithm in LINEAR],
    )[0]


def _content_hurts(figures: Figures) -> Iterator[Finding]:
    for features, claim in (
        ("words", "Training on content hurts when URL and text share one namespace (7)."),
        ("placed-words", "With separate namespaces for TLD, host and path it no longer hurts (ours to try)."),
    ):
        pairs = [
            (algorithm, content_cell(features, algorithm, "url"), content_cell(features, algorithm, "content"))
            for algorithm in ("naive-bayes", "max-entropy")
        ]
        finding, every = _comparisons(figures, claim, "F of URLs alone less F with text added", pairs)
        if features == "placed-words":
            hurts = sum(one.low > 0 for one in every)
            result = "confirmed" if hurts == 0 else f"not confirmed: it hurts in {hurts} of {len(every)} cases"
            finding = replace(finding, verdict=result)
        yield finding
