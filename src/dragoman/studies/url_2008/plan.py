"""What is trained: every feature set x algorithm, at every size, with and without content, and the checks around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dragoman.identifiers.url.algorithms.custom_columns import CUSTOM, SELECTION

LINEAR = ("naive-bayes", "relative-entropy", "max-entropy")
#: Maximum entropy run to its end with a regulariser: ours, beside the paper's.
LOGISTIC = "logistic-regression"
#: URLs kept per site of the training set.
CAP = 30
#: The paper's feature sets under our names, its 15 selected features standing for "custom-made".
PAPER_FEATURES = ("words", "trigrams", SELECTION)
OUR_FEATURES = ("raw-trigrams", CUSTOM)


@dataclass(frozen=True)
class UrlPlan:
    """How large a study is."""

    name: str
    share: float
    sizes: tuple[float, ...]
    repeats: int
    strengths: tuple[float, ...]
    content_rows: int
    greedy_rows: int
    greedy_steps: int
    rounds: int
    neighbours: int
    #: Shares of the pool that the protocols are compared at, and URLs that the preliminary methods learn from.
    pool_sizes: tuple[float, ...]
    preliminary_rows: int

    def seeds(self, share: float) -> range:
        """The samples drawn at a size: the smaller the share, the more it matters which URLs were drawn."""
        return range(self.repeats if share <= 0.03 else 1)


SCALES = {
    "full": UrlPlan(
        name="full",
        share=1.0,
        sizes=(0.001, 0.003, 0.01, 0.03, 0.1, 0.3),
        repeats=3,
        strengths=(0.1, 1.0, 10.0, 100.0),
        content_rows=100_000,
        greedy_rows=6_000,
        greedy_steps=15,
        rounds=1000,
        neighbours=20_000,
        pool_sizes=(0.001, 0.01, 0.1, 1.0),
        preliminary_rows=50_000,
    ),
    "small": UrlPlan(
        name="small",
        share=0.04,
        sizes=(0.01, 0.1),
        repeats=1,
        strengths=(1.0, 10.0),
        content_rows=4_000,
        greedy_rows=600,
        greedy_steps=3,
        rounds=200,
        neighbours=2_000,
        pool_sizes=(0.01, 0.1, 1.0),
        preliminary_rows=3_000,
    ),
}


@dataclass(frozen=True)
class UrlCell:
    """One classifier to train and score: on a share of the training URLs drawn with a seed."""

    features: str
    algorithm: str
    share: float = 1.0
    seed: int = 0
    content: str = ""
    params: tuple[tuple[str, Any], ...] = field(default=())

    @property
    def classifier(self) -> str:
        """`algorithm:features`."""
        return f"{self.algorithm}:{self.features}"

    @property
    def setting(self) -> str:
        """The algorithm, with what differs from its defaults."""
        return ", ".join([self.algorithm, *(f"{key} {value:g}" for key, value in self.params)])

    @property
    def name(self) -> str:
        """A name that no other cell has; also the name of its file."""
        extra = "".join(f",{key}={value}" for key, value in self.params)
        content = f"/{self.content}" if self.content else ""
        return f"{self.features}/{self.algorithm}{extra}/{self.share:g}/{self.seed}{content}"


NB_WORDS = UrlCell("words", "naive-bayes")
CCTLD, CCTLD_PLUS = UrlCell("tld", "cctld"), UrlCell("tld", "cctld-plus")


def algorithms_of(features: str) -> tuple[str, ...]:
    """The paper's algorithms on a feature set."""
    return (*LINEAR, "decision-tree") if features in (SELECTION, CUSTOM) else LINEAR


def nearest_cell(plan: UrlPlan) -> UrlCell:
    """The baseline that the paper dropped."""
    return UrlCell("words", "nearest", params=(("kept", plan.neighbours),))


def main_cells() -> Iterator[UrlCell]:
    """Tables 4 to 9: everything at full size."""
    for features in (*PAPER_FEATURES, *OUR_FEATURES):
        for algorithm in algorithms_of(features):
            yield UrlCell(features, algorithm)
    yield from (CCTLD, CCTLD_PLUS)


def variant_cells() -> Iterator[UrlCell]:
    """Other readings of the paper's algorithms: smoothing as theirs, five binary answers, and run to the end."""
    for features in ("words", "trigrams"):
        yield UrlCell(features, "naive-bayes", params=(("smoothing", 1.0),))
        yield UrlCell(features, "relative-entropy", params=(("binary", True),))
    for features in PAPER_FEATURES:
        yield UrlCell(features, LOGISTIC)


def size_cells(plan: UrlPlan) -> Iterator[UrlCell]:
    """Figures 2 and 3: less training."""
    for features in PAPER_FEATURES:
        for share in plan.sizes:
            for seed in plan.seeds(share):
                for algorithm in algorithms_of(features):
                    yield UrlCell(features, algorithm, share, seed)


def content_cell(features: str, algorithm: str, content: str) -> UrlCell:
    """One entry of Table 10: maximum entropy runs two rounds on content and 40 on URLs, as in the paper.

    Logistic regression goes without a bias there, which would fit rows of hundreds of words and drown URLs of five.
    """
    params: dict[tuple[str, str], tuple[tuple[str, Any], ...]] = {
        ("max-entropy", "content"): (("rounds", 2),),
        (LOGISTIC, "url"): (("bias", False),),
        (LOGISTIC, "content"): (("bias", False),),
    }
    return UrlCell(features, algorithm, content=content, params=params.get((algorithm, content), ()))


def content_cells() -> Iterator[UrlCell]:
    """Table 10: URLs alone and URLs with text, in one namespace and in three."""
    for features in ("words", "placed-words"):
        for algorithm in ("naive-bayes", "max-entropy", LOGISTIC):
            for content in ("url", "content"):
                yield content_cell(features, algorithm, content)


def sensitivity_cells(plan: UrlPlan) -> Iterator[UrlCell]:
    """How much maximum entropy depends on when it is stopped, and logistic regression on its regulariser."""
    for features in ("words", "trigrams"):
        for rounds in (2, 10, 40, 160):
            yield UrlCell(features, "max-entropy", params=(("rounds", rounds),))
        for strength in plan.strengths:
            yield UrlCell(features, LOGISTIC, params=(("strength", strength),))


def all_cells(plan: UrlPlan) -> list[UrlCell]:
    """Every cell once, ordered so that those of one feature set follow each other."""
    groups = (
        main_cells(),
        variant_cells(),
        iter([nearest_cell(plan)]),
        size_cells(plan),
        content_cells(),
        sensitivity_cells(plan),
    )
    cells = list(dict.fromkeys(cell for group in groups for cell in group))
    order = {name: number for number, name in enumerate(dict.fromkeys(cell.features for cell in cells))}
    return sorted(cells, key=lambda cell: (bool(cell.content), order[cell.features]))
