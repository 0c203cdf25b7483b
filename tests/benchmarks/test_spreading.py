"""Labels that spread over a graph (benchmarks/links/spreading.py): the compiled round, and what comes of it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from tests.made_graphs import empty, random_graph, village

from dragoman.errors import UsageError
from dragoman.kernels.graph import reversed_links, spread_round
from dragoman.web.graph import Graph

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks" / "links"))
from spreading import (
    couplings,
    link_scale,
    link_weights,
    log_evidence,
    plain_round,
    same_language_share,
    spread,
)


@pytest.mark.parametrize("seed", range(5))
def test_a_round_is_the_same_to_the_last_bit_in_plain_python(seed: int) -> None:
    graph = random_graph(60, 250, seed)
    chance = np.random.default_rng(seed)
    evidence = np.log(chance.dirichlet(np.ones(3), 60)).astype(np.float32)
    plain, compiled = (np.full((60, 3), 1 / 3, np.float32) for _ in range(2))
    weight = link_weights((0.9, 0.7, 0.3), 3, (0.2, 0.3, 0.5))
    places = graph.server, graph.directory
    links = graph.indptr, graph.targets
    scale = link_scale(links, reversed_links(*links), 4.0)
    for _ in range(3):
        one = plain_round(graph, evidence, weight, scale, plain)
        other = spread_round(links, reversed_links(*links), places, evidence, weight, scale, compiled)
        assert one == other
        assert np.array_equal(plain, compiled)


def test_labels_go_from_page_to_page_until_they_settle() -> None:
    graph = Graph.of([[1], [2], [3], [4], []])
    evidence = np.zeros((5, 2), np.float32)
    evidence[0] = np.log([0.99, 0.01])
    found = spread(graph, evidence, ("de", "en"), same=0.9)
    assert found.answers().tolist() == [0] * 5
    assert found.settled
    assert np.allclose(found.beliefs.sum(axis=1), 1, atol=1e-5)


def test_what_is_not_known_stays_unknown() -> None:
    graph = Graph.of([[1], [], []])
    evidence = np.full((3, 2), np.nan, np.float32)
    found = spread(graph, evidence, ("de", "en"))
    assert found.answers(0).tolist() == [-1, -1, -1]
    evidence[0] = np.log([0.6, 0.4])
    found = spread(graph, evidence, ("de", "en"), same=0.1)
    assert found.answers(0.5).tolist() == [0, 0, -1]
    assert found.answers(0.99).tolist() == [-1, -1, -1]


def test_own_evidence_outweighs_few_links_and_yields_to_many() -> None:
    few = Graph.of([[1], []])
    evidence = np.log(np.array([[0.9, 0.1], [0.001, 0.999]])).astype(np.float32)
    assert spread(few, evidence, ("de", "en"), same=0.5).answers().tolist()[1] == 1
    many = Graph.of([*([[20]] * 20), []])
    evidence = np.log(np.array([*([[0.9, 0.1]] * 20), [0.2, 0.8]])).astype(np.float32)
    assert spread(many, evidence, ("de", "en"), same=0.8).answers().tolist()[20] == 0


def test_a_model_that_is_certain_cannot_silence_everything() -> None:
    evidence = np.array([[0.0, -np.inf], [0.0, -np.inf]], np.float32)
    found = spread(Graph.of([[1], []]), evidence, ("de", "en"))
    assert np.isfinite(found.beliefs).all()


def test_empty_graphs_and_no_languages_have_answers() -> None:
    assert spread(empty(), np.empty((0, 2), np.float32), ("de", "en")).answers().tolist() == []
    assert spread(Graph.of([[]]), np.empty((1, 0), np.float32), ()).answers().tolist() == [-1]


def test_the_share_of_links_within_a_language_is_counted_where_both_ends_are_known() -> None:
    graph = village()
    assert same_language_share(graph, graph.language) == pytest.approx(5 / 11)
    assert same_language_share(graph, np.full(9, -1, np.int16)) is None
    # Within directories 0>1, 1>0, 3>4 and 4>3 join one language, all four; within servers none of 0>2, 2>1, 5>6, 6>5;
    # between servers 2>4 does, 0>3 and 4>5 do not.
    assert couplings(graph, graph.language, [1, 1]) == (0.99, 0.0, 0.0)
    assert couplings(graph, np.full(9, -1, np.int16), [1, 1]) == (0.5, 0.5, 0.5)


def test_evidence_adds_up_and_missing_rows_add_nothing() -> None:
    one = np.array([[0.5, 0.5], [np.nan, np.nan]], np.float32)
    other = np.array([[0.25, 0.75], [0.5, 0.5]], np.float32)
    assert log_evidence(one, other) == pytest.approx(np.log([[0.125, 0.375], [0.5, 0.5]]), abs=1e-6)


def test_bad_parameters_are_refused_in_one_line() -> None:
    with pytest.raises(UsageError):
        spread(village(), np.zeros((3, 2), np.float32), ("de", "en"))
    with pytest.raises(UsageError):
        spread(village(), np.zeros((9, 2), np.float32), ("de", "en"), same=1.0)
