"""`GET /v1/url` and `POST /v1/urls`: the library's answers, in every format, row for row."""

from __future__ import annotations

import asyncio
import io
from typing import Any

import orjson
import pyarrow as pa
import pytest
from starlette.testclient import TestClient
from tests.made_urls import HOSTILE
from tests.own_loop import in_its_own_loop
from tests.serve.attacks import arrow_stream

import dragoman
from dragoman.columns import text_of
from dragoman.serve.judges import UrlsTogether
from dragoman.serve.service import Service

URLS = [
    "http://www.wetter.de/vorhersage/heute.html", "https://fr.wikipedia.org/wiki/Chat", "mailto:a@b.de", "",
    "http://xn--mnchen-3ya.de/stra%C3%9Fe", 'http://a.it/","casa\\"', "http://пример.рф/новости", "http://127.0.0.1/",
]  # fmt: skip
ARROW, NDJSON = {"content-type": "application/vnd.apache.arrow.stream"}, {"content-type": "application/x-ndjson"}


def expected(urls: list[Any], **more: Any) -> list[dict[str, Any]]:
    found = dragoman.identify(urls, **more)
    rounded = [None if one.probability is None else round(one.probability, 6) for one in found]
    return [
        {"url": url, "language": one.language, "probability": value}
        for url, one, value in zip(urls, found, rounded, strict=True)
    ]


def test_a_batch_in_json_is_answered_as_the_library_does(client: TestClient) -> None:
    answer = client.post("/v1/urls", json={"urls": URLS})
    assert answer.status_code == 200
    assert answer.json() == {"model": "default", "results": expected(URLS)}


def test_an_empty_batch_is_answered_with_an_empty_one(client: TestClient) -> None:
    assert client.post("/v1/urls", json={"urls": []}).json()["results"] == []
    assert client.post("/v1/urls", content=b"\n \n", headers=NDJSON).content == b""
    empty = client.post("/v1/urls", content=arrow_stream(pa.table({"url": pa.array([], pa.string())})), headers=ARROW)
    assert pa.ipc.open_stream(empty.content).read_all().num_rows == 0


def test_hostile_urls_come_back_as_they_were(client: TestClient) -> None:
    urls = [text_of(url)[:1900] for url in HOSTILE.values()]
    urls += ['"', '","', '\\"', ",", "\n", "\0", "😀", "}{", "\x7f\x1f"]
    rows = client.post("/v1/urls", json={"urls": urls}).json()["results"]
    assert rows == expected(urls)
    lines = client.post("/v1/urls", content=b"\n".join(map(orjson.dumps, urls)), headers=NDJSON).content.splitlines()
    assert [orjson.loads(line) for line in lines] == rows


def test_a_bad_row_never_moves_its_neighbours(client: TestClient) -> None:
    mixed: list[Any] = [
        URLS[0],
        None,
        3,
        URLS[1],
        True,
        {"url": "http://a.de/"},
        [],
        1.5,
        URLS[4],
        "http://a.de/" + "x" * 2000,
    ]
    rows = client.post("/v1/urls", json={"urls": mixed}).json()["results"]
    good = [0, 3, 8]
    assert [rows[number] for number in good] == expected([mixed[number] for number in good])
    bad = [row for number, row in enumerate(rows) if number not in good]
    assert all(row["language"] is row["probability"] is row["url"] is None for row in bad)
    assert [row["error"] for row in bad][:3] == [
        "not a string but null", "not a string but a number", "not a string but true or false",
    ]  # fmt: skip


def test_ndjson_takes_strings_and_objects_and_answers_line_by_line(client: TestClient) -> None:
    lines = [orjson.dumps(URLS[0]), b"", orjson.dumps({"url": URLS[1], "id": 7}), b"nonsense", b"{}", b" ", b"null"]
    answer = client.post("/v1/urls", content=b"\r\n".join(lines), headers=NDJSON)
    assert answer.headers["content-type"] == "application/x-ndjson"
    rows = [orjson.loads(line) for line in answer.content.splitlines()]
    assert [rows[0], rows[2]] == expected(URLS[:2])
    assert [row.get("error") for row in rows] == [
        None, "an empty line", None, "not JSON", 'an object without "url"', "an empty line", "not a string but null",
    ]  # fmt: skip


