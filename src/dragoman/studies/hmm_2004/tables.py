"""The tables of the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dragoman.identifiers.text.algorithms.hmm.streams import COMBINATIONS
from dragoman.measures import Interval
from dragoman.report.tables import CellValue, Column, Table, Versus
from dragoman.studies.hmm_2004.figures import HmmFigures, published, published_confusion, published_rate
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
from dragoman.studies.hmm_2004.two_languages import CHANGE, PAGE
from dragoman.studies.text_draws import LENGTHS, Lengths, range_name

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
        cells = [topology_cell(name, training, n) for training in ("same", "tenth") for n in (4, 1)]
        first, *rest = [figures.rate(cell, SHORT) for cell in cells]
        rows.append([name, Versus(rates[name], first), *rest])
    columns = [Column("Topology", "text"), Column("4 sequences", "pair", 3)]
    columns += [Column(name, digits=3) for name in ("1 sequence", "a tenth, 4 sequences", "a tenth, 1 sequence")]
    return Table("Table 2. Topologies, sentences of 20-100 characters", columns, rows, SPREAD)


def _theirs(
    name: str, training: str, lengths: Lengths, rates: Mapping[str, Mapping[str, float]]
) -> float | Interval | None:
    """A published rate, with an interval where the paper prints counts."""
    if training == "all" and lengths == SHORT and name in published(5)["matrices"]:
        return published_rate(name)
    return rates.get(name, {}).get(range_name(lengths))


def other_domain(figures: HmmFigures) -> Table:
    """The same once more, trained on another kind of text than the test sentences."""
    rows: Rows = []
    for name, cell in {"hmm/1": HMM, "hmm/4": HMM4, "n-grams": N_GRAMS, "rank-order, our choices": RANK_ORDER}.items():
        for training, label in (("same", "text of the test's kind"), ("pages", "documentation pages")):
            rows.append([name, label, *(figures.rate(on(cell, training), lengths) for lengths in LENGTHS)])
    columns = [Column("Method", "group"), Column("Trained on", "text"), *_ranges()]
    note = f"{SPREAD} The paper says that training on another domain is worse, and prints no figure."
    return Table("Trained on another domain", columns, rows, note)


def confused(figures: HmmFigures) -> Table:
    """The pairs of languages that are confused."""
    counts = {name: published_confusion(5, name) for name in ("hmm/1", "n-grams")}
    rows: Rows = []
    for pair, share in figures.confused(HMM).items():
        first, second = pair.split("-")
        theirs = {name: (matrix[first][second] + matrix[second][first]) / 2 for name, matrix in counts.items()}
        ours = {"hmm/1": share, "n-grams": figures.confused(N_GRAMS)[pair]}
        rows.append([pair, *(Versus(theirs[name], ours[name]) for name in theirs)])
    columns = [Column("Languages", "text"), *(Column(f"percent, {name}", "pair", 1) for name in counts)]
    note = "Of the sentences of 20-100 characters in either language, how many were taken for the other: mean of both."
    return Table("Confused pairs of languages", columns, rows, note)


def two_languages(figures: HmmFigures) -> Table:
    """Figure 4's shape: one page of two halves, by reading of the network."""
    names = {
        "learnt": "the trained transitions",
        "passes": "a decision every three symbols, no penalty",
        "free": "stays of three symbols or more, no penalty",
    }
    rows: Rows = []
    for reading, name in names.items():
        for draw, (spans, second, tags) in enumerate(figures.page(reading)):
            rows.append([name, str(draw), spans, second, tags + (" ..." if spans > 4 else "")])
    columns = [Column("Network", "group"), Column("draw", "text"), Column("spans", "count")]
    columns += [Column("second span begins at", "count"), Column("languages", "text")]
    note = (
        f"A page that we wrote, {len(PAGE)} characters, Italian up to {CHANGE} and English from there, as the paper's "
        "Figure 4 (911 characters, change at 485, found there) is. The trained transitions find the one change; the "
        "paper's own page is tried by `benchmarks/tracking/figure_4.py`."
    )
    return Table("Figure 4. A page of two languages", columns, rows, note)


def lengths_table(figures: HmmFigures) -> Table:
    """Table 4: rates by length and training size."""
    rows: Rows = []
    known = {"hmm/1": HMM, "hmm/4": HMM4, "n-grams": N_GRAMS, "rank-order, our choices": RANK_ORDER}
    for training, label in (("same", "all"), ("tenth", "tenth")):
        rates = published(4)["rates"][label]
        for name, cell in known.items():
            cells = [
                Versus(_theirs(name, label, lengths, rates), figures.rate(on(cell, training), lengths))
                for lengths in LENGTHS
            ]
            rows.append([{"all": "22,446 characters", "tenth": "a tenth"}[label], name, *cells])
    columns = [Column("Training", "group"), Column("Method", "text"), *_ranges("pair")]
    note = (
        f"{SPREAD} hmm/1 and hmm/4: one and four sequences, the paper's choices throughout. n-grams: Cavnar and "
        "Trenkle's method with 399 n-grams, ties in order of appearance; rank-order, our choices: the same idea with "
        "choices made for short text (see the study hayati-2004). Theirs has an interval (95 %) where Table 5 prints "
        "the counts of sentences."
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
    for training, label in (("same", "text of the test's kind"), ("tenth", "a tenth"), ("pages", "pages")):
        for name, cell in (SINGLE if training == "pages" else METHODS).items():
            rows.append([label, name, *(figures.rate(on(cell, training), lengths) for lengths in LENGTHS)])
    columns = [Column("Trained on", "group"), Column("Method", "text"), *_ranges()]
    return Table("Methods side by side", columns, rows, SPREAD)


def hybrid(figures: HmmFigures) -> Table:
    """The hybrid against each member, in pairs: the same draw, the same sentences."""
    rows: Rows = []
    for training, label in (("same", "text of the test's kind"), ("tenth", "a tenth")):
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
    "passes": "a decision every three symbols",
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
        "The paper's left-right models and, last, our default, trained on text of the same kind (draw 0)."
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
