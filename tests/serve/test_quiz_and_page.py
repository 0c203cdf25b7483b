"""The routes behind the page: the quiz, the runs, the page's own files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.serve.started import Started, started

import dragoman
from dragoman.languages import FIVE
from dragoman.serve import front
from dragoman.studies.url_2008.quiz import SHIPPED, Quiz

QUIZ = Quiz.read(SHIPPED, dragoman.load_model())
OWN = [("http://www.wetter.de/", "de"), ("http://www.meteo.fr/", "fr"), ("http://www.tempo.pt/", "pt")]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("quiz") / "own.tsv"
    path.write_text("url\tlang\n" + "".join(f"{url}\t{language}\n" for url, language in OWN), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def service() -> Iterator[Started]:
    with started() as there:
        yield there


def post(service: Started, answers: list[dict[str, Any]]) -> tuple[int, dict[str, Any]]:
    body = json.dumps({"answers": answers}).encode()
    status, _, told = service.ask("POST", "/v1/quiz", body, content_type="application/json")
    return status, json.loads(told)


def test_the_urls_that_ship_are_even_and_occur_once() -> None:
    urls = list(QUIZ.questions)
    counts = {language: sum(one == language for one in QUIZ.questions.values()) for language in FIVE}
    assert len(urls) == len(SHIPPED.read_text(encoding="utf-8").splitlines()) - 1
    assert len(set(counts.values())) == 1
    assert sum(counts.values()) == len(urls) >= 100
    assert all(re.fullmatch(r"http://[a-z0-9.-]+/[\w./-]*", url) for url in urls)


def test_a_seed_draws_the_same_urls_and_tells_no_language(service: Started) -> None:
    first, again, other = (service.get(f"/v1/quiz?n=20&seed={seed}") for seed in (5, 5, 6))
    assert first == again
    assert first["urls"] != other["urls"]
    assert len(set(first["urls"])) == 20
    assert set(first) == {"seed", "own", "choices", "urls"}
    assert first["own"] is False
    assert [one["language"] for one in first["choices"]] == list(FIVE)
    assert service.get("/v1/quiz")["seed"] != service.get("/v1/quiz")["seed"]


def test_answers_are_judged_as_the_library_judges_them(service: Started) -> None:
    truth = QUIZ.questions
    urls = service.get("/v1/quiz?n=30&seed=1")["urls"]
    said = [truth[url] if place % 3 else None for place, url in enumerate(urls)]
    status, told = post(service, [{"url": url, "answer": one} for url, one in zip(urls, said, strict=True)])
    expected = QUIZ.result({"you": dict(zip(urls, said, strict=True))}, "model", rounds=2)["judges"]["you"]
    assert status == 200
    assert told["judges"]["you"]["macro_f"] == pytest.approx(expected["macro_f"].value, abs=1e-6)
    assert told["judges"]["you"]["right"] == 20
    assert told["published"]["human_f"] == 0.75
    assert [one["humans"] for one in told["languages"]] == [0.84, 0.82, 0.70, 0.54, 0.86]
    assert sum(one["n"] for one in told["languages"]) == 30
    assert [(row["url"], row["language"]) for row in told["urls"]] == [(url, truth[url]) for url in urls]
    assert [table["title"] for table in told["tables"]][:2] == ["Scores on 30 URLs", "F by language"]
    assert told["tables"][1]["columns"] == ["Language", "URLs", "you", "model", "two people (the 2008 paper)"]
    assert all(isinstance(cell, str) for table in told["tables"] for row in table["rows"] for cell in row)


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([{"url": "http://elsewhere.example/", "answer": "de"}], (409, "not of this quiz")),
        ([{"url": next(iter(QUIZ.questions)), "answer": "xx"}], (409, "none of en, de")),
        ([{"url": next(iter(QUIZ.questions)), "answer": "de", "more": 1}], (422, "more")),
        ([], (422, "answers")),
    ],
)
def test_answers_that_make_no_sense_are_refused_in_one_line(
    service: Started, answers: list[dict[str, Any]], said: tuple[int, str]
) -> None:
    status, told = post(service, answers)
    assert status == said[0]
    assert said[1] in told["detail"]


def test_urls_of_ones_own_have_their_own_languages(own: Path) -> None:
    with started("--quiz", str(own)) as service:
        asked = service.get("/v1/quiz?n=9&seed=0")
        assert sorted(asked["urls"]) == sorted(url for url, _ in OWN)
        assert asked["own"] is True
        status, told = post(service, [{"url": url, "answer": language} for url, language in OWN])
        assert (status, told["judges"]["you"]["macro_f"]) == (200, 1.0)
        assert service.get("/v1/runs") == {"folders": 0, "runs": []}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"[]", "Send a JSON object"),
        (b"3", "Send a JSON object"),
        (b"null", "Send a JSON object"),
        (b"", "Send a body: a JSON object"),
        (b"{", "The body is not JSON: Expecting property name enclosed in double quotes"),
    ],
)
def test_answers_that_are_no_object_are_told_what_to_send(service: Started, body: bytes, said: str) -> None:
    status, _, told = service.ask("POST", "/v1/quiz", body, content_type="application/json")
    assert (status, json.loads(told)["detail"]) == (422, said)


@pytest.mark.parametrize(
    "path",
    ["/", "/health", "/metrics", "/v1/models", "/v1/languages", "/v1/url?u=a", "/v1/runs", "/page/app.js",
     "/v1/quiz?seed=1", "/openapi.json", "/nothing", "/v1/url", "/v1/page"],
)  # fmt: skip
def test_head_is_answered_as_get_is_without_the_body(service: Started, path: str) -> None:
    changing = {"date"} | ({"content-length"} if path == "/metrics" else set())
    got, headers, _ = service.ask("GET", path)
    status, told, body = service.ask("HEAD", path)
    assert (status, body) == (got, b"")
    assert {name: told[name] for name in told.keys() - changing} == {
        name: headers[name] for name in headers.keys() - changing
    }


def test_a_connection_goes_on_after_head(service: Started) -> None:
    with service.connect() as there:
        lines = b"%b /health HTTP/1.1\r\nHost: localhost\r\n%b\r\n"
        there.sendall(lines % (b"HEAD", b"") + lines % (b"GET", b"Connection: close\r\n"))
        told = b"".join(iter(lambda: there.recv(65536), b""))
    first, second, body = told.split(b"\r\n\r\n")
    assert first.startswith(b"HTTP/1.1 200")
    assert second.startswith(b"HTTP/1.1 200")
    assert json.loads(body)["ready"] is True


def test_the_page_allows_itself_nothing_from_elsewhere(service: Started) -> None:
    for path in ("/", "/page/app.js", "/page/style.css", "/dragoman.user.js"):
        status, headers, _ = service.ask("GET", path)
        assert status == 200
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    _, headers, _ = service.ask("GET", "/page/app.js")
    assert headers["content-type"].startswith("text/javascript")
    assert service.ask("GET", "/page/app.js", if_none_match=headers["etag"])[0] == 304


@pytest.mark.parametrize("name", ["../app.py", "..%2fapp.py", "%2e%2e/settings.py", "nothing.js", "", "index.html%00"])
def test_only_files_of_the_page_are_given(service: Started, name: str) -> None:
    assert service.ask("GET", f"/page/{name}")[0] == 404


@pytest.mark.parametrize("name", ["nothing", "..", "%2e%2e%2f%2e%2e%2fetc", "a%00b"])
def test_a_run_that_was_not_given_does_not_exist(service: Started, name: str) -> None:
    status, _, body = service.ask("GET", f"/v1/runs/{name}")
    assert status == 404
    assert json.loads(body)["status"] == 404


def test_the_files_name_each_other_and_nobody_else() -> None:
    texts = {name: (front.FOLDER / name).read_text(encoding="utf-8") for name in front.names()}
    for name, text in texts.items():
        for used in re.findall(r'from "\./([^"]+)"|(?:src|href)="page/([^"]+)"', text):
            assert "".join(used) in texts, (name, used)
        assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text), (
            name
        )
        assert not re.search(r"<style|<script>|\son\w+=|\sstyle=", text) or name.endswith(".js"), name
        outside = re.findall(r"https?://[\w.-]+", text)
        known = ("www.w3.org", "127.0.0.1", "example.")
        assert name == "urls.js" or all(any(one in url for one in known) for url in outside), (name, outside)
