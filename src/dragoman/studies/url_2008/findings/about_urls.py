"""What the paper says of its URLs, of people, and of the country code (sections 2, 3.1, 5.1 and 5.2)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dragoman import measures
from dragoman.identifiers.url.algorithms.custom_columns import CUSTOM, SELECTION
from dragoman.studies.claims import TRIED, Finding, how_often, untestable, whether
from dragoman.studies.url_2008.figures import FOCUS, UrlFigures
from dragoman.studies.url_2008.findings.comparisons import comparisons, levels
from dragoman.studies.url_2008.plan import CCTLD, CCTLD_PLUS, LINEAR, NB_WORDS, UrlCell, nearest_cell
from dragoman.studies.url_2008.preliminary import METHODS


def url_claims(figures: UrlFigures) -> Iterator[Finding]:
    """Sections 2 to 5.2."""
    yield _tried_first(figures)
    yield comparisons(
        figures,
        "Trigrams across tokens are more random than those inside: a conjecture, left open there.",
        "3.1",
        "F of inside-token trigrams less F of raw trigrams",
        {name: (UrlCell("trigrams", name), UrlCell("raw-trigrams", name)) for name in LINEAR},
        judge=lambda _: TRIED,
        theirs="not tried",
    )
    yield _hyphens(figures)
    yield _selection(figures)
    yield _selected(figures)
    yield comparisons(
        figures,
        "Nearest neighbours are considerably worse.",
        "3.2",
        "Naive Bayes on words less nearest neighbours",
        {"F, difference": (NB_WORDS, nearest_cell(figures.plan))},
        theirs="dropped; no figures",
    )
    yield _people(figures)
    yield _rule_is_precise(figures)
    yield _learning_beats_the_rule(figures)


def _tried_first(figures: UrlFigures) -> Finding:
    f = {
        method: {test: figures.macro(figures.preliminary(method, test), test) for test in figures.tests}
        for method in METHODS
    }
    wins = sum(max(METHODS, key=lambda method: f[method][test]) == "relative entropy" for test in figures.tests)
    return Finding(
        "Relative entropy is better than rank order and Markov chains.",
        how_often(wins, len(figures.tests), "holds on {} of {} sets"),
        "F on trigrams, one answer per URL",
        evidence=list(f.items()),
        section="2",
        theirs="best in preliminary experiments; no figures",
        ours="; ".join(f"{method} {levels(by_test)}" for method, by_test in f.items()),
    )


def _hyphens(figures: UrlFigures) -> Finding:
    means = figures.hyphens
    ratio = means["de"] / max(means["en"], 1e-9)
    return Finding(
        "Hyphens occur about five times as often in German URLs as in English ones.",
        whether(3.5 <= ratio <= 7),
        "hyphens per training URL",
        "Titles of articles have been written with hyphens in English URLs too since then.",
        evidence=[(tag, {FOCUS: mean}) for tag, mean in means.items()],
        section="3.1",
        theirs="5 times",
        ours=f"{ratio:.1f} times",
    )


def _selection(figures: UrlFigures) -> Finding:
    def of(features: str, test: str) -> float:
        return figures.macro(figures.answers(UrlCell(features, "decision-tree"), test), test)

    gaps = {test: of(CUSTOM, test) - of(SELECTION, test) for test in figures.tests}
    worst = max(abs(gap) for gap in gaps.values())
    return Finding(
        "All 74 custom-made features instead of the 15 change F by at most .03.",
        whether(worst <= 0.03),
        "F of the decision tree on all less on the selected ones",
        evidence=[("difference", gaps)],
        section="3.1",
        theirs="at most .03",
        ours=f"at most {worst:.3f}".replace("0.", "."),
    )


def _selected(figures: UrlFigures) -> Finding:
    chosen = [feature.rsplit(" ", 1)[0] for _, feature, _ in figures.greedy]
    families = ("host code", "spelling", "trained")
    named = sum(any(name.startswith(family) for family in families) or name == "tld code" for name in chosen)
    return Finding(
        "Greedy selection keeps the country code, the spelling dictionary and the trained dictionary of each language.",
        whether(named / max(len(chosen), 1) >= 0.75),
        "features chosen that are of these families",
        evidence=[("of these families", {FOCUS: named}), ("chosen in all", {FOCUS: len(chosen)})],
        section="3.1",
        theirs="15 of 15",
        ours=f"{named} of {len(chosen)}",
    )


def _people(figures: UrlFigures) -> Finding:
    f = figures.macro(figures.answers(NB_WORDS, FOCUS), FOCUS)
    return Finding(
        "Two people who see the URL alone are worse than the best classifier, and take others for English.",
        untestable("their crawl is not to be had, and it needs people"),
        "`dragoman quiz` lets a person answer the URLs that a model answers",
        evidence=[("naive Bayes on words, ours", {FOCUS: f})],
        section="5.1, Tables 2 and 3",
        theirs="people F .75, naive Bayes .90; people agree .77, with the classifier .45 and .47",
        ours=f"naive Bayes {f:.2f}".replace("0.", "."),
    )


def _rule_is_precise(figures: UrlFigures) -> Finding:
    precision, recall = (
        {test: figures.mean(CCTLD, test, figure) for test in figures.tests} for figure in ("precision", "recall")
    )
    holds = sum(precision[test] >= 0.95 and recall[test] < 0.8 for test in figures.tests)
    return Finding(
        "The country code alone is precise and has a very low recall.",
        how_often(holds, len(figures.tests), "holds on {} of {} sets"),
        "ccTLD, means of the languages; tried: precision .95 or more, recall under .8",
        evidence=[("precision", precision), ("recall", recall)],
        section="5.2, Tables 4 and 5",
        theirs="P .99 / 1.0 / .99, R .43 / .64 / .33",
        ours=f"P {levels(precision)}, R {levels(recall)}",
    )


def _learning_beats_the_rule(figures: UrlFigures) -> Finding:
    finding = comparisons(
        figures,
        "Machine learning beats the country-code rule by a wide margin, most of all in recall.",
        "5.2, 5.3",
        "Naive Bayes on words against ccTLD+",
        {"F, difference": (NB_WORDS, CCTLD_PLUS)},
        theirs="F .88 / .96 / .90 against .66 / .81 / .57",
    )
    recalls = {}
    for test in figures.tests:
        rule, learnt = (figures.mean(cell, test, "recall") for cell in (CCTLD_PLUS, NB_WORDS))
        recalls[test] = f"{rule:.2f} to {learnt:.2f}".replace("0.", ".")
    return Finding(
        finding.claim,
        finding.ruling,
        finding.measured,
        evidence=[*finding.evidence, ("recall", recalls)],
        section=finding.section,
        theirs=finding.theirs,
        ours=finding.ours,
    )


def confusion_with_english(figures: UrlFigures) -> Finding:
    """Section 5.3: other languages' URLs look English."""
    rows = figures.rows(FOCUS)
    matrix = 100 * measures.confusion(figures.tests[FOCUS].truth[rows], figures.answers(NB_WORDS, FOCUS)[rows])
    english = figures.languages.index("en")
    others = [column for column in range(len(figures.languages)) if column != english]
    most = {
        figures.languages[row]: figures.languages[max((c for c in range(5) if c != row), key=lambda c: matrix[row, c])]
        for row in others
    }
    holds = sum(tag == "en" for tag in most.values())
    return Finding(
        "The biggest confusion of every other language is with English.",
        how_often(holds, len(others), "holds for {} of {} languages"),
        "naive Bayes on words, crawl: percent of a language's URLs that the English classifier takes",
        evidence=[(figures.languages[row], {FOCUS: float(matrix[row, english])}) for row in others],
        section="5.3, Table 6",
        theirs="de 26 %, fr 14 %, es 37 %, it 10 %",
        ours=", ".join(f"{figures.languages[row]} {matrix[row, english]:.0f} %" for row in others)
        + f"; most confused with {', '.join(sorted(set(most.values())))}",
    )


def english_is_hardest(figures: UrlFigures) -> Finding:
    """Sections 5.7 and Table 8: by language and set."""
    f = np.array(
        [[j.f for j in figures.judgements(figures.answers(NB_WORDS, test), test)] for test in figures.tests]
    ).mean(axis=0)
    by_language = dict(zip(figures.languages, f.tolist(), strict=True))
    hardest, easiest = min(by_language, key=by_language.__getitem__), max(by_language, key=by_language.__getitem__)
    return Finding(
        "English is the hardest of the languages and Italian the easiest.",
        how_often((hardest == "en") + (easiest == "it"), 2, "{} of {} hold"),
        "F of naive Bayes on words, mean of the sets",
        evidence=[(tag, {FOCUS: value}) for tag, value in by_language.items()],
        section="5.7, Table 8",
        theirs="en .90, de .92, fr .91, es .91, it .94",
        ours=", ".join(f"{tag} {value:.2f}".replace("0.", ".") for tag, value in by_language.items()),
    )
