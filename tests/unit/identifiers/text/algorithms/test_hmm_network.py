from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from tests.made_urls import HOSTILE, WORDS, labelled_texts
from tests.unit.identifiers.text.algorithms.test_hmm import made

from dragoman.errors import UsageError
from dragoman.identifiers.text.algorithms.hmm import network as module
from dragoman.identifiers.text.algorithms.hmm import viterbi
from dragoman.identifiers.text.algorithms.hmm.classifier import Hmm
from dragoman.identifiers.text.algorithms.hmm.network import STAYS, Network, pieces
from dragoman.kernels import hmm as kernel
from dragoman.types import Span

LANGUAGES = ("de", "en", "fr", "ru")
GERMAN = "Wetter Garten, Küche Schule und Geschichte, Gesundheit, Wald!"
ENGLISH = "weather garden kitchen travel house school library history health forest"


@cache
def model(states: int = 3) -> Hmm:
    data = labelled_texts(LANGUAGES)
    return Hmm(states=states).fit(data.urls, data.labels)


@pytest.mark.parametrize(("models", "states"), [(2, 1), (3, 3), (5, 2)])
@pytest.mark.parametrize("change", [0.0, -3.0])
def test_compiled_network_equals_the_plain_one(models: int, states: int, change: float) -> None:
    table, moves = made(models, states, 25, seed=models)
    cells = np.random.default_rng(7).integers(0, 25, (400, 2)).astype(np.int32)
    value = np.zeros(models * states)
    back = np.concatenate(
        [kernel.network(cells[n : n + 130], table, moves, change, value, n == 0) for n in range(0, 400, 130)]
    )
    _, path = kernel.trace(back, value, int(np.argmax(value)))
    assert (path // states).tolist() == viterbi.plain_network(cells, table, moves, change)


def test_a_change_of_language_is_found() -> None:
    text = f"{GERMAN}\n{ENGLISH}"
    spans = Network(model(1), penalty=12).decode(text)
    assert [span.language for span in spans] == ["de", "en"]
    assert (spans[0].start, spans[1].end) == (0, len(text))
    assert abs(spans[1].start - len(GERMAN) - 1) <= 10


def test_a_language_of_three_states_begins_with_a_word() -> None:
    text = f"{GERMAN} {ENGLISH}"
    spans = Network(model(), penalty=4).decode(text)
    assert [(span.start, span.language) for span in spans] == [(0, "de"), (len(GERMAN) + 1, "en")]


@pytest.mark.parametrize("stays", STAYS)
def test_every_kind_of_stay_covers_the_text(stays: str) -> None:
    spans = Network(model(), 12, stays=stays).decode(ENGLISH)
    assert (spans[0].start, spans[-1].end) == (0, len(ENGLISH))


def test_spans_leave_out_the_white_space_between_them() -> None:
    text = f"  {ENGLISH}  {' '.join(WORDS['ru'][:5])} "
    spans = Network(model(1), penalty=12).decode(text)
    assert [text[span.start : span.end] for span in spans] == [ENGLISH, " ".join(WORDS["ru"][:5])]


@pytest.mark.parametrize("text", ["", " ", "12:30", "... !", "http://example.org/"])
def test_text_without_letters_has_no_span(text: str) -> None:
    assert Network(model()).decode(text) == []


def test_a_high_penalty_gives_one_span() -> None:
    text = f"{GERMAN} {ENGLISH} " * 3
    assert len(Network(model(), penalty=1e6).decode(text)) == 1


@pytest.mark.parametrize("row", list(HOSTILE.values()), ids=list(HOSTILE))
def test_offsets_lie_inside_any_text(row: bytes) -> None:
    text = row[:100_000].decode("utf-8", "replace")
    last = 0
    for span in Network(model()).decode(text):
        assert last <= span.start < span.end <= len(text)
        last = span.end


def test_pieces_windows_and_steps_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(f"{GERMAN} {ENGLISH} {' '.join(WORDS['fr'][:9])}." for _ in range(40))
    whole = Network(model(), penalty=1).decode(text)
    assert len(whole) > 10
    monkeypatch.setattr(module, "STEP", 64)
    assert Network(model(), penalty=1).decode(text) == whole
    monkeypatch.setattr(module, "PIECE", 1000)
    cut = Network(model(), penalty=1).decode(text)
    assert abs(len(cut) - len(whole)) <= 2  # a piece ends no sentence, but its space may count twice


def test_a_past_that_stays_open_is_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEP", 8)
    monkeypatch.setattr(module, "WINDOW", 16)
    text = f"{GERMAN} {ENGLISH} " * 5
    spans = Network(model(), penalty=2).decode(text)
    assert spans[0].start == 0
    assert spans[-1].end == len(text.rstrip())


def test_pieces_cover_the_text() -> None:
    text = "word " * 200_000
    found = list(pieces(text))
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert all(one[1] == two[0] for one, two in itertools.pairwise(found))


def test_some_languages_can_be_chosen() -> None:
    spans = Network(model(1), languages=("fr", "en")).decode(GERMAN)
    assert {span.language for span in spans} <= {"en", "fr"}
    with pytest.raises(UsageError, match="does not know xx"):
        Network(model(), languages=("xx", "en"))
    with pytest.raises(UsageError, match="penalty"):
        Network(model(), penalty=-1)


def test_a_span_is_a_value() -> None:
    assert Span(0, 3, "de") == Span(0, 3, "de")
