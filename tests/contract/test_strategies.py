"""What every registered strategy promises. Nothing here names one, and none can be left out."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.made_graphs import made_graph

from dragoman.crawl.frontier import Frontier
from dragoman.crawl.records import ServerRule
from dragoman.crawl.simulate import Run, simulate
from dragoman.crawl.simulate.plain import PlainCrawl
from dragoman.crawl.strategies import STRATEGIES, LinkStrategy, ScoutTuning, StrategyOptions
from dragoman.crawl.strategies.check import decisions_problem, problem
from dragoman.crawl.strategies.estimate import INGREDIENTS
from dragoman.crawl.synth import Recipe, make
from dragoman.crawl.url_scores import noisy_score
from dragoman.types import Candidate, Decisions, Fetched
from dragoman.web.graph import Graph

#: What is tried of every option; the first is the default.
TRIED: dict[str, list[object]] = {
    "rule": [
        ServerRule(),
        ServerRule(0),
        ServerRule(1),
        ServerRule(3, share=0.3),
        ServerRule(8, halve_every=20, least=1),
        ServerRule(1, readmit=2),
        ServerRule(2, share=0.4, halve_every=30, readmit=3),
    ],
    "defer": [False, True],
    "promotion": [True, False],
    "complete": [False, True],
    "wander": [False, True],
    "quotas": [{}, {"th": 20}, {"th": 5, "en": 9}, {"th": 0}, {"th": 15, "ko": 1}],
    "languages": [(), ("th",)],
    "tuning": [
        ScoutTuning(),
        ScoutTuning(rate=0.5, explore=0.0, server_prior=3.0, directory_prior=0.5),
        ScoutTuning(without=("parents", "seen")),
        *(ScoutTuning(without=(ingredient,)) for ingredient in INGREDIENTS),
    ],
}
MIXED = 20
TWINS = [name for name, kind in STRATEGIES.items() if kind.twin]


@pytest.fixture(params=STRATEGIES)
def kind(request: pytest.FixtureRequest) -> type[LinkStrategy]:
    return STRATEGIES[request.param]


def asked_of(kind: type[LinkStrategy]) -> list[StrategyOptions]:
    """The default, every value of every option that it takes alone, and some drawn at random together."""
    names = [name for name in TRIED if name in kind.options() or name == "promotion"]
    chance = random.Random(kind.name)
    alone = [{name: value} for name in names for value in TRIED[name][1:]]
    mixed = [{name: chance.choice(TRIED[name]) for name in names} for _ in range(MIXED)]
    every = [StrategyOptions(**values) for values in ({}, *alone, *mixed)]  # type: ignore[arg-type]
    return [options for place, options in enumerate(every) if options not in every[:place]]


def events(run: Run) -> tuple[object, ...]:
    """Every page, and after each of them the queue and the servers; then the links by reason."""
    return run.order.tolist(), run.queue.tolist(), run.servers.tolist(), run.reasons, run.finished


def crawled(
    kind: type[LinkStrategy], seed: int, options: StrategyOptions, *, compiled: bool, scored: bool = True
) -> tuple[object, ...]:
    graph, relevant, score = graph_of(seed)
    given = score if scored else None
    return events(simulate(graph, relevant, kind.name, options, score=given, points=10**9, compiled=compiled))


graph_of = cache(made_graph)


@cache
def small_web() -> tuple[Graph, NDArray[np.bool_], NDArray[np.float32]]:
    web = make(Recipe(pages=2_000, seed=11))
    return web.graph, web.graph.is_in("th"), noisy_score(web.latent == 0, web.graph.server)


def test_every_option_is_tried_and_every_strategy_takes_only_these(kind: type[LinkStrategy]) -> None:
    assert TRIED.keys() == StrategyOptions.__dataclass_fields__.keys()
    assert kind.options() <= TRIED.keys()


def test_a_strategy_is_registered_under_its_own_name_and_says_what_it_is(kind: type[LinkStrategy]) -> None:
    assert STRATEGIES[kind.name] is kind
    assert "\n" not in STRATEGIES.about(kind.name)
    assert STRATEGIES.about(kind.name)
    assert kind.__doc__


def test_it_passes_what_those_of_other_packages_must_pass(kind: type[LinkStrategy]) -> None:
    assert problem(kind.name, type(kind.__name__, (kind,), {})) is None


def test_every_link_gets_a_decision_with_a_reason(kind: type[LinkStrategy]) -> None:
    graph, relevant, score = made_graph(5)
    decided: list[tuple[Fetched, Decisions]] = []
    strategy = kind.with_options(StrategyOptions())
    strategy.foresee(graph, relevant)
    crawl = PlainCrawl(graph, relevant, strategy, Frontier(), score=score, watcher=lambda *what: decided.append(what))
    assert not crawl.advance(len(graph))
    assert len(decided) == crawl.pages > 3
    for page, decisions in decided:
        assert isinstance(page.key, int)
        ends = graph.targets[graph.indptr[page.key] : graph.indptr[page.key + 1]]
        links = [Candidate(end, 0, 0) for end in ends.tolist()]
        assert decisions_problem(decisions, links) is None


@pytest.mark.parametrize("compiled", [False, True])
def test_the_same_web_gives_the_same_crawl_in_one_go_and_in_steps(kind: type[LinkStrategy], compiled: bool) -> None:
    graph, relevant, score = made_graph(6)
    runs = [
        simulate(graph, relevant, kind.name, score=score, points=points, compiled=compiled) for points in (1, 7, 10**9)
    ]
    assert runs[0].order.tolist() == runs[1].order.tolist() == runs[2].order.tolist()
    assert runs[0].reasons == runs[1].reasons == runs[2].reasons


def test_scores_change_nothing_for_those_that_do_not_read_them(kind: type[LinkStrategy]) -> None:
    with_scores, without = (
        crawled(kind, 7, StrategyOptions(), compiled=False, scored=scored) for scored in (True, False)
    )
    assert (with_scores == without) is not kind.reads_scores


def test_names_are_as_good_as_numbers(kind: type[LinkStrategy]) -> None:
    if kind.omniscient:
        pytest.skip("it must know the whole web, which has numbers")
    chance = random.Random(2)
    by_number, by_name = (kind.with_options(StrategyOptions(ServerRule(2))) for _ in range(2))
    for place in range(150):
        server = chance.randrange(12)
        page = Fetched(place, server, 3 * server, chance.random() < 0.4)
        links = [
            Candidate(url, of := url % 12, 3 * of + url % 3, chance.random())
            for url in (chance.randrange(300, 900) for _ in range(8))
        ]
        named = Fetched(f"u{place}", f"s{server}", f"d{3 * server}", page.relevant)
        same = [Candidate(f"u{link.key}", f"s{link.server}", f"d{link.directory}", link.score) for link in links]
        decided, again = by_number.decide(page, links), by_name.decide(named, same)
        assert [(link.priority, link.reason) for link in decided.links] == [
            (link.priority, link.reason) for link in again.links
        ]
        assert (len(decided.dropped), len(decided.released)) == (len(again.dropped), len(again.released))
        ranks, ranks_again = (sorted((one.offset, one.scale) for one in what.shifts) for what in (decided, again))
        assert ranks == ranks_again


@pytest.mark.parametrize("compiled", [False, True])
def test_degenerate_graphs_have_defined_answers(kind: type[LinkStrategy], compiled: bool) -> None:
    def figures(graph: Graph, relevant: list[bool]) -> tuple[object, ...]:
        run = simulate(graph, np.array(relevant, np.bool_), kind.name, compiled=compiled)
        summary = run.summary()
        return tuple(summary[name] for name in ("pages", "coverage", "harvest", "max_queue", "servers"))

    assert figures(Graph.of([]), []) == (0, None, None, 0, 0)
    assert figures(Graph.of([[]], seeds=[0]), [True]) == (1, 1.0, 1.0, 0, 1)
    assert figures(Graph.of([[]], seeds=[0]), [False])[1] is None
    assert figures(Graph.of([[]]), [True]) == (0, 0.0, None, 0, 0)  # no seeds
    assert figures(Graph.of([[], []], fetched=[False, True], seeds=[0]), [False, True])[0] == 0


@pytest.mark.parametrize("name", TWINS)
def test_a_compiled_twin_is_its_class_to_the_last_event(name: str) -> None:
    kind = STRATEGIES[name]
    for place, options in enumerate(asked_of(kind)):
        for seed in (place % 20, 20 + place % 7):
            scored = not kind.reads_scores or seed % 3 > 0
            plain = crawled(kind, seed, options, compiled=False, scored=scored)
            assert crawled(kind, seed, options, compiled=True, scored=scored) == plain, (options, seed)


@pytest.mark.parametrize("name", TWINS)
def test_a_compiled_twin_is_its_class_on_a_synthetic_web_too(name: str) -> None:
    graph, relevant, score = small_web()
    runs = [simulate(graph, relevant, name, score=score, points=10**9, compiled=one) for one in (False, True)]
    assert events(runs[0]) == events(runs[1])


@pytest.mark.parametrize("name", TWINS)
def test_a_subclass_runs_as_itself_and_not_as_the_twin_of_its_parent(name: str) -> None:
    halted = type("Halted", (STRATEGIES[name],), {"decide": lambda self, page, links: Decisions(())})
    graph, relevant, score = made_graph(8)
    run = simulate(graph, relevant, halted(), score=score)
    assert set(run.order.tolist()) <= set(graph.seeds.tolist())
