"""Which of the paper's claims hold on our data: each with its figures, intervals and a verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from dragoman.identifiers.url.algorithms.custom_columns import SELECTION
from dragoman.measures import Interval
from dragoman.studies.claims import Finding, Ruling, Wording, above_zero, how_often, whether
from dragoman.studies.url_2008.figures import FOCUS, UrlFigures
from dragoman.studies.url_2008.plan import CCTLD_PLUS, LINEAR, NB_WORDS, PAPER_FEATURES, UrlCell, content_cell

WORDING = Wording(
    all_agree="",
    direction=" in direction; beyond the interval in {beyond} of {cases} cases",
    mixed="mixed: ahead beyond the interval in {ahead}, behind in {behind} of {cases} cases",
)


def findings(figures: UrlFigures) -> Iterator[Finding]:
    """The paper's main claims, in its order."""
    yield _learning_beats_the_rule(figures)
    yield _comparisons(
        figures,
        "Words beat trigrams when all training URLs are used.",
        "5.3, 5.4",
        "F of words less F of trigrams",
        {algorithm: (UrlCell("words", algorithm), UrlCell("trigrams", algorithm)) for algorithm in LINEAR},
    )
    yield _trigrams_win_with_little(figures)
    yield _relative_entropy_is_precise(figures)
    yield _pairs_help(figures)
    yield _features_matter_more(figures)
    yield _trees_start_as_the_rule(figures)
    yield _comparisons(
        figures,
        "Trigrams across tokens are more random than those inside: a conjecture, left open there.",
        "3.1",
        "F of inside-token trigrams less F of raw trigrams",
        {algorithm: (UrlCell("trigrams", algorithm), UrlCell("raw-trigrams", algorithm)) for algorithm in LINEAR},
    )
    if figures.has_text:
        yield _content(figures, "words", "Training on content hurts when URL and text share one namespace.")
        separate = "With separate namespaces for TLD, host and path it no longer hurts (ours to try)."
        yield _content(figures, "placed-words", separate, _not_behind)


def _compare(figures: UrlFigures, better: UrlCell, other: UrlCell) -> dict[str, Interval]:
    """F of one less F of the other, by test set."""
    return {
        test: figures.interval(figures.answers(better, test), test, figures.answers(other, test))
        for test in figures.tests
    }


def _ahead(differences: Sequence[Interval]) -> Ruling:
    return above_zero(differences, WORDING)


def _comparisons(
    figures: UrlFigures,
    claim: str,
    section: str,
    measured: str,
    pairs: dict[str, tuple[UrlCell, UrlCell]],
    judge: Callable[[Sequence[Interval]], Ruling] = _ahead,
) -> Finding:
    """A claim about the first of each pair less the second: that it is above zero, unless another is judged."""
    lines = [(label, _compare(figures, *pair)) for label, pair in pairs.items()]
    differences = [interval for _, by_test in lines for interval in by_test.values()]
    return Finding(claim, judge(differences), measured, evidence=lines, section=section)


def _learning_beats_the_rule(figures: UrlFigures) -> Finding:
    finding = _comparisons(
        figures,
        "Machine learning beats the country-code rule by a wide margin, most of all in recall.",
        "5.2, 5.3",
        "Naive Bayes on words against ccTLD+",
        {"F, difference": (NB_WORDS, CCTLD_PLUS)},
    )
    recalls = {}
    for test in figures.tests:
        rule, learnt = (figures.mean(cell, test, "recall") for cell in (CCTLD_PLUS, NB_WORDS))
        recalls[test] = f"{rule:.2f} to {learnt:.2f}".replace("0.", ".")
    return replace(finding, evidence=[*finding.evidence, ("recall", recalls)])


