"""The access log: a line on stderr for each request, as other web servers write it or as JSON; off unless asked for.

A request's query holds what somebody asked about, so it stands in the log too: that is why nobody gets one unasked.

>>> print(common_line({"method": "GET", "path": "/v1/url", "query_string": b"u=a", "client": ("127.0.0.1", 1)}, 200, 57,
...                   0.002, 0.0))
127.0.0.1 - - [01/Jan/1970:00:00:00 +0000] "GET /v1/url?u=a HTTP/1.1" 200 57
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

from starlette.types import Scope

#: What is written for a request: its scope, status, bytes of the answer, seconds that it took, and when it came.
Line = Callable[[Scope, int, int, float, float], str]


def common_line(scope: Scope, status: int, size: int, seconds: float, when: float) -> str:
    """The common log format."""
    asked = f"{scope['method']} {_target(scope)} HTTP/{scope.get('http_version', '1.1')}"
    moment = time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(when))
    return f'{_client(scope)} - - [{moment}] "{asked}" {status} {size}'


def json_line(scope: Scope, status: int, size: int, seconds: float, when: float) -> str:
    """A JSON object."""
    return json.dumps(
        {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when)), "client": _client(scope),
            "method": scope["method"], "target": _target(scope), "status": status, "bytes": size,
            "seconds": round(seconds, 6),
        }
    )  # fmt: skip


#: The kinds of log by name; with "off" there is none.
KINDS: dict[str, Line] = {"common": common_line, "json": json_line}


class AccessLog:
    """Writes a line per request."""

    def __init__(self, kind: str) -> None:
        self._line = KINDS[kind]

    def request(self, scope: Scope, status: int, size: int, seconds: float) -> None:
        """A request has been answered."""
        print(self._line(scope, status, size, seconds, time.time() - seconds), file=sys.stderr, flush=True)


def _client(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else "-"


def _target(scope: Scope) -> str:
    """What was asked for, as it came, without anything that would end the line or the quotes."""
    path = scope.get("raw_path") or scope["path"].encode("utf-8", "surrogateescape")
    target = path + (b"?" + scope["query_string"] if scope["query_string"] else b"")
    return "".join(chr(byte) if 32 < byte < 127 and byte not in b'"\\' else f"%{byte:02X}" for byte in target)
