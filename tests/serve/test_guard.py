"""What every request passes: hosts, origins, sizes, time; and what is told about it all."""

from __future__ import annotations

import asyncio
import gc
import os
import threading
import time
import weakref
from pathlib import Path
from typing import ClassVar

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.testclient import TestClient
from tests.own_loop import in_its_own_loop
from tests.serve.conftest import SMALL

from dragoman.crawl.live.state import progress
from dragoman.serve.app import make_app
from dragoman.serve.guard import Guard
from dragoman.serve.metrics import Metrics
from dragoman.serve.problems import Problem
from dragoman.serve.service import Service
from dragoman.serve.settings import RequestLimits, ServiceSettings
from dragoman.serve.work import Room

ORIGIN = {"origin": "https://reader.example"}


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8321", "127.0.0.1:80", "[::1]:8321", "tools.example", "localhost."]
)
def test_a_request_for_this_machine_or_an_allowed_host_is_answered(client: TestClient, host: str) -> None:
    assert client.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8321", "[::2]", "a:b"]
)
def test_a_request_for_another_host_is_refused(client: TestClient, host: str) -> None:
    answer = client.get("/v1/url?u=a", headers={"host": host})
    assert answer.status_code in (400, 421)
    assert answer.headers["content-type"] == "application/problem+json"


def test_pages_of_an_allowed_origin_may_ask_about_urls_only(client: TestClient) -> None:
    asked = client.options("/v1/urls", headers={**ORIGIN, "access-control-request-method": "POST",
                                                "access-control-request-private-network": "true"})  # fmt: skip
    assert asked.status_code == 204
    assert asked.headers["access-control-allow-origin"] == "https://reader.example"
    assert asked.headers["access-control-allow-methods"] == "POST"
    assert asked.headers["access-control-allow-private-network"] == "true"
    answer = client.post("/v1/urls", json={"urls": ["http://a.de/"]}, headers=ORIGIN)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://reader.example"
    assert client.get("/v1/url?u=", headers=ORIGIN).headers["access-control-allow-origin"] == "https://reader.example"
    refused = client.post("/v1/page", json={"text": "a"}, headers=ORIGIN)
    assert refused.status_code == 403
    assert "access-control-allow-origin" not in refused.headers


def test_pages_of_other_origins_may_not_ask(client: TestClient) -> None:
    for origin in ("https://evil.example", "null", "http://localhost:1"):
        answer = client.post("/v1/urls", json={"urls": []}, headers={"origin": origin})
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers


def test_our_own_page_may_ask(client: TestClient) -> None:
    answer = client.post("/v1/page", json={"text": "a"}, headers={"origin": "http://localhost", "host": "localhost"})
    assert answer.status_code == 200


def test_a_path_that_is_not_there_and_a_method_that_is_not_offered_are_problems(client: TestClient) -> None:
    for answer, status in (
        (client.get("/v1/nothing"), 404),
        (client.delete("/v1/urls"), 405),
        (client.get("/v1/page"), 405),
    ):
        assert answer.status_code == status
        assert answer.json()["status"] == status
        assert answer.headers["content-type"] == "application/problem+json"
    assert client.put("/v1/urls").headers["allow"] == "POST"


def test_no_path_of_a_request_is_a_path_of_the_machine(client: TestClient) -> None:
    for path in (
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/page/..%2f..%2fapp.py",
        "/page/../app.py",
        "/app.py",
    ):
        answer = client.get(path)
        assert answer.status_code == 404
        assert b"root:" not in answer.content
        assert b"import" not in answer.content


PARAMETERS = {"/v1/quiz": "n, seed", "/v1/url": "u, languages, why, top, threshold"}


@pytest.mark.parametrize(
    "path",
    ["/v1/url", "/v1/quiz", "/v1/runs", "/v1/runs/nothing", "/v1/models", "/v1/languages", "/health", "/metrics",
     "/openapi.json"],
)  # fmt: skip
def test_a_parameter_that_a_route_does_not_know_is_refused(client: TestClient, path: str) -> None:
    known = f"known are {PARAMETERS[path]}" if path in PARAMETERS else "nothing is asked in the query"
    for query, name in (("limit=1", "limit"), ("N=3&n=3", "N"), ("=", "''")):
        answer = client.get(f"{path}?{query}")
        assert answer.status_code == 422, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["type"] == "urn:dragoman:problem:not-understood"
        assert answer.json()["detail"] == f"{name}: not known here; {known}"
        assert client.head(f"{path}?{query}").status_code == 422


def test_a_quiz_is_not_judged_with_a_parameter_that_it_does_not_know(client: TestClient) -> None:
    answer = client.post("/v1/quiz?n=3", json={"answers": [{"url": "http://a.de/"}]})
    assert (answer.status_code, answer.json()["detail"]) == (422, "n: not known here; nothing is asked in the query")


def test_the_files_of_the_page_take_any_parameter(client: TestClient) -> None:
    for path in ("/", "/page/app.js", "/dragoman.user.js"):
        assert client.get(f"{path}?version=3").status_code == 200


def test_what_takes_too_long_is_given_up() -> None:
    async def forever(scope: object, receive: object, send: object) -> None:
        await asyncio.sleep(60)

    guard = Guard(forever, ServiceSettings(limits=RequestLimits(seconds=0.05)), Metrics())
    answer = TestClient(guard, base_url="http://localhost").get("/")
    assert answer.status_code == 504
    assert "0.05 seconds" in answer.json()["detail"]


def test_a_failure_tells_nothing_of_the_inside(state: Service) -> None:
    app = make_app(service=state)

    async def fails(request: Request) -> Response:
        raise RuntimeError("a secret")

    app.router.routes.append(Route("/fails", fails))
    answer = TestClient(app, base_url="http://localhost", raise_server_exceptions=False).get("/fails")
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert "secret" not in answer.text


