"""Tables 1 to 9 of the URL paper, theirs and ours."""

from __future__ import annotations

from collections.abc import Iterator

from dragoman import languages
from dragoman.identifiers.url.algorithms.custom_columns import SELECTION
from dragoman.measures import Interval, Judgement, share_interval
from dragoman.report.tables import CellValue, Column, Table, Versus
from dragoman.studies.url_2008.figures import UrlFigures
from dragoman.studies.url_2008.plan import (
    CCTLD,
    CCTLD_PLUS,
    NB_WORDS,
    PAPER_FEATURES,
    UrlCell,
    algorithms_of,
    main_cells,
    nearest_cell,
    variant_cells,
)
from dragoman.studies.url_2008.published import (
    PublishedCell,
    check,
    inconsistent_cells,
    published_cell,
    published_macro_f,
    published_pairs,
    published_sizes,
)

Rows = list[list[CellValue]]
Theirs = float | Interval | None

#: Our test sets and the paper's that each compares with.
THEIR_SET = {"directory": "directory", "news": "search", "crawl": "crawl"}
#: Our feature sets and the paper's.
THEIR_FEATURES = {"words": "words", "trigrams": "trigrams", SELECTION: "custom"}
#: The four figures that the paper prints of a classifier, and their columns here.
_FOUR = [Column(name, "pair") for name in ("P", "R", "p(-|-)", "F")] + [Column("ordinary precision, ours")]


def remark(cell: PublishedCell) -> str:
    """Why a published cell is not to be trusted, or nothing."""
    checked = check(cell)
    if not checked.inconsistent:
        return ""
    return (
        "P fits R and p(-|-) only if their digits were cut, not rounded"
        if checked.truncation_explains and not checked.f_is_off
        else "inconsistent: cannot follow from the numbers beside it"
    )


def counted(test_set: str, language: str, recall: float | None, negative: float | None) -> tuple[Theirs, Theirs]:
    """Their R and p(-|-) with 95 % intervals from the numbers of test URLs that Table 1 prints."""
    tests = {tag: test for (name, tag), (_, test) in published_sizes().items() if name == test_set}
    own, others = tests.get(language, 0), sum(test for tag, test in tests.items() if tag != language)
    return (
        recall if recall is None or not own else _share(recall, own),
        negative if negative is None or not others else _share(negative, others),
    )


def _share(printed: float, n: int) -> Interval:
    """The printed share of n URLs with its interval, which holds what was printed."""
    interval = share_interval(round(printed * n), n)
    return Interval(printed, min(printed, interval.low), max(printed, interval.high))


def _four(their: PublishedCell | None, ours: Judgement) -> Iterator[CellValue]:
    """The four figures of a classifier, theirs beside ours, and our ordinary precision."""
    theirs: tuple[Theirs, ...] = (None,) * 4
    if their:
        recall, negative = counted(their.test_set, their.language, their.recall, their.negative)
        theirs = (their.precision, recall, negative, their.f)
    marks = ("", "", "", remark(their) if their else "")
    yield from map(Versus, theirs, (ours.precision, ours.recall, ours.negative_success, ours.f), marks)
    yield ours.ordinary_precision


def sizes(figures: UrlFigures) -> Table:
    """Table 1: how many URLs there are."""
    theirs = published_sizes()
    rows: Rows = []
    for test, urls in figures.tests.items():
        halves = [urls.truth[figures.rows(test, half)] for half in ("tune", "judge")]
        for column, language in enumerate(figures.languages):
            counts = [int((truth == column).sum()) for truth in (figures.corpus.train.truth, *halves)]
            their = theirs.get((THEIR_SET.get(test, ""), language), (None, None))
            rows.append([test, languages.name(language), *their, *counts])
    columns = [Column("Set", "group"), Column("Language", "text")]
    names = ("Training, theirs", "Test, theirs", "Training, ours", "Tune", "Judge")
    columns += [Column(name, "count") for name in names]
    note = "Theirs trains on its directory and search sets together; our training URLs are the same for all three sets."
    return Table("Table 1. URLs for training and testing", columns, rows, note)


def country_codes(figures: UrlFigures) -> Table:
    """Table 4: the country-code rules."""
    rows: Rows = []
    for test in figures.tests:
        for cell, rule in ((CCTLD, "ccTLD"), (CCTLD_PLUS, "ccTLD+")):
            judged = figures.judgements(figures.answers(cell, test), test)
            for language, ours in zip(figures.languages, judged, strict=True):
                if cell == CCTLD_PLUS and language != "en":
                    continue
                their = published_cell(4, THEIR_SET.get(test, ""), language, cell.algorithm)
                rows.append([test, languages.name(language), rule, *_four(their, ours)])
    columns = [Column("Set", "group"), Column("Language", "text"), Column("Rule", "text"), *_FOUR]
    return Table("Table 4. The country-code rules", columns, rows)


