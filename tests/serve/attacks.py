"""Requests that nobody sends by accident, or that slow and broken clients do; each says what must come of it.

They are sent to a real service, by the tests one after the other and by benchmarks/serve/hardness.py all at once.
"""

from __future__ import annotations

import io
import random
import socket
import time
from collections.abc import Callable
from contextlib import suppress

import orjson
import pyarrow as pa
from tests.serve.started import Started

JSON, NDJSON, ARROW = "application/json", "application/x-ndjson", "application/vnd.apache.arrow.stream"
_HOST = b"Host: localhost\r\n"
_ENDED = (BrokenPipeError, ConnectionResetError)


def answer(connection: socket.socket) -> bytes:
    """Everything that comes until the other side ends it."""
    parts = []
    try:
        while part := connection.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def raw(service: Started, sent: bytes, timeout: float = 20.0) -> bytes:
    """What comes back for these bytes, until the service ends the connection."""
    with service.connect(timeout) as connection:
        with suppress(*_ENDED):
            connection.sendall(sent)
        return answer(connection)


def status(answered: bytes) -> int:
    """The status of an answer as it came; 0 if none did."""
    return int(answered.split(b" ", 2)[1]) if answered.startswith(b"HTTP/1.1 ") else 0


def refused(service: Started, method: str, path: str, body: bytes, kind: str, expected: int) -> None:
    """The request is refused with this status, as a problem."""
    found, headers, told = service.ask(method, path, body, content_type=kind)
    assert found == expected, (found, told[:300])
    assert headers["content-type"] == "application/problem+json"
    assert orjson.loads(told)["status"] == expected


def half_open(service: Started) -> None:
    """A connection on which nothing comes is ended."""
    with service.connect() as connection:
        assert answer(connection) == b""


def slow_header(service: Started) -> None:
    """So is one whose header comes byte by byte."""
    with service.connect() as connection:
        connection.settimeout(0.1)
        start = time.monotonic()
        for byte in b"GET /health HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 1000:
            try:
                connection.sendall(bytes([byte]))
                if connection.recv(4096):
                    break
            except TimeoutError:
                pass
            except (BrokenPipeError, ConnectionResetError):
                break
            assert time.monotonic() - start < 30


def slow_body(service: Started) -> None:
    """And one whose body does not come."""
    head = b"POST /v1/urls HTTP/1.1\r\n" + _HOST + b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    assert status(raw(service, head + b'{"urls":')) == 408


def a_body_for_nobody(service: Started) -> None:
    """A body that nobody asked for may not come for ever, either."""
    with service.connect() as connection:
        connection.settimeout(0.1)
        connection.sendall(b"GET /health HTTP/1.1\r\n" + _HOST + b"Content-Length: 1000000000\r\n\r\n")
        start = time.monotonic()
        while time.monotonic() - start < 30:
            try:
                connection.sendall(b"x")
                if not connection.recv(4096):
                    return
            except TimeoutError:
                pass
            except _ENDED:
                return
        raise AssertionError("it goes on")


def gone_in_the_middle(service: Started) -> None:
    """A client that goes away leaves nothing behind."""
    with service.connect() as connection:
        connection.sendall(
            b"POST /v1/page HTTP/1.1\r\n" + _HOST + b"Content-Type: text/html\r\nContent-Length: 9\r\n\r\n<"
        )


def a_gigabyte_announced(service: Started) -> None:
    """A body that says it is too large is refused before it comes."""
    head = (
        b"POST /v1/urls HTTP/1.1\r\n" + _HOST + b"Content-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n"
    )
    assert status(raw(service, head)) == 413


def a_body_without_end(service: Started) -> None:
    """One that does not say it is refused when it has come that far."""
    head = b"POST /v1/page HTTP/1.1\r\n" + _HOST + b"Content-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    with service.connect(20) as connection:
        connection.sendall(head)
        try:
            for _ in range(4000):
                connection.sendall(chunk)
            raise AssertionError("256 MB were taken")
        except (BrokenPipeError, ConnectionResetError):
            pass


def a_header_without_end(service: Started) -> None:
    """So is a header."""
    with service.connect(20) as connection:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\n")
            for number in range(20_000):
                connection.sendall(b"X-%d: %s\r\n" % (number, b"y" * 1000))
            raise AssertionError("20 MB of header were taken")
        except (BrokenPipeError, ConnectionResetError):
            pass


def not_http(service: Started) -> None:
    """What is not HTTP is told so."""
    chance = random.Random(1)
    for sent in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", chance.randbytes(500), b"GET\r\n\r\n"):
        assert status(raw(service, sent)) in (0, 400, 408)
    both = b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    assert status(raw(service, b"POST /v1/urls HTTP/1.1\r\n" + _HOST + both)) == 400


def many_at_once_on_a_line(service: Started) -> None:
    """Requests that do not wait for answers get them in order."""
    one = b"GET /v1/url?u=http%3A%2F%2Fwww.wetter.de%2F HTTP/1.1\r\n" + _HOST
    sent = (one + b"\r\n") * 50 + one + b"Connection: close\r\n\r\n"
    assert raw(service, sent).count(b"HTTP/1.1 200") == 51


