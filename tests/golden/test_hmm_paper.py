"""Worked examples of "Language identification in web documents using discrete HMMs" (2004), section 3."""

from __future__ import annotations

import html

import numpy as np
import pytest
from tests.made_urls import labelled_texts

from dragoman.identifiers.text.algorithms.hmm.model import Shape
from dragoman.identifiers.text.algorithms.hmm.streams import COMBINATIONS, cells, observations
from dragoman.identifiers.text.algorithms.hmm.symbols import LATIN, PERIOD, SPACE, symbols
from dragoman.studies.hmm_2004.two_languages import CHANGE, read_page
from dragoman.studies.text_draws import LabelledTexts

#: The paper's 32 letters of Latin-1 under their HTML names, in its order.
LETTERS = [
    "agrave",
    "aacute",
    "acirc",
    "atilde",
    "auml",
    "aring",
    "aelig",
    "ccedil",
    "egrave",
    "eacute",
    "ecirc",
    "euml",
    "igrave",
    "iacute",
    "icirc",
    "iuml",
    "eth",
    "ntilde",
    "ograve",
    "oacute",
    "ocirc",
    "otilde",
    "ouml",
    "oslash",
    "ugrave",
    "uacute",
    "ucirc",
    "uuml",
    "yacute",
    "thorn",
    "szlig",
    "yuml",
]


def test_there_are_sixty_symbols_in_the_papers_order() -> None:
    latin = "".join(html.unescape(f"&{name};") for name in LETTERS)
    assert symbols("abcdefghijklmnopqrstuvwxyz").tolist() == list(range(1, 27))
    assert symbols("a. b").tolist() == [1, PERIOD, SPACE, 2] == [1, 27, 28, 2]
    assert symbols(latin).tolist() == list(range(29, 61))
    assert LATIN == 60


def test_capitals_are_small_letters() -> None:
    capitals = "".join(html.unescape(f"&{name.capitalize()};") for name in LETTERS[:6] + LETTERS[7:16])
    small = "".join(html.unescape(f"&{name};") for name in LETTERS[:6] + LETTERS[7:16])
    assert symbols(capitals).tolist() == symbols(small).tolist()
    assert symbols("ÆÐÞØ").tolist() == symbols("æðþø").tolist()


def test_acb_gives_the_papers_features() -> None:
    found = observations(symbols("acb"), "s&d0&d1", 60)
    assert found.T.tolist() == [[1, 3, 2], [61, 62, 59], [61, 63, 61]]
    assert found.tolist() == [[1, 61, 61], [3, 62, 63], [2, 59, 61]]


def test_the_order_of_streams_is_the_order_of_columns() -> None:
    assert observations(symbols("acb"), "d1&s", 60).T.tolist() == [[61, 63, 61], [1, 3, 2]]


def test_differences_fill_their_stated_range() -> None:
    extremes = observations(symbols("aÿaÿ"), "d0", 60)[1:, 0]
    assert (extremes.min(), extremes.max()) == (1, 119)


def test_the_start_value_of_the_last_letter_lies_outside_the_stated_range_and_has_a_cell() -> None:
    assert observations(symbols("ÿ"), "d0&d1&d2", 60).tolist() == [[120, 120, 120]]
    assert cells("d0", 60, "lag") == cells("d2", 60, "lag") == 120


def test_there_are_fifteen_combinations() -> None:
    assert len(set(COMBINATIONS)) == 15
    assert COMBINATIONS[0] == "s"
    assert COMBINATIONS[-1] == "s&d0&d1&d2"


@pytest.mark.parametrize(
    ("topology", "rows"),
    [
        ("left-right", [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]),
        ("skips", [[1, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1]]),
        ("ergodic", [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]]),
    ],
)
def test_a_topology_allows_these_transitions(topology: str, rows: list[list[int]]) -> None:
    assert np.array_equal(Shape(3, topology, (0, 60)).allowed(), np.array(rows, bool))


#: A little prose, so that the models know how sentences of the two languages go.
PROSE = {
    "it": "Il treno parte alle otto del mattino e arriva in città prima di mezzogiorno. La strada che porta al mare è "
    "lunga, ma il paesaggio è bello e la gente del posto è gentile. Nel mercato della piazza si vendono la frutta, il "
    "pesce e le scarpe. Mia sorella lavora in una scuola vicino alla stazione e la sera torna a casa con gli amici. "
    "Quando piove restiamo in cucina, dove il nonno racconta la storia della sua famiglia e noi mangiamo il pane con "
    "l'olio. Domani andiamo a vedere la chiesa che hanno aperto dopo i lavori, e poi il museo con i quadri antichi.",
    "en": "The train leaves at eight in the morning and reaches the town before noon. The road which leads down to the "
    "shore is long, but the country is fine and the people who live there are kind. In the market on the square they "
    "sell fruit, fish and shoes. My sister works in a school close to the station and comes home with her friends in "
    "the evening. When it rains we stay in the kitchen, where grandfather tells the story of his house and we eat the "
    "bread. Tomorrow we shall see the church that was opened after the works, and then the old paintings.",
}


def test_a_page_of_two_languages_is_cut_once_and_where_it_changes() -> None:
    """The shape of the paper's Figure 4; the paper's own page is tried by benchmarks/tracking/figure_4.py."""
    made = labelled_texts(("de", "en", "es", "fr", "it"))
    train = LabelledTexts((*made.urls, *PROSE.values()), (*made.labels, *PROSE))
    learnt, passes, _ = zip(*read_page(train).values(), strict=True)
    assert learnt[0] == 2
    assert abs(learnt[1] - CHANGE) <= 3
    assert learnt[2] == "it en"
    assert passes[0] > 100, "a decision every three symbols without a penalty is not what the paper ran"


def test_third_differences_reach_four_places_back() -> None:
    found = observations(np.array([1, 3, 2, 5, 4], np.int32), "d3", 60)
    assert found[:, 0].tolist() == [61, 63, 62, 65, 63]