def every_algorithm(figures: UrlFigures, features: str) -> Table:
    """Table 7 for one feature set."""
    rows: Rows = []
    algorithms = algorithms_of(features)
    for test in figures.tests:
        judged = [figures.judgements(figures.answers(UrlCell(features, name), test), test) for name in algorithms]
        for language, ours in zip(figures.languages, zip(*judged, strict=True), strict=True):
            for algorithm, judgement in zip(algorithms, ours, strict=True):
                their = published_cell(7, THEIR_SET.get(test, ""), language, algorithm, THEIR_FEATURES[features])
                rows.append([test, languages.name(language), algorithm, *_four(their, judgement)])
    columns = [Column("Set", "group"), Column("Language", "group"), Column("Algorithm", "text"), *_FOUR]
    return Table(f"Table 7. {THEIR_FEATURES[features].capitalize()} as features", columns, rows)


def summary(figures: UrlFigures) -> Table:
    """Every classifier in one line per set: macro F with its interval, on unseen sites, and as one answer per URL."""
    rows: Rows = []
    for cell in [*main_cells(), *variant_cells(), nearest_cell(figures.plan)]:
        rule = cell.features == "tld"
        table, their_features = (4, None) if rule else (7, THEIR_FEATURES.get(cell.features, ""))
        for test in figures.tests:
            answers = figures.answers(cell, test)
            as_theirs = ("binary", True) not in cell.params  # theirs gave one answer per URL
            published = published_macro_f(table, THEIR_SET.get(test, ""), cell.algorithm, their_features)
            theirs = published if as_theirs else None
            rows.append(
                [
                    *("top-level domain" if rule else cell.features, cell.setting, test),
                    Versus(theirs, figures.interval(answers, test)),
                    figures.macro(answers, test, figures.tests[test].unseen),
                    figures.macro(figures.answers(cell, test, "best"), test),
                ]
            )
    columns = [Column("Features", "group"), Column("Algorithm", "group"), Column("Set", "text"), Column("F", "pair", 3)]
    columns += [Column("F, unseen sites", digits=3), Column("F, one answer per URL", digits=3)]
    note = (
        "F is the mean of the five languages, one yes or no per language, with the 95 % interval by sites. "
        "Theirs is the mean of its printed cells where all five can be read. Relative entropy gives one answer per URL "
        "on words and trigrams and is binary on custom-made features, as theirs; maximum entropy is 40 rounds of "
        "iterative scaling, logistic regression the same run to its end. Their naive Bayes was smoothed with 1, ours "
        "with 0.1."
    )
    return Table("Every classifier, mean of the languages", columns, rows, note)


def best(figures: UrlFigures) -> Table:
    """Tables 8 and 9: naive Bayes on words, the best single classifier, the best pair, and the paper's own pairs."""
    rows: Rows = []
    pairs = published_pairs()
    theirs = [pairs[language] for language in figures.languages]
    single = figures.best_single
    for test in figures.tests:
        options = (
            ("naive Bayes, words (Table 8)", figures.answers(NB_WORDS, test), (8, "naive-bayes", "words")),
            (f"best single here: {single.classifier}", figures.answers(single, test), None),
            ("best pair (Table 9)", figures.combined(test), (9, "best-pair", None)),
            ("the paper's pairs", figures.combined(test, theirs), None),
        )
        for label, answers, printed in options:
            published: list[float | None] = [None] * (len(figures.languages) + 1)
            if printed is not None:
                table, algorithm, features = printed
                their_set = THEIR_SET.get(test, "")
                columns = (*figures.languages, "average")
                cells = (published_cell(table, their_set, column, algorithm, features) for column in columns)
                published = [cell.f if cell else None for cell in cells]
            ours: list[float | Interval] = [judgement.f for judgement in figures.judgements(answers, test)]
            rows.append([test, label, *map(Versus, published, [*ours, figures.interval(answers, test)])])
    headings = [Column("Set", "group"), Column("Classifier", "text")]
    headings += [Column(languages.name(tag), "pair") for tag in figures.languages] + [Column("Mean", "pair", 3)]
    rules = "; ".join(f"{language}: {rule}" for language, rule in zip(figures.languages, figures.rules, strict=True))
    note = f"Pairs chosen on the tuning halves, used on all sets: {rules}."
    return Table("Tables 8 and 9. The best classifier and the best pairs, F", headings, rows, note)


def paper_tables(figures: UrlFigures) -> list[Table]:
    """Table 7, one per feature set of the paper."""
    return [every_algorithm(figures, features) for features in PAPER_FEATURES]


def doubtful() -> Table:
    """Published cells that cannot be right."""
    rows: Rows = [
        [
            *(f"Table {cell.table}", cell.test_set, cell.language, cell.algorithm, cell.features or ""),
            *(cell.precision, cell.recall, cell.negative, cell.f, remark(cell)),
        ]
        for cell in inconsistent_cells()
    ]
    columns = [Column(name, "text") for name in ("Table", "Set", "Language", "Algorithm", "Features")]
    columns += [Column(name) for name in ("P", "R", "p(-|-)", "F")] + [Column("Remark", "text")]
    return Table("Published cells that contradict themselves", columns, rows)


def training_times(figures: UrlFigures) -> Table:
    """How long each classifier took to train; no part of the report, whose bytes do not depend on the machine."""
    rows: Rows = [
        [cell.features, cell.setting, round(figures.seconds(cell), 2)]
        for cell in [*main_cells(), *variant_cells(), nearest_cell(figures.plan)]
    ]
    columns = [Column("Features", "text"), Column("Algorithm", "text"), Column("seconds")]
    return Table("Training times", columns, rows)
