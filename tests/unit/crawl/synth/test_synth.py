from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from dragoman.crawl.synth import Recipe, SyntheticWeb, make, statistics, table, urls
from dragoman.crawl.synth.servers import pareto_sizes
from dragoman.errors import UsageError
from dragoman.kernels.graph import distances
from dragoman.kernels.synth import children
from dragoman.web.addresses import server_and_directory
from dragoman.web.locality import locality

ARRAYS = ("indptr", "targets", "server", "directory", "language", "length", "fetched", "seeds")


@cache
def web(pages: int = 30_000, seed: int = 4, languages: tuple[str, ...] = ("th",)) -> SyntheticWeb:
    return make(Recipe(pages=pages, seed=seed, languages=languages))


def same(one: SyntheticWeb, other: SyntheticWeb) -> bool:
    return all(np.array_equal(getattr(one.graph, name), getattr(other.graph, name)) for name in ARRAYS)


def test_the_same_seed_gives_the_same_web_and_another_seed_another() -> None:
    again = make(Recipe(pages=30_000, seed=4))
    assert same(web(), again)
    assert np.array_equal(web().latent, again.latent)
    assert not same(web(), make(Recipe(pages=30_000, seed=5)))


def test_every_page_can_be_reached_from_the_seeds() -> None:
    graph = web().graph
    reached = distances(graph.indptr, graph.targets, graph.seeds)
    assert (reached >= 0).all()
    assert len(graph.seeds) == 3
    assert (graph.language[graph.seeds] == 0).all()


def test_no_page_links_twice_to_one_page_or_to_itself() -> None:
    graph = web().graph
    source = np.repeat(np.arange(len(graph)), np.diff(graph.indptr))
    assert not (source == graph.targets).any()
    assert len(np.unique(source * len(graph) + graph.targets)) == graph.links


def test_urls_that_were_only_seen_have_no_links_and_no_language_but_a_latent_one() -> None:
    graph = web().graph
    assert (np.diff(graph.indptr)[~graph.fetched] == 0).all()
    assert (graph.language[~graph.fetched] == -1).all()
    assert (web().latent >= 0).all()
    assert np.array_equal(web().latent[graph.fetched], graph.language[graph.fetched])


def test_the_statistics_are_those_of_the_paper() -> None:
    rows = [one for one in statistics(web().graph, "th") if "hard-focused" not in one.name]
    assert len(rows) == 14
    assert not [one for one in rows if not one.fits]


def test_misfits_are_named() -> None:
    rows = statistics(web().graph, "en")
    assert "MISFIT" in "\n".join(table(rows))


def test_target_share_falls_with_the_distance_and_few_pages_are_far_from_the_next() -> None:
    found = locality(web().graph, "th")
    within = found.target_share_within
    assert within[0] == 1
    assert within[2] > 2 * within[-1]
    assert found.nearest_at[1] > 0.95 * found.target_pages
    assert found.nearest_at[2] > found.nearest_at[3:].sum()


def test_several_target_languages_each_have_pages_servers_and_seeds() -> None:
    made = web(40_000, 1, ("th", "fi", "hu"))
    assert len(made.graph.seeds) == 9
    counts = np.bincount(made.graph.language[made.graph.fetched])[:3]
    assert (np.abs(counts / 40_000 - 0.094) < 0.03).all()
    for language in ("th", "fi", "hu"):
        share = locality(made.graph, language).rows()[0]["share"]
        assert share == pytest.approx(0.718, abs=0.1)


def test_urls_are_different_and_say_server_and_directory() -> None:
    graph, batch = web().graph, urls(web())
    rows = [one.decode() for one in batch]
    assert len(set(rows)) == len(rows)
    places = [server_and_directory(one) for one in rows]
    assert len({host for host, _ in places}) == len(np.unique(graph.server))
    assert len(set(places)) == len(np.unique(graph.directory))
    by_directory: dict[int, tuple[str, str]] = {}
    for number, at in zip(graph.directory[graph.fetched].tolist(), places, strict=False):
        assert by_directory.setdefault(number, at) == at


def test_any_part_of_the_urls_is_the_same_alone() -> None:
    whole, part = urls(web()), urls(web(), 1000, 1100)
    assert list(part) == [whole[row] for row in range(1000, 1100)]


def test_a_third_of_the_target_servers_have_the_country_domain() -> None:
    hosts = {server_and_directory(one.decode())[0] for one in urls(web(60_000, 2))}
    thai = [host for host in hosts if host.endswith(".th")]
    assert 12 < len(thai) < 60  # of 87 target servers


@pytest.mark.parametrize(
    "wrong", [{"pages": 10}, {"languages": ()}, {"languages": ("th", "Thai")}, {"seed": -1}, {"share": 0.9}]
)
def test_a_recipe_that_cannot_be_made_is_refused_in_one_line(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError) as caught:
        Recipe(**wrong)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("pages", [2_000, 5_000])
def test_the_smallest_webs_can_be_made(pages: int) -> None:
    made = make(Recipe(pages=pages, seed=1))
    assert made.graph.fetched.sum() == pytest.approx(pages, rel=0.2)


@pytest.mark.parametrize("servers", [200, 2_000])
def test_a_web_has_as_many_servers_as_are_asked_for(servers: int) -> None:
    made = make(Recipe(pages=20_000, seed=2, share=0.1, servers=servers))
    assert abs(made.live - servers) <= 2
    assert abs(int(made.graph.fetched.sum()) - 20_000) < 100
    assert 0.09 < made.graph.is_in("th").sum() / 20_000 < 0.11
    with pytest.raises(UsageError, match=r"has 25 to 6,666 servers, not 20"):
        Recipe(pages=20_000, servers=20)


def test_sizes_sum_to_the_pages_and_are_heavy_tailed() -> None:
    sizes = pareto_sizes(np.random.default_rng(1), 10_000, 300_000, 0.82, 20_000)
    assert sizes.sum() == pytest.approx(300_000, rel=0.01)
    assert np.median(sizes) < 5
    assert sizes.max() > 10_000


def test_children_are_grouped_by_their_parent() -> None:
    start, found = children(np.array([0, 0, 1, 0, 4], np.uint32))
    assert start.tolist() == [0, 2, 3, 3, 3, 3]
    assert found.tolist() == [1, 3, 2]


def test_what_the_paper_does_not_print_is_not_shown_as_its_own() -> None:
    row = statistics(web().graph, "th")[-1]
    assert row.name == "target pages that hard-focused reaches"
    assert row.paper is None
    assert row.fits
    assert table([row])[1].split()[-2] == "-"
    assert json.loads(json.dumps(row.as_json()))["paper"] is None
