"""What is trained: the paper's model with one thing changed at a time, what it is compared with, and on which text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.text.algorithms.hmm.streams import COMBINATIONS
from dragoman.studies.text_draws import LENGTHS

#: The range of lengths of the paper's Tables 1, 2 and 5.
SHORT = LENGTHS[0]
#: What a model is trained on: text of the kind of the test sentences, as in the paper, one sentence in ten of it, or
#: pages of another domain.
TRAINING = ("same", "tenth", "pages")
TOPOLOGIES = ("left-right", "skips", "ergodic")
STATES = (1, 2, 3, 4, 6, 8)
#: Penalties that the network is tried with.
PENALTIES = (0.0, 2.0, 4.0, 6.0, 8.0, 12.0, 16.0, 24.0)


@dataclass(frozen=True)
class HmmPlan:
    """How large a study is."""

    name: str
    draws: int
    per_language: int
    documents: int
    states: tuple[int, ...]


SCALES = {
    "full": HmmPlan("full", draws=5, per_language=300, documents=40, states=STATES),
    "small": HmmPlan("small", draws=2, per_language=40, documents=6, states=(1, 3)),
}


@dataclass(frozen=True)
class HmmCell:
    """A classifier, and what it is trained on. `paper`: with the paper's choices, before the parameters."""

    algorithm: str
    params: tuple[tuple[str, Any], ...] = field(default=())
    training: str = "same"
    paper: bool = True
    #: How the text is written: see dragoman.studies.hmm_2004.draws.WRITINGS.
    writing: str = "clean"

    @property
    def name(self) -> str:
        """A name that no other cell has; also the name of its file."""
        extra = "".join(f",{key}={value}" for key, value in self.params)
        writing = "" if self.writing == "clean" else f"/{self.writing}"
        return f"{self.algorithm}{'' if self.paper else ' ours'}{extra}/{self.training}{writing}"

    def make(self) -> Classifier:
        """The untrained classifier, for text that is clean already."""
        from dragoman.identifiers.text.algorithms.fisher_cosine import FisherCosine
        from dragoman.identifiers.text.algorithms.hmm.classifier import Hmm
        from dragoman.identifiers.text.algorithms.hybrid import Hybrid
        from dragoman.identifiers.text.algorithms.rank_order import RankOrder

        params = dict(self.params)
        if self.algorithm == "hmm":
            params = {"cleaning": "none"} | params
            return Hmm.paper(**params) if self.paper else Hmm(**params)
        if self.algorithm == "rank-order":
            return RankOrder.paper(**params) if self.paper else RankOrder(**params)
        if self.algorithm == "fisher-cosine":
            return FisherCosine(**params)
        return Hybrid(**params)


def hmm(training: str = "same", writing: str = "clean", **params: Any) -> HmmCell:
    """The paper's HMM with these parameters changed."""
    return HmmCell("hmm", tuple(sorted(params.items())), training, writing=writing)


def ours(**params: Any) -> HmmCell:
    """Our default HMM with these parameters changed."""
    return HmmCell("hmm", tuple(sorted(params.items())), paper=False)


