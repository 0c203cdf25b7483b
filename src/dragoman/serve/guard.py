"""What every request passes before it is answered: its host, its origin, its size and its time.

- The host that it names must be this machine's or one that was allowed: a page on the web that has made its own name
  lead to 127.0.0.1 (DNS rebinding) is refused.
- A page of another origin is refused, unless its origin was allowed, and then it may only ask about URLs.
- The body is read here, whole, within its limits of bytes and seconds; all bodies together have a limit, too.
- An answer that takes too long is given up.
- HEAD is answered as GET is, without the body.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dragoman.serve.metrics import Metrics
from dragoman.serve.problems import CONTENT_TYPE, Problem
from dragoman.serve.settings import LOCAL_HOSTS, Settings

#: Routes that pages of allowed origins may ask.
_SHARED = {"/v1/url": "GET", "/v1/urls": "POST"}
#: Bytes of a body where no route says more.
_SMALL = 1 << 20
_NO_BODY = frozenset({"GET", "HEAD", "OPTIONS"})
_ALWAYS = [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer")]
_CLOSE = {"Connection": "close"}


class Guard:
    """ASGI middleware: refuses what must be refused, reads bodies, keeps the time, counts.

    Requests for the routes in `direct` are handed over at once: looking for them as for any other would cost as much as
    answering them does.
    """

    def __init__(
        self, app: ASGIApp, settings: Settings, metrics: Metrics, direct: Mapping[tuple[str, str], ASGIApp]
    ) -> None:
        self.direct = direct
        self.app, self.metrics, self.limits = app, metrics, settings.limits
        own = [settings.host] if settings.host not in ("", "0.0.0.0", "::") else []  # noqa: S104
        self.hosts = frozenset(name.lower() for name in (*LOCAL_HOSTS, *own, *settings.allow_hosts))
        self.origins = frozenset(one.rstrip("/").lower() for one in settings.allow_origins)
        limits = settings.limits
        self.largest = {"/v1/urls": limits.body, "/v1/page": limits.page, "/v1/track": limits.page}
        self.held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the beginning and end of the service."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started, status, more = perf_counter(), 0, _ALWAYS
        self.metrics.begin()
        head = scope["method"] == "HEAD"
        if head:
            scope = {**scope, "method": "GET"}

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *more]
            elif head:
                message["body"] = b""
            await send(message)

        size = 0
        try:
            headers = dict(scope["headers"])
            self._check_host(headers.get(b"host"))
            if b"origin" in headers and (shared := self._origin(scope, headers)):
                more = [*_ALWAYS, *shared]
                if scope["method"] == "OPTIONS":
                    await _answer(noting, 204, b"", None)
                    return
            if scope["method"] not in _NO_BODY:
                if headers.get(b"content-encoding", b"identity") != b"identity":
                    raise Problem(415, "Compressed bodies are not read: send it as it is", _CLOSE)
                body = await self._body(scope["path"], headers, receive)
                if body is None:
                    return
                size = len(body)
                receive = _Whole(body, receive)
            answering = self.direct.get((scope["method"], scope["path"]), self.app)
            async with asyncio.timeout(self.limits.seconds):
                await answering(scope, receive, noting)
        except Problem as problem:
            await _answer(noting, problem.status, problem.body, CONTENT_TYPE, problem.headers)
        except TimeoutError:
            if status:  # part of the answer has gone already: uvicorn cuts what is not complete
                return
            told = Problem(504, f"This took longer than {self.limits.seconds:g} seconds: ask for less at a time")
            await _answer(noting, 504, told.body, CONTENT_TYPE, _CLOSE)
        except Exception:
            status = status or 500  # whoever is outside answers and logs it
            raise
        finally:
            self.held -= size
            self.metrics.end()
            route = scope["route"].path if "route" in scope else scope["path"]
            self.metrics.request(route, status, perf_counter() - started)

    def _check_host(self, given: bytes | None) -> None:
        name = host_of((given or b"").decode("latin-1"))
        if name in self.hosts or "*" in self.hosts:
            return
        if not name:
            raise Problem(400, "A request must say in its header for which host it is", _CLOSE)
        raise Problem(421, "This service does not answer for that host; dragoman serve --allow-host allows it", _CLOSE)

    def _origin(self, scope: Scope, headers: dict[bytes, bytes]) -> list[tuple[bytes, bytes]]:
        """What an answer to a page of another origin must say; nothing for our own; a Problem where it may not ask."""
        origin = headers[b"origin"].decode("latin-1").lower()
        if (scope["path"] in _SHARED) and ("*" in self.origins or origin in self.origins):
            found = [(b"access-control-allow-origin", headers[b"origin"]), (b"vary", b"origin")]
            if scope["method"] == "OPTIONS":
                found += [
                    (b"access-control-allow-methods", _SHARED[scope["path"]].encode()),
                    (b"access-control-allow-headers", b"content-type"),
                    (b"access-control-max-age", b"600"),
                ]
                if headers.get(b"access-control-request-private-network") == b"true":
                    found.append((b"access-control-allow-private-network", b"true"))
            return found
        try:
            place = urlsplit(origin).netloc
        except ValueError:
            place = ""
        if place and place == headers.get(b"host", b"").decode("latin-1").lower():
            return []
        raise Problem(403, "Pages of other origins may not ask here; dragoman serve --allow-origin allows it for URLs")

    async def _body(self, path: str, headers: dict[bytes, bytes], receive: Receive) -> bytes | None:
        """The whole body; None if the client went away."""
        most = self.largest.get(path, _SMALL)
        too_large = f"The body is larger than {most:,} bytes: send less at a time"
        told = headers.get(b"content-length", b"")
        if told.isdigit() and int(told) > most:
            raise Problem(413, too_large, _CLOSE)
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self.limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        self.held -= size
                        return None
                    part = message.get("body", b"")
                    size += len(part)
                    self.held += len(part)
                    if size > most:
                        raise Problem(413, too_large, _CLOSE)
                    if self.held > self.limits.bodies:
                        raise Problem(
                            503, "Too many bytes are being worked on: try again", {"Retry-After": "1", **_CLOSE}
                        )
                    parts.append(part)
                    if not message.get("more_body", False):
                        return parts[0] if len(parts) == 1 else b"".join(parts)
        except Problem:
            self.held -= size
            raise
        except TimeoutError:
            self.held -= size
            detail = f"The body did not come within {self.limits.body_seconds:g} seconds"
            raise Problem(408, detail, _CLOSE) from None


class _Whole:
    """A body that was read already, as ASGI gives it; then whatever comes from the client."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self.body: bytes | None = body
        self.receive = receive

    async def __call__(self) -> Message:
        if self.body is None:
            return await self.receive()
        body, self.body = self.body, None
        return {"type": "http.request", "body": body, "more_body": False}


def host_of(given: str) -> str:
    """The host of a Host header, without its port, in lower case; empty where it is none.

    >>> host_of("LocalHost:8321"), host_of("[::1]:8321"), host_of("a:b")
    ('localhost', '::1', '')
    """
    name = given.strip().lower()
    if name.startswith("["):
        inner, closed, port = name[1:].partition("]")
        return inner if closed and (not port or port.startswith(":")) else ""
    name, _, port = name.partition(":")
    return name.rstrip(".") if not port or port.isdigit() else ""


async def _answer(
    send: Any, status: int, body: bytes, content_type: str | None, headers: dict[str, str] | None = None
) -> None:
    told = [(b"content-length", b"%d" % len(body))] if status != 204 else []
    if content_type:
        told.append((b"content-type", content_type.encode()))
    told += [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})
