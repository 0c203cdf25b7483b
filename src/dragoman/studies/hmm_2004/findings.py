"""Which of the paper's claims hold on our data: each with its figures and a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dragoman.languages import FIVE
from dragoman.measures import Interval
from dragoman.studies.claims import BUILT_IN, Finding, Ruling, Verdict, Wording, above_zero, how_often, whether
from dragoman.studies.hmm_2004.figures import HmmFigures, published, published_rate
from dragoman.studies.hmm_2004.plan import (
    CASE,
    HMM,
    HMM4,
    HYBRID,
    MARKS,
    MEMBERS,
    N_GRAMS,
    SHORT,
    SINGLE,
    HmmCell,
    hmm,
    on,
    states_cell,
    streams_cell,
    topology_cell,
)
from dragoman.studies.hmm_2004.two_languages import CHANGE
from dragoman.studies.text_draws import LENGTHS, Lengths, range_name

WORDING = Wording(
    " in every draw", " on average, not in every draw", "mixed: {above} of {cases} differences are above zero"
)
#: The range of most tables, and the widest.
TWO = (LENGTHS[0], LENGTHS[3])
#: Rates are as the paper's if they differ by no more than this: they are printed in whole percents, and those of
#: Table 5 are known to some two points.
NEAR = 0.025
#: The pairs that section 4.2 names.
THEIR_PAIRS = {"es-it", "en-de", "fr-es"}

#: What is compared: a label, the cell that the claim says is better, the other, and the lengths.
Pair = tuple[str, HmmCell, HmmCell, Lengths]


def findings(figures: HmmFigures) -> Iterator[Finding]:
    """The paper's claims, in its order."""
    yield from _about_the_model(figures)
    yield from _about_rates(figures)
    yield from _about_confusions(figures)
    yield _figure_4(figures)
    yield _better(
        figures,
        "A hybrid of HMMs and n-grams would be better than either.",
        "5",
        [
            (f"less {name}, {range_name(lengths)}", HYBRID, cell, lengths)
            for name, cell in MEMBERS.items()
            for lengths in LENGTHS
        ],
        theirs="expected, not tried",
    )


def _about_the_model(figures: HmmFigures) -> Iterator[Finding]:
    """Sections 3.3 and 3.4."""
    yield _unchanged(
        figures,
        "Baum-Welch after Viterbi training leaves the results almost unmodified.",
        "3.3",
        [(f"with less without, {range_name(lengths)}", hmm(baum_welch=3), HMM, lengths) for lengths in TWO],
    )
    yield _better(
        figures,
        "More characters than the 60, or capitals told from small letters, make it worse.",
        "3.4",
        [
            (f"less {label}, {range_name(lengths)}", HMM, cell, lengths)
            for label, cell in (("capitals", CASE), ("digits and punctuation", MARKS))
            for lengths in TWO
        ],
        theirs="worse on average; no figures",
    )
    yield _better(
        figures,
        "All four streams together are best.",
        "3.4, Table 1",
        [(f"less {streams}", HMM, hmm(streams=streams), SHORT) for streams in ("s&d0", "s&d0&d1", "s", "d0")],
        theirs="95 % against 94, 94, 88, 88",
    )
    gap = figures.gain(HMM, hmm(streams="s&d0"), SHORT)
    yield Finding(
        "s and d0 alone are particularly good for their simplicity.",
        whether(gap.value <= 0.02),
        evidence=[("all four less s&d0", gap)],
        section="3.4, Table 1",
        theirs="1 point behind all four",
        ours=f"{points(gap)} points",
    )
    yield _unchanged(
        figures,
        "Further differences (d3) would not justify their cost.",
        "3.4",
        [
            (f"with d3 less without, {range_name(lengths)}", hmm(streams="s&d0&d1&d2&d3"), HMM, lengths)
            for lengths in TWO
        ],
        most=0.01,
    )
    yield Finding(
        "The order of the streams changes nothing.",
        BUILT_IN,
        reason="Their log probabilities are added.",
        section="3.4",
        theirs="as expected",
    )
    yield _better(
        figures,
        "Equal exponents are the best choice.",
        "3.4",
        [(f"equal less learnt, {range_name(lengths)}", HMM, hmm(exponents="learnt"), lengths) for lengths in TWO],
        theirs="best of several; no figures",
    )
    yield _better(
        figures,
        "Left-right models without skips beat those with skips and ergodic ones.",
        "3.4, Table 2",
        [(f"less {topology}", HMM4, topology_cell(topology), SHORT) for topology in ("skips", "ergodic")],
        theirs="95 % against 86 and 82",
    )
    skips, none = ({n: topology_cell(name, "tenth", n) for n in (1, 4)} for name in ("skips", "left-right"))
    yield _better(
        figures,
        "Skips help when there is little training text.",
        "3.4",
        [(f"skips less no skips, a tenth, {n} sequences", skips[n], none[n], SHORT) for n in (1, 4)],
        theirs="no figures",
    )
    yield _better(
        figures,
        "Three standard states are best.",
        "3.4",
        [(f"less {n} states", HMM, states_cell(n), SHORT) for n in figures.plan.states if n != 3],
        theirs="no figures",
    )