def test_empty_lines_of_ndjson_are_rows_unless_nothing_follows_them(client: TestClient) -> None:
    line = orjson.dumps(URLS[0])
    for body, errors in (
        (line, [None]),
        (line + b"\n", [None]),
        (line + b"\r\n\r\n \n", [None]),
        (b"\n\n" + line, ["an empty line", "an empty line", None]),
        (b"\n" * 499 + line, ["an empty line"] * 499 + [None]),
    ):
        answer = client.post("/v1/urls", content=body, headers=NDJSON)
        assert [orjson.loads(row).get("error") for row in answer.content.splitlines()] == errors
    assert client.post("/v1/urls", content=b"\n" * 500 + line, headers=NDJSON).status_code == 413


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()])
def test_an_arrow_stream_is_answered_with_one(client: TestClient, kind: pa.DataType) -> None:
    column = pa.array([*URLS, None, "http://a.de/" + "x" * 2000], pa.string()).cast(kind)
    table = pa.table({"id": range(len(column)), "url": column})
    sliced = pa.Table.from_batches(table.to_batches(max_chunksize=3))
    answer = client.post("/v1/urls", content=arrow_stream(sliced), headers=ARROW)
    assert answer.status_code == 200, answer.content
    found = pa.ipc.open_stream(io.BytesIO(answer.content)).read_all()
    language, probability = dragoman.identify_column(pa.array(URLS))
    assert found["language"].to_pylist() == [*language.to_pylist(), None, None]
    assert found["probability"].to_pylist() == [*probability.to_pylist(), None, None]
    assert found["error"].to_pylist() == [None] * len(URLS) + ["null", "longer than 2,000 bytes"]


def test_text_that_is_not_utf8_is_a_url_in_arrow(client: TestClient) -> None:
    raw = [b"http://a.fr/fran\xe7ais", b"\xff"]
    answer = client.post("/v1/urls", content=arrow_stream(pa.table({"url": pa.array(raw, pa.binary())})), headers=ARROW)
    found = pa.ipc.open_stream(answer.content).read_all()
    assert found["language"].to_pylist() == [one.language for one in dragoman.identify(raw)]


def test_the_choice_of_languages_and_the_likeliest_are_the_librarys(client: TestClient) -> None:
    body = {"urls": URLS, "languages": ["fr", "it", "fr"], "top": 2}
    rows = client.post("/v1/urls", json=body).json()["results"]
    found = dragoman.identify(URLS, languages=["fr", "it"], top=2)
    assert [row["language"] for row in rows] == [one.language for one in found]
    assert [{one["language"]: one["probability"] for one in row["top"]} for row in rows] == [
        one.scores for one in found
    ]
    lines = client.post("/v1/urls?languages=fr,it&top=2", content=b"\n".join(map(orjson.dumps, URLS)), headers=NDJSON)
    assert [orjson.loads(line) for line in lines.content.splitlines()] == rows
    stream = arrow_stream(pa.table({"url": URLS}))
    answer = client.post("/v1/urls?languages=fr,it&top=2", content=stream, headers=ARROW)
    top = pa.ipc.open_stream(answer.content).read_all()["top"].to_pylist()
    assert [[one["language"] for one in row] for row in top] == [list(one.scores) for one in found]


@pytest.mark.parametrize("threshold", [0, 0.7, 1])
def test_a_threshold_is_the_librarys(client: TestClient, threshold: float) -> None:
    wanted = [one.language for one in dragoman.identify(URLS, threshold=threshold)]
    answer = client.post("/v1/urls", json={"urls": URLS, "threshold": threshold}).json()
    assert [row["language"] for row in answer["results"]] == wanted
    lines = client.post(f"/v1/urls?threshold={threshold}", content=b"\n".join(map(orjson.dumps, URLS)), headers=NDJSON)
    assert [orjson.loads(line)["language"] for line in lines.content.splitlines()] == wanted
    single = client.get("/v1/url", params={"u": URLS[0], "threshold": threshold}).json()
    assert single["language"] == wanted[0]


