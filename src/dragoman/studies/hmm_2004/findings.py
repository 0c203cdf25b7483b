"""Which of the paper's claims hold on our data: each with its figures and a verdict."""

from __future__ import annotations

from collections.abc import Iterator

from dragoman.studies.claims import Finding, Ruling, Verdict, Wording, above_zero, whether
from dragoman.studies.hmm_2004.figures import HmmFigures
from dragoman.studies.hmm_2004.plan import (
    HMM,
    HMM4,
    HYBRID,
    MEMBERS,
    N_GRAMS,
    SHORT,
    SINGLE,
    HmmCell,
    hmm,
    on,
    states_cell,
    topology_cell,
)
from dragoman.studies.text_draws import LENGTHS, Lengths, range_name

WORDING = Wording(
    " in every draw", " on average, not in every draw", "mixed: {above} of {cases} differences are above zero"
)
#: The range of most tables, and the widest.
TWO = (LENGTHS[0], LENGTHS[3])

#: What is compared: a label, the cell that the claim says is better, the other, and the lengths.
Pair = tuple[str, HmmCell, HmmCell, Lengths]


def findings(figures: HmmFigures) -> Iterator[Finding]:
    """The paper's main claims, in its order."""

    def better(claim: str, section: str, pairs: list[Pair], points: tuple[int, int] | None = None) -> Finding:
        return _better(figures, claim, section, pairs, points)

    yield better(
        "All four streams together are best.",
        "Table 1",
        [(f"less {streams}", HMM, hmm(streams=streams), SHORT) for streams in ("s&d0", "s&d0&d1", "s", "d0")],
    )
    yield better(
        "Left-right models without skips beat those with skips and ergodic ones.",
        "Table 2",
        [(f"less {topology}", HMM4, topology_cell(topology), SHORT) for topology in ("skips", "ergodic")],
    )
    skips, none = ({n: topology_cell(name, "tenth", n) for n in (1, 4)} for name in ("skips", "left-right"))
    yield better(
        "Skips help when there is little training text.",
        "3.4",
        [(f"skips less no skips, a tenth, {n} sequences", skips[n], none[n], SHORT) for n in (1, 4)],
    )
    yield better(
        "Three standard states are best.",
        "3.4",
        [(f"less {n} states", HMM, states_cell(n), SHORT) for n in figures.plan.states if n != 3],
    )
    yield better(
        "Equal exponents are the best choice.",
        "3.4",
        [(f"equal less learnt, {range_name(lengths)}", HMM, hmm(exponents="learnt"), lengths) for lengths in TWO],
    )
    yield better(
        "Four sequences are slightly better with all training text.",
        "Table 4",
        [(f"four less one, {range_name(lengths)}", HMM4, HMM, lengths) for lengths in TWO],
    )
    yield better(
        "Four sequences are worse with a tenth of it.",
        "Table 4",
        [(f"one less four, {range_name(lengths)}", on(HMM, "tenth"), on(HMM4, "tenth"), lengths) for lengths in TWO],
    )
    changes = [
        (f"with less without, {range_name(lengths)}", figures.gain(hmm(baum_welch=3), HMM, lengths)) for lengths in TWO
    ]
    yield Finding(
        "Baum-Welch after Viterbi training changes hardly anything.",
        whether(all(abs(change.value) < 0.005 for _, change in changes)),
        evidence=changes,
        section="3.3",
    )
    yield better(
        "More training text is better, but ten times as much gains only two or three points.",
        "4.2",
        [(f"{name}, {range_name(SHORT)}", cell, on(cell, "tenth"), SHORT) for name, cell in SINGLE.items()],
        points=(2, 3),
    )
    yield better(
        "N-grams are about a point better than HMMs.",
        "Table 4",
        [(f"n-grams as in the paper less HMM, {range_name(lengths)}", N_GRAMS, HMM, lengths) for lengths in LENGTHS],
        points=(0, 1),
    )
    yield better(
        "Training on another domain makes it worse.",
        "4.2",
        [
            (f"{name}: text of the test's kind less pages", on(cell, "sentences"), cell, SHORT)
            for name, cell in SINGLE.items()
        ],
    )
    yield better(
        "A hybrid of HMMs and n-grams is better than either.",
        "5",
        [
            (f"less {name}, {range_name(lengths)}", HYBRID, cell, lengths)
            for name, cell in MEMBERS.items()
            for lengths in LENGTHS
        ],
    )


def _better(
    figures: HmmFigures, claim: str, section: str, pairs: list[Pair], points: tuple[int, int] | None
) -> Finding:
    """A claim that the first of each pair is better; where the paper states how many points, these are ruled on too."""
    gains = [(label, figures.gain(better, other, lengths)) for label, better, other, lengths in pairs]
    ruling = above_zero([gain for _, gain in gains], WORDING)
    if points is not None:
        low, high = points
        fits = sum(low - 0.5 <= 100 * gain.value < high + 0.5 for _, gain in gains)
        if fits == len(gains):
            ruling = Ruling(ruling.verdict, f"direction {ruling.words}; the size agrees")
        else:
            verdict = Verdict.DEPENDS if ruling.verdict is Verdict.CONFIRMED else ruling.verdict
            size = f"the size does not agree: {fits} of {len(gains)} are {low} to {high} points"
            ruling = Ruling(verdict, f"direction {ruling.words}; {size}")
    return Finding(claim, ruling, evidence=gains, section=section)