def _about_rates(figures: HmmFigures) -> Iterator[Finding]:
    """Section 4.2: Tables 1, 2 and 4."""
    rates = {
        f"{name}, {training}, {range_name(lengths)}": (
            published(4)["rates"][training][name][range_name(lengths)],
            figures.rate(on(cell, "same" if training == "all" else "tenth"), lengths),
        )
        for training in ("all", "tenth")
        for name, cell in (("hmm/1", HMM), ("hmm/4", HMM4), ("n-grams", N_GRAMS))
        for lengths in LENGTHS
    }
    yield _level("The rates by length and training text.", "4.2, Table 4", rates)
    by_streams = {name: (rate, figures.rate(streams_cell(name), SHORT)) for name, rate in published(1)["rates"].items()}
    yield _level("The rates by streams, sentences of 20-100 characters.", "3.4, Table 1", by_streams)
    yield _better(
        figures,
        "Four sequences are slightly better with all training text.",
        "3.4, Table 4",
        [(f"four less one, {range_name(lengths)}", HMM4, HMM, lengths) for lengths in TWO],
        theirs="0 and 1 points",
    )
    yield _better(
        figures,
        "Four sequences are worse with a tenth of it.",
        "3.4, Table 4",
        [(f"one less four, {range_name(lengths)}", on(HMM, "tenth"), on(HMM4, "tenth"), lengths) for lengths in TWO],
        theirs="5 and 2 points",
    )
    yield _better(
        figures,
        "More training text is better, but ten times as much gains only two or three points.",
        "4.2, Table 4",
        [(f"{name}, {range_name(SHORT)}", cell, on(cell, "tenth"), SHORT) for name, cell in SINGLE.items()],
        size=(2, 3),
        theirs="3 points (hmm/1), 2 (n-grams)",
    )
    yield _better(
        figures,
        "Sentences of 50-150 instead of 20-100 characters gain at least 3 %.",
        "4.2, Table 4",
        [],
        gains=[
            (name, _longer(figures, on(cell, training)))
            for name, cell, training in (
                ("hmm/1", HMM, "same"),
                ("n-grams", N_GRAMS, "same"),
                ("hmm/1, a tenth", HMM, "tenth"),
                ("n-grams, a tenth", N_GRAMS, "tenth"),
            )
        ],
        size=(3, 100),
        theirs="3, 4, 4 and 5 points",
    )
    yield _better(
        figures,
        "N-grams are about a point better than HMMs.",
        "4.2, Table 4",
        [(f"n-grams as in the paper less HMM, {range_name(lengths)}", N_GRAMS, HMM, lengths) for lengths in LENGTHS],
        size=(0, 1),
        theirs="0, 1, 1 and 1 points",
    )
    yield _better(
        figures,
        "Training on another domain makes it worse.",
        "4.2",
        [
            (f"{name}: text of the test's kind less pages", cell, on(cell, "pages"), SHORT)
            for name, cell in SINGLE.items()
        ],
        theirs="worse for both; no figures",
    )


def _about_confusions(figures: HmmFigures) -> Iterator[Finding]:
    """Section 4.2: Table 5."""
    ours = {name: figures.confusion(cell, SHORT) for name, cell in (("hmm/1", HMM), ("n-grams", N_GRAMS))}
    gains = {tag: ours["hmm/1"][tag][tag] - ours["n-grams"][tag][tag] for tag in FIVE}
    yield Finding(
        "In some cases HMMs do better than n-grams: more Italian sentences are recognised.",
        whether(gains["it"] > 0),
        evidence=[(f"{tag}: HMM less n-grams, points", gain) for tag, gain in gains.items()],
        section="4.2, Table 5",
        theirs="Italian 55 of 57 against 54",
        ours=f"Italian {gains['it']:+.1f} points",
    )
    most = {name: list(figures.confused(cell))[:3] for name, cell in (("hmm/1", HMM), ("n-grams", N_GRAMS))}
    common = len(THEIR_PAIRS & set(most["hmm/1"]))
    yield Finding(
        "What is confused are Spanish and Italian, English and German, French and Spanish, by both methods.",
        how_often(common, len(THEIR_PAIRS), "{} of the {} pairs are among our three most confused"),
        evidence=[(f"{name}, the most confused", ", ".join(pairs)) for name, pairs in most.items()],
        section="4.2, Table 5",
        theirs=", ".join(sorted(THEIR_PAIRS)),
        ours=", ".join(most["hmm/1"]),
    )