def a_reader_that_does_not(service: Started) -> None:
    """A client that does not read what it asks for is given up."""
    urls = orjson.dumps({"urls": ["http://www.wetter.de/" + "x" * 100] * 1000})
    head = b"POST /v1/urls HTTP/1.1\r\n" + _HOST + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(20)
        connection.connect(("127.0.0.1", service.port))
        try:
            for _ in range(500):
                connection.sendall(head % len(urls) + urls)
            raise AssertionError("50 MB were taken")
        except (BrokenPipeError, ConnectionResetError, TimeoutError):
            pass


def bad_json(service: Started) -> None:
    """JSON that is broken, deep, or not what was asked for."""
    for body in (
        b"", b"{", b"\xff\xfe", b'{"urls": ["\xff"]}', b"[" * 200_000, b'{"urls":' * 50_000,
        b"[]", b"3", b'{"urls": 3}', b'{"urls": [], "x": 1}', b'{"urls": [], "top": true}', b'{"urls": [], "top": 0}',
        b'{"urls": [], "model": "../x"}', b'{"urls": [], "model": 3}', b'{"urls": [], "languages": "en"}',
        b'{"urls": [], "languages": ["xx"]}', b'{"urls": [], "languages": []}', b'{"urls": [], "top": 1e99}',
    ):  # fmt: skip
        refused(service, "POST", "/v1/urls", body, JSON, 422)
    for body in (b'{"html": "a", "text": "b"}', b"{}", b'{"text": 3}', b'{"text": "a", "url": 3}', b"[" * 100_000):
        refused(service, "POST", "/v1/page", body, JSON, 422)
        refused(service, "POST", "/v1/track", body, JSON, 422)


def long_urls(service: Started) -> None:
    """A URL that is too long is a row that says so."""
    urls = ["http://www.wetter.de/", "http://a.de/" + "x" * 10_000, "http://a.fr/" + "é" * 10_000, "http://maison.fr/"]
    found, _, told = service.ask("POST", "/v1/urls", orjson.dumps({"urls": urls}), content_type=JSON)
    rows = orjson.loads(told)["results"]
    assert found == 200
    assert [row["language"] for row in rows] == ["de", None, None, "fr"]
    assert [("error" in row) for row in rows] == [False, True, True, False]
    found, _, _ = service.ask("GET", "/v1/url?u=" + "x" * 10_000)
    assert found == 422


def garbage_lines(service: Started) -> None:
    """Lines of garbage keep their places."""
    chance = random.Random(2)
    garbage = [chance.randbytes(40).replace(b"\n", b"x") + b"\x01" for _ in range(200)]
    lines = [b'"http://www.wetter.de/"', *garbage, b'{"url": "http://maison.fr/"}', b'{"u": 1}', b"[" * 5000, b'"\xff"']
    found, _, told = service.ask("POST", "/v1/urls", b"\n".join(lines), content_type=NDJSON)
    rows = [orjson.loads(line) for line in told.splitlines()]
    assert found == 200
    assert len(rows) == len(lines)
    assert (rows[0]["language"], rows[201]["language"]) == ("de", "fr")
    assert all("error" in row for row in rows[1:201] + rows[202:])


def bad_arrow(service: Started) -> None:
    """Arrow streams that are cut, altered, compressed or full of dictionaries."""
    plain = arrow_stream(pa.table({"url": ["http://www.wetter.de/", None, "http://maison.fr/"]}))
    coded = pa.table({"url": pa.array(["http://a.de/"] * 9).dictionary_encode()})
    packed = arrow_stream(pa.table({"url": ["http://a.de/" * 99]}), pa.ipc.IpcWriteOptions(compression="zstd"))
    for body in (
        b"", b"ARROW1", plain[:100], packed, arrow_stream(coded), arrow_stream(pa.table({"x": ["a"]})),
        arrow_stream(pa.table({"url": [1, 2]})), b"\xff\xff\xff\xff\xff\xff\xff\x7f" + plain,
    ):  # fmt: skip
        refused(service, "POST", "/v1/urls", body, ARROW, 422)
    chance = random.Random(3)
    for _ in range(60):
        altered = bytearray(plain)
        for _ in range(chance.randrange(1, 4)):
            altered[chance.randrange(len(altered))] ^= 1 << chance.randrange(8)
        found, _, told = service.ask("POST", "/v1/urls", bytes(altered), content_type=ARROW)
        assert found in (200, 422), told


def arrow_stream(table: pa.Table, options: pa.ipc.IpcWriteOptions | None = None) -> bytes:
    """A table as an Arrow stream."""
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema, options=options) as writer:
        writer.write_table(table)
    return sink.getvalue()


def bad_pages(service: Started) -> None:
    """Pages that are no pages are answered like any other."""
    chance = random.Random(4)
    for body in (
        b"",
        b"\0" * 5000,
        chance.randbytes(5000),
        b"<" * 50_000,
        b"<div>" * 20_000,
        b"&#x10ffff;&#xd800;" * 99,
    ):
        for path in ("/v1/page", "/v1/track"):
            for kind in ("text/html; charset=nonsense", "text/html; charset=utf-16", "text/plain"):
                found, _, told = service.ask("POST", path, body, content_type=kind)
                assert found == 200, told
    refused(service, "POST", "/v1/page", b"<p>", "image/png", 415)


ATTACKS: tuple[Callable[[Started], None], ...] = (
    half_open, slow_header, slow_body, a_body_for_nobody, gone_in_the_middle, a_gigabyte_announced, a_body_without_end,
    a_header_without_end, not_http, many_at_once_on_a_line, a_reader_that_does_not, bad_json, long_urls, garbage_lines,
    bad_arrow, bad_pages,
)  # fmt: skip
