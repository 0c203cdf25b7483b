"""How much of a page each language has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dragoman import identify_page
from dragoman.columns import ByteColumn
from dragoman.identifiers.answer import answer
from dragoman.identifiers.text.blocks import weighed
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.identify import open_method
from dragoman.identifiers.text.mixture import judged_pages, mixture


@pytest.mark.parametrize("rows", [[[0.0, 0.0]], [[np.nan, np.nan]], [[1e-9, 1e-9], [0.0, 0.0]]])
def test_where_no_language_is_likely_none_has_a_share(rows: list[list[float]]) -> None:
    shares, owners = mixture(np.array(rows, np.float32), np.ones(len(rows)))
    assert shares.tolist() == [0.0, 0.0]
    assert owners.tolist() == [-1] * len(rows)


def test_pieces_belong_to_the_language_that_they_are_likely_in() -> None:
    shares, owners = mixture(
        np.array([[0.99, 0.01], [0.02, 0.98], [0.97, 0.03]], np.float32), np.array([2.0, 1.0, 1.0])
    )
    assert owners.tolist() == [0, 1, 0]
    assert shares[0] == pytest.approx(0.75, abs=0.02)


def test_a_page_of_which_no_piece_is_in_a_language_is_in_none() -> None:
    page = identify_page(read_page(b"svg " * 3000, "text/plain", "http://a.example/"))
    assert (page.language, page.languages) == (None, {})


def test_the_largest_share_is_the_language_of_a_page_whose_pieces_are_sure() -> None:
    page = identify_page(
        read_page(
            "<h1>De nieuwe fietsbrug is open</h1><p>Gisteren is de brug over de rivier geopend. Fietsers hoeven niet "
            "meer om te rijden.</p><p>The bridge was built in two years. It is closed to cars and has a lift for "
            "wheelchairs.</p><p>Unsere Nachbarn aus der Grenzregion kommen jetzt schneller in die Stadt und wieder "
            "nach Hause.</p>",
            "text/html",
        )
    )
    assert page.language == next(iter(page.languages)) == "nl"


def test_the_answers_to_whole_texts_are_those_that_a_second_question_would_get() -> None:
    """One text is taken as it is, one is told by its largest language, one is noise."""
    model = open_method()
    pages = [
        weighed("Das Wetter wird morgen schön und warm, und am Abend gehen wir noch einmal an den See."),
        weighed("Das Wetter wird morgen schön und warm.\nTomorrow the weather will be fine and we shall go out."),
        weighed("svg " * 3000),
        weighed(""),
    ]
    judged = judged_pages(model, pages, whole=True)
    apart = judged_pages(model, pages)
    expected = answer(model, ByteColumn.from_rows(apart.texts), threshold=0.0, matrix=True)
    assert (judged.texts, judged.shares) == (apart.texts, apart.shares)
    assert judged.answers is not None
    assert judged.answers.tags() == expected.tags()
    np.testing.assert_array_equal(judged.answers.matrix, expected.matrix)
    np.testing.assert_array_equal(judged.answers.probability, expected.probability)


def test_what_the_kernel_is_handed_is_made_once_for_scores_and_once_for_answers() -> None:
    """Failed before: it was made anew, longer than a line of text takes, whenever the one followed the other."""
    model: Any = open_method()
    table = model.table_
    first = table._handed_over()._obj
    table._handed_over(2.0, 0.5)
    assert table._handed_over()._obj is first
