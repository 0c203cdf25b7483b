"""A URL becomes the one spelling under which a crawl knows it, its server and its directory."""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

#: What needs no care: lower-case host, no port 80, only characters that are sent as they are.
_PLAIN = re.compile(
    r"https?://[a-z0-9][a-z0-9.-]*[a-z0-9](?::(?!80/|443/)(?:[1-9]\d{0,3}|[1-5]\d{4}))?/[A-Za-z0-9/._~!$&'()*+,;=:@?-]*"
)
_SERVER = re.compile(r"https?://([^/?#]*)")
_PORTS = {"http": 80, "https": 443}


def canonical(url: str) -> str | None:
    """The URL as a crawl knows it: no fragment, host in lower case, no usual port; None if it is none of http(s).

    >>> canonical("HTTP://A.De:80#top"), canonical("http://a.de/b?c#d"), canonical("ftp://a.de/"), canonical("http://[")
    ('http://a.de/', 'http://a.de/b?c', None, None)
    """
    url = url.partition("#")[0]
    if _PLAIN.fullmatch(url):
        return url
    from w3lib.url import safe_url_string

    try:
        parts = urlsplit(safe_url_string(url.strip()))
        scheme, host, port = parts.scheme.lower(), parts.hostname, parts.port
    except (ValueError, UnicodeError):
        return None
    if scheme not in _PORTS or not host:
        return None
    if not host.isascii():
        try:
            host = host.encode("idna").decode("ascii")
        except UnicodeError:
            return None
    host = f"[{host}]" if ":" in host else host
    server = host if port in (None, _PORTS[scheme]) else f"{host}:{port}"
    return urlunsplit((scheme, server, parts.path or "/", parts.query, ""))


def server_of(url: str) -> str:
    """The server of a canonical URL: host, and port where it is not the usual one.

    >>> server_of("http://a.de:8080/b")
    'a.de:8080'
    """
    found = _SERVER.match(url)
    return found[1] if found else ""


def host_of(server: str) -> str:
    """The host of a server, without its port.

    >>> host_of("a.de:8080"), host_of("[::1]:80")
    ('a.de', '::1')
    """
    if server.startswith("["):
        return server[1:].partition("]")[0]
    return server.partition(":")[0]


def directory_of(url: str) -> str:
    """The server and the first path segment; `/about.html` is in the root.

    >>> directory_of("http://a.de/about.html"), directory_of("http://a.de/th/x/y"), directory_of("http://a.de/?a/b/")
    ('a.de/', 'a.de/th', 'a.de/')
    """
    server = server_of(url)
    path = url[url.find(server) + len(server) :].partition("?")[0]
    segments = path.split("/", 2)
    return f"{server}/{segments[1]}" if len(segments) > 2 else f"{server}/"
