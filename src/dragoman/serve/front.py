"""The page that people look at (`GET /`), its files, and the user script that knows where this service is.

The files are those of the folder `page`, named one by one: nothing that a browser says becomes a path. The page loads
nothing from elsewhere and has no script or style inside its HTML, which its Content-Security-Policy holds it to.
They are small and lie beside the code, so they are sooner read than handed to a thread.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dragoman.serve.problems import Problem

FOLDER = Path(__file__).resolve().parent / "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
KINDS = {".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml"}
_ALWAYS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
_USER_SCRIPT = """// ==UserScript==
// @name        Dragoman: languages of links
// @namespace   dragoman
// @version     1
// @description A badge with the language beside every link, told by the Dragoman service on this machine
// @match       *://*/*
// @connect     HOST
// @grant       GM_xmlhttpRequest
// @grant       GM_registerMenuCommand
// @run-at      document-idle
// @noframes
// ==/UserScript==
"""


@cache
def names() -> frozenset[str]:
    """The names of the page's files."""
    return frozenset(path.name for path in FOLDER.iterdir() if path.suffix in KINDS)


def _file(name: str, request: Request) -> Response:
    content = (FOLDER / name).read_bytes()
    mark = f'"{hashlib.blake2b(content, digest_size=12).hexdigest()}"'
    headers = _ALWAYS | {"ETag": mark}
    if request.headers.get("if-none-match") == mark:
        return Response(status_code=304, headers=headers)
    return Response(content, headers=headers, media_type=KINDS[Path(name).suffix])


async def page(request: Request) -> Response:
    """The page."""
    return _file("index.html", request)


async def part(request: Request) -> Response:
    """One of its files."""
    if (name := request.path_params["name"]) not in names():
        raise Problem(404, "The page has no such file")
    return _file(name, request)


async def user_script(request: Request) -> Response:
    """The badges as a user script that asks this service."""
    origin = str(request.base_url).rstrip("/")
    # What stands here comes from the request: letters, digits and a port, or it goes nowhere near a script.
    if not re.fullmatch(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d+)?", origin):
        raise Problem(400, "The request does not say for which host it is")
    code = (FOLDER / "badges.js").read_text(encoding="utf-8").replace('"__SERVICE__"', json.dumps(origin), 1)
    head = _USER_SCRIPT.replace("HOST", request.url.hostname or "127.0.0.1", 1)
    return Response(head + code, headers=_ALWAYS, media_type=KINDS[".js"])


ROUTES = (Route("/", page), Route("/page/{name}", part), Route("/dragoman.user.js", user_script))