HMM, HMM4 = hmm(), hmm(sequences=4)
N_GRAMS = HmmCell("rank-order")
OUR_HMM = ours()
RANK_ORDER, FISHER, HYBRID = (HmmCell(name, paper=False) for name in ("rank-order", "fisher-cosine", "hybrid"))
#: What the paper leaves open or does not have, without another topology.
LEARNT = {"alphabet": "script", "exponents": "learnt", "start": "sentence"}
#: What section 3.4 says makes it worse: capitals told apart, and more symbols than the 60.
CASE, MARKS = hmm(writing="case", alphabet="script"), hmm(writing="marks", alphabet="script")
#: One change of the paper's model at a time, with what it is.
CHANGES: dict[str, HmmCell] = {
    "the paper's model": HMM,
    "four sequences": HMM4,
    "one state": hmm(states=1),
    "successive differences": hmm(deltas="successive"),
    "exponents learnt": hmm(exponents="learnt"),
    "first differences from the end of a sentence": hmm(start="sentence"),
    "a fifth stream, d3": hmm(streams="s&d0&d1&d2&d3"),
    "capitals are symbols of their own": CASE,
    "digits and punctuation are symbols": MARKS,
    "three rounds of Baum-Welch": hmm(baum_welch=3),
    "no realignment (even segments only)": hmm(rounds=0),
    "letters outside Latin-1 have symbols": hmm(alphabet="script"),
    "floor 0.01 instead of 0.1": hmm(floor=0.01),
    "floor 1 instead of 0.1": hmm(floor=1.0),
    "states begin as spaces, vowels and consonants": hmm(topology="letters"),
    "exponents learnt, a sentence's end, letters outside Latin-1": hmm(**LEARNT),
    "these three and one state": hmm(**LEARNT, states=1),
    "these three, one state and successive differences": hmm(**LEARNT, states=1, deltas="successive"),
    "our default: letters as states, tuned exponents, a sentence's end": OUR_HMM,
    "our default with one state": ours(states=1),
    "our default with five states": ours(states=5),
    "our default with equal exponents": ours(exponents="equal"),
    "our default with successive differences": ours(deltas="successive"),
}
#: The methods that are set side by side.
METHODS: dict[str, HmmCell] = {
    "HMM, the paper's": HMM,
    "HMM, our default": OUR_HMM,
    "n-grams as in the paper": N_GRAMS,
    "rank-order, our choices": RANK_ORDER,
    "fisher-cosine, our choices": FISHER,
    "hybrid of hmm, rank-order and fisher-cosine": HYBRID,
}
#: The members of the hybrid.
MEMBERS = {"HMM, our default": OUR_HMM, "rank-order": RANK_ORDER, "fisher-cosine": FISHER}
#: Those of them that are no hybrid, which takes ten times as long as any of them.
SINGLE = {name: cell for name, cell in METHODS.items() if cell != HYBRID}


def streams_cell(streams: str) -> HmmCell:
    """A cell of Table 1."""
    return HMM if streams == COMBINATIONS[-1] else hmm(streams=streams)


def topology_cell(topology: str, training: str = "same", sequences: int = 4) -> HmmCell:
    """A cell of Table 2."""
    params: dict[str, Any] = {} if topology == "left-right" else {"topology": topology}
    return hmm(training, **params | ({"sequences": sequences} if sequences != 1 else {}))


def states_cell(states: int) -> HmmCell:
    """The paper's model with another number of states."""
    return HMM if states == 3 else hmm(states=states)


def on(cell: HmmCell, training: str) -> HmmCell:
    """The same classifier, trained on something else."""
    return replace(cell, training=training)


def all_cells(plan: HmmPlan) -> list[HmmCell]:
    """Every cell once."""
    cells = [streams_cell(streams) for streams in COMBINATIONS]
    cells += [topology_cell(topology, training) for topology in TOPOLOGIES for training in ("same", "tenth")]
    cells += [topology_cell(topology, training, 1) for topology in TOPOLOGIES for training in ("same", "tenth")]
    cells += [states_cell(states) for states in plan.states]
    cells += [*CHANGES.values(), *METHODS.values()]
    cells += [on(cell, training) for cell in (HMM, HMM4, N_GRAMS) for training in TRAINING]
    cells += [on(cell, training) for cell in SINGLE.values() for training in ("tenth", "pages")]
    cells.append(on(HYBRID, "tenth"))
    return list(dict.fromkeys(cells))


def tests_of(cell: HmmCell) -> tuple[tuple[int, int], ...]:
    """The ranges of length that a cell is tested on: all of them where a table shows all."""
    shown = {(full.algorithm, full.params, full.paper) for full in (HMM4, *CHANGES.values(), *METHODS.values())}
    return LENGTHS if (cell.algorithm, cell.params, cell.paper) in shown else (SHORT,)
