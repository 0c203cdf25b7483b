from __future__ import annotations

import numpy as np

from dragoman.crawl.simulate import simulate
from dragoman.crawl.strategies.site_based import ANOTHER_SITE, SITE_LEFT, Linguacrawl, Trafilatura
from dragoman.types import Candidate, Fetched
from dragoman.web.graph import Graph


def trial(relevant: int, pages: int = 200) -> Linguacrawl:
    """A strategy that has seen so many pages of the site "a", the first so many relevant."""
    strategy = Linguacrawl()
    for number in range(pages):
        strategy.decide(Fetched(number, "a", "a/", relevant=number < relevant), [])
    return strategy


def test_a_site_is_left_after_two_hundred_pages_with_under_a_tenth_of_them_relevant() -> None:
    assert trial(19).gave_up("a", "a/")
    assert not trial(20).gave_up("a", "a/")
    assert not trial(0, 199).gave_up("a", "a/")
    decided = trial(19).decide(
        Fetched("b/1", "b", "b/", relevant=True), [Candidate(1, "a", "a/"), Candidate(2, "c", "c/")]
    )
    assert [decision.reason for decision in decided.links] == [SITE_LEFT, "on a relevant page"]


def test_the_trial_is_held_once() -> None:
    strategy = trial(20)
    for number in range(1000):
        assert not strategy.decide(Fetched(f"a/{number}", "a", "a/", relevant=False), []).dropped
    assert not strategy.gave_up("a", "a/")


def test_waiting_urls_of_a_site_that_is_left_leave_the_queue() -> None:
    """A seed without a relevant page links to 300 pages of its site: 200 are fetched."""
    graph = Graph.of([list(range(1, 301)), *([] for _ in range(300))], seeds=[0])
    assert len(simulate(graph, np.zeros(301, np.bool_), "linguacrawl").order) == 200


def test_a_page_in_another_language_gives_no_links_and_no_link_leaves_the_site() -> None:
    links = [Candidate(1, "a", "a/x"), Candidate(2, "b", "b/")]
    relevant = Trafilatura().decide(Fetched(0, "a", "a/", relevant=True), links).links
    assert [decision.priority for decision in relevant] == [1.0, None]
    assert relevant[1].reason == ANOTHER_SITE
    other = Trafilatura().decide(Fetched(0, "a", "a/", relevant=False), links).links
    assert [decision.priority for decision in other] == [None, None]
