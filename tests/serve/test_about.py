"""`GET /v1/models`, `/v1/languages`, `/health`, `/metrics`, and the page's neighbours."""

from __future__ import annotations

import multiprocessing

import pytest
from starlette.testclient import TestClient

import dragoman
from dragoman.serve.metrics import Metrics


def test_the_models_are_those_of_the_library(client: TestClient) -> None:
    found = client.get("/v1/models").json()
    assert found["default"] == "default"
    assert [one["name"] for one in found["models"]] == list(dragoman.model_names())
    assert found["models"][0]["digest"] == dragoman.describe_model()["digest"]


def test_the_languages_have_codes_and_english_names(client: TestClient) -> None:
    found = {one["code"]: one for one in client.get("/v1/languages").json()["languages"]}
    assert found["de"] == {"code": "de", "name": "German", "of": ["parts of texts", "texts", "urls"]}
    assert set(dragoman.load_model().languages_) <= set(found)


def test_health_says_ready_and_the_digests(client: TestClient) -> None:
    found = client.get("/health").json()
    assert found["ready"] is True
    assert found["models"]["default"] == dragoman.describe_model()["digest"]


def figure(text: str, name: str) -> float:
    return sum(float(line.rpartition(" ")[2]) for line in text.splitlines() if line.startswith(name))


def test_metrics_count_requests_by_route_and_status_and_urls(client: TestClient) -> None:
    before = client.get("/metrics").text
    client.post("/v1/urls", json={"urls": ["http://a.de/", None, "b"]})
    client.get("/v1/url?u=a")
    client.get("/v1/url")
    client.get("/v1/runs/nothing")
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")

    def more(name: str) -> float:
        return figure(answer.text, name) - figure(before, name)

    assert more('dragoman_requests_total{route="/v1/urls",status="200"}') == 1
    assert more('dragoman_requests_total{route="/v1/url",status="200"}') == 1
    assert more('dragoman_requests_total{route="/v1/url",status="422"}') == 1
    assert more('dragoman_requests_total{route="/v1/runs/{name}",status="404"}') == 1
    assert more("dragoman_urls_total") == 3
    assert more("dragoman_bad_rows_total") == 1
    assert figure(answer.text, "dragoman_requests_in_flight") == 1
    assert more('dragoman_request_seconds_count{route="/v1/url"}') == 2
    for line in answer.text.splitlines():
        assert line.startswith("# ") or float(line.rpartition(" ")[2]) >= 0


def test_the_buckets_of_a_histogram_add_up() -> None:
    counted = Metrics()
    for seconds in (0.0001, 0.001, 0.003, 7.0, 99.0):
        counted.request("/v1/url", 200, seconds)
    text = counted.text()
    assert figure(text, 'dragoman_request_seconds_bucket{route="/v1/url",le="0.001"}') == 2
    assert figure(text, 'dragoman_request_seconds_bucket{route="/v1/url",le="10.0"}') == 4
    assert figure(text, 'dragoman_request_seconds_bucket{route="/v1/url",le="+Inf"}') == 5
    assert figure(text, 'dragoman_request_seconds_sum{route="/v1/url"}') == pytest.approx(106.0041)


def test_workers_are_counted_together() -> None:
    counted = Metrics(3)

    def work(number: int) -> None:
        counted.become(number)
        for _ in range(number + 1):
            counted.request("/health", 200, 0.1)
        counted.urls(10)

    workers = [multiprocessing.get_context("fork").Process(target=work, args=(number,)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert figure(counted.text(), 'dragoman_requests_total{route="/health",status="200"}') == 6
    assert figure(counted.text(), "dragoman_urls_total") == 30
    assert figure(counted.text(), "dragoman_workers") == 3


def test_nothing_is_loaded_from_elsewhere(client: TestClient) -> None:
    assert client.get("/docs").status_code == client.get("/redoc").status_code == 404
    assert client.get("/openapi.json").status_code == 200
