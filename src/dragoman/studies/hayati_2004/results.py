"""The tables of the report."""

from __future__ import annotations

import numpy as np

from dragoman import languages as names
from dragoman.languages import PRESETS
from dragoman.measures import Interval
from dragoman.report.tables import CellValue, Column, Table, Versus
from dragoman.studies.hayati_2004.figures import Figures, published, spread
from dragoman.studies.hayati_2004.plan import (
    BASE,
    CHANGES,
    MAIN,
    NFC,
    OUR_BASE,
    OUR_NFC,
    SENTENCES,
    SHORT,
    USUAL,
    Variant,
    range_name,
)
from dragoman.studies.text_draws import CHARACTERS, SOURCES

#: What the papers' methods must reach here, 20-100 / 100-200 / 50-150 / 20-200 characters, five languages.
BARS = {"rank-order": (0.97, 0.995, 0.985, 0.98), "fisher-cosine": (0.95, 0.99, 0.97, 0.97)}
_SPREAD = "Mean of the draws; square brackets: the lowest and the highest draw."


def sizes(figures: Figures) -> Table:
    """What was drawn."""
    study = figures.study
    rows: list[list[CellValue]] = []
    for tag in PRESETS["eleven"]:
        pages = study.texts.pages[tag]
        sources = ", ".join(dict.fromkeys(source.partition(":")[0] for source, _ in pages))
        counts = [len(study.texts.sentences.get((tag, source, "judge"), [])) for source in SOURCES]
        rows.append([names.name(tag), len(pages), sources, *counts])
    columns = [Column("Language", "text"), Column("Pages", "count"), Column("Pages from", "text")]
    columns += [Column(f"{source}, judge", "count") for source in SOURCES]
    note = (
        f"Each of {study.plan.draws} draws takes {CHARACTERS:,} characters of clean text from the pages of each "
        f"language to train on, and {study.plan.per_language} test texts of each language and range of lengths."
    )
    return Table("The text", columns, rows, note)


def published_table(figures: Figures) -> Table:
    """The paper's accuracies beside ours."""
    theirs = published()
    under_25, under_50 = SHORT
    rows: list[list[CellValue]] = [
        ["BASE", "whole pages", _versus(theirs["base"], figures.accuracy(BASE, None)), _cell(figures, OUR_BASE, None)],
        ["BASE", "20-200 characters", _versus(None, figures.accuracy(BASE, USUAL)), _cell(figures, OUR_BASE, USUAL)],
        ["NFC", "whole pages", _versus(theirs["nfc"], figures.accuracy(NFC, None)), _cell(figures, OUR_NFC, None)],
        ["NFC", "20-200 characters", _versus(None, figures.accuracy(NFC, USUAL)), _cell(figures, OUR_NFC, USUAL)],
        [
            "NFC",
            "under 25 characters",
            _versus(theirs["nfc-under-25"], figures.accuracy(NFC, under_25)),
            _cell(figures, OUR_NFC, under_25),
        ],
        [
            "NFC",
            "25 to 50 characters",
            _versus(theirs["nfc-25-to-50"], figures.accuracy(NFC, under_50)),
            _cell(figures, OUR_NFC, under_50),
        ],
    ]
    if figures.study.domains is not None:
        rows.append(["TLD", "any text", _versus(theirs["tld"], figures.domains(NFC, USUAL)[0]), None])
    rows += [
        ["INLINKS", "under 25 characters", Versus(theirs["inlinks-under-25"]), None],
        ["INLINKS", "25 to 50 characters", Versus(theirs["inlinks-25-to-50"]), None],
    ]
    columns = [Column("Method", "group"), Column("Documents", "text"), Column("Accuracy", "pair", 3)]
    columns.append(Column("with our choices", digits=3))
    note = (
        f"{_SPREAD} Theirs: web pages found in an archive, classified by hand. Ours: documentation pages with other "
        "names than those trained on, and sentences. INLINKS needs links: see benchmarks/links."
    )
    return Table("The paper's accuracies", columns, rows, note)


def _versus(theirs: float | None, ours: list[float]) -> Versus:
    return Versus(theirs, spread(ours))


def _cell(figures: Figures, variant: Variant, lengths: tuple[int, int] | None, languages: str = "eleven") -> Interval:
    return spread(figures.accuracy(variant, lengths, languages))


