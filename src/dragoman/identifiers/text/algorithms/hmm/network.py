"""The network of hidden Markov models: where in a document which language is used (section 3.5 of the HMM paper).

The models of all languages stand side by side; whoever leaves one may enter any. The best path through the network
over the whole document tells the model, and so the language, of every symbol; runs of the same language are merged.

How long a stay in a model is (`stays`):

    passes      each state takes one symbol and the next follows: a decision every N - 2 symbols, which the paper speaks
                of, but which without a penalty makes two hundred spans of the page that it shows
    free        a state may take as many symbols as it likes, at no cost; a stay has N - 2 symbols or more
    learnt      the transitions of the trained models, which were trained on thousands of symbols between one entry and
                one exit: with three states every change costs some 27 nats. It cuts the paper's page (its Figure 4)
                once, where the language changes
    words       the trained transitions inside, and leaving is free; models whose states are kinds of symbols (topology
                "letters") are entered by the state of spaces, so that a language begins with a word

`penalty` is what a change of language costs besides, in nats of the path's log probability (0 in the paper). It must be
chosen on data: the report of `dragoman papers hmm-2004` shows what it does. Exponents are scaled here so that they
sum to the number of streams: evidence then counts in full against the transitions.

Symbols keep their places: spans are offsets into the text as Python counts them. A span goes from its first letter to
behind the last character before the next span's first letter that is no white space; white space between two spans
belongs to none. What cleaning removes (addresses, acronyms) and what is no letter belongs to the span around it.
Text without letters has no span.

Memory is bounded: text is read in pieces of PIECE characters, and the way back is kept only for what is not decided
yet. As soon as all living paths agree about the past it is written off; should they not agree over WINDOW symbols
(they do after some dozens in ordinary text), the best path's past is taken. Cost: symbols x languages x states squared.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UnknownName, UsageError
from dragoman.identifiers.text.algorithms.hmm.classifier import STARTS, Hmm
from dragoman.identifiers.text.algorithms.hmm.streams import REACH, observations
from dragoman.identifiers.text.algorithms.hmm.symbols import PERIOD, SPACE, code_points, placed_symbols
from dragoman.identifiers.text.clean import Rules, cleaned
from dragoman.kernels import hmm as kernel
from dragoman.types import Language, Span

#: Characters that are cleaned at a time, and symbols after which an undecided past is decided.
PIECE, WINDOW = 1 << 18, 1 << 15
#: Symbols that are decoded at a time.
STEP = 1 << 13
#: How long a path stays in a model.
STAYS = ("passes", "free", "learnt", "words")

#: Addresses and acronyms are no language; names and words of the stop list are part of the sentence around them.
RULES = Rules(stop_list=frozenset(), names=False)


class Network:
    """A trained `Hmm`, joined into a network, and what a change of language costs in it.

    >>> model = Hmm(states=1).fit(["der hund und die katze sind da", "the dog and the cat are here"], ["de", "en"])
    >>> Network(model, penalty=4).decode("the cat and the dog, und die Katze ist da")
    [Span(start=0, end=20, language='en'), Span(start=21, end=41, language='de')]
    """

    def __init__(
        self,
        model: Hmm,
        penalty: float = 0.0,
        languages: Sequence[Language] | None = None,
        stays: str | None = None,
    ) -> None:
        stays = stays or ("words" if model.topology == "letters" else "passes")
        if stays not in STAYS:
            raise UnknownName("kind of stay", stays, STAYS)
        if not penalty >= 0:
            raise UsageError(f"The penalty must be 0 or more, not {penalty}")
        self.model, self.penalty = model, penalty
        self.languages = tuple(languages) if languages is not None else model.languages_
        if unknown := [tag for tag in self.languages if tag not in model.languages_]:
            raise UsageError(f"The model does not know {', '.join(unknown)}; it knows {', '.join(model.languages_)}")
        rows = [model.languages_.index(tag) for tag in self.languages]
        states = model.states
        columns = [row * states + state for row in rows for state in range(states)]
        self.table = np.ascontiguousarray(model.table_[:, columns]) * (len(model.exponents_) / sum(model.exponents_))
        self.moves = np.ascontiguousarray(model.moves_[rows])
        if stays == "words":
            self.moves[:, :, -1] = 0.0
        elif stays != "learnt":
            step = np.arange(states + 1)[None, :] - np.arange(states)[:, None]
            allowed = (step == 1) | ((step == 0) & (stays == "free"))
            self.moves = np.tile(np.where(allowed, 0.0, -np.inf), (len(rows), 1, 1))

    def decode(self, text: str) -> list[Span]:
        """The spans of the text, in order; two that follow each other have different languages."""
        spans: list[Span] = []
        open_span: tuple[int, int, int] | None = None
        for places, chosen in self.decisions(text):
            cuts = [0, *(np.flatnonzero(np.diff(chosen)) + 1).tolist(), len(chosen)]
            for start, end in itertools.pairwise(cuts):
                if start == end:
                    continue
                first, last, language = int(places[start]), int(places[end - 1]) + 1, int(chosen[start])
                if open_span is not None and open_span[2] == language:
                    open_span = (open_span[0], last, language)
                else:
                    if open_span is not None:
                        spans.append(self._span(text, open_span, first))
                    open_span = (first, last, language)
        if open_span is not None:
            spans.append(self._span(text, open_span, len(text)))
        return spans

    def _span(self, text: str, bounds: tuple[int, int, int], behind: int) -> Span:
        """A span that takes in what follows its last letter, up to the white space before the next span."""
        start, last, language = bounds
        end = behind
        while end > last and text[end - 1].isspace():
            end -= 1
        return Span(start, end, self.languages[language])

    def decisions(self, text: str) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """(places, languages) of the letters, some at a time: offsets into the text, and columns of `languages`."""
        value = np.zeros(self.moves.shape[0] * self.moves.shape[1])
        back = np.empty((0, len(value)), np.uint16)
        waiting: list[tuple[NDArray[np.int64], NDArray[np.bool_]]] = []
        first = True
        for cells, places, letters in self._observed(text):
            for start in range(0, len(cells), STEP):
                part = slice(start, start + STEP)
                step = kernel.network(cells[part], self.table, self.moves, -self.penalty, value, first)
                first = False
                back = np.concatenate([back, step])
                waiting.append((places[part], letters[part]))
                certain, path = kernel.trace(back, value, int(np.argmax(value)))
                if certain == 0 and len(back) >= WINDOW:
                    certain = len(back) - 1  # the last one stays, so that there is a state to go on from
                    value[np.arange(len(value)) != path[-1]] = -np.inf
                if certain:
                    ready, waiting = _split(waiting, certain)
                    yield self._letters(ready, path[:certain])
                    back = np.ascontiguousarray(back[certain:])
        if len(back):
            _, path = kernel.trace(back, value, int(np.argmax(value)))
            yield self._letters(_split(waiting, len(back))[0], path)

    def _letters(
        self, ready: tuple[NDArray[np.int64], NDArray[np.bool_]], path: NDArray[np.uint16]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        places, letters = ready
        return places[letters], (path // self.model.states).astype(np.int64)[letters]

    def _observed(self, text: str) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.bool_]]]:
        """(cells, places, which are letters) of the text, piece by piece; differences reach across pieces."""
        model = self.model
        before = list(STARTS[model.start])
        starts = np.array(model.shape_.starts[:-1], np.int32)
        for start, end in pieces(text):
            clean = cleaned(text[start:end], RULES)
            symbols, where = placed_symbols(code_points(clean.text), model.alphabet_)
            if not len(symbols):
                continue
            places = clean.places[where] + start
            if start and before and before[-1] != SPACE:
                symbols = np.concatenate([np.array([SPACE], np.int32), symbols])
                places = np.concatenate([places[:1], places])
            values = observations(symbols, model.streams, model.alphabet_.size, model.deltas, before)
            yield (
                np.ascontiguousarray(values - 1 + starts, np.int32),
                places,
                (symbols != SPACE) & (symbols != PERIOD),
            )
            before = [*before, *symbols[-REACH:].tolist()][-REACH:]


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """(start, end) of pieces that end behind white space where there is any."""
    start = 0
    while start < len(text):
        end = min(start + PIECE, len(text))
        if end < len(text):
            space = max(text.rfind(" ", start + PIECE // 2, end), text.rfind("\n", start + PIECE // 2, end))
            end = space + 1 if space > 0 else end
        yield start, end
        start = end


def _split(
    waiting: list[tuple[NDArray[np.int64], NDArray[np.bool_]]], count: int
) -> tuple[tuple[NDArray[np.int64], NDArray[np.bool_]], list[tuple[NDArray[np.int64], NDArray[np.bool_]]]]:
    """The first `count` of what waits, and the rest."""
    places = np.concatenate([part for part, _ in waiting])
    letters = np.concatenate([part for _, part in waiting])
    return (places[:count], letters[:count]), [(places[count:], letters[count:])]
