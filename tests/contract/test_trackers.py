"""What every method of `dragoman track` promises. Nothing here names one, and none can be left out."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.made_urls import HOSTILE

from dragoman.errors import UsageError
from dragoman.identifiers.track import TRACKERS, open_tracker
from dragoman.identifiers.track.language_tracker import LanguageTracker

TWO = (
    "Heute Morgen bin ich mit dem Fahrrad in die Stadt gefahren und habe Brot gekauft.",
    "This morning I went into town on my bicycle with my sister and we bought some bread.",
)
TEXTS = [
    " ".join(TWO),
    "\n\n".join(TWO * 20),
    "  " + TWO[0] + "\t\n",
    "Ja! No?",
    *(row.decode("utf-8", "replace") for row in HOSTILE.values() if len(row) < 10_000),
    "\ud800 lone 日本語 สวัสดี",
]


@pytest.fixture(params=list(TRACKERS))
def tracker(request: pytest.FixtureRequest) -> LanguageTracker:
    made: LanguageTracker = TRACKERS[request.param]()
    return made


@pytest.mark.parametrize("name", TRACKERS)
def test_a_tracker_is_registered_under_its_own_name_and_says_what_it_is(name: str) -> None:
    assert TRACKERS[name].name == name
    assert TRACKERS.about(name)
    assert "\n" not in TRACKERS.about(name)


@pytest.mark.parametrize("lines", [False, True])
def test_spans_are_in_order_inside_the_text_and_never_empty(tracker: LanguageTracker, lines: bool) -> None:
    for text in TEXTS:
        spans = tracker.spans(text, lines)
        assert all(0 <= span.start < span.end <= len(text) for span in spans), text[:80]
        assert all(before.end <= span.start for before, span in pairwise(spans)), text[:80]
        assert all(text[span.start : span.end].strip() for span in spans), text[:80]
        assert all(before.language != span.language for before, span in pairwise(spans)), text[:80]


@pytest.mark.parametrize("name", TRACKERS)
def test_it_finds_the_change_between_two_plain_sentences(name: str) -> None:
    first, second = TRACKERS[name]("de,en").spans(TEXTS[0])
    assert (first.language, second.language) == ("de", "en")
    assert abs(second.start - len(TWO[0])) <= 15


@pytest.mark.parametrize("name", TRACKERS)
def test_it_chooses_among_those_that_it_is_asked_for(name: str) -> None:
    ready = open_tracker(name, "de,fr")
    assert {span.language for text in TEXTS for span in ready(text, False)} <= {"de", "fr", None}
    assert open_tracker(name, ["de", "fr"])(TEXTS[0], False) == ready(TEXTS[0], False)


def test_text_without_letters_has_no_language(tracker: LanguageTracker) -> None:
    assert tracker.spans("") == []
    for text in (" \n", "12 + 30 = 42", "!?"):
        assert all(span.language is None for span in tracker.spans(text)), text


def test_asking_again_gives_the_same(tracker: LanguageTracker) -> None:
    first = [tracker.spans(text) for text in TEXTS]
    assert [tracker.spans(text) for text in TEXTS] == first


@pytest.mark.parametrize("name", TRACKERS)
def test_a_language_that_is_none_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        open_tracker(name, "klingonish")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", TRACKERS)
def test_what_stands_behind_a_colon_is_refused_where_it_makes_no_sense(name: str) -> None:
    with pytest.raises(UsageError):
        open_tracker(f"{name}:cctld")
