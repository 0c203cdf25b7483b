"""What a person would expect of any text with several languages in it."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from tests.made_pages import sentences

import dragoman
from dragoman.identifiers.track import track

STRANGERS = [
    line.split("\t")
    for line in (Path(__file__).parent / "track_of_strangers.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]
LETTER = "Das Wetter war schön. We went to the beach, and my uncle said “on y va tout de suite” to everybody."
BETWEEN = (
    " The rest of the day was quiet, and we walked home along the river in the evening sun. My aunt had made soup, and "
    "we sat in the kitchen until it was late and talked about the old days by the sea."
)


@pytest.mark.parametrize("parts", STRANGERS, ids=lambda parts: parts[0][:30])
def test_a_text_of_a_stranger(parts: list[str]) -> None:
    expected = [(part.partition(":")[0], part.partition(":")[2].replace("\\n", "").strip()) for part in parts]
    text = " ".join(part.partition(":")[2].replace("\\n", "\n") for part in parts).replace("\n ", "\n")
    assert [(span.language or "-", text[span.start : span.end]) for span in track(text)] == expected


@pytest.mark.parametrize("separator", [" ", "\n\n"])
def test_a_quotation_is_found_whatever_follows_two_hundred_characters_later(separator: str) -> None:
    own = sentences()
    others = [" ".join(own[language][:2]) for language in ("es", "pl", "sv", "it", "ru")]
    for number in range(6):
        for chosen in combinations(others, number):
            text = separator.join([LETTER + BETWEEN, *chosen])
            assert [(span.start, span.end) for span in track(text) if span.language == "fr"] == [(62, 85)], text


def test_a_span_does_not_depend_on_text_a_screen_away() -> None:
    own = sentences()
    near = "\n\n".join(" ".join(own[language]) for language in ("de", "en", "fr", "pl", "de", "en", "fr"))
    begin = "\n\n".join([LETTER, near])
    alone = [span for span in track(begin) if span.end <= len(LETTER)]
    for language in ("ru", "tr", "nl", "zh"):
        far = "\n\n".join([begin, *[" ".join(own[language])] * 10])
        assert [span for span in track(far) if span.end <= len(LETTER)] == alone


@pytest.mark.parametrize("language", sorted(sentences()))
def test_track_and_page_agree_on_a_text_in_one_language(language: str) -> None:
    text = " ".join(sentences()[language])
    assert [span.language for span in track(text)] == [language] == [dragoman.identify_text(text).language]


def test_spans_carry_probabilities_and_a_threshold_leaves_out_the_unlikely() -> None:
    spans = track(LETTER)
    assert all(span.probability is not None and 0.5 < span.probability <= 1 for span in spans)
    sure = track(LETTER, threshold=max(span.probability or 0 for span in spans))
    assert None in [span.language for span in sure]
    assert [span.start for span in track(LETTER, threshold=0.0)] == [span.start for span in spans]


def test_commands_inside_a_sentence_stay_with_it() -> None:
    text = "To unpack it, run tar xvzf gentoo-0.9.12.tar.gz and go into the folder that was made by it."
    assert [span.language for span in track(text)] == ["en"]


@pytest.mark.parametrize("path", sorted((Path(__file__).parent / "programs").glob("*.txt")), ids=lambda path: path.stem)
def test_a_program_is_in_no_language(path: Path) -> None:
    assert {span.language for span in track(path.read_text(encoding="utf-8"))} <= {None}


@pytest.mark.parametrize("text", ["a" * 10_000, "a " * 5000, "haha" * 40, "х" * 500])
def test_a_key_that_was_held_down_is_in_no_language(text: str) -> None:
    assert {span.language for span in track(text)} <= {None}
    assert dragoman.identify_text(text).language is None


def test_a_word_that_was_drawn_out_does_not_spoil_its_sentence() -> None:
    text = "This is soooooooooooooo good, I love it"
    assert [(span.language, span.end) for span in track(text)] == [("en", len(text))]
    assert dragoman.identify_text(text).language == "en"


def test_comments_and_prose_around_a_program_keep_their_language() -> None:
    text = (
        "Le code suivant affiche les lignes :\n\n    with open('a.txt') as f:\n        for line in f:\n"
        "            # on enlève les espaces à la fin de la ligne\n            print(line.rstrip())\n\n"
        "Il faut Python 3."
    )
    assert [span.language for span in track(text)] == ["fr", None, "fr", None, "fr"]
