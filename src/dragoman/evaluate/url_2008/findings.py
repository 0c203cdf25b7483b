"""Which of the paper's claims hold on our data: each with its figures, intervals and a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dragoman.evaluate.url_2008.figures import CCTLD_PLUS, NB_WORDS, Figures, spec
from dragoman.evaluate.url_2008.plan import LINEAR, PAPER_FEATURES, Cell
from dragoman.measures import Interval
from dragoman.models.custom import SELECTION


@dataclass(frozen=True)
class Finding:
    """A claim of the paper, what we measured, and whether it holds here."""

    claim: str
    verdict: str
    evidence: str


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


def show(interval: Interval, digits: int = 3) -> str:
    """A signed difference with its interval."""
    return f"{interval.value:+.{digits}f} [{interval.low:+.{digits}f}, {interval.high:+.{digits}f}]"


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
    differences, recalls = [], []
    for test in figures.tests:
        rule, learnt = figures.said(CCTLD_PLUS, test), figures.said(NB_WORDS, test)
        differences.append(figures.interval(learnt, test, rule))
        recall = [np.mean([one.recall for one in figures.judgements(said, test)]) for said in (rule, learnt)]
        recalls.append(f"{test}: recall {recall[0]:.2f} to {recall[1]:.2f}, F {show(differences[-1])}")
    return Finding(
        "Machine learning beats the country-code rule by a wide margin, most of all in recall (5.2, 5.3).",
        verdict(differences),
        f"Naive Bayes on words against ccTLD+. {'; '.join(recalls)}.",
    )


def _compare(figures: Figures, one: Cell, other: Cell) -> list[tuple[str, Interval]]:
    return [
        (test, figures.interval(figures.said(one, test), test, figures.said(other, test))) for test in figures.tests
    ]


def _words_win_at_full_size(figures: Figures) -> Finding:
    lines, differences = [], []
    for algorithm in LINEAR:
        for test, interval in _compare(figures, Cell("words", algorithm), Cell("trigrams", algorithm)):
            differences.append(interval)
            lines.append(f"{algorithm}, {test} {show(interval)}")
    return Finding(
        "Words beat trigrams when all training URLs are used (5.3, 5.4).",
        verdict(differences),
        f"F of words less F of trigrams: {'; '.join(lines)}.",
    )


def _trigrams_win_with_little(figures: Figures) -> Finding:
    lines, wins, points = [], 0, 0
    for algorithm in LINEAR:
        words = dict(figures.curve("words", algorithm, "crawl"))
        grams = dict(figures.curve("trigrams", algorithm, "crawl"))
        gaps = {share: float(np.mean(grams[share]) - np.mean(words[share])) for share in words if share <= 0.1}
        wins += sum(gap > 0 for gap in gaps.values())
        points += len(gaps)
        lines.append(f"{algorithm}: " + ", ".join(f"{share:.1%} {gap:+.3f}" for share, gap in gaps.items()))
    return Finding(
        "Trigrams beat words when a tenth of the training URLs or less is used (6).",
        "confirmed" if wins == points else "contradicted" if wins == 0 else f"holds at {wins} of {points} points",
        f"Crawl set, F of trigrams less F of words. {'; '.join(lines)}.",
    )


def _relative_entropy_is_precise(figures: Figures) -> Finding:
    wins, lines = 0, []
    for test in figures.tests:
        means = {
            algorithm: float(
                np.mean(
                    [one.precision for one in figures.judgements(figures.said(Cell("words", algorithm), test), test)]
                )
            )
            for algorithm in LINEAR
        }
        best = max(means, key=lambda name: means[name])
        wins += best == "relative-entropy"
        lines.append(f"{test}: " + ", ".join(f"{name} {value:.3f}" for name, value in means.items()))
    n = len(figures.tests)
    return Finding(
        "Relative entropy has the best precision of the learnt classifiers (5.6, 5.7).",
        "confirmed" if wins == n else "not confirmed" if wins == 0 else f"holds on {wins} of {n} sets",
        f"Balanced precision on words, mean of the languages. {'; '.join(lines)}.",
    )


def _pairs_help(figures: Figures) -> Finding:
    single = figures.best_single
    differences = [
        (test, figures.interval(figures.combined(test), test, figures.said(single, test))) for test in figures.tests
    ]
    rules = "; ".join(f"{language}: {rule}" for language, rule in zip(figures.languages, figures.rules, strict=True))
    return Finding(
        "Combining two classifiers by OR or AND helps (5.6).",
        verdict([interval for _, interval in differences]),
        f"Best pair per language less the best single classifier ({spec(single)}), both chosen on the tuning halves: "
        + "; ".join(f"{test} {show(interval)}" for test, interval in differences)
        + f". Pairs: {rules}.",
    )


def _features_matter_more(figures: Figures) -> Finding:
    f = {
        (features, algorithm): figures.macro(figures.said(Cell(features, algorithm), "crawl"), "crawl")
        for features in PAPER_FEATURES
        for algorithm in LINEAR
    }
    table = np.array([[f[features, algorithm] for algorithm in LINEAR] for features in PAPER_FEATURES])
    by_features = float(np.ptp(table.mean(axis=1)))
    by_algorithm = float(np.ptp(table, axis=1).mean())
    return Finding(
        "The feature set matters more than the algorithm (6).",
        "confirmed" if by_features > by_algorithm else "contradicted",
        f"Crawl set at full size: the feature sets' mean F differ by {by_features:.3f}; inside one feature set the "
        f"algorithms differ by {by_algorithm:.3f} on average.",
    )


def _trees_start_as_the_rule(figures: Figures) -> Finding:
    share, values = figures.curve(SELECTION, "decision-tree", "crawl")[0]
    rule = figures.macro(figures.said(CCTLD_PLUS, "crawl"), "crawl")
    tree = float(np.mean(values))
    return Finding(
        "With 0.1 % of the training URLs the decision tree is no better than ccTLD+ (6).",
        "confirmed" if abs(tree - rule) < 0.03 else "not confirmed",
        f"Crawl set: tree on {share:.1%} of the URLs F {tree:.3f}, ccTLD+ {rule:.3f}.",
    )


def _raw_trigrams_are_noise(figures: Figures) -> Finding:
    lines, differences = [], []
    for algorithm in LINEAR:
        for test, interval in _compare(figures, Cell("trigrams", algorithm), Cell("raw-trigrams", algorithm)):
            differences.append(interval)
            lines.append(f"{algorithm}, {test} {show(interval)}")
    return Finding(
        "Trigrams across tokens are more random than those inside: the conjecture of 3.1, left open there.",
        verdict(differences),
        f"F of inside-token trigrams less F of raw trigrams: {'; '.join(lines)}.",
    )


def _content_hurts(figures: Figures) -> Iterator[Finding]:
    for features, claim in (
        ("words", "Training on content hurts when URL and text share one namespace (7)."),
        ("placed-words", "With separate namespaces for TLD, host and path it no longer hurts (ours to try)."),
    ):
        lines, differences = [], []
        for algorithm in ("naive-bayes", "max-entropy"):
            url, content = (Cell(features, algorithm, content=kind) for kind in ("url", "content"))
            for test, interval in _compare(figures, url, content):
                differences.append(interval)
                lines.append(f"{algorithm}, {test} {show(interval)}")
        result = verdict(differences)
        if features == "placed-words":
            hurts = sum(one.low > 0 for one in differences)
            result = "confirmed" if hurts == 0 else f"not confirmed: it hurts in {hurts} of {len(differences)} cases"
        yield Finding(claim, result, f"F of URLs alone less F with text added: {'; '.join(lines)}.")
