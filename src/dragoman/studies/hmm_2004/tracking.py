"""The network of models on documents of several languages, by its penalty: letters right, and changes found.

The paper shows one document (Figure 4: one change, found where it is) and no figure. The trained transitions do that
(`FIGURE`, a page of the same shape that we wrote); a decision every three symbols without a penalty makes some two
hundred spans of it, so it is not what the paper ran. Ours are composed of test sentences: `tune` documents choose the
penalty, `judge` documents judge it. Each has ten parts of one to three clean sentences in languages drawn at random,
two neighbours never the same; a change counts as found if one is reported within ten characters of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dragoman.identifiers.text.algorithms.hmm.classifier import Hmm
from dragoman.identifiers.text.algorithms.hmm.network import STAYS, Network
from dragoman.studies.cells import Arrays
from dragoman.studies.hmm_2004.draws import cleaned
from dragoman.studies.hmm_2004.plan import PENALTIES, HmmPlan
from dragoman.studies.text_draws import Half, LabelledTexts, Texts, generator
from dragoman.types import Span

#: Which model, and how long it stays: left-right models with three kinds of stay, one state, and our default by words.
PARTS = ("passes", "free", "learnt", "one-state", "words")
#: A change may be reported so many characters from its place.
NEAR = 10


@dataclass(frozen=True)
class MixedDocument:
    """A text and where its languages are."""

    text: str
    spans: tuple[Span, ...]


def compose(texts: Texts, seed: int, half: Half, documents: int, parts: int = 10) -> list[MixedDocument]:
    """Documents of `parts` parts in different languages."""
    rng = generator(seed, "tracking", half)
    pools = {language: texts.sentences[language, "tatoeba", half] for language in texts.languages}
    composed = []
    for _ in range(documents):
        text, last = "", ""
        spans: list[Span] = []
        while len(spans) < parts:
            language = str(rng.choice([tag for tag in texts.languages if tag != last]))
            pool = pools[language]
            chosen = [cleaned(pool[int(rng.integers(len(pool)))]) for _ in range(int(rng.integers(1, 4)))]
            part = " ".join(sentence for sentence in chosen if sentence)
            if part:
                start = len(text) + bool(text)
                text = f"{text} {part}".strip()
                spans.append(Span(start, len(text), language))
                last = language
        composed.append(MixedDocument(text, tuple(spans)))
    return composed


def judge(truth: tuple[Span, ...], answer: list[Span], text: str) -> tuple[int, int, int, int, int]:
    """(letters right, letters, changes found rightly, changes reported, changes).

    >>> text = "ja ja ja yes yes"
    >>> judge((Span(0, 8, "de"), Span(9, 16, "en")), [Span(0, 6, "de"), Span(6, 16, "en")], text)
    (10, 12, 1, 1, 1)
    """
    labels: list[Any] = [None] * len(text)
    for span in answer:
        labels[span.start : span.end] = [span.language] * (span.end - span.start)
    letters = [
        (offset, span.language) for span in truth for offset in range(span.start, span.end) if text[offset].isalpha()
    ]
    right = sum(labels[offset] == language for offset, language in letters)
    changes, reported = [span.start for span in truth[1:]], [span.start for span in answer[1:]]
    free, hits = set(changes), 0
    for offset in reported:
        near = [change for change in free if abs(change - offset) <= NEAR]
        if near:
            free.remove(min(near, key=lambda change: (abs(change - offset), change)))
            hits += 1
    return right, len(letters), hits, len(reported), len(changes)


def track(train: LabelledTexts, texts: Texts, plan: HmmPlan, seed: int, part: str) -> Arrays:
    """For both halves and every penalty the sums of `judge`, by `tune` and `judge`."""
    left_right = Hmm.paper(states=1 if part == "one-state" else 3, cleaning="none")
    model = (Hmm(cleaning="none") if part == "words" else left_right).fit(train.texts, train.labels)
    stays = part if part in STAYS else "passes"
    sums_by_half: Arrays = {}
    halves: tuple[Half, ...] = ("tune", "judge")
    for half in halves:
        documents = compose(texts, seed, half, plan.documents)
        rows = []
        for penalty in PENALTIES:
            network = Network(model, penalty, stays=stays)
            sums = [judge(document.spans, network.decode(document.text), document.text) for document in documents]
            rows.append(np.sum(sums, axis=0))
        sums_by_half[half] = np.array(rows, np.int64)
    return sums_by_half
