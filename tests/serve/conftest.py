"""The application in this process, and a real service on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from tests.serve.started import Started, started

from dragoman.serve.app import make_app
from dragoman.serve.service import Service
from dragoman.serve.settings import RequestLimits, ServiceSettings

SMALL = RequestLimits(body=200_000, page=100_000, urls=500, url=2_000, seconds=20)


@pytest.fixture(scope="session")
def state() -> Service:
    return Service(
        ServiceSettings(
            limits=SMALL, allow_origins=("https://reader.example",), allow_hosts=("tools.example", "testserver")
        )
    )


@pytest.fixture(scope="session")
def client(state: Service) -> Iterator[TestClient]:
    with TestClient(make_app(service=state), base_url="http://localhost", raise_server_exceptions=False) as there:
        yield there


@pytest.fixture(scope="module")
def service() -> Iterator[Started]:
    """With small limits and little patience, so that tests need not have more."""
    with started("--patience", "1", "--max-body", "2", "--max-page", "1", "--connections", "40") as there:
        yield there
