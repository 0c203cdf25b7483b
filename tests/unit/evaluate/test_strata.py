from __future__ import annotations

import numpy as np
import pytest

from dragoman.columns import ByteColumn
from dragoman.evaluate.strata import explicit_code, mixed_sites, strata


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/fr/page",
        "http://example.org/fr",
        "http://example.org/FR/",
        "http://example.org/a/pt-br/page",
        "http://example.org/en_US?x=1",
        "http://example.org/deu/page",
        "http://fr.example.org/",
        "http://pt-br.example.org/page",
        "http://example.org/page?lang=fr",
        "http://example.org/page?a=1&hl=de-AT#top",
        "http://example.org/page?a=1;locale=it",
    ],
)
def test_a_code_in_a_segment_the_first_label_or_a_query_value_is_explicit(url: str) -> None:
    assert explicit_code(url.encode())


@pytest.mark.parametrize(
    "url",
    [
        "http://example.fr/",  # the domain's country is another stratum
        "http://fr.com/",  # the registered name, not a label before it
        "http://www.example.org/",
        "http://example.org/it-is-late",
        "http://example.org/france",
        "http://example.org/xq/page",
        "http://example.org/page?colour=de",
        "http://example.org/page?lang=french",
        "http://example.org/a.fr.html",
        "",
        "mailto:fr@example.org",
    ],
)
def test_anything_else_is_not_explicit(url: str) -> None:
    assert not explicit_code(url.encode())


def test_words_in_the_path_are_counted_without_host_and_in_three_parts() -> None:
    urls = ["http://weather-garden-house.org/", "http://a.org/weather", "http://a.org/weather/in/garden.htm", ""]
    urls.append("http://a.org/weather-garden-kitchen")
    parts = strata(ByteColumn.of(urls))["words in the path"]
    assert parts["0"].tolist() == [True, False, False, True, False]
    assert parts["3+"][4]
    assert np.array_equal(np.sum([*parts.values()], axis=0), np.ones(len(urls)))


def test_top_level_domains_of_two_letters_and_outside_ascii_are_countries() -> None:
    urls = ["http://a.de/", "http://a.com/", "http://a.gov/", "http://пример.рф/", "http://a.info/"]
    parts = strata(ByteColumn.of(urls))["top-level domain"]
    assert parts["country"].tolist() == [True, False, False, True, False]
    assert parts["generic"].tolist() == [False, True, True, False, True]


def test_seen_and_mixed_sites_are_strata_only_where_they_are_known() -> None:
    urls = ByteColumn.of(["http://a.de/", "http://b.de/fr/"])
    assert set(strata(urls)) == {"words in the path", "top-level domain", "explicit code"}
    unseen = np.array([True, False])
    found = strata(urls, unseen, ~unseen)
    assert found["site"]["unseen"].tolist() == found["languages of the site"]["one"].tolist() == [True, False]
    assert found["explicit code"]["some"].tolist() == [False, True]


def test_a_site_is_mixed_when_its_labelled_rows_are_of_two_languages() -> None:
    sites, truth = np.array([1, 1, 2, 2, 3, 3]), np.array([0, 1, 0, 0, 0, -1])
    assert mixed_sites(sites, truth, np.array([1, 2, 3, 4])).tolist() == [True, False, False, False]
