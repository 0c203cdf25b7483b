"""The application holds what its OpenAPI document says, asked by schemathesis with made requests, good and bad."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from starlette.testclient import TestClient

from dragoman.serve.app import make_app
from dragoman.serve.service import Service

ROUTES = (
    "GET /v1/url", "POST /v1/urls", "POST /v1/page", "POST /v1/track", "GET /v1/models", "GET /v1/languages",
    "GET /health", "GET /metrics", "GET /v1/runs", "GET /v1/runs/{name}", "GET /v1/quiz", "POST /v1/quiz",
)  # fmt: skip
_LARGE = ("/v1/url", "/v1/urls", "/v1/page", "/v1/track")
CONFIG = {"phases": {"coverage": {"enabled": False}, "stateful": {"enabled": False}}}


@pytest.fixture(scope="session")
def api(state: Service) -> Any:
    config = schemathesis.Config.from_dict(CONFIG)
    return schemathesis.openapi.from_asgi("/openapi.json", make_app(service=state), config=config)


@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize("route", ROUTES)
def test_answers_are_as_described(api: Any, route: str, mode: GenerationMode) -> None:
    method, path = route.split()

    @given(case=api[path][method].as_strategy(generation_mode=mode))
    @settings(max_examples=25 if path in _LARGE else 8, deadline=None, derandomize=True, database=None,
              phases=[Phase.generate], suppress_health_check=list(HealthCheck))  # fmt: skip
    def holds(case: Any) -> None:
        case.call_and_validate()

    try:
        holds()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # there is nothing that could be wrong in a request without parameters


def test_every_route_describes_its_bodies_answers_and_problems(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    told = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
    assert told == set(ROUTES)
    for path, methods in document["paths"].items():
        for operation in methods.values():
            assert operation["summary"], path
            assert set(operation["responses"]["default"]["content"]) == {"application/problem+json"}
    sent = document["paths"]["/v1/urls"]["post"]["requestBody"]["content"]
    assert set(sent) == {"application/json", "application/x-ndjson", "application/vnd.apache.arrow.stream"}