@pytest.mark.parametrize("threshold", ["-0.1", "1.5", "high", "nan", ""])
def test_a_threshold_is_a_probability(client: TestClient, threshold: str) -> None:
    answer = client.get("/v1/url", params={"u": URLS[0], "threshold": threshold})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("threshold: ")


def test_another_model_is_asked_by_its_name(client: TestClient) -> None:
    answer = client.post("/v1/urls", json={"urls": URLS, "model": "cctld"}).json()
    assert answer == {"model": "cctld", "results": expected(URLS, model="cctld")}


def test_one_url_is_answered_as_in_a_batch(client: TestClient) -> None:
    for row in expected(URLS):
        answer = client.get("/v1/url", params={"u": row["url"]})
        assert answer.json() == row, row


def test_bytes_that_are_not_utf8_are_told_escaped(client: TestClient) -> None:
    answer = client.get("/v1/url?u=http%3A%2F%2Fa.fr%2Ffran%E7ais").json()
    assert answer["url"] == "http://a.fr/fran%E7ais"
    assert answer["language"] == dragoman.identify(b"http://a.fr/fran\xe7ais").language


def test_urls_that_come_together_get_their_own_answers(state: Service) -> None:
    async def ask() -> list[Any]:
        together = UrlsTogether(state.judges.default)
        return list(await asyncio.gather(*(together.ask(url.encode()) for url in URLS)))

    assert in_its_own_loop(ask()) == [(row["language"], row["probability"]) for row in expected(URLS)]


@pytest.mark.parametrize(
    "query",
    ["", "v=1", "u=a&top=0", "u=a&top=x", "u=a&top=101", "u=a&why=yes", "u=a&languages=xx", "u=a&languages=",
     "u=" + "x" * 2001, "&".join(["u=a"] * 200)],
)  # fmt: skip
def test_a_query_that_makes_no_sense_is_told_in_one_line(client: TestClient, query: str) -> None:
    answer = client.get(f"/v1/url?{query}")
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert set(problem) == {"type", "title", "status", "detail"}
    assert "\n" not in problem["detail"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("u=a&model=nope", "model: not known here; known are u, languages, why, top, threshold"),
        ("u=a&%0Ab%FF=1", "b\ufffd: not known here; known are u, languages, why, top, threshold"),
        ("u=a&top=1&top=2", "top: given more than once"),
        ("u=a&=1", "'': not known here; known are u, languages, why, top, threshold"),
    ],
)
def test_a_parameter_that_is_not_known_is_named_beside_those_that_are(
    client: TestClient, query: str, said: str
) -> None:
    answer = client.get(f"/v1/url?{query}")
    assert (answer.status_code, answer.json()["detail"]) == (422, said)


@pytest.mark.parametrize(
    ("path", "kind", "known"),
    [
        ("/v1/urls", "application/json", "languages, top, threshold"),
        ("/v1/urls", "application/x-ndjson", "languages, top, threshold"),
        ("/v1/urls", "application/vnd.apache.arrow.stream", "languages, top, threshold"),
        ("/v1/page", "text/html", "url, languages"),
        ("/v1/track", "text/plain", "url, languages"),
    ],
)
def test_bodies_with_a_parameter_that_is_not_known_are_refused(
    client: TestClient, path: str, kind: str, known: str
) -> None:
    answer = client.post(f"{path}?model=x", content=b"", headers={"content-type": kind})
    assert answer.headers["content-type"] == "application/problem+json"
    assert (answer.status_code, answer.json()["detail"]) == (422, f"model: not known here; known are {known}")


