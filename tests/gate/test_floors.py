from __future__ import annotations

from pathlib import Path

import pytest
from tests.gate import floors, news_sites
from tests.gate.floors import Below, Figure, below, raised
from tests.gate.news_sites import Row, usable

from dragoman.identifiers.models import open_model
from dragoman.identifiers.url.algorithms.cctld import CountryCode


@pytest.fixture(scope="module")
def path() -> Path:
    """The list of news sites that the floors belong to."""
    found = news_sites.database()
    if found is None:
        pytest.skip(f"the list of news sites is not installed: {news_sites.INSTALL}")
    if news_sites.digest(found) != floors.kept().list:
        pytest.skip(f"the floors belong to another list of news sites: {news_sites.INSTALL}")
    return found


def test_the_model_that_ships_falls_below_no_floor(path: Path) -> None:
    low = below(floors.figures(open_model(), news_sites.sets_of(path)), floors.kept().floors)
    assert not low, "\n".join(["the model that ships falls below its floors on news sites:", *map(str, low)])


def test_a_poor_model_is_noticed(path: Path) -> None:
    poor = floors.figures(CountryCode.ready(), news_sites.sets_of(path))
    assert len(below(poor, floors.kept().floors)) > len(floors.kept().floors) / 2


def test_every_kind_of_figure_has_a_floor() -> None:
    names = floors.kept().floors
    for kind in ("feeds", "home pages", "feeds, unseen sites", "home pages, unseen sites"):
        assert {f"{kind}/five, macro F", f"{kind}/all, accuracy", f"{kind}/en, recall"} <= set(names)
    assert all(0 <= floor <= 1 for floor in names.values())


def test_the_list_is_as_large_as_it_was_and_its_labels_are_tags(path: Path) -> None:
    rows = news_sites.rows(path)
    assert len(rows) == len({row.feed for row in rows}) > 4_000
    assert {"en", "de", "fr", "es", "it", "ru", "pt", "zh", "ja", "nl"} <= {row.language for row in rows}
    unseen = news_sites.unseen(path)
    assert 500 < len(unseen) < len(rows) / 2
    assert unseen <= {row.number for row in rows}
    for test in news_sites.sets_of(path).values():
        assert len(test.urls) == len(set(test.urls)) == len(test.languages)


def test_sites_of_two_languages_and_labels_of_a_neighbour_are_left_out() -> None:
    made = [
        Row(1, "a.example", "http://a.example/feed", "en"),
        Row(2, "a.example", "http://a.example/de/feed", "de"),
        Row(3, "b.cat", "http://b.cat/feed", "es"),
        Row(4, "c.es", "http://c.es/feed", "es"),
        Row(5, "d.cat", "http://d.cat/feed", "ca"),
    ]
    assert [row.number for row in usable(made)] == [4, 5]


def test_a_site_is_seen_if_any_domain_above_it_is() -> None:
    row = Row(1, "news.example.org", "https://rss.feeds.example.com/x", "en")
    assert row.hosts() == {
        "news.example.org",
        "example.org",
        "rss.feeds.example.com",
        "feeds.example.com",
        "example.com",
    }
    assert row.home == "http://news.example.org/"


def test_what_is_below_is_told_with_language_floor_value_and_number() -> None:
    found = {"feeds/th, recall": Figure(0.5, 40), "feeds/el, recall": Figure(0.9, 50)}
    low = below(found, {"feeds/th, recall": 0.6, "feeds/el, recall": 0.9, "feeds/xx, recall": 0.1})
    assert low == [Below("feeds/th, recall", 0.6, 0.5, 40), Below("feeds/xx, recall", 0.1, 0.0, 0)]
    assert str(low[0]) == "feeds/th, recall: floor 0.6000, found 0.5000, n = 40"


def test_floors_only_rise() -> None:
    found = {
        "a/all, accuracy": Figure(0.9, 1000),
        "b/all, accuracy": Figure(0.7, 1000),
        "a/th, recall": Figure(0.5, 40),
    }
    before = {"b/all, accuracy": 0.75, "gone/all, accuracy": 0.2}
    after = raised(found, before)
    assert after == {
        "a/all, accuracy": 0.898,
        "b/all, accuracy": 0.75,
        "a/th, recall": 0.45,
        "gone/all, accuracy": 0.2,
    }
    assert raised(found, after) == after
