"""Two classifiers against each other on every set, as evidence and as a ruling."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from dragoman.measures import Interval
from dragoman.studies.claims import Finding, Ruling, Wording, above_zero
from dragoman.studies.url_2008.figures import UrlFigures
from dragoman.studies.url_2008.plan import UrlCell

WORDING = Wording(
    all_agree="",
    direction=" in direction; beyond the interval in {beyond} of {cases} cases",
    mixed="mixed: ahead beyond the interval in {ahead}, behind in {behind} of {cases} cases",
)


def ahead(differences: Sequence[Interval]) -> Ruling:
    """The ruling on a claim that these differences are above zero."""
    return above_zero(differences, WORDING)


def compare(figures: UrlFigures, better: UrlCell, other: UrlCell) -> dict[str, Interval]:
    """F of one less F of the other, by test set."""
    return {
        test: figures.interval(figures.answers(better, test), test, figures.answers(other, test))
        for test in figures.tests
    }


def comparisons(
    figures: UrlFigures,
    claim: str,
    section: str,
    measured: str,
    pairs: Mapping[str, tuple[UrlCell, UrlCell]],
    *,
    judge: Callable[[Sequence[Interval]], Ruling] = ahead,
    theirs: str = "",
    reason: str = "",
) -> Finding:
    """A claim about the first of each pair less the second: that it is above zero, unless another is judged."""
    lines = [(label, compare(figures, *pair)) for label, pair in pairs.items()]
    differences = [interval for _, by_test in lines for interval in by_test.values()]
    ours = "; ".join(f"{label} {listed(by_test)}" for label, by_test in lines)
    return Finding(
        claim, judge(differences), measured, reason, evidence=lines, section=section, theirs=theirs, ours=ours
    )


def listed(by_test: Mapping[str, Interval | float]) -> str:
    """Differences of F in the order of the sets, without their intervals.

    >>> listed({"directory": Interval(0.012, 0.0, 0.02), "crawl": -0.3})
    '+.012 / -.300'
    """
    values = (figure.value if isinstance(figure, Interval) else figure for figure in by_test.values())
    return " / ".join(f"{value:+.3f}".replace("0.", ".", 1) for value in values)


def levels(values: Mapping[str, float], digits: int = 2) -> str:
    """Figures in the order of the sets.

    >>> levels({"directory": 0.911, "crawl": 0.89})
    '.91 / .89'
    """
    return " / ".join(f"{value:.{digits}f}".replace("0.", ".", 1) for value in values.values())
