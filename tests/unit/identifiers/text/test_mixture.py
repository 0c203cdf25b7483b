"""How much of a page each language has."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman import identify_page
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.mixture import mixture


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
