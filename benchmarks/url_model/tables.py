"""The judgement as tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from targets import COVERAGE, FIVE_AIM, FIVE_MUST, MANY, MANY_ROWS, SUPPORTED_ROWS, Verdict

from dragoman.languages import FIVE
from dragoman.measures import Interval
from dragoman.report.tables import Column, Table

Results = Mapping[str, Any]


def tables(results: Results) -> list[Table]:
    """Every table of the page, in order."""
    found = [_five(results["five"]), _five_strata(results["five"]), _binary(results["binary"])]
    if "pairs" in results["binary"]:
        found.append(_binary_languages(results["binary"]))
    found += [_thresholds(results["binary"]), _many(results["many"]), _languages(results["many"])]
    if results["open_set"]:
        found += [_open_set(results["open_set"]), _open_set_curve(results["open_set"])]
    if "sense" in results:
        found.append(_sense(results["sense"]))
    return [
        *found,
        _honesty(results["honesty"]),
        _honesty_of_five(results["honesty"]),
        _honesty_strata(results["honesty"]),
    ]


def _sense(results: Results) -> Table:
    """Ordinary URLs by kind."""
    columns = [
        Column("kind", "text"),
        Column("URLs", "count"),
        *(Column(name, digits=3) for name in ("right", "wrong above .9", "calibration error")),
    ]
    rows = [(kind, *one.values()) for kind, one in results.items()]
    return Table("Ordinary URLs under hosts that say nothing", columns, rows)


def targets_table(verdicts: Sequence[Verdict]) -> Table:
    """Every figure that has a target."""
    return Table(
        "Targets",
        [
            Column("", "text"),
            Column("kind", "text"),
            Column("figure", digits=4),
            Column("target", "text"),
            Column("reached", "text"),
        ],
        [(one.what, one.kind, one.value, one.wanted, "yes" if one.passed else "no") for one in verdicts],
    )


def _interval(figures: Results, value: str = "f", interval: str = "interval") -> Interval:
    return Interval(figures[value], *figures[interval])


def _five(five: Results) -> Table:
    return Table(
        "Five languages, one answer per URL",
        [
            Column("set", "text"),
            Column("n", "count"),
            Column("sites", "count"),
            Column("macro F", digits=4),
            Column("must", "number", 4),
            Column("aim", "number", 3),
            *(Column(tag, digits=3) for tag in FIVE),
        ],
        [
            (
                name,
                one["n"],
                one["sites"],
                _interval(one),
                FIVE_MUST.get(name),
                FIVE_AIM.get(name),
                *(one["languages"][tag]["f"] for tag in FIVE),
            )
            for name, one in five.items()
        ],
        "Balanced F; the likeliest of the five on URLs of the five.",
    )


def _five_strata(five: Results) -> Table:
    kinds = [(stratum, part) for stratum, parts in next(iter(five.values()))["strata"].items() for part in parts]
    columns = [Column("kind", "group"), Column("part", "text")]
    columns += [column for name in five for column in (Column(name, digits=3), Column("n", "count"))]
    rows = [
        (
            stratum,
            part,
            *(
                cell
                for one in five.values()
                for cell in (_stratum(one["strata"][stratum][part]), one["strata"][stratum][part]["n"])
            ),
        )
        for stratum, part in kinds
    ]
    return Table("Five languages, by kind of URL", columns, rows, "Macro balanced F of the five.")


def _stratum(figures: Results) -> Interval | None:
    return _interval(figures) if figures["n"] else None


def _binary(binary: Results) -> Table:
    columns = [Column("set", "text"), Column("n", "count"), Column("macro F", digits=4)]
    if "pairs" in binary:
        columns += [
            Column("best pairs of 2008", digits=4),
            Column("difference", digits=4),
            Column("difference, one answer per URL", digits=4),
        ]
    rows = [
        (
            name,
            one["n"],
            _interval(one),
            *(
                (
                    one["pairs_f"],
                    _interval(one, "difference", "difference_interval"),
                    _interval(one, "argmax_difference", "argmax_difference_interval"),
                )
                if "pairs" in binary
                else ()
            ),
        )
        for name, one in binary["sets"].items()
    ]
    chosen = binary["chosen"]
    note = f"Chosen on the tuning halves: probability {chosen['probability']}, threshold {chosen['how']}."
    if "pairs" in binary:
        pairs = "; ".join(f"{tag}: {rule}" for tag, rule in binary["pairs"].items())
        note += f" Pairs, trained in the same run: {pairs}."
    else:
        note += " The pairs of 2008 were left out of this run."
    return Table("One yes or no per language", columns, rows, note)


def _binary_languages(binary: Results) -> Table:
    return Table(
        "One yes or no per language, by language",
        [
            Column("set", "group"),
            Column("language", "text"),
            *(Column(name, digits=3) for name in ("F", "best pair's F", "precision", "recall")),
        ],
        [
            (name, tag, one["f"], one["pairs_f"], one["precision"], one["recall"])
            for name, figures in binary["sets"].items()
            for tag, one in figures["languages"].items()
        ],
    )


def _thresholds(binary: Results) -> Table:
    return Table(
        "Thresholds tried on the tuning halves",
        [
            Column("probability", "text"),
            Column("threshold", "text"),
            Column("macro F, tune", digits=4),
            *(Column(tag, digits=3) for tag in FIVE),
        ],
        [
            (one["probability"], one["how"], one["tune_f"], *(one["thresholds"][tag] for tag in FIVE))
            for one in binary["choices"]
        ],
        "Mean of the sets.",
    )


def _many(many: Results) -> Table:
    return Table(
        "Many languages, one answer per URL",
        [
            Column("set", "text"),
            Column("n", "count"),
            Column("languages", "count"),
            Column("macro F", digits=4),
            Column("must", digits=2),
            Column("accuracy", digits=3),
            Column("languages, all sets", "count"),
            Column("macro F, all sets", digits=4),
        ],
        [
            (
                name,
                one["n"],
                one["count"],
                _interval(one),
                MANY.get(name),
                one["accuracy"],
                one["by_rows_of_all_sets"]["count"],
                _interval(one["by_rows_of_all_sets"]),
            )
            for name, one in many["sets"].items()
        ],
        f"Languages with {MANY_ROWS} rows or more in the set, both halves counted; 'all sets': in all sets together. "
        "Every other URL, of known and unknown languages, is a negative.",
    )


def _languages(many: Results) -> Table:
    rows = [
        (
            tag,
            one["n"],
            one["f"],
            one["precision"],
            one["recall"],
            one["ordinary_precision"],
            "yes" if one["n"] >= SUPPORTED_ROWS else "too few",
        )
        for tag, one in many["languages"].items()
        if one["known"]
    ]
    unknown = {tag: one["n"] for tag, one in many["languages"].items() if not one["known"]}
    note = f"Judge halves of all sets together. {many['supported']} languages have {SUPPORTED_ROWS} URLs or more."
    if unknown:
        note += f" Not in the model: {len(unknown)} languages with {sum(unknown.values())} URLs."
    return Table(
        "Languages",
        [
            Column("language", "text"),
            Column("n", "count"),
            *(Column(name, digits=3) for name in ("F", "precision", "recall", "ordinary precision")),
            Column("enough to judge", "text"),
        ],
        rows,
        note,
    )


def _open_set(found: Results) -> Table:
    rows = [
        (name, one["positives"], one["negatives"], one["recall"], one["precision"], one.get("threshold"))
        for name, one in found.items()
        if isinstance(one, Mapping) and "recall" in one
    ]
    taken = ", ".join(f"{tag} {n}" for tag, n in found["taken_for_english"].items())
    return Table(
        "Open set: English on the crawl",
        [
            Column("test and reading", "text"),
            Column("English", "count"),
            Column("others", "count"),
            *(Column(name, digits=4) for name in ("recall", "ordinary precision", "threshold")),
        ],
        rows,
        f"The fall at equal recall is {found['fall']:.4f}; answering among the five alone it would be "
        f"{found['fall_of_the_five']:.4f}. Taken for English in the open test: {taken}.",
    )


def _open_set_curve(found: Results) -> Table:
    return Table(
        "Open set: English on the crawl, by recall",
        [
            Column("recall", digits=2),
            *(Column(name, digits=3) for name in ("closed", "open", "fall", "open, among the five")),
        ],
        [
            (one["recall"], one["closed"], one["open"], one["closed"] - one["open"], one["open_among_five"])
            for one in found["by_recall"]
        ],
        "Ordinary precision at thresholds that give this recall: closed among the five, open among all languages.",
    )


def _honesty(honesty: Results) -> Table:
    return Table(
        "Calibration and risk, all languages",
        [
            Column("set", "text"),
            Column("n", "count"),
            Column("without answer", "count"),
            *(Column(name, digits=4) for name in ("calibration error", "of known languages")),
            *(Column(name, digits=3) for name in ("mean probability", "accuracy")),
            *(Column(name, digits=4) for name in ("risk", f"risk at {100 * COVERAGE:g} %")),
            Column("ratio", digits=3),
        ],
        [
            (
                name,
                one["n"],
                one["without_answer"],
                one["calibration_error"],
                one["calibration_error_of_known_languages"],
                one["mean_probability"],
                one["accuracy"],
                one["risk"],
                one[f"risk_at_{COVERAGE:g}"],
                one["risk_ratio"],
            )
            for name, one in honesty.items()
        ],
        "Fifteen bins of equal mass. A URL in a language that the model does not have counts as wrong.",
    )


def _honesty_of_five(honesty: Results) -> Table:
    names = ("n", "calibration_error", "accuracy", "risk", f"risk_at_{COVERAGE:g}", "risk_ratio")
    return Table(
        "Calibration and risk, among the five languages",
        [
            Column("set", "text"),
            Column("n", "count"),
            *(
                Column(name, digits=4)
                for name in ("calibration error", "accuracy", "risk", f"risk at {100 * COVERAGE:g} %")
            ),
            Column("ratio", digits=3),
        ],
        [(name, *(one["among_the_five"][each] for each in names)) for name, one in honesty.items()],
        "URLs of the five, probabilities among the five; no target.",
    )


def _honesty_strata(honesty: Results) -> Table:
    first = next(iter(honesty.values()))["strata"]
    columns = [Column("kind", "group"), Column("part", "text")]
    columns += [column for name in honesty for column in (Column(name, digits=3), Column("n", "count"))]
    rows = [
        (
            stratum,
            part,
            *(
                cell
                for one in honesty.values()
                for cell in (one["strata"][stratum][part]["calibration_error"], one["strata"][stratum][part]["n"])
            ),
        )
        for stratum, parts in first.items()
        for part in parts
    ]
    return Table("Calibration error, by kind of URL", columns, rows)
