"""Tables 1 to 9 of the URL paper, theirs and ours."""

from __future__ import annotations

from dragoman import languages as tables
from dragoman.identifiers.url.algorithms.custom_columns import SELECTION
from dragoman.report.tables import CellValue, Column, Table, Versus
from dragoman.studies.url_2008.figures import CCTLD, CCTLD_PLUS, NB_WORDS, Figures, paper_rules, spec
from dragoman.studies.url_2008.plan import LINEAR, PAPER_FEATURES, Cell, main_cells, nearest_cell
from dragoman.studies.url_2008.published import Cell as Published
from dragoman.studies.url_2008.published import check, published_cell, published_macro_f, published_sizes
from dragoman.studies.url_2008.study import Study

#: Our test sets and the paper's that each compares with.
THEIR_SET = {"directory": "directory", "news": "search", "crawl": "crawl"}
#: Our feature sets and the paper's.
THEIR_FEATURES = {"words": "words", "trigrams": "trigrams", SELECTION: "custom"}


def mark(cell: Published | None) -> str:
    """Why a published cell is not to be trusted, or nothing."""
    if cell is None:
        return ""
    found = check(cell)
    if not found.inconsistent:
        return ""
    return (
        "P fits R and p(-|-) only if their digits were cut, not rounded"
        if found.truncation_explains and not found.f_is_off
        else "inconsistent: cannot follow from the numbers beside it"
    )


def language_name(tag: str) -> str:
    """The English name."""
    return tables.name(tag)


def sizes(figures: Figures) -> Table:
    """Table 1: how many URLs there are."""
    theirs = {(one.test_set, one.language): one for one in published_sizes()}
    train = figures.study.corpus.train.truth
    rows: list[list[CellValue]] = []
    for test, one in figures.tests.items():
        for place, language in enumerate(figures.languages):
            their = theirs.get((THEIR_SET.get(test, ""), language))
            judged = int((figures.rows(test) & (one.truth == place)).sum())
            tuned = int((figures.rows(test, "tune") & (one.truth == place)).sum())
            rows.append(
                [
                    test,
                    language_name(language),
                    their.training if their else None,
                    their.test if their else None,
                    int((train == place).sum()),
                    tuned,
                    judged,
                ]
            )
    columns = [Column("Set", "group"), Column("Language", "text")]
    names = ("Training, theirs", "Test, theirs", "Training, ours", "Tune", "Judge")
    columns += [Column(name, "count") for name in names]
    note = "Theirs trains on its directory and search sets together; our training URLs are the same for all three sets."
    return Table("Table 1. URLs for training and testing", columns, rows, note)


def country_codes(figures: Figures) -> Table:
    """Table 4: the country-code rules."""
    rows: list[list[CellValue]] = []
    for test in figures.tests:
        for cell in (CCTLD, CCTLD_PLUS):
            judged = figures.judgements(figures.said(cell, test), test)
            for language, ours in zip(figures.languages, judged, strict=True):
                if cell == CCTLD_PLUS and language != "en":
                    continue
                their = published_cell(4, THEIR_SET[test], language, cell.algorithm) if test in THEIR_SET else None
                rows.append(
                    [
                        test,
                        language_name(language),
                        "ccTLD+" if cell == CCTLD_PLUS else "ccTLD",
                        Versus(their.precision if their else None, ours.precision),
                        Versus(their.recall if their else None, ours.recall),
                        Versus(their.negative if their else None, ours.negative_success),
                        Versus(their.f if their else None, ours.f, mark(their)),
                        ours.ordinary_precision,
                    ]
                )
    columns = [Column("Set", "group"), Column("Language", "text"), Column("Rule", "text")]
    columns += [Column(name, "pair") for name in ("P", "R", "p(-|-)", "F")] + [Column("ordinary precision, ours")]
    return Table("Table 4. The country-code rules", columns, rows)


