"""The tables of the report."""

from __future__ import annotations

import numpy as np

from dragoman import languages as names
from dragoman.languages import PRESETS
from dragoman.measures import Interval
from dragoman.report.tables import CellValue, Column, Table, Versus
from dragoman.studies.hayati_2004.figures import HayatiFigures, published
from dragoman.studies.hayati_2004.links import AS_MADE, AS_REPORTED, UNDER_25, UNDER_50
from dragoman.studies.hayati_2004.plan import (
    BASE,
    CHANGES,
    FOUR,
    MAIN,
    NFC,
    OUR_BASE,
    OUR_NFC,
    PAGES,
    SENTENCE_TEXT,
    SENTENCES,
    SHORT,
    USUAL,
    Variant,
)
from dragoman.studies.intervals import spread
from dragoman.studies.text_draws import CHARACTERS, SOURCES, Lengths, range_name

#: What the papers' methods must reach here, 20-100 / 100-200 / 50-150 / 20-200 characters, five languages.
BARS = {"rank-order": (0.97, 0.995, 0.985, 0.98), "fisher-cosine": (0.95, 0.99, 0.97, 0.97)}
#: What answers to short pages.
METHODS = ("text", "inlinks", "outlinks")
_SPREAD = "Mean of the draws; square brackets: the lowest and the highest draw."


def sizes(figures: HayatiFigures) -> Table:
    """What was drawn."""
    rows: list[list[CellValue]] = []
    for tag in PRESETS["eleven"]:
        pages = figures.texts.pages[tag]
        sources = ", ".join(dict.fromkeys(source.partition(":")[0] for source, _ in pages))
        counts = [len(figures.texts.sentences.get((tag, source, "judge"), [])) for source in SOURCES]
        rows.append([names.name(tag), len(pages), sources, *counts])
    columns = [Column("Language", "text"), Column("Pages", "count"), Column("Pages from", "text")]
    columns += [Column(f"{source}, judge", "count") for source in SOURCES]
    note = (
        f"Each of {figures.plan.draws} draws takes {CHARACTERS:,} characters of clean text from the pages of each "
        f"language to train on, and {figures.plan.per_language} test texts of each language and range of lengths."
    )
    return Table("The text", columns, rows, note)


def published_table(figures: HayatiFigures) -> Table:
    """The paper's accuracies beside ours."""
    theirs = published()
    lines: list[tuple[str, str, float | None, Variant, Variant, Lengths | None]] = [
        ("BASE", "whole pages", theirs["base"], BASE, OUR_BASE, None),
        ("BASE", "20-200 characters", None, BASE, OUR_BASE, USUAL),
        ("NFC", "whole pages", theirs["nfc"], NFC, OUR_NFC, None),
        ("NFC", "20-200 characters", None, NFC, OUR_NFC, USUAL),
        ("NFC", "under 25 characters", theirs["nfc-under-25"], NFC, OUR_NFC, SHORT[0]),
        ("NFC", "25 to 50 characters", theirs["nfc-25-to-50"], NFC, OUR_NFC, SHORT[1]),
    ]
    rows: list[list[CellValue]] = [
        [method, documents, Versus(their, _cell(figures, variant, lengths)), _cell(figures, our, lengths)]
        for method, documents, their, variant, our, lengths in lines
    ]
    if figures.domains is not None:
        rows.append(["TLD", "any text", Versus(theirs["tld"], spread(figures.with_domains(NFC, USUAL)[0])), None])
    for kind, documents, name in ((UNDER_25, "under 25", "under-25"), (UNDER_50, "25 to 50", "25-to-50")):
        paper, ours = (spread(figures.by_links(AS_REPORTED, variant, "inlinks", kind)) for variant in (NFC, OUR_NFC))
        rows.append(["INLINKS", f"{documents} characters", Versus(theirs[f"inlinks-{name}"], paper), ours])
    mark = "cannot be right beside 71.0 and 70.9 % on its two parts"
    for method in ("nfc", "inlinks"):
        value = theirs[f"{method}-under-50"]
        paper, ours = (_under_50(figures, variant, method) for variant in (NFC, OUR_NFC))
        rows.append(
            [f"{method.upper()}, all", "under 50 characters", Versus(value, paper, mark * (method == "inlinks")), ours]
        )
    columns = [Column("Method", "group"), Column("Documents", "text"), Column("Accuracy", "pair", 3)]
    columns.append(Column("with our choices", digits=3))
    note = (
        f"{_SPREAD} Theirs: web pages found in an archive, classified by hand. Ours: documentation pages with other "
        "names than those trained on, and sentences. INLINKS: on a made web with 95 % of links inside one language. "
        "All under 50 characters: the mean of both ranges."
    )
    return Table("The paper's accuracies", columns, rows, note)


