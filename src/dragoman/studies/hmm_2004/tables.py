"""The tables of the report."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.identifiers.text.algorithms.hmm.streams import COMBINATIONS
from dragoman.measures import Interval
from dragoman.report.tables import CellValue, Column, Table, Versus
from dragoman.studies.hmm_2004.figures import HmmFigures, published
from dragoman.studies.hmm_2004.plan import (
    CHANGES,
    HMM,
    HMM4,
    HYBRID,
    MEMBERS,
    METHODS,
    N_GRAMS,
    RANK_ORDER,
    SHORT,
    SINGLE,
    TOPOLOGIES,
    all_cells,
    on,
    states_cell,
    streams_cell,
    topology_cell,
)
from dragoman.studies.hmm_2004.tracking import PARTS
from dragoman.studies.text_draws import LENGTHS, range_name

Rows = list[Sequence[CellValue]]

SPREAD = "Ours: mean of the draws, in brackets the lowest and the highest."


def _ranges(kind: str = "number") -> list[Column]:
    return [Column(range_name(lengths), kind, 3) for lengths in LENGTHS]  # type: ignore[arg-type]


def streams(figures: HmmFigures) -> Table:
    """Table 1: the 15 combinations of streams."""
    rates = published(1)["rates"]
    rows: Rows = [[name, Versus(rates[name], figures.rate(streams_cell(name), SHORT))] for name in COMBINATIONS]
    columns = [Column("Streams", "text"), Column("Rate", "pair", 3)]
    return Table("Table 1. Streams, sentences of 20-100 characters", columns, rows, SPREAD)


def topologies(figures: HmmFigures) -> Table:
    """Table 2: topologies, with what little text does to them."""
    rates = published(2)["rates"]
    rows: Rows = []
    for name in TOPOLOGIES:
        cells = [topology_cell(name, training, n) for training in ("pages", "tenth") for n in (4, 1)]
        first, *rest = [figures.rate(cell, SHORT) for cell in cells]
        rows.append([name, Versus(rates[name], first), *rest])
    columns = [Column("Topology", "text"), Column("4 sequences", "pair", 3)]
    columns += [Column(name, digits=3) for name in ("1 sequence", "a tenth, 4 sequences", "a tenth, 1 sequence")]
    return Table("Table 2. Topologies, sentences of 20-100 characters", columns, rows, SPREAD)


def lengths_table(figures: HmmFigures) -> Table:
    """Table 4: rates by length and training size."""
    rows: Rows = []
    known = {"hmm/1": HMM, "hmm/4": HMM4, "n-grams": N_GRAMS, "rank-order, our choices": RANK_ORDER}
    for training, label in (("pages", "all"), ("tenth", "tenth")):
        rates = published(4)["rates"][label]
        for name, cell in known.items():
            cells = [
                Versus(rates.get(name, {}).get(range_name(lengths)), figures.rate(on(cell, training), lengths))
                for lengths in LENGTHS
            ]
            rows.append([{"all": "22,446 characters", "tenth": "a tenth"}[label], name, *cells])
    columns = [Column("Training", "group"), Column("Method", "text"), *_ranges("pair")]
    note = (
        f"{SPREAD} hmm/1 and hmm/4: one and four sequences, the paper's choices throughout. n-grams: Cavnar and "
        "Trenkle's method with 399 n-grams, ties in order of appearance; rank-order, our choices: the same idea with "
        "choices made for short text (see the study hayati-2004)."
    )
    return Table("Table 4. Length of the sentence and size of the training text", columns, rows, note)


def changes(figures: HmmFigures) -> Table:
    """One change at a time."""
    rows: Rows = [
        [name, *(figures.rate(cell, lengths) for lengths in LENGTHS), 100 * figures.gain(cell, HMM, SHORT).value]
        for name, cell in CHANGES.items()
    ]
    columns = [Column("Model", "text"), *_ranges(), Column("points gained, 20-100", digits=1)]
    return Table("What changes what", columns, rows, SPREAD)


def methods(figures: HmmFigures) -> Table:
    """The methods side by side, by training text."""
    rows: Rows = []
    for training, label in (("pages", "pages"), ("tenth", "a tenth"), ("sentences", "text of the test's kind")):
        for name, cell in (SINGLE if training == "sentences" else METHODS).items():
            rows.append([label, name, *(figures.rate(on(cell, training), lengths) for lengths in LENGTHS)])
    columns = [Column("Trained on", "group"), Column("Method", "text"), *_ranges()]
    return Table("Methods side by side", columns, rows, SPREAD)


def hybrid(figures: HmmFigures) -> Table:
    """The hybrid against each member, in pairs: the same draw, the same sentences."""
    rows: Rows = []
    for training, label in (("pages", "pages"), ("tenth", "a tenth")):
        for name, cell in MEMBERS.items():
            for lengths in LENGTHS:
                pair = on(HYBRID, training), on(cell, training), lengths
                gain = figures.gain(*pair)
                points = Interval(100 * gain.value, 100 * gain.low, 100 * gain.high)
                rows.append([label, name, range_name(lengths), points, *figures.wins(*pair)])
    columns = [Column("Trained on", "group"), Column("Member", "text"), Column("Range", "text")]
    columns += [Column("points gained", digits=2)]
    columns += [Column(name, "count") for name in ("draws ahead", "level", "behind")]
    return Table("The hybrid less each of its members, draw by draw", columns, rows, SPREAD)


def states(figures: HmmFigures) -> Table:
    """The number of states."""
    rows: Rows = [[str(n), figures.rate(states_cell(n), SHORT)] for n in figures.plan.states]
    columns = [Column("Emitting states", "text"), Column("Rate", digits=3)]
    return Table("Number of states, sentences of 20-100 characters", columns, rows, SPREAD)


NETWORKS = {
    "passes": "a decision every three symbols, as the paper says",
    "free": "stays of three symbols or more, free of cost",
    "learnt": "the trained transitions",
    "one-state": "one state, a decision at every symbol",
    "words": "our default: letters as states, a language begins with a word",
}


def tracking(figures: HmmFigures) -> Table:
    """The network by its penalty."""
    rows: Rows = []
    for part in PARTS:
        chosen = figures.best_penalty(part)
        for penalty, letters, f in figures.tracked(part, "judge"):
            mark = "chosen on the tuning documents" if penalty == chosen else ""
            rows.append([NETWORKS[part], f"{penalty:g}", letters, f, mark])
    columns = [Column("Network", "group"), Column("penalty", "text"), Column("letters right", digits=3)]
    columns += [Column("F of changes", digits=3), Column("", "text")]
    n = figures.plan.documents
    note = (
        f"{n} documents of ten parts of one to three sentences of Tatoeba in five languages, judge half; a change "
        "counts if it is reported within ten characters. "
        "Left-right models with learnt exponents and, last, our default, trained on pages (draw 0)."
    )
    return Table("The network of models: what a change of language should cost", columns, rows, note)


def sizes(figures: HmmFigures) -> Table:
    """How much text there is, and how long the sentences are."""
    rows: Rows = []
    averages = published(4)["lengths"]
    for lengths in LENGTHS:
        tests = [figures.test(draw, lengths).texts for draw in range(figures.plan.draws)]
        characters = sum(len(text) for test in tests for text in test)
        count = sum(map(len, tests))
        name = range_name(lengths)
        rows.append([name, count // len(tests), Versus(averages[name]["average"], characters / count)])
    columns = [Column("Range", "text"), Column("sentences per draw", "count"), Column("average length", "pair", 0)]
    note = "Half of the sentences are from Tatoeba, half from Debian's package descriptions, all of the judge half."
    return Table("Test sentences", columns, rows, note)


def training_times(figures: HmmFigures) -> Table:
    """How long each cell took to train; not part of the report, because it differs from run to run."""
    rows: Rows = [[cell.name, figures.seconds(cell)] for cell in all_cells(figures.plan)]
    return Table("Training times", [Column("Cell", "text"), Column("seconds", digits=3)], rows)
