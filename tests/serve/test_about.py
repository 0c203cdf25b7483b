"""`GET /v1/models`, `/v1/languages`, `/health`, `/metrics`, and the page's neighbours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import dragoman
from dragoman.serve.metrics import FOLDER, Metrics


def test_the_models_are_those_of_the_library(client: TestClient) -> None:
    found = client.get("/v1/models").json()
    assert found["default"] == "default"
    assert [one["name"] for one in found["models"]] == list(dragoman.model_names())
    assert found["models"][0]["digest"] == dragoman.describe_model()["digest"]


def test_the_languages_have_codes_and_english_names(client: TestClient) -> None:
    found = {one["code"]: one for one in client.get("/v1/languages").json()["languages"]}
    assert found["de"] == {"code": "de", "name": "German", "hue": 348, "of": ["parts of texts", "texts", "urls"]}
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
    text = counted.text().decode()
    assert figure(text, 'dragoman_request_seconds_bucket{le="0.001",route="/v1/url"}') == 2
    assert figure(text, 'dragoman_request_seconds_bucket{le="10.0",route="/v1/url"}') == 4
    assert figure(text, 'dragoman_request_seconds_bucket{le="+Inf",route="/v1/url"}') == 5
    assert figure(text, 'dragoman_request_seconds_sum{route="/v1/url"}') == pytest.approx(106.0041)


WORKER = """
from dragoman.serve.metrics import FOLDER, Metrics
counted = Metrics()
counted.worker_is_ready()
counted.in_flight.inc()
counted.request("/health", 200, 0.1)
counted.urls(10)
print(counted.text().decode())
"""


def test_workers_are_counted_together_and_those_that_have_gone_are_not_waited_for(tmp_path: Path) -> None:
    shared = {**os.environ, FOLDER: str(tmp_path)}
    texts = [subprocess.check_output([sys.executable, "-c", WORKER], env=shared, text=True) for _ in range(3)]
    for number, text in enumerate(texts, 1):
        assert figure(text, 'dragoman_requests_total{route="/health",status="200"}') == number
        assert figure(text, "dragoman_urls_total") == 10 * number
        assert figure(text, "dragoman_worker_starts_total") == number
        assert figure(text, "dragoman_workers") == figure(text, "dragoman_requests_in_flight") == 1


def test_nothing_is_loaded_from_elsewhere(client: TestClient) -> None:
    assert client.get("/docs").status_code == client.get("/redoc").status_code == 404
    assert client.get("/openapi.json").status_code == 200
