"""What every method of `dragoman page` promises. Nothing here names one, and none can be left out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.made_urls import HOSTILE

from dragoman.columns import ByteColumn
from dragoman.errors import MissingExtra, UsageError
from dragoman.identifiers.answer import answer
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.text.identify import PAGE_IDENTIFIERS, identify_text, method_names, open_method
from dragoman.languages import normalise

#: Those of other people take seconds to load, and some a gigabyte.
METHODS = [
    pytest.param(name, marks=[pytest.mark.slow] if name in PAGE_IDENTIFIERS else [])
    for name in method_names()
    if name not in PAGE_IDENTIFIERS or PAGE_IDENTIFIERS.reads(name) == "text"
]
OF_DOCUMENTS = [name for name in PAGE_IDENTIFIERS if PAGE_IDENTIFIERS.reads(name) == "documents"]
ROWS = [row for row in HOSTILE.values() if len(row) < 10_000]
LINES = {
    "de": "Heute Morgen bin ich mit dem Fahrrad in die Stadt gefahren.",
    "en": "This morning I went into town on my bicycle with my sister.",
    "fr": "Ce matin je suis allé en ville à vélo avec ma sœur.",
}


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> Classifier:
    try:
        return open_method(request.param)
    except MissingExtra as error:
        pytest.skip(str(error))


def test_every_method_is_examined() -> None:
    assert {str(one.values[0]) for one in METHODS} | set(OF_DOCUMENTS) == set(method_names())


@pytest.mark.parametrize("name", PAGE_IDENTIFIERS)
def test_a_method_says_what_it_is_and_what_it_reads(name: str) -> None:
    assert PAGE_IDENTIFIERS.about(name)
    assert "\n" not in PAGE_IDENTIFIERS.about(name)
    assert PAGE_IDENTIFIERS.reads(name) in ("text", "documents")


def test_its_languages_are_tags_each_once(method: Classifier) -> None:
    assert method.reads == "text"
    assert len(set(method.languages_)) == len(method.languages_) > 1
    assert [normalise(tag) for tag in method.languages_] == list(method.languages_)


def test_it_tells_plain_sentences_among_some_languages(method: Classifier) -> None:
    found = identify_text(list(LINES.values()), method, languages=list(LINES))
    assert [one.language for one in found] == list(LINES)
    assert all(one.probability is not None and 0 < one.probability <= 1 for one in found)


def test_it_chooses_among_those_that_it_is_asked_for(method: Classifier) -> None:
    for row in identify_text([*LINES.values(), *ROWS], method, languages="de,fr"):
        assert row.language in ("de", "fr", None)


@pytest.mark.slow
def test_probabilities_are_none_or_between_0_and_1(method: Classifier) -> None:
    found = answer(method, ByteColumn.from_rows([*(line.encode() for line in LINES.values()), *ROWS]))
    assert found.languages == method.languages_
    known = ~np.isnan(found.probability)
    assert known[: len(LINES)].all()
    assert found.probability[known].min() >= 0
    assert found.probability[known].max() <= 1
    assert (found.language[~known] < 0).all()


def test_text_without_letters_has_no_language(method: Classifier) -> None:
    for text in ("", " \n", "12 + 30 = 42", "!?"):
        found = identify_text(text, method, languages="de,en")
        assert (found.language, found.probability) == (None, None), text


def test_one_equals_the_row_of_many(method: Classifier) -> None:
    rows: list[Any] = [*LINES.values(), *ROWS]
    many = identify_text(rows, method, languages="de,en,fr")
    assert [identify_text(row, method, languages="de,en,fr") for row in rows] == many


@pytest.mark.parametrize("name", OF_DOCUMENTS)
def test_one_that_reads_documents_takes_any_bytes(name: str) -> None:
    identifier = PAGE_IDENTIFIERS[name]()
    assert identifier.identify(b"<meta charset=utf-8><p>" + LINES["de"].encode()).language == "de"
    for row in HOSTILE.values():
        found = identifier.identify(row).language
        assert found is None or normalise(found) == found
    with pytest.raises(UsageError, match="reads documents, not text"):
        open_method(name)
