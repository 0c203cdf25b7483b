"""The parts of a URL: where they stand, and that their weights sum to the model's score."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from tests.made_urls import HOSTILE

import dragoman
from dragoman.columns import ByteColumn, text_of
from dragoman.identifiers.url.places import placed_tokens
from dragoman.serve.why import why

URLS = (
    "http://www.zeitung.de/vorhersage/heute.html?lang=en", "https://fr.example.org/fr/fr/maison_fr.html?l=fr&m=fr-ca",
    "http://xn--mnchen-3ya.de/stra%C3%9Fe/stra%C3%9Fe", "http://пример.рф/новости/новости?u=сегодня", "de",
    "  http://user:pass@WWW.Haus.AT.:8080/Haus//haus  ", "mailto:a@b.de", "http://fran%E7ais.fr/fran%E7ais",
)  # fmt: skip


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("name", ["default", "cctld"])
def test_the_weights_of_parts_and_others_sum_to_the_score(url: str, name: str) -> None:
    model = dragoman.load_model(name)
    scores = model.scores(ByteColumn.from_rows([url]))
    told = why(model, url, model.languages_)
    for column, language in enumerate(model.languages_):
        total = sum(one["weights"][language] for one in (*told["parts"], *told["others"]))
        score = scores.matrix[0, column]
        if score == score:
            assert total == pytest.approx(score, abs=1e-3)


def test_parts_stand_where_they_say(client: TestClient) -> None:
    answer = client.get("/v1/url", params={"u": URLS[0], "why": "true", "top": 3}).json()
    assert [part["text"] for part in answer["parts"]] == ["zeitung", "de", "vorhersage", "heute", "lang", "en"]
    assert all(URLS[0][part["start"] : part["end"]] == part["text"] for part in answer["parts"])
    by_text = {part["text"]: part for part in answer["parts"]}
    assert (by_text["zeitung"]["language"], by_text["en"]["language"]) == ("de", "en")
    assert [other["feature"] for other in answer["others"]] == ["(prior)"]
    assert list(by_text["zeitung"]["weights"])[:3] == [one["language"] for one in answer["top"]]


def test_words_in_punycode_and_escapes_stand_where_they_are_written() -> None:
    parts = why(dragoman.load_model(), URLS[2], ("de",))["parts"]
    assert [part["text"] for part in parts] == ["xn--mnchen-3ya", "de", "stra%C3%9Fe", "stra%C3%9Fe"]
    assert parts[2]["weight"] == parts[3]["weight"]


def test_offsets_are_characters_of_the_url_as_it_was_given() -> None:
    parts = why(dragoman.load_model(), URLS[3], ("ru",))["parts"]
    assert [part["text"] for part in parts] == ["пример", "рф", "новости", "новости", "сегодня"]


def test_any_bytes_have_places_inside_them() -> None:
    for url in (url[:1000] for url in HOSTILE.values()):
        at = 0
        for one in placed_tokens(url):
            assert 0 <= one.start < one.end <= len(url)
            assert one.start >= at or url[one.start : one.end].lower().startswith(b"xn--")
            at = one.start
        told = why(dragoman.load_model(), text_of(url), ())
        assert all(text_of(url)[part["start"] : part["end"]] == part["text"] for part in told["parts"])


def test_a_url_without_words_has_no_parts(client: TestClient) -> None:
    answer = client.get("/v1/url", params={"u": "http://127.0.0.1/", "why": "true"}).json()
    assert answer["parts"] == answer["others"] == answer["top"] == []