def variants(figures: Figures, languages: str) -> Table:
    """Every variant by length."""
    ranges = (*SHORT, *SENTENCES)
    rows: list[list[CellValue]] = []
    for variant in MAIN:
        cells: list[CellValue] = [_cell(figures, variant, lengths, languages) for lengths in ranges]
        if languages == "eleven":
            cells.append(_cell(figures, variant, None))
        rows.append([variant.label, *cells])
    if languages == "five":
        for method, bar in BARS.items():
            rows.append([f"asked of {method}", None, None, *bar])
    columns = [Column("Method", "text"), *(Column(range_name(lengths), digits=3) for lengths in ranges)]
    if languages == "eleven":
        columns.append(Column("whole pages", digits=3))
    count = {"five": "Five", "eleven": "Eleven"}[languages]
    return Table(f"{count} languages, accuracy by length in characters", columns, rows, _SPREAD)


def changes(figures: Figures) -> Table:
    """One change at a time."""
    ranges = ((5, 24), (20, 100), USUAL)
    rows: list[list[CellValue]] = []
    for variant in CHANGES:
        start = BASE if variant.method == "rank-order" else NFC
        cells: list[CellValue] = []
        for lengths in ranges:
            pairs = zip(figures.accuracy(variant, lengths), figures.accuracy(start, lengths), strict=True)
            cells.append(spread([100 * (one - other) for one, other in pairs]))
        rows.append([start.label, variant.label, *cells])
    columns = [Column("Method", "group"), Column("Change", "text")]
    columns += [Column(f"{range_name(lengths)}, points", digits=1) for lengths in ranges]
    return Table("One change at a time, gain in points of accuracy", columns, rows, _SPREAD)


def by_source(figures: Figures) -> Table:
    """Where test texts come from."""
    rows: list[list[CellValue]] = []
    for variant in (BASE, OUR_BASE, NFC, OUR_NFC):
        cells = [spread(figures.accuracy(variant, USUAL, source=source)) for source in SOURCES]
        rows.append([variant.label, *cells])
    columns = [Column("Method", "text"), *(Column(source, digits=3) for source in SOURCES)]
    return Table("By source of the test texts, 20-200 characters", columns, rows, _SPREAD)


def by_language(figures: Figures) -> Table:
    """Recall of each language."""
    order = sorted(PRESETS["eleven"])
    matrices = [figures.confusion(variant) for variant in (BASE, OUR_BASE, NFC, OUR_NFC)]
    rows: list[list[CellValue]] = []
    for place, tag in enumerate(order):
        shares = [float(matrix[place, place] / max(1, matrix[place].sum())) for matrix in matrices]
        wrong = matrices[-1][place].copy()
        wrong[place] = 0
        most = order[int(np.argmax(wrong))] if wrong.sum() else ""
        rows.append([names.name(tag), *shares, names.name(most) if most else ""])
    columns = [Column("Language", "text")]
    columns += [Column(variant.label, digits=3) for variant in (BASE, OUR_BASE, NFC, OUR_NFC)]
    columns.append(Column("most often taken for (last column's method)", "text"))
    return Table("Share of each language's texts recognised, 20-200 characters", columns, rows)


def domains(figures: Figures) -> Table:
    """Domain, text, and both."""
    rows: list[list[CellValue]] = []
    for variant in (NFC, OUR_NFC):
        for lengths in (*SHORT, USUAL):
            alone, both = figures.domains(variant, lengths)
            text = figures.accuracy(variant, lengths)
            rows.append([variant.label, range_name(lengths), *(spread(one) for one in (alone, text, both))])
    columns = [Column("Method", "group"), Column("Length", "text")]
    columns += [Column(name, digits=3) for name in ("domain alone", "text alone", "both")]
    note = (
        f"{_SPREAD} The domain's language is learnt from as many URLs of each language "
        f"({figures.study.plan.urls:,}; fewer different ones where there are not so many). Each text was given the "
        "domain of a test URL of its language at random. Both: P(domain | language), one added to each count, times "
        "the probability of the language given the text, whose temperature was found on the tuning half for each range."
    )
    return Table("The top-level domain", columns, rows, note)