def _under_50(figures: HayatiFigures, variant: Variant, method: str) -> Interval:
    """Both ranges of short pages together, draw by draw: the mean of the two."""
    if method == "nfc":
        parts = [figures.accuracies(variant, lengths) for lengths in SHORT]
    else:
        parts = [figures.by_links(AS_REPORTED, variant, method, kind) for kind in (UNDER_25, UNDER_50)]
    return spread([(under_25 + under_50) / 2 for under_25, under_50 in zip(*parts, strict=True)])


def _cell(figures: HayatiFigures, variant: Variant, lengths: Lengths | None, languages: str = "eleven") -> Interval:
    return spread(figures.accuracies(variant, lengths, languages))


def variants(figures: HayatiFigures, languages: str) -> Table:
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


def changes(figures: HayatiFigures) -> Table:
    """One change at a time."""
    ranges = ((5, 24), (20, 100), USUAL)
    rows: list[list[CellValue]] = []
    for variant in CHANGES:
        start = BASE if variant.method == "rank-order" else NFC
        pairs = [(figures.accuracies(variant, lengths), figures.accuracies(start, lengths)) for lengths in ranges]
        points = [spread([100 * (a - b) for a, b in zip(changed, other, strict=True)]) for changed, other in pairs]
        rows.append([start.label, variant.label, *points])
    columns = [Column("Method", "group"), Column("Change", "text")]
    columns += [Column(f"{range_name(lengths)}, points", digits=1) for lengths in ranges]
    return Table("One change at a time, gain in points of accuracy", columns, rows, _SPREAD)


def links(figures: HayatiFigures) -> Table:
    """INLINKS and OUTLINKS on short pages of made webs."""
    rows: list[list[CellValue]] = []
    for variant in (NFC, OUR_NFC):
        for wiring in (AS_REPORTED, AS_MADE):
            same = spread([float(figures.linked(wiring, draw)["same"]) for draw in range(figures.plan.draws)])
            for kind, name in ((UNDER_25, "under 25"), (UNDER_50, "25-49")):
                cells = [spread(figures.by_links(wiring, variant, method, kind)) for method in METHODS]
                few, many = (spread(figures.by_links(wiring, variant, "inlinks", kind, n)) for n in ((0, 2), (5, 127)))
                rows.append([variant.label, f"{100 * same.value:.0f} %", name, *cells, few, many])
    columns = [Column("Method", "group"), Column("Links in one language", "group"), Column("Characters", "text")]
    names = ("text alone", "INLINKS", "OUTLINKS", "INLINKS, 0-2 inlinks", "INLINKS, 5 or more")
    columns += [Column(name, digits=3) for name in names]
    note = (
        f"{_SPREAD} Every language counts alike. Webs of {figures.plan.web:,} pages, a quarter of them short; pages "
        "that link have the text of whole pages. Four of five short pages have no links of their own: that OUTLINKS "
        "gains little is built in."
    )
    return Table("INLINKS and OUTLINKS", columns, rows, note)