def everything(figures: Figures, features: str) -> Table:
    """Table 7 for one feature set."""
    rows: list[list[CellValue]] = []
    algorithms = (*LINEAR, "decision-tree") if features == SELECTION else LINEAR
    for test in figures.tests:
        for place, language in enumerate(figures.languages):
            for algorithm in algorithms:
                ours = figures.judgements(figures.said(Cell(features, algorithm), test), test)[place]
                their = published_cell(7, THEIR_SET.get(test, ""), language, algorithm, THEIR_FEATURES[features])
                rows.append(
                    [
                        test,
                        language_name(language),
                        algorithm,
                        Versus(their.precision if their else None, ours.precision),
                        Versus(their.recall if their else None, ours.recall),
                        Versus(their.negative if their else None, ours.negative_success),
                        Versus(their.f if their else None, ours.f, mark(their)),
                        ours.ordinary_precision,
                    ]
                )
    columns = [Column("Set", "group"), Column("Language", "group"), Column("Algorithm", "text")]
    columns += [Column(name, "pair") for name in ("P", "R", "p(-|-)", "F")] + [Column("ordinary precision, ours")]
    return Table(f"Table 7. {THEIR_FEATURES[features].capitalize()} as features", columns, rows)


def summary(figures: Figures) -> Table:
    """Every classifier in one line per set: macro F with its interval, on unseen sites, and as one answer per URL."""
    rows: list[list[CellValue]] = []
    for cell in [*main_cells(), nearest_cell(figures.study.plan)]:
        for test in figures.tests:
            said = figures.said(cell, test)
            features = THEIR_FEATURES.get(cell.features)
            theirs = None
            if test in THEIR_SET and features and cell.algorithm in (*LINEAR, "decision-tree"):
                theirs = published_macro_f(7, THEIR_SET[test], cell.algorithm, features)
            rows.append(
                [
                    "top-level domain" if cell.features == "tld" else cell.features,
                    cell.algorithm,
                    test,
                    Versus(theirs, figures.interval(said, test)),
                    figures.macro(said, test, figures.tests[test].unseen),
                    figures.macro(figures.said(cell, test, "best"), test),
                ]
            )
    columns = [Column("Features", "group"), Column("Algorithm", "group"), Column("Set", "text"), Column("F", "pair", 3)]
    columns += [Column("F, unseen sites", digits=3), Column("F, one answer per URL", digits=3)]
    note = (
        "F is the mean of the five languages, one yes or no per language, with the 95 % interval by sites. "
        "Theirs is the mean of its printed cells where all five can be read."
    )
    return Table("Every classifier, mean of the languages", columns, rows, note)


def best(figures: Figures) -> Table:
    """Tables 8 and 9: naive Bayes on words, the best single classifier, the best pair, and the paper's own pairs."""
    rows: list[list[CellValue]] = []
    theirs = [paper_rules()[language] for language in figures.languages]
    for test in figures.tests:
        their_set = THEIR_SET.get(test, "")
        options = (
            ("naive Bayes, words (Table 8)", figures.said(NB_WORDS, test), 8, "naive-bayes", "words"),
            (f"best single here: {spec(figures.best_single)}", figures.said(figures.best_single, test), 0, "", ""),
            ("best pair (Table 9)", figures.combined(test), 9, "best-pair", None),
            ("the paper's pairs", figures.combined(test, theirs), 0, "", ""),
        )
        for label, said, table, algorithm, features in options:
            judged = figures.judgements(said, test)
            cells = [
                Versus(_f(published_cell(table, their_set, language, algorithm, features)) if table else None, one.f)
                for language, one in zip(figures.languages, judged, strict=True)
            ]
            mean = published_cell(table, their_set, "average", algorithm, features) if table else None
            rows.append([test, label, *cells, Versus(_f(mean), figures.interval(said, test))])
    columns = [Column("Set", "group"), Column("Classifier", "text")]
    columns += [Column(language_name(language), "pair") for language in figures.languages] + [Column("Mean", "pair", 3)]
    rules = "; ".join(f"{language}: {rule}" for language, rule in zip(figures.languages, figures.rules, strict=True))
    note = f"Pairs chosen on the tuning halves, used on all sets: {rules}."
    return Table("Tables 8 and 9. The best classifier and the best pairs, F", columns, rows, note)


def training_times(study: Study) -> Table:
    """How long each classifier took to train; no part of the report, whose bytes do not depend on the machine."""
    rows: list[list[CellValue]] = [
        [cell.features, cell.algorithm, round(study.seconds(cell), 2)]
        for cell in [*main_cells(), nearest_cell(study.plan)]
    ]
    columns = [Column("Features", "text"), Column("Algorithm", "text"), Column("seconds")]
    return Table("Training times", columns, rows)


def _f(cell: Published | None) -> float | None:
    return cell.f if cell else None


def paper_tables(figures: Figures) -> list[Table]:
    """Table 7, one per feature set of the paper."""
    return [everything(figures, features) for features in PAPER_FEATURES]
