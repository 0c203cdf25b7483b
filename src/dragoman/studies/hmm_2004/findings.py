"""Which of the paper's claims hold on our data: each with its figures and a verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from dragoman.measures import Interval
from dragoman.studies.hmm_2004.figures import Figures
from dragoman.studies.hmm_2004.plan import (
    HMM,
    HMM4,
    HYBRID,
    MEMBERS,
    N_GRAMS,
    SHORT,
    SINGLE,
    Cell,
    hmm,
    on,
    range_name,
    states_cell,
    topology_cell,
)
from dragoman.studies.text_draws import LENGTHS


@dataclass(frozen=True)
class Finding:
    """A claim of the paper, whether it holds here, and the differences that were measured."""

    claim: str
    verdict: str
    evidence: tuple[tuple[str, Interval], ...]


def verdict(differences: list[Interval]) -> str:
    """What differences, draw by draw, say about the claim that they are above zero."""
    if all(one.low > 0 for one in differences):
        return "confirmed in every draw"
    if all(one.high < 0 for one in differences):
        return "contradicted in every draw"
    above = sum(one.value > 0 for one in differences)
    if above == len(differences):
        return "confirmed on average, not in every draw"
    if above == 0:
        return "contradicted on average, not in every draw"
    return f"mixed: {above} of {len(differences)} differences are above zero"


def _more(figures: Figures, claim: str, pairs: list[tuple[str, Cell, Cell, tuple[int, int]]]) -> Finding:
    """A claim that the first of each pair is better."""
    evidence = tuple((label, figures.gain(one, other, lengths)) for label, one, other, lengths in pairs)
    return Finding(claim, verdict([one for _, one in evidence]), evidence)


def _sized(found: Finding, low: float, high: float) -> Finding:
    """The finding with a verdict on the size that the paper states: `low` to `high` points, rounded to whole ones."""
    fits = sum(low - 0.5 <= 100 * one.value < high + 0.5 for _, one in found.evidence)
    total = len(found.evidence)
    size = "the size agrees"
    if fits < total:
        size = f"the size does not agree: {fits} of {total} are {low:g} to {high:g} points"
    return Finding(found.claim, f"direction {found.verdict}; {size}", found.evidence)


def findings(figures: Figures) -> Iterator[Finding]:
    """The paper's main claims, in its order."""
    two = (LENGTHS[0], LENGTHS[3])
    yield _more(
        figures,
        "All four streams together are best (Table 1).",
        [(f"less {streams}", HMM, hmm(streams=streams), SHORT) for streams in ("s&d0", "s&d0&d1", "s", "d0")],
    )
    yield _more(
        figures,
        "Left-right models without skips beat those with skips and ergodic ones (Table 2).",
        [(f"less {one}", HMM4, topology_cell(one), SHORT) for one in ("skips", "ergodic")],
    )
    yield _more(
        figures,
        "Skips help when there is little training text (3.4).",
        [
            (f"skips less no skips, a tenth, {n} sequences", topology_cell("skips", "tenth", n),
             topology_cell("left-right", "tenth", n), SHORT)
            for n in (1, 4)
        ],
    )  # fmt: skip
    yield _more(
        figures,
        "Three standard states are best (3.4).",
        [(f"less {n} states", HMM, states_cell(n), SHORT) for n in figures.study.plan.states if n != 3],
    )
    yield _more(
        figures,
        "Equal exponents are the best choice (3.4).",
        [(f"equal less learnt, {range_name(one)}", HMM, hmm(exponents="learnt"), one) for one in two],
    )
    yield _more(
        figures,
        "Four sequences are slightly better with all training text (Table 4).",
        [(f"four less one, {range_name(one)}", HMM4, HMM, one) for one in two],
    )
    yield _more(
        figures,
        "Four sequences are worse with a tenth of it (Table 4).",
        [(f"one less four, {range_name(one)}", on(HMM, "tenth"), on(HMM4, "tenth"), one) for one in two],
    )
    change = [figures.gain(hmm(baum_welch=3), HMM, one) for one in two]
    yield Finding(
        "Baum-Welch after Viterbi training changes hardly anything (3.3).",
        "confirmed" if all(abs(one.value) < 0.005 for one in change) else "not confirmed",
        tuple((f"with less without, {range_name(one)}", gain) for one, gain in zip(two, change, strict=True)),
    )
    more_text = _more(
        figures,
        "More training text is better, but ten times as much gains only two or three points (4.2).",
        [(f"{name}, {range_name(SHORT)}", cell, on(cell, "tenth"), SHORT) for name, cell in SINGLE.items()],
    )
    yield _sized(more_text, 2, 3)
    n_grams = _more(
        figures,
        "N-grams are about a point better than HMMs (Table 4).",
        [(f"n-grams as in the paper less HMM, {range_name(one)}", N_GRAMS, HMM, one) for one in LENGTHS],
    )
    yield _sized(n_grams, 0, 1)
    yield _more(
        figures,
        "Training on another domain makes it worse (4.2).",
        [
            (f"{name}: text of the test's kind less pages", on(cell, "sentences"), cell, SHORT)
            for name, cell in SINGLE.items()
        ],
    )
    yield _more(
        figures,
        "A hybrid of HMMs and n-grams is better than either (5).",
        [(f"less {name}, {range_name(one)}", HYBRID, cell, one) for name, cell in MEMBERS.items() for one in LENGTHS],
    )