def reconciled(figures: HayatiFigures) -> Table:
    """Why NFC has 42 % of the shortest texts here and 58 % in the benchmark of short pages."""
    rows: list[list[CellValue]] = []
    for variant in (NFC, OUR_NFC):
        steps = (
            ("documentation pages", "every language alike", figures.accuracies(variant, SHORT[0])),
            ("text of the test's kind", "every language alike",
             figures.accuracies(variant, SHORT[0], training=SENTENCE_TEXT)),
            ("text of the test's kind", "as on the made webs (half English)",
             figures.by_mixture(variant, SHORT[0], SENTENCE_TEXT)),
        )  # fmt: skip
        rows += [[variant.label, training, mixture, spread(values)] for training, mixture, values in steps]
    columns = [Column("Method", "group"), Column("Trained on", "text"), Column("Languages", "text")]
    columns.append(Column("accuracy, 5-24", digits=3))
    note = (
        f"{_SPREAD} benchmarks/links/short_pages.py, which has 57.8 %, trains on sentences of the kind it tests, as "
        "the third line does, and draws from all sources together, where ours are in turn."
    )
    return Table("The same method on the shortest texts: what training and mixture do", columns, rows, note)


def neighbours(figures: HayatiFigures) -> Table:
    """Danish, Norwegian and Swedish by what the models were trained on."""
    order = sorted(PRESETS["eleven"])
    rows: list[list[CellValue]] = []
    for tag in ("da", "no", "sv"):
        for variant in FOUR:
            row: list[CellValue] = [names.name(tag), variant.label]
            for lengths in (SHORT[0], USUAL):
                for training in (PAGES, SENTENCE_TEXT):
                    matrix = figures.confusion(variant, lengths, training)
                    column = order.index(tag)
                    row.append(float(matrix[column, column] / max(1, matrix[column].sum())))
            rows.append(row)
    columns = [Column("Language", "group"), Column("Method", "text")]
    columns += [
        Column(f"{range_name(lengths)}, trained on {kind}", digits=3)
        for lengths in (SHORT[0], USUAL)
        for kind in ("pages", "text of the test's kind")
    ]
    note = "Share of each language's texts recognised; all draws together."
    return Table("Danish and its neighbours, by training text", columns, rows, note)


def by_source(figures: HayatiFigures) -> Table:
    """Where test texts come from."""
    rows: list[list[CellValue]] = []
    for variant in FOUR:
        cells = [spread(figures.accuracies(variant, USUAL, source=source)) for source in SOURCES]
        rows.append([variant.label, *cells])
    columns = [Column("Method", "text"), *(Column(source, digits=3) for source in SOURCES)]
    return Table("By source of the test texts, 20-200 characters", columns, rows, _SPREAD)


def by_language(figures: HayatiFigures) -> Table:
    """Recall of each language."""
    order = sorted(PRESETS["eleven"])
    matrices = [figures.confusion(variant) for variant in FOUR]
    rows: list[list[CellValue]] = []
    for column, tag in enumerate(order):
        shares = [float(matrix[column, column] / max(1, matrix[column].sum())) for matrix in matrices]
        wrong = matrices[-1][column].copy()
        wrong[column] = 0
        most = order[int(np.argmax(wrong))] if wrong.sum() else ""
        rows.append([names.name(tag), *shares, names.name(most) if most else ""])
    columns = [Column("Language", "text")]
    columns += [Column(variant.label, digits=3) for variant in FOUR]
    columns.append(Column("most often taken for (last column's method)", "text"))
    return Table("Share of each language's texts recognised, 20-200 characters", columns, rows)


def domains(figures: HayatiFigures) -> Table:
    """Domain, text, and both."""
    rows: list[list[CellValue]] = []
    for variant in (NFC, OUR_NFC):
        for lengths in (*SHORT, USUAL):
            alone, both = figures.with_domains(variant, lengths)
            text = figures.accuracies(variant, lengths)
            rows.append([variant.label, range_name(lengths), *map(spread, (alone, text, both))])
    columns = [Column("Method", "group"), Column("Length", "text")]
    columns += [Column(name, digits=3) for name in ("domain alone", "text alone", "both")]
    note = (
        f"{_SPREAD} The domain's language is learnt from as many URLs of each language "
        f"({figures.plan.urls:,}; fewer different ones where there are not so many). Each text was given the "
        "domain of a test URL of its language at random. Both: P(domain | language), one added to each count, times "
        "the probability of the language given the text, whose temperature was found on the tuning half for each range."
    )
    return Table("The top-level domain", columns, rows, note)
