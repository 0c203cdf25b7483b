"""What a URL model that has learnt from a crawl would have saved in it: first half learnt from, second half judged.

`dragoman train --from-crawl` makes such a model. Here the same is done with the pages that were fetched first, and the
pages that were fetched afterwards are ranked twice: by the score that the crawl had used, and by that of the new
model. Nothing of the second half is seen in training, but its sites may have been: that is what adapting is for.

The pages are those that the crawl chose, so this says what the order among them was worth, not what other pages a
crawl with the new model would have found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.evaluate.corpus import capped
from dragoman.evaluate.splits import number_sites
from dragoman.identifiers.algorithms import make
from dragoman.measures import log_odds
from dragoman.types import Language

#: As `dragoman train` does it: the algorithm, most URLs per site, and how sure the text has to be of its language.
ALGORITHM, CAP, SURELY = "logistic-regression", 30, 0.8
#: With fewer pages, or fewer wanted or other pages in a half, nothing is said; with more, so many are taken evenly.
LEAST, LEAST_OF_A_KIND, MOST = 200, 20, 6_000
#: The share of the wanted pages that both orders have to bring.
COVERAGE = 0.9
_ROUNDS = 200


@dataclass(frozen=True)
class Visit:
    """A fetched page: its URL and server, the language of its text, and what the crawl held of its URL before."""

    url: str
    server: int
    language: Language | None
    probability: float
    relevant: bool
    score: float


@dataclass(frozen=True)
class Adapted:
    """Both orders of the second half: area under the ROC curve, and pages until nine tenths of the wanted are there."""

    trained: int
    judged: int
    wanted: int
    servers: int
    area_before: float
    area_after: float
    needed_before: int
    needed_after: int
    #: Pages saved at the same coverage, with the 95 % interval over servers.
    low: int
    high: int

    @property
    def saved(self) -> int:
        """Pages that need not have been fetched."""
        return self.needed_before - self.needed_after


def adapted(visits: Sequence[Visit], languages: Sequence[Language], seed: int = 0) -> Adapted | str:
    """What the crawl's own pages would have taught a URL model, or why nothing can be said.

    `visits` are in the order of the crawl, thinned by `evenly` if there are many.
    """
    half = len(visits) // 2
    if len(visits) < LEAST:
        return f"the crawl has {len(visits):,} pages, and fewer than {LEAST} are not enough to learn from half of them"
    first, second = visits[:half], visits[half:]
    for name, part in (("first", first), ("second", second)):
        wanted = sum(visit.relevant for visit in part)
        if min(wanted, len(part) - wanted) < LEAST_OF_A_KIND:
            return (
                f"the {name} half has {wanted:,} wanted pages and {len(part) - wanted:,} others; "
                f"{LEAST_OF_A_KIND} of each are needed"
            )
    sure = [visit for visit in first if visit.language is not None and visit.probability >= SURELY]
    keep = capped(number_sites([str(visit.server) for visit in sure]), CAP, np.random.default_rng(seed))
    lessons = [visit for visit, keeps in zip(sure, keep.tolist(), strict=True) if keeps]
    names = {visit.language for visit in lessons}
    if len(names) < 2 or not names & set(languages):
        return "the pages whose language is sure are too few, or all in one language"
    model = make(ALGORITHM, seed=seed).fit(
        ByteColumn.from_rows([visit.url for visit in lessons]), np.array([visit.language for visit in lessons], object)
    )
    columns = [model.languages_.index(tag) for tag in languages if tag in model.languages_]
    chances = model.probabilities(ByteColumn.from_rows([visit.url for visit in second]))[:, columns]
    return _compared(second, len(lessons), log_odds(chances.sum(axis=1, dtype=np.float64)), seed)


def _compared(second: Sequence[Visit], lessons: int, after: NDArray[np.float64], seed: int) -> Adapted:
    truth = np.array([visit.relevant for visit in second])
    before = np.array([visit.score for visit in second], np.float64)
    _, server = np.unique([visit.server for visit in second], return_inverse=True)
    members = [np.flatnonzero(server == number) for number in range(int(server.max()) + 1)]
    chance, saved = np.random.default_rng(seed), []
    for _ in range(_ROUNDS):
        rows = np.concatenate([members[number] for number in chance.integers(0, len(members), len(members))])
        saved.append(needed(before[rows], truth[rows]) - needed(after[rows], truth[rows]))
    low, high = np.percentile(saved, [2.5, 97.5])
    return Adapted(
        lessons, len(second), int(truth.sum()), len(members), area(before, truth), area(after, truth),
        needed(before, truth), needed(after, truth), round(float(low)), round(float(high)),
    )  # fmt: skip


def area(score: NDArray[np.float64], truth: NDArray[np.bool_]) -> float:
    """The area under the ROC curve: how often a wanted page has a higher score than another one; ties count half.

    >>> area(np.array([0.9, 0.5, 0.5, 0.1]), np.array([True, True, False, False]))
    0.875
    """
    _, rank_of, count = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(count) - (count - 1) / 2)[rank_of]
    positive = int(truth.sum())
    negative = len(truth) - positive
    if not positive or not negative:
        return float("nan")
    return float((rank[truth].sum() - positive * (positive + 1) / 2) / (positive * negative))


def needed(score: NDArray[np.float64], truth: NDArray[np.bool_], coverage: float = COVERAGE) -> int:
    """How many pages, best score first, bring this share of the wanted ones; equals stay in their order.

    >>> needed(np.array([3.0, 2.0, 1.0, 0.0]), np.array([True, False, True, False]))
    3
    """
    wanted_so_far = np.cumsum(truth[np.argsort(-score, kind="stable")])
    wanted = np.ceil(coverage * int(truth.sum()))
    return int(np.searchsorted(wanted_so_far, wanted)) + 1 if wanted else 0


def evenly(count: int, most: int = MOST) -> NDArray[np.int64]:
    """The places of at most so many out of `count`, evenly spread.

    >>> evenly(5).tolist(), evenly(9, 3).tolist()
    ([0, 1, 2, 3, 4], [0, 4, 8])
    """
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).round().astype(np.int64))
