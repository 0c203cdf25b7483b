"""What a URL model that learns from a crawl would have saved."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.evaluate.adapted import MOST, Adapted, Visit, adapted, area, evenly, needed


def crawl(pages: int, shared: bool = True) -> list[Visit]:
    """Pages of 20 servers in turn; their paths tell the language, which the crawl's own scores do not know."""
    words = {"th": ("krungthep", "khao", "naam"), "en": ("garden", "railway", "water")}
    chance = np.random.default_rng(1)
    found = []
    for place in range(pages):
        language = "th" if chance.random() < 0.3 else "en"
        server = place % 20 if shared else place
        word = words[language][int(chance.integers(3))]
        url = f"http://site{server}.example/{word}/{place}.html"
        found.append(Visit(url, server, language, 0.99, language == "th", float(chance.normal())))
    return found


def test_a_model_that_reads_the_paths_saves_pages() -> None:
    found = adapted(crawl(600), ["th"])
    assert isinstance(found, Adapted)
    assert found.judged == 300
    assert found.trained <= 300
    assert found.area_before == pytest.approx(0.5, abs=0.1)
    assert found.area_after > 0.95
    assert 0 < found.low <= found.saved <= found.high


def test_nothing_of_the_second_half_is_learnt_from() -> None:
    visits = crawl(600)
    swapped = [
        one if place < 300 else Visit(one.url, one.server, "en", 0.99, one.relevant, one.score)
        for place, one in enumerate(visits)
    ]
    assert adapted(swapped, ["th"]) == adapted(visits, ["th"])


def test_small_crawls_and_crawls_of_one_kind_say_why_not() -> None:
    assert "not enough" in str(adapted(crawl(100), ["th"]))
    only = [one for one in crawl(900) if not one.relevant]
    assert "0 wanted pages" in str(adapted(only, ["th"]))
    unsure = [Visit(one.url, one.server, one.language, 0.1, one.relevant, one.score) for one in crawl(600)]
    assert "too few" in str(adapted(unsure, ["th"]))


def test_the_measures_are_what_they_say() -> None:
    truth = np.array([True] * 10 + [False] * 10)
    perfect = np.arange(20, 0, -1).astype(float)
    assert area(perfect, truth) == 1.0
    assert area(-perfect, truth) == 0.0
    assert area(np.zeros(20), truth) == 0.5
    assert needed(perfect, truth) == 9
    assert needed(-perfect, truth) == 19
    assert len(evenly(10 * MOST)) == MOST
