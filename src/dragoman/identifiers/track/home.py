"""Which languages are at home around a place in a text, by the identifier of texts: what `page` knows, `track` knows.

Each sentence (or line, or block) is identified by itself. The shares of the languages in a stretch of text are those
under which its sentences are likeliest (dragoman.identifiers.text.mixture). A language with the largest share is at
home; a change to another one costs more, the smaller its share:

    cost(language) = min(MOST, -log(share / largest share)), and RELATIVE more for a near relative of one at home

and the less, the shorter the stretch: a few words say little about what is at home. At a quotation mark it costs a
quarter of this. A language that the lexicon alone knows costs MOST, unless it was asked for. Where no letter of another
script than Latin stands, languages of other scripts are out.

Where only a few languages may be chosen, all of them are at home.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.identifiers.answer import answer
from dragoman.identifiers.text.identify import open_method
from dragoman.identifiers.text.mixture import mixture
from dragoman.identifiers.track.choose import MOST as FEW
from dragoman.identifiers.track.decode import RELATIVES
from dragoman.identifiers.track.lexicon import UNIT
from dragoman.identifiers.track.tokens import BLOCK, END, END_SMALL, TrackTokens
from dragoman.types import Language

#: The most that a change to a language costs more, and what one to a near relative of one at home costs beside.
MOST, RELATIVE = 8.0, 3.0
#: Letters below which nothing is at home, and from which on all of it counts.
LITTLE, MUCH = 120, 500
#: What a language of another script costs where no letter of one stands: more than any text can say.
OUT = 200.0
#: A sentence of so many letters is given to a language that is so sure and that no more of its words were given.
ENOUGH, SURE, HARDLY = 40, 0.9, 0.2
#: One that the lexicon has must have more letters, since words speak for it or against it already.
MORE = 120
#: The first letter behind those of Latin.
_LATIN_ENDS = "\u0370"


@dataclass(frozen=True, eq=False)
class Sentences:
    """The sentences of a window by tokens (first, last), their letters, and the probability of each language."""

    firsts: NDArray[np.int64]
    lasts: NDArray[np.int64]
    letters: NDArray[np.int64]
    languages: tuple[Language, ...]
    matrix: NDArray[np.float32]

    def among(self, first: int, last: int) -> slice:
        """Those that have tokens among first..last."""
        return slice(
            int(np.searchsorted(self.lasts, first, side="right")), int(np.searchsorted(self.firsts, last, side="left"))
        )

    def shares(self, first: int, last: int) -> NDArray[np.float64]:
        """The share of each language in the tokens first..last."""
        chosen = self.among(first, last)
        return mixture(self.matrix[chosen], self.letters[chosen].astype(np.float64))[0]


class HomeLanguages:
    """What is at home, for a choice of languages that a lexicon has."""

    def __init__(self, languages: tuple[Language, ...], latin: NDArray[np.uint8], asked: bool = True) -> None:
        self.languages, self.foreign = languages, latin == 0
        #: What a change to each costs at least: nobody asked for one that the identifier of texts does not know.
        self.least = np.zeros(len(languages))
        #: All that can be told, those that the identifier of texts alone knows included, if the choice is wide.
        self.namable = languages
        self.places = np.empty(0, np.int64)
        self.near = np.zeros((0, 0), bool)
        if self.wide:
            known = identifier_languages()
            self.namable = (*languages, *(tag for tag in known if tag not in languages))
            self.places = np.array([self.namable.index(tag) for tag in known], np.int64)
            self.least[[not asked and tag not in known for tag in languages]] = MOST
            self.near = np.array([[tag in RELATIVES.get(other, ()) for tag in languages] for other in languages])

    @property
    def wide(self) -> bool:
        """False where all languages are at home."""
        return len(self.languages) > FEW

    def sentences(self, text: str, tokens: TrackTokens) -> Sentences:
        """The sentences of a window, identified; none where all languages are at home, or nothing is."""
        if not self.wide or int(np.sum(tokens.ends - tokens.starts)) < LITTLE:
            nothing = np.empty(0, np.int64)
            return Sentences(nothing, nothing, nothing, (), np.empty((0, 0), np.float32))
        first = np.flatnonzero(np.isin(tokens.boundaries, (END, END_SMALL, BLOCK)))
        firsts = np.unique(np.concatenate([[0], first])).astype(np.int64)
        lasts = np.append(firsts[1:], len(tokens)).astype(np.int64)
        sums = np.concatenate([[0], np.cumsum(tokens.ends - tokens.starts, dtype=np.int64)])
        letters = sums[lasts] - sums[firsts]
        starts, ends = tokens.starts[firsts].tolist(), tokens.ends[lasts - 1].tolist()
        rows = ByteColumn.from_rows(text[start:end] for start, end in zip(starts, ends, strict=True))
        answers = answer(open_method(), rows, None, 0.0, matrix=True)
        assert answers.matrix is not None
        return Sentences(firsts, lasts, letters, answers.languages, answers.matrix)

    def costs(self, text: str, sentences: Sentences, first: int, last: int) -> NDArray[np.int32]:
        """What a change to each language costs more among the tokens first..last, whose text is `text`."""
        if not self.wide:
            return np.zeros(len(self.languages), np.int32)
        costs = self.least.copy()
        if max(text, default="") < _LATIN_ENDS:
            costs[self.foreign] = OUT
        if not len(sentences.firsts):
            return np.rint(UNIT * costs).astype(np.int32)
        chosen = sentences.among(first, last)
        weight = (int(sentences.letters[chosen].sum()) - LITTLE) / (MUCH - LITTLE)
        shares = sentences.shares(first, last)
        if weight <= 0 or not shares.any():
            return np.rint(UNIT * costs).astype(np.int32)
        own = np.zeros(len(self.namable))
        own[self.places] = shares
        own = own[: len(self.languages)]
        visiting = np.minimum(MOST, -np.log(np.maximum(own, 1e-9) / max(1e-9, float(shares.max()))))
        relative = np.where(self.near, own, 0.0).max(axis=1) > 4 * own
        costs += min(1.0, weight) * (visiting + RELATIVE * relative)
        return np.rint(UNIT * costs).astype(np.int32)

    def settled(
        self, label: NDArray[np.int32], sentences: Sentences, start: int, first: int, last: int
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """(labels, sure) of the tokens from `start` on: sentences that are surely in a language that hardly a word of
        them was given have it, and how sure that is (NaN for others). The tokens first..last tell what is at home."""
        out, sure = label.copy(), np.full(len(label), np.nan)
        if not len(sentences.firsts):
            return out, sure
        chosen = sentences.among(start, start + len(label))
        if not len(sentences.firsts[chosen]):
            return out, sure
        likely = sentences.matrix[chosen] * sentences.shares(first, last)
        likely /= np.maximum(likely.sum(axis=1, keepdims=True), 1e-30)
        best = likely.argmax(axis=1)
        certain = likely[np.arange(len(best)), best]
        certain[sentences.letters[chosen] < ENOUGH] = 0.0
        for row in np.flatnonzero(certain >= SURE).tolist():
            part = slice(max(0, int(sentences.firsts[chosen][row]) - start), int(sentences.lasts[chosen][row]) - start)
            own = int(self.places[best[row]])
            spoken = label[part] >= 0
            if own < len(self.languages) and sentences.letters[chosen][row] < MORE:
                continue
            if spoken.any() and np.mean(label[part][spoken] == own) <= HARDLY:
                out[part] = np.where(spoken, own, label[part])
                sure[part] = np.where(spoken, certain[row], np.nan)
        return out, sure


@lru_cache(maxsize=1)
def identifier_languages() -> tuple[Language, ...]:
    """The languages of the identifier of texts."""
    return open_method().languages_
