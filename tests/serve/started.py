"""A real `dragoman serve` on loopback, as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson


@dataclass(frozen=True)
class Started:
    """A service that answers."""

    process: subprocess.Popen[str]
    address: str

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or 0

    def ask(
        self, method: str, path: str, body: bytes | None = None, timeout: float = 30.0, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """(status, headers, body) of an answer; `content_type="..."` is the header content-type."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def get(self, path: str) -> Any:
        """What a route says in JSON, if all went well."""
        status, _, body = self.ask("GET", path)
        assert status == 200, body
        return orjson.loads(body)

    def wait_for(self, workers: int) -> None:
        """Wait until so many workers are ready: one that is not lets the connections that are dealt to it wait."""
        for _ in range(600):
            told = self.ask("GET", "/metrics")[2].decode()
            starts = re.search(r"^dragoman_worker_starts_total (\S+)", told, re.MULTILINE)
            if starts is not None and float(starts[1]) >= workers:
                return
            time.sleep(0.1)
        raise AssertionError("not all workers are ready")

    def connect(self, timeout: float = 10.0) -> socket.socket:
        """A bare connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def processes(self) -> list[int]:
        """The process and its workers."""
        found = [self.process.pid]
        for one in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = one.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            helper = b"resource_tracker" in (one.parent / "cmdline").read_bytes()  # of Python's multiprocessing
            if int(fields[1]) == self.process.pid and not helper:
                found.append(int(one.parent.name))
        return found

    def memory(self) -> int:
        """Bytes that the process and its workers hold (shared ones are counted once each)."""
        pages = 0
        for one in self.processes():
            try:
                pages += int(Path(f"/proc/{one}/statm").read_text().split()[1])
            except OSError:
                continue
        return pages * os.sysconf("SC_PAGE_SIZE")

    def processor_seconds(self) -> float:
        """Time on a processor, of the process and its workers."""
        ticks = 0
        for one in self.processes():
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def waited_seconds(self) -> float:
        """Time that the process and its workers were ready to run and others had the processor."""
        return sum(int(Path(f"/proc/{one}/schedstat").read_text().split()[1]) for one in self.processes()) / 1e9


@contextmanager
def started(*options: str, python: str = sys.executable) -> Iterator[Started]:
    """`dragoman serve` with these options, on a port that is free; of another Python, if one is given."""
    command = [python, "-m", "dragoman", "serve", "--port", "0", *options]
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONPATH" or python == sys.executable
    }
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            assert "http://" in line, line + process.stderr.read()
            yield Started(process, line.split()[-1])
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
