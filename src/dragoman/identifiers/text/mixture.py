"""Which languages a page has, how much of each, and the text that its language is told by.

The pieces of a page's running text are judged one by one. What they say is a mixture: the shares are those under which
it is likeliest (by expectation and maximisation, from the mean of the answers), which keeps the odd answer to a short
piece from becoming a language of the page.

A page's language is told by its running text as a whole. Text in two languages, though, is often taken for a third one
that lies between them: where several languages share a page, and the answer to the whole has less than .8 of the share
of the largest, the pieces in the largest are judged instead. Where the pieces are sure of their languages, as they are
not among close ones, the largest it is, however little larger.

Cost: that of the running text once more, and where a page is mixed once again. With `whole` the texts are judged beside
the pieces, in one call: for a single page the calls cost more than the reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.identifiers.answer import Answers, answer, choice
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.text.blocks import PageText
from dragoman.types import Language

#: Rounds of expectation and maximisation, the share below which a language is a slip, and that of a page in one.
ROUNDS, SLIP, PURE = 12, 0.02, 0.9
#: A language with this much of the largest share may be the page's as well, where pieces are less sure than this.
NEARLY, SURE = 0.8, 0.95

#: A language that is nowhere likelier than this has no share.
_HARDLY = 1e-4
#: Where no language of any piece is likelier than this, none is there.
_UNSURE = 0.1
#: A piece whose likeliest language is less probable than this counts the less for it.
_HALF = 0.5

Matrix = NDArray[np.float32]
Shares = dict[Language, float]


@dataclass(frozen=True)
class JudgedPages:
    """The text that each page's language is told by, and the share of each language on it, the largest first."""

    texts: tuple[str, ...]
    shares: tuple[Shares, ...]
    #: The answers to the texts with their matrix, whatever their probability, where they were asked for.
    answers: Answers | None = None


def judged_pages(
    model: Classifier,
    pages: Sequence[PageText],
    languages: str | Iterable[str] | None = None,
    threads: int = 1,
    *,
    whole: bool = False,
) -> JudgedPages:
    """What some pages are to be judged by, and their mixtures; `languages` restricts the choice.

    With `whole`, also the answers to what they are to be judged by.

    >>> from dragoman.identifiers.text.blocks import weighed
    >>> from dragoman.identifiers.text.identify import open_method
    >>> page = weighed("Das Wetter wird morgen schön und warm.\\nTomorrow the weather will be fine.")
    >>> sorted(judged_pages(open_method(), [page]).shares[0])
    ['de', 'en']
    """
    chosen = choice(model, languages)
    if chosen is not None and len(chosen) == 1:
        chosen = None  # a question for one language: the page may be in any
    ends = [0, *accumulate(len(page.pieces) for page in pages)]
    texts, shares = [page.text for page in pages], list[Shares]()
    column = _column([part for page in pages for part in page.pieces] + texts * whole)
    answers = answer(model, column, chosen, 0.0, threads, matrix=True)
    assert answers.matrix is not None
    # of pages with several languages: the shares, the least of one that may be the page's, the text in the largest
    largest = dict[int, tuple[NDArray[np.float64], float, str]]()
    for row, (page, (first, last)) in enumerate(zip(pages, pairwise(ends), strict=True)):
        shares_of, owners = mixture(answers.matrix[first:last], np.array(page.weights))
        shares.append(_in_hundredths(answers.languages, shares_of))
        if shares_of.max(initial=0.0) < PURE and shares_of.any():
            own = (part for part, owner in zip(page.pieces, owners, strict=True) if owner == shares_of.argmax())
            least = shares_of.max() * (1.0 if _sureness(answers.matrix[first:last], page.weights) >= SURE else NEARLY)
            largest[row] = shares_of, least, "\n".join(own)
        elif not shares_of.any() and np.isfinite(answers.matrix[first:last]).any():
            # no piece is in a language: neither are all of them, however often they are repeated
            texts[row] = page.pieces[0]
    if whole:
        languages_of_texts = answers.language[ends[-1] :][list(largest)]
    else:
        languages_of_texts = answer(model, _column(texts[row] for row in largest), chosen, 0.0, threads).language
    for given, (row, (shares_of, least, own_text)) in zip(languages_of_texts.tolist(), largest.items(), strict=True):
        if given < 0 or shares_of[given] < least:
            texts[row] = own_text
    if not whole:
        return JudgedPages(tuple(texts), tuple(shares))
    of_texts = answers.rows(slice(ends[-1], None))
    changed = [row for row, (text, page) in enumerate(zip(texts, pages, strict=True)) if text is not page.text]
    if changed:
        anew = answer(model, _column(texts[row] for row in changed), chosen, 0.0, threads, matrix=True)
        of_texts = of_texts.with_rows(changed, anew)
    return JudgedPages(tuple(texts), tuple(shares), of_texts)


def _column(texts: Iterable[str]) -> ByteColumn:
    return ByteColumn.from_rows(texts)


def mixture(matrix: Matrix, weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """(shares, owners): the share of each column, and the column that each piece belongs to (-1: none)."""
    owners = np.full(len(matrix), -1, np.int64)
    spoken = np.flatnonzero(np.isfinite(matrix).all(axis=1) & (weights > 0))
    if not len(spoken):
        return np.zeros(matrix.shape[1]), owners
    probable = matrix[spoken]
    columns = np.flatnonzero(probable.max(axis=0) > _HARDLY)  # most languages are out of the question
    if not len(columns) or probable.max() < _UNSURE:  # code, numbers, noise
        return np.zeros(matrix.shape[1]), owners
    likely = probable[:, columns].astype(np.float64)
    weight = weights[spoken] * likely.sum(axis=1)  # what is missing to 1 is text in no language
    weight *= np.minimum(1.0, likely.max(axis=1) / _HALF) ** 2  # names and numbers are in all a little, and in none
    weight /= max(1e-300, float(weight.sum()))
    shares = weight @ likely
    for _ in range(ROUNDS if len(spoken) > 1 else 0):
        shares = shares * ((weight / np.maximum(likely @ shares, 1e-300)) @ likely)
    owners[spoken] = columns[(likely * shares).argmax(axis=1)]
    whole = np.zeros(matrix.shape[1])
    whole[columns] = shares
    return whole, owners


def _sureness(matrix: Matrix, weights: Sequence[float]) -> float:
    """How sure the pieces of a page are of their languages, in the mean by what they weigh."""
    answered = np.isfinite(matrix).all(axis=1)
    if not answered.any():
        return 0.0
    return float(np.average(matrix[answered].max(axis=1), weights=np.array(weights)[answered]))


def _in_hundredths(languages: Sequence[Language], shares: NDArray[np.float64]) -> Shares:
    """The shares for people: without slips, the largest first, in whole hundredths that sum to one or nearly so."""
    columns = np.flatnonzero(shares >= SLIP)
    total = float(shares[columns].sum())
    order = columns[np.argsort(-shares[columns], kind="stable")].tolist()
    return {languages[column]: round(float(shares[column]) / total, 2) for column in order}
