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
from collections.abc import AsyncIterator, Collection
from time import perf_counter
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dragoman.serve.access import KINDS, AccessLog
from dragoman.serve.metrics import Metrics
from dragoman.serve.problems import Problem
from dragoman.serve.settings import LOCAL_HOSTS, ServiceSettings

#: Routes that pages of allowed origins may ask.
_SHARED = {"/v1/url": "GET", "/v1/urls": "POST"}
#: Bytes of a body where no route says more.
_SMALL = 1 << 20
_NO_BODY = frozenset({"GET", "HEAD", "OPTIONS"})
_ALWAYS = [(b"x-content-type-options", b"nosniff"), (b"referrer-policy", b"no-referrer")]
_CLOSE = {"Connection": "close"}

Headers = dict[bytes, bytes]


class Guard:
    """ASGI middleware: refuses what must be refused, reads bodies, keeps the time, counts by the paths of `routes`."""

    def __init__(self, app: ASGIApp, settings: ServiceSettings, metrics: Metrics, routes: Collection[str] = ()) -> None:
        self.app, self.metrics, self.limits, self.routes = app, metrics, settings.limits, frozenset(routes)
        own = [settings.host] if settings.host not in ("", "0.0.0.0", "::") else []  # noqa: S104
        self.hosts = frozenset(name.lower() for name in (*LOCAL_HOSTS, *own, *settings.allow_hosts))
        self.origins = frozenset(origin.rstrip("/").lower() for origin in settings.allow_origins)
        limits = settings.limits
        self.largest = {"/v1/urls": limits.body, "/v1/page": limits.page, "/v1/track": limits.page}
        self.log = AccessLog(settings.access_log) if settings.access_log in KINDS else None
        #: Bytes of all bodies that are being read or worked on.
        self.held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, or the beginning and end of the service."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status, more_headers, sent = perf_counter(), 0, _ALWAYS, 0
        self.metrics.in_flight.inc()
        method, without_body = scope["method"], scope["method"] == "HEAD"
        if without_body:
            scope = {**scope, "method": "GET"}
        body = WholeBody(receive)

        async def noting(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *more_headers]
            elif without_body:
                message["body"] = b""
            sent += len(message.get("body", b""))
            await send(message)

        try:
            headers: Headers = dict(scope["headers"])
            self._check_host(headers.get(b"host"))
            if b"origin" in headers and (shared := self._origin_headers(scope, headers)):
                more_headers = [*_ALWAYS, *shared]
                if method == "OPTIONS":
                    await Response(status_code=204)(scope, receive, noting)
                    return
            if method not in _NO_BODY and not await self._read(body, scope["path"], headers):
                return
            async with asyncio.timeout(self.limits.seconds):
                await self.app(scope, body, noting)
        except Problem as problem:
            await problem.response()(scope, receive, noting)
        except TimeoutError:
            if status:  # part of the answer has gone already: uvicorn cuts what is not complete
                return
            detail = f"This took longer than {self.limits.seconds:g} seconds: ask for less at a time"
            await Problem(504, detail, _CLOSE).response()(scope, receive, noting)
        except Exception:
            status = status or 500  # whoever is outside answers and logs it
            raise
        finally:
            self.held -= body.size
            self.metrics.in_flight.dec()
            path = getattr(scope.get("endpoint"), "path", scope["path"])
            seconds = perf_counter() - start
            self.metrics.request(path if path in self.routes else "other", status, seconds)
            if self.log is not None:
                self.log.request({**scope, "method": method}, status, sent, seconds)

    def _check_host(self, header: bytes | None) -> None:
        name = host_of((header or b"").decode("latin-1"))
        if name in self.hosts or "*" in self.hosts:
            return
        if not name:
            raise Problem(400, "A request must say in its header for which host it is", _CLOSE)
        raise Problem(421, "This service does not answer for that host; dragoman serve --allow-host allows it", _CLOSE)

    def _origin_headers(self, scope: Scope, headers: Headers) -> list[tuple[bytes, bytes]]:
        """What an answer to a page of another origin must say; nothing for our own; a Problem where it may not ask."""
        origin = headers[b"origin"].decode("latin-1").lower()
        if scope["path"] in _SHARED and ("*" in self.origins or origin in self.origins):
            shared = [(b"access-control-allow-origin", headers[b"origin"]), (b"vary", b"origin")]
            if scope["method"] == "OPTIONS":
                shared += [
                    (b"access-control-allow-methods", _SHARED[scope["path"]].encode()),
                    (b"access-control-allow-headers", b"content-type"),
                    (b"access-control-max-age", b"600"),
                ]
                if headers.get(b"access-control-request-private-network") == b"true":
                    shared.append((b"access-control-allow-private-network", b"true"))
            return shared
        try:
            host = urlsplit(origin).netloc
        except ValueError:
            host = ""
        if host and host == headers.get(b"host", b"").decode("latin-1").lower():
            return []
        raise Problem(403, "Pages of other origins may not ask here; dragoman serve --allow-origin allows it for URLs")

    async def _read(self, body: WholeBody, path: str, headers: Headers) -> bool:
        """Read the body, within its limits; False if the client went away."""
        if headers.get(b"content-encoding", b"identity") != b"identity":
            raise Problem(415, "Compressed bodies are not read: send it as it is", _CLOSE)
        most = self.largest.get(path, _SMALL)
        too_large = Problem(413, f"The body is larger than {most:,} bytes: send less at a time", _CLOSE)
        announced = headers.get(b"content-length", b"")
        if announced.isdigit() and int(announced) > most:
            raise too_large
        try:
            async with asyncio.timeout(self.limits.patience):
                async for size in body.parts():
                    self.held += size
                    if body.size > most:
                        raise too_large
                    if self.held > self.limits.bodies:
                        later = {"Retry-After": "1", **_CLOSE}
                        raise Problem(503, "Too many bytes are being worked on: try again", later)
        except TimeoutError:
            detail = f"The body did not come within {self.limits.patience:g} seconds"
            raise Problem(408, detail, _CLOSE) from None
        return body.content is not None


class WholeBody:
    """A body that is read at once; for the application, what it receives: the body, then what comes from the client."""

    def __init__(self, receive: Receive) -> None:
        self.receive = receive
        self.content: bytes | None = None
        self.size = 0

    async def parts(self) -> AsyncIterator[int]:
        """Read it, and tell the size of each part that has come; the content stays None if the client goes away."""
        parts: list[bytes] = []
        more = True
        while more:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                return
            part, more = message.get("body", b""), message.get("more_body", False)
            parts.append(part)
            self.size += len(part)
            yield len(part)
        self.content = parts[0] if len(parts) == 1 else b"".join(parts)

    async def __call__(self) -> Message:
        """The next message for the application."""
        if self.content is None:
            return await self.receive()
        content, self.content = self.content, None
        return {"type": "http.request", "body": content, "more_body": False}


def host_of(header: str) -> str:
    """The host of a Host header, without its port, in lower case; empty where it is none.

    >>> host_of("LocalHost:8321"), host_of("[::1]:8321"), host_of("a:b")
    ('localhost', '::1', '')
    """
    name = header.strip().lower()
    if name.startswith("["):
        inner, closed, port = name[1:].partition("]")
        return inner if closed and (not port or port.startswith(":")) else ""
    name, _, port = name.partition(":")
    return name.rstrip(".") if not port or port.isdigit() else ""