def _figure_4(figures: HmmFigures) -> Finding:
    """The one page that the paper shows."""
    draws = {reading: figures.page(reading) for reading in ("learnt", "passes")}
    right = sum(spans == 2 and abs(second - CHANGE) <= 3 for spans, second, _ in draws["learnt"])
    cut = sorted(spans for spans, _, _ in draws["passes"])
    return Finding(
        "On a page of two languages the network finds the one change with great precision.",
        how_often(right, len(draws["learnt"]), "in {} of {} draws within three characters, and no other"),
        "A page of the same shape, our words, with the trained transitions",
        f"A decision every three symbols without a penalty makes {cut[0]} to {cut[-1]} spans of it: not what the "
        "paper ran.",
        evidence=[
            (f"draw {draw}: spans, place of the second", f"{spans}, {second} (true: {CHANGE})")
            for draw, (spans, second, _) in enumerate(draws["learnt"])
        ],
        section="3.5, 4.2, Figure 4",
        theirs="one change, at 485 of 911",
        ours=f"{right} of {len(draws['learnt'])} draws within three characters of {CHANGE}",
    )


def points(interval: Interval) -> str:
    """A difference of rates in points.

    >>> points(Interval(0.012, -0.001, 0.02))
    '+1.2 [-0.1, +2.0]'
    """
    return f"{100 * interval.value:+.1f} [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"


def _longer(figures: HmmFigures, cell: HmmCell) -> Interval:
    """What longer sentences gain, draw by draw."""
    long, short = (figures.rates(cell, lengths) for lengths in (LENGTHS[2], SHORT))
    gains = [with_long - with_short for with_long, with_short in zip(long, short, strict=True)]
    return Interval(sum(gains) / len(gains), min(gains), max(gains))


def _level(claim: str, section: str, rates: dict[str, tuple[float, Interval]]) -> Finding:
    """A claim that a table's rates are what they are: the same kind of text, other sentences."""
    near = sum(abs(ours.value - theirs) <= NEAR for theirs, ours in rates.values())
    name, (theirs, ours) = next(iter(rates.items()))
    counted = published_rate("hmm/1")
    return Finding(
        claim,
        how_often(near, len(rates), "{} of {} cells within 2.5 points"),
        evidence=[(f"{label}: ours less theirs", spread_less(ours, theirs)) for label, (theirs, ours) in rates.items()],
        reason=f"Their {counted.value:.0%} of Table 5 is [{counted.low:.0%}, {counted.high:.0%}] from its counts.",
        section=section,
        theirs=f"{name}: {theirs:.0%}",
        ours=f"{ours.value:.1%}; {near} of {len(rates)} within 2.5 points",
    )


def spread_less(interval: Interval, value: float) -> Interval:
    """The interval less a value."""
    return Interval(interval.value - value, interval.low - value, interval.high - value)


def _unchanged(figures: HmmFigures, claim: str, section: str, pairs: Sequence[Pair], most: float = 0.005) -> Finding:
    """A claim that a change is worth hardly anything."""
    changes = [(label, figures.gain(cell, changed, lengths)) for label, cell, changed, lengths in pairs]
    return Finding(
        claim,
        whether(all(change.value < most if most > 0.005 else abs(change.value) < most for _, change in changes)),
        evidence=changes,
        section=section,
        theirs="no figures",
        ours="; ".join(f"{points(change)} points" for _, change in changes),
    )


def _better(
    figures: HmmFigures,
    claim: str,
    section: str,
    pairs: Sequence[Pair],
    *,
    gains: list[tuple[str, Interval]] | None = None,
    size: tuple[int, int] | None = None,
    theirs: str = "",
) -> Finding:
    """A claim that the first of each pair is better; where the paper states how many points, these are ruled on too."""
    gains = gains or [(label, figures.gain(better, other, lengths)) for label, better, other, lengths in pairs]
    ruling = above_zero([gain for _, gain in gains], WORDING)
    if size is not None:
        low, high = size
        fits = sum(low - 0.5 <= 100 * gain.value < high + 0.5 for _, gain in gains)
        if fits == len(gains):
            ruling = Ruling(ruling.verdict, f"direction {ruling.words}; the size agrees")
        else:
            verdict = Verdict.DEPENDS if ruling.verdict is Verdict.CONFIRMED else ruling.verdict
            wanted = f"{low} to {high} points" if high < 100 else f"{low} points or more"
            ruling = Ruling(verdict, f"direction {ruling.words}; {fits} of {len(gains)} are {wanted}")
    ours = "; ".join(points(gain) for _, gain in gains[:4]) + (" ..." if len(gains) > 4 else "") + " points"
    return Finding(claim, ruling, evidence=gains, section=section, theirs=theirs, ours=ours)
