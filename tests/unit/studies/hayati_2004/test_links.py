from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from dragoman.languages import ELEVEN
from dragoman.studies.hayati_2004.links import (
    AS_MADE,
    AS_REPORTED,
    LONG,
    SILENT,
    UNDER_25,
    LinkedPages,
    rewired,
    same_language,
)
from dragoman.web.graph import Graph


def share(graph: Graph) -> float:
    known, same = same_language(graph)
    return float(same.sum() / known.sum())


@pytest.fixture(scope="module", params=[AS_MADE, AS_REPORTED])
def pages(request: pytest.FixtureRequest) -> LinkedPages:
    return LinkedPages.made(4_000, 3, request.param, 0.95)


def test_links_stay_in_a_language_as_often_as_the_report_counted() -> None:
    made, reported = (LinkedPages.made(4_000, 3, links, 0.95) for links in (AS_MADE, AS_REPORTED))
    assert share(made.graph) < 0.8
    assert share(reported.graph) == pytest.approx(0.95, abs=0.001)
    assert made.graph.indptr.tolist() == reported.graph.indptr.tolist()


def test_a_link_that_is_led_elsewhere_goes_to_a_page_in_the_language_of_its_own() -> None:
    graph = Graph.of([[1, 2], [0], [], [0, 2]], language=[0, 1, 0, 1], languages=("de", "en"))
    changed = rewired(graph, 1.0, np.random.default_rng(0))
    assert share(changed) == 1.0
    assert changed.targets[1] == graph.targets[1]  # 0 to 2 stays in German


def test_short_pages_have_hardly_any_links_of_their_own(pages: LinkedPages) -> None:
    degree = np.diff(pages.graph.indptr)[: len(pages.kind)]
    short = pages.kind != LONG
    assert (degree[short] == 0).mean() > SILENT - 0.05
    assert set(pages.graph.length[: len(pages.kind)][short]) == {20, 40}


def test_a_page_that_everybody_answers_rightly_takes_the_answer_of_its_inlinks(pages: LinkedPages) -> None:
    """Long pages are always right, short ones never: what INLINKS gets right is what the links give."""

    def pool(kind: int, language: int) -> NDArray[np.int64]:
        return np.array([language if kind == LONG else (language + 1) % len(ELEVEN)])

    answers = pages.answered(pool, np.random.default_rng(1))
    about = pages.about()
    under = about["kind"] == UNDER_25
    right = {method: (said == about["truth"])[under] for method, said in answers.items()}
    assert not right["text"].any()
    assert right["inlinks"].mean() > 0.6
    assert not right["inlinks"][about["inlinks"][under] == 0].any()
    assert 0 < right["outlinks"].mean() < 1.5 * (1 - SILENT)