def _trigrams_win_with_little(figures: UrlFigures) -> Finding:
    gaps = {}
    for algorithm in LINEAR:
        words, grams = (figures.curve(features, algorithm) for features in ("words", "trigrams"))
        for share in words:
            if share <= 0.1:
                gap = float(np.mean(grams[share]) - np.mean(words[share]))
                gaps[f"{algorithm}, {100 * share:g} % of the URLs"] = gap
    wins = sum(gap > 0 for gap in gaps.values())
    return Finding(
        "Trigrams beat words when a tenth of the training URLs or less is used.",
        how_often(wins, len(gaps), "holds at {} of {} points", never="contradicted"),
        "F of trigrams less F of words",
        evidence=[(label, {FOCUS: gap}) for label, gap in gaps.items()],
        section="6",
    )


def _relative_entropy_is_precise(figures: UrlFigures) -> Finding:
    means = {
        algorithm: {test: figures.mean(UrlCell("words", algorithm), test, "precision") for test in figures.tests}
        for algorithm in LINEAR
    }
    wins = sum(max(LINEAR, key=lambda name: means[name][test]) == "relative-entropy" for test in figures.tests)
    return Finding(
        "Relative entropy has the best precision of the learnt classifiers.",
        how_often(wins, len(figures.tests), "holds on {} of {} sets"),
        "Balanced precision on words, mean of the languages",
        evidence=list(means.items()),
        section="5.6, 5.7",
    )


def _pairs_help(figures: UrlFigures) -> Finding:
    single = figures.best_single
    differences = {
        test: figures.interval(figures.combined(test), test, figures.answers(single, test)) for test in figures.tests
    }
    return Finding(
        "Combining two classifiers by OR or AND helps.",
        _ahead(list(differences.values())),
        "F of the best pair per language less F of the best single classifier, both chosen on the tuning halves",
        evidence=[(f"less {single.classifier}", differences)],
        section="5.6",
    )


def _features_matter_more(figures: UrlFigures) -> Finding:
    cells = [[UrlCell(features, algorithm) for algorithm in LINEAR] for features in PAPER_FEATURES]
    table = np.array([[figures.macro(figures.answers(cell, FOCUS), FOCUS) for cell in row] for row in cells])
    by_features = float(np.ptp(table.mean(axis=1)))
    by_algorithm = float(np.ptp(table, axis=1).mean())
    return Finding(
        "The feature set matters more than the algorithm.",
        whether(by_features > by_algorithm, otherwise="contradicted"),
        "Highest less lowest F at full size",
        evidence=[
            ("of the feature sets' means", {FOCUS: by_features}),
            ("of the algorithms in one feature set", {FOCUS: by_algorithm}),
        ],
        section="6",
    )


def _trees_start_as_the_rule(figures: UrlFigures) -> Finding:
    share, values = next(iter(figures.curve(SELECTION, "decision-tree").items()))
    rule = figures.macro(figures.answers(CCTLD_PLUS, FOCUS), FOCUS)
    tree = float(np.mean(values))
    return Finding(
        "With 0.1 % of the training URLs the decision tree is no better than ccTLD+.",
        whether(tree - rule < 0.03),
        "F of the decision tree and of ccTLD+",
        evidence=[(f"tree, {100 * share:g} % of the URLs", {FOCUS: tree}), ("ccTLD+", {FOCUS: rule})],
        section="6",
    )


def _not_behind(differences: Sequence[Interval]) -> Ruling:
    """The ruling on a claim that text does not hurt: no difference is above zero beyond its interval."""
    hurts = sum(difference.low > 0 for difference in differences)
    return whether(hurts == 0, otherwise=f"not confirmed: it hurts in {hurts} of {len(differences)} cases")


def _content(
    figures: UrlFigures, features: str, claim: str, judge: Callable[[Sequence[Interval]], Ruling] = _ahead
) -> Finding:
    pairs = {
        algorithm: (content_cell(features, algorithm, "url"), content_cell(features, algorithm, "content"))
        for algorithm in ("naive-bayes", "max-entropy")
    }
    return _comparisons(figures, claim, "7", "F of URLs alone less F with text added", pairs, judge)
