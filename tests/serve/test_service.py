"""A real `dragoman serve` on loopback: it stays up whatever is sent, its workers work together, and it ends cleanly."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner
from tests.refusals import refused
from tests.serve.attacks import ATTACKS
from tests.serve.started import Started, started

from dragoman.cli.main import cli
from dragoman.crawl.live.state import progress


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda one: one.__name__)
def test_it_stands(service: Started, attack: Callable[[Started], None]) -> None:
    before = service.memory()
    attack(service)
    assert service.get("/health")["ready"] is True
    assert service.memory() - before < 150e6


def test_there_are_only_so_many_connections(service: Started) -> None:
    held: list[socket.socket] = []
    try:
        for _ in range(45):
            held.append(service.connect())
        late = held[-1]
        late.settimeout(5)
        late.sendall(b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert late.recv(4096).startswith(b"HTTP/1.1 503")
    finally:
        for one in held:
            one.close()
    for _ in range(50):
        try:
            assert service.get("/health")["ready"] is True
            break
        except (ConnectionError, AssertionError):
            time.sleep(0.1)
    else:
        raise AssertionError("it does not come back")


def test_workers_share_a_socket_count_together_and_start_again() -> None:
    with started("--workers", "2") as service:
        workers = service.processes()[1:]
        for _ in range(50):
            workers = service.processes()[1:]
            if len(workers) == 2:
                break
            time.sleep(0.1)
        assert len(workers) == 2
        for _ in range(20):
            status, _, body = service.ask("GET", "/v1/url?u=http%3A%2F%2Fwww.wetter.de%2F")
            assert (status, orjson.loads(body)["language"]) == (200, "de")
        told = 'dragoman_requests_total{route="/v1/url",status="200"} 20'
        for _ in range(50):  # a worker counts an answer when it is sent, and the other may be asked before that
            text = service.ask("GET", "/metrics")[2].decode()
            if told in text:
                break
            time.sleep(0.1)
        assert told in text
        workers = service.processes()[1:]  # one that a busy machine kept from answering was replaced meanwhile
        os.kill(workers[0], signal.SIGKILL)
        for _ in range(100):
            now = service.processes()[1:]
            if len(now) == 2 and workers[0] not in now:
                break
            time.sleep(0.1)
        assert len(service.processes()) == 3
        assert service.get("/health")["ready"] is True
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(15) == 0
        assert service.process.stderr is not None
        assert service.process.stderr.read() == ""


def test_ctrl_c_ends_it_cleanly() -> None:
    with started() as service:
        assert service.get("/health")["ready"] is True
        with service.connect():
            service.process.send_signal(signal.SIGINT)
            assert service.process.wait(15) == 0
        assert service.process.stderr is not None
        assert service.process.stderr.read() == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a file that can be waited for")
def test_work_that_does_not_end_does_not_keep_the_service_from_ending(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    os.mkfifo(tmp_path / "run" / progress.NAME)
    with started("--timeout", "0.2", "--folder", str(tmp_path)) as service:
        assert [service.ask("GET", "/v1/runs")[0] for _ in range(3)] == [504, 504, 503]
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(15) == 0


def test_who_asks_whether_to_send_a_body_is_told_at_once(service: Started) -> None:
    with service.connect() as there:
        head = b"POST /v1/urls HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 11\r\n"
        there.sendall(head + b"Expect: 100-continue\r\nConnection: close\r\n\r\n")
        assert there.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        there.sendall(b'{"urls":[]}')
        told = b"".join(iter(lambda: there.recv(65536), b""))
    assert told.startswith(b"HTTP/1.1 200 OK\r\n")
    assert told.endswith(b'"results":[]}')


def test_a_port_in_use_is_told_in_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = CliRunner().invoke(cli, ["serve", "--port", str(taken.getsockname()[1])])
        assert "already in use" in refused(result)


def test_an_address_of_nobody_and_a_model_of_texts_are_told_in_one_line() -> None:
    assert "--host" in refused(CliRunner().invoke(cli, ["serve", "--host", "no such host"]), 2)
    assert "reads text" in refused(CliRunner().invoke(cli, ["serve", "--port", "0", "--model", "text"]), 2)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("url\nhttp://a.de/\n", "has no labels"),
        ("url\tlang\nhttp://a.de/\tde\n", "two languages or more"),
        ("url\tlang\nhttp://a.de/\tde\nhttp://b.example/\tvo\n", "two languages or more that the model knows"),
        ("", "empty"),
    ],
)
def test_a_quiz_that_cannot_be_asked_is_told_in_one_line_at_the_start(tmp_path: Path, table: str, said: str) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(table, encoding="utf-8")
    assert said in refused(CliRunner().invoke(cli, ["serve", "--port", "0", "--quiz", str(path)]), 2)


def counted(service: Started) -> dict[str, float]:
    """The connections that were ended, by reason."""
    text = service.ask("GET", "/metrics")[2].decode()
    return {
        reason: float(value)
        for reason, value in re.findall(r'^dragoman_connections_ended_total\{reason="([a-z-]+)"\} (\S+)', text, re.M)
    }


def test_connections_that_are_refused_or_given_up_are_counted_and_health_answers_all_the_same(service: Started) -> None:
    before = counted(service)
    held = [service.connect() for _ in range(45)]
    try:
        for one in held:
            one.sendall(b"GET /v1/models HTTP/1.1\r\n")  # a header that does not end
        assert service.ask("GET", "/v1/models")[0] == 503
        assert service.get("/health")["ready"] is True
        for one in held:
            with contextlib.suppress(ConnectionError):  # it has been given up
                assert one.recv(1) == b""
    finally:
        for one in held:
            one.close()
    after = counted(service)
    assert after["too-many"] > before.get("too-many", 0)
    assert after["no-header"] >= before.get("no-header", 0) + 45


def test_the_access_log_has_a_line_for_each_request() -> None:
    with started("--access-log", "json") as service:
        service.get("/v1/url?u=http%3A%2F%2Fwww.wetter.de%2F")
        assert service.ask("GET", '/nowhere/"quoted"')[0] == 404
        service.process.send_signal(signal.SIGINT)
        assert service.process.stderr is not None
        rows = [json.loads(line) for line in service.process.stderr if line.startswith("{")]
    assert [(row["target"], row["status"]) for row in rows] == [
        ("/v1/url?u=http%3A%2F%2Fwww.wetter.de%2F", 200), ("/nowhere/%22quoted%22", 404),
    ]  # fmt: skip
    assert rows[0]["client"] == "127.0.0.1"
    assert rows[0]["bytes"] > 50