def test_a_batch_in_json_takes_its_choice_from_the_body_or_from_the_query(client: TestClient) -> None:
    told = client.post("/v1/urls", json={"urls": URLS, "languages": ["fr", "it"], "top": 2}).json()
    for query, body in (
        ("languages=fr,it&top=2", {}),
        ("top=2", {"languages": ["fr", "it"]}),
        ("languages=fr,it", {"top": 2}),
        ("languages=fr,it&top=2", {"model": "default"}),
    ):
        assert client.post(f"/v1/urls?{query}", json={"urls": URLS, **body}).json() == told, (query, body)


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/urls?languages=fr", {"urls": [], "languages": ["fr"]}),
        ("/v1/urls?top=2", {"urls": [], "top": 3}),
        ("/v1/page?languages=fr", {"text": "a", "languages": ["de"]}),
        ("/v1/track?url=http%3A%2F%2Fa.de%2F", {"text": "a", "url": "http://b.de/"}),
    ],
)
def test_what_is_given_in_the_body_and_in_the_query_is_refused(client: TestClient, path: str, body: Any) -> None:
    answer = client.post(path, json=body)
    name = path.partition("?")[2].partition("=")[0]
    told = f"{name}: given in the body and in the query; give it in one of them"
    assert (answer.status_code, answer.json()["detail"]) == (409, told)
    assert answer.headers["content-type"] == "application/problem+json"


def test_languages_in_the_query_are_those_of_the_model_in_the_body(client: TestClient) -> None:
    body = {"urls": URLS, "model": "cctld"}
    rows = client.post("/v1/urls?languages=de,fr", json=body).json()["results"]
    assert rows == expected(URLS, model="cctld", languages=["de", "fr"])
    odd = min(set(dragoman.load_model().languages_) - set(dragoman.load_model("cctld").languages_))
    answer = client.post(f"/v1/urls?languages=de,{odd}", json=body)
    told = f"languages: '{odd}', given in the query, is not among those of the model in the body"
    assert (answer.status_code, answer.json()["detail"]) == (409, told)
    assert client.post("/v1/urls?languages=xx", json={"urls": URLS}).status_code == 422
    assert client.post("/v1/urls?top=0", json={"urls": URLS}).status_code == 422


def test_a_batch_of_too_many_urls_is_refused(client: TestClient) -> None:
    many = ["http://a.de/"] * 501
    assert client.post("/v1/urls", json={"urls": many}).status_code == 413
    assert client.post("/v1/urls", content=b"\n".join(map(orjson.dumps, many)), headers=NDJSON).status_code == 413
    answer = client.post("/v1/urls", content=arrow_stream(pa.table({"url": many})), headers=ARROW)
    assert answer.status_code == 413


def test_content_of_another_type_is_refused(client: TestClient) -> None:
    for kind in ("text/csv", "application/x-www-form-urlencoded", ""):
        answer = client.post("/v1/urls", content=b"x", headers={"content-type": kind})
        assert answer.status_code == 415
    packed = client.post(
        "/v1/urls", content=b"x", headers={"content-type": "application/json", "content-encoding": "gzip"}
    )
    assert packed.status_code == 415


def test_half_a_character_is_the_error_of_its_row_alone(client: TestClient) -> None:
    json = {"content-type": "application/json"}
    body = b'{"urls": ["http://www.wetter.de/", "http://a.example/\\ud800", "http://b.example/\\ud83d\\ude00"]}'
    first, second, third = client.post("/v1/urls", content=body, headers=json).json()["results"]
    assert (first["language"], third["url"]) == ("de", "http://b.example/\U0001f600")
    assert second["error"] == "not text: a half of a surrogate pair stands alone"
    rows = client.post("/v1/urls", content=b'"http://www.wetter.de/"\n"\\udfff"\n', headers=NDJSON).text.splitlines()
    assert ["error" in row for row in rows] == [False, True]
    odd = client.post("/v1/urls", content=body[:-1] + b', "languages": ["\\ud800"]}', headers=json)
    assert odd.status_code == 422


def test_languages_are_named_as_on_the_command_line(client: TestClient) -> None:
    asked = {"u": "http://a.example/"}
    by_name, by_tag = (client.get("/v1/url", params=asked | {"languages": names}) for names in ("DE,French", "de,fr"))
    assert by_name.json() == by_tag.json()
    text = {"content-type": "text/plain"}
    told = client.post("/v1/page?languages=German,eng", content=b"Das ist ein Haus.", headers=text)
    assert told.json()["language"] == "de"
    assert client.get("/v1/url?u=a&languages=Klingonese").status_code == 422
