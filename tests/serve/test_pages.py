"""`POST /v1/page` and `POST /v1/track`: the library's answers to pages and texts, however they are sent."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.testclient import TestClient

import dragoman
from dragoman.identifiers.text.document import read_page

PAGE = (
    "<html lang=de><title>Ein Haus</title><p>Das ist ein schönes Haus, und es gehört mir schon lange."
    "<p>This is a beautiful house, and it has been mine for a long time."
)
TEXT = "Il fait beau aujourd'hui et nous allons au marché. El tiempo es bueno y vamos al mercado mañana."


def post(client: TestClient, path: str, body: str | bytes, kind: str, **more: str) -> dict[str, Any]:
    answer = client.post(path, content=body, headers={"content-type": kind, **more})
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_a_page_is_told_with_everything_that_it_says_of_itself(client: TestClient) -> None:
    body = PAGE.encode("latin-1")
    found = post(client, "/v1/page?url=http%3A%2F%2Fwww.ourvillage.org.uk%2F", body, "text/html; charset=iso-8859-1")
    told = dragoman.identify_text(read_page(PAGE, "text/html"))
    from_url = dragoman.identify("http://www.ourvillage.org.uk/")
    assert found["language"] == told.language
    assert found["probability"] == pytest.approx(told.probability, abs=1e-6)
    assert found["top"][0] == {"language": found["language"], "probability": found["probability"]}
    assert len(found["top"]) == 5
    assert (found["declared"], found["declared_how"]) == ("de", "html")
    assert (found["charset"], found["charset_how"]) == ("windows-1252", "header")
    assert (found["title"], found["kind"]) == ("Ein Haus", "html")
    assert found["url"]["language"] == from_url.language == "en"
    assert found["agreement"] == {"declared": told.language == "de", "url": told.language == "en"}


def test_the_header_may_say_the_language(client: TestClient) -> None:
    found = post(client, "/v1/page", TEXT, "text/plain", **{"content-language": "fr-CA"})
    assert (found["declared"], found["declared_how"], found["kind"]) == ("fr", "header", "text")


def test_the_same_page_may_come_as_json(client: TestClient) -> None:
    body = {"html": PAGE, "url": "http://www.ourvillage.org.uk/"}
    found = client.post("/v1/page", json=body).json()
    sent = post(client, "/v1/page?url=http%3A%2F%2Fwww.ourvillage.org.uk%2F", PAGE, "text/html; charset=utf-8")
    assert found | {"charset": "utf-8", "charset_how": "header"} == sent
    assert client.post("/v1/page", json={"text": TEXT}).json()["kind"] == "text"


def test_a_page_without_letters_has_no_language(client: TestClient) -> None:
    found = post(client, "/v1/page", b"<p>1, 2, 3", "text/html")
    assert (found["language"], found["probability"], found["letters"]) == (None, None, 0)
    assert found["agreement"] == {"declared": None, "url": None}


def test_what_is_no_text_is_binary(client: TestClient) -> None:
    found = post(client, "/v1/track", b"\x89PNG\r\n\x1a\n" + bytes(500), "text/html")
    assert found == {"kind": "binary", "text": "", "spans": [], "languages": []}


def test_a_text_is_tracked_as_the_library_does(client: TestClient) -> None:
    found = post(client, "/v1/track", TEXT, "text/plain; charset=utf-8")
    spans = dragoman.track(TEXT)
    assert found["text"] == TEXT
    assert [(one["start"], one["end"], one["language"]) for one in found["spans"]] == [
        (span.start, span.end, span.language) for span in spans
    ]
    letters = {one["language"]: one["letters"] for one in found["languages"]}
    assert sum(letters.values()) == sum(map(str.isalpha, TEXT))
    assert sum(one["share"] for one in found["languages"]) == pytest.approx(1, abs=1e-5)


def test_the_spans_of_a_page_stand_in_its_source_too(client: TestClient) -> None:
    found = client.post("/v1/track", json={"html": PAGE, "languages": ["de", "en"]}).json()
    assert [one["language"] for one in found["spans"]] == ["de", "en"]
    for span in found["spans"]:
        assert PAGE[span["source_start"] : span["source_end"]] == found["text"][span["start"] : span["end"]]


def test_the_choice_of_languages_may_stand_in_the_query(client: TestClient) -> None:
    found = post(client, "/v1/track?languages=fr,it", TEXT, "text/plain; charset=utf-8")
    assert {one["language"] for one in found["spans"]} <= {"fr", "it", None}
    found = post(client, "/v1/page?languages=it,es", TEXT, "text/plain; charset=utf-8")
    assert found["language"] in ("it", "es")


def test_languages_that_a_method_does_not_have_are_told(client: TestClient) -> None:
    for path in ("/v1/page", "/v1/track"):
        answer = client.post(path, json={"text": "a", "languages": ["xx"]})
        assert answer.status_code == 422
        assert "'xx'" in answer.json()["detail"]


def test_offsets_are_characters_even_beyond_the_first_plane(client: TestClient) -> None:
    text = "😀 Das ist ein schönes Haus in der Stadt. 😀 This is a beautiful house in the city."
    found = client.post("/v1/track", json={"text": text}).json()
    assert [(one["start"], one["end"]) for one in found["spans"]] == [
        (one.start, one.end) for one in dragoman.track(text)
    ]
    assert "This" in text[found["spans"][1]["start"] : found["spans"][1]["end"]]


def test_a_page_that_is_too_large_is_refused(client: TestClient) -> None:
    answer = client.post("/v1/page", content=b"x" * 100_001, headers={"content-type": "text/html"})
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")