def test_a_full_room_says_try_again_and_empties() -> None:
    async def run() -> None:
        room, gate = Room("test", 1, 1), threading.Event()
        first = [asyncio.create_task(room.run(gate.wait)) for _ in range(2)]
        await asyncio.sleep(0.05)
        with pytest.raises(Problem) as refused:
            await room.run(gate.wait)
        assert refused.value.status == 429
        assert refused.value.headers["Retry-After"]
        gate.set()
        assert await asyncio.gather(*first) == [True, True]
        await asyncio.sleep(0.05)
        assert room.held == 0
        assert await room.run(lambda: 7) == 7

    in_its_own_loop(run())


def test_who_gives_up_waiting_does_not_free_a_thread_that_works() -> None:
    async def run() -> None:
        room, gate = Room("test", 1, 0), threading.Event()
        waiting = asyncio.create_task(room.run(gate.wait))
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.sleep(0.05)
        with pytest.raises(Problem):
            await room.run(gate.wait)
        gate.set()
        for _ in range(100):
            if not room.held:
                break
            await asyncio.sleep(0.01)
        assert room.held == 0

    in_its_own_loop(run())


def test_a_room_whose_threads_all_work_for_nobody_says_so_at_once_until_they_are_done() -> None:
    async def run() -> None:
        room, gate = Room("test", 2, 30), threading.Event()
        for _ in range(2):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(room.run(gate.wait), 0.02)
        assert room.given_up == 2
        with pytest.raises(Problem) as refused:
            await room.run(gate.wait)
        assert (refused.value.status, refused.value.headers) == (503, {"Retry-After": "1"})
        gate.set()
        for _ in range(100):
            if not room.held:
                break
            await asyncio.sleep(0.01)
        assert (room.held, room.given_up) == (0, 0)
        assert await room.run(lambda: 7) == 7

    in_its_own_loop(run())


class Large:
    """A body, say."""

    there: ClassVar[weakref.WeakSet[Large]] = weakref.WeakSet()

    def __init__(self) -> None:
        self.there.add(self)


def test_who_gives_up_before_a_thread_was_free_leaves_nothing_behind() -> None:
    async def run() -> None:
        room, gate = Room("test", 1, 30), threading.Event()
        done: list[Large] = []
        first = asyncio.create_task(room.run(gate.wait))
        await asyncio.sleep(0.02)
        for _ in range(5):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(room.run(done.append, Large()), 0.01)
        await asyncio.sleep(0.02)
        gc.collect()
        assert (room.held, room.given_up, list(Large.there)) == (1, 0, [])
        gate.set()
        assert await first is True
        assert (await room.run(lambda: 7), done) == (7, [])

    in_its_own_loop(run())


def test_work_that_fails_fails_for_the_one_who_asked_only() -> None:
    async def run() -> None:
        room = Room("test", 1, 1)
        with pytest.raises(ZeroDivisionError):
            await room.run(lambda: 1 // 0)
        assert await room.run(lambda: 7) == 7

    in_its_own_loop(run())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a file that can be waited for")
def test_folders_on_a_disk_that_does_not_answer_hold_a_few_threads_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    stuck = tmp_path / "run" / progress.NAME
    os.mkfifo(stuck)
    settings = ServiceSettings(limits=RequestLimits(seconds=0.2), folders=(tmp_path,))
    before = set(threading.enumerate())
    with TestClient(make_app(settings), base_url="http://localhost") as there:
        answers = [there.get(path) for path in ("/v1/runs", "/v1/runs/run", "/v1/runs")]
        assert [answer.status_code for answer in answers] == [504, 504, 503]
        assert answers[2].headers["retry-after"]
        assert answers[2].headers["content-type"] == "application/problem+json"
        held = [thread.name for thread in set(threading.enumerate()) - before if thread.name.startswith("dragoman")]
        assert held == ["dragoman-files"] * 2
        for path in ("/", "/health", "/v1/url?u=a", "/v1/quiz"):
            assert there.get(path).status_code == 200
        stuck.write_text("{}")  # the disk is there again
        stuck.unlink()
        for _ in range(100):
            answer = there.get("/v1/runs")
            if answer.status_code == 200:
                break
            time.sleep(0.02)
        assert answer.json() == {"folders": 1, "runs": []}


def test_large_pages_do_not_keep_small_requests_waiting(client: TestClient) -> None:
    text = "Das ist ein schönes Haus in der Stadt. This is a beautiful house in the city. " * 1_200
    done: list[int] = []
    tracking = [
        threading.Thread(target=lambda: done.append(client.post("/v1/track", json={"text": text}).status_code))
        for _ in range(4)
    ]
    for thread in tracking:
        thread.start()
    waits = []
    while any(thread.is_alive() for thread in tracking):
        start = time.perf_counter()
        assert client.get("/v1/url?u=http%3A%2F%2Fwww.wetter.de%2F").json()["language"] == "de"
        waits.append(time.perf_counter() - start)
    for thread in tracking:
        thread.join()
    assert done == [200] * 4
    assert sorted(waits)[len(waits) // 2] < 0.5


def test_bodies_that_wait_together_have_a_limit(state: Service) -> None:
    limits = RequestLimits(body=SMALL.body, bodies=1_000)
    guard = Guard(make_app(service=state), ServiceSettings(limits=limits), Metrics())
    there = TestClient(guard, base_url="http://localhost")
    kind = {"content-type": "application/json"}
    assert there.post("/v1/urls", content=b'{"urls":[]}' + b" " * 2_000, headers=kind).status_code == 503
    assert guard.held == 0
    assert there.post("/v1/urls", content=b'{"urls":[]}', headers=kind).status_code == 200
