"""The one reading of a URL as server and directory, and its spelling: for graphs, crawls, seeds and archives alike.

- The **server** is the host as it is looked up (lower case, punycode), and the port where it is not the scheme's usual
  one. A user is left out. A URL without a scheme (`www.example.org/x`) is read as one of http.
- The **directory** is the server and the first segment of the path; `/about.html` is in the root.
- Where the host begins and ends is as in dragoman.identifiers.url.address, by which URLs are identified and sites are
  counted; only that these read a host as people do (punycode undone, no port).
- `canonical` is the spelling of what is fetched; `plain_spelling` that of a vertex, whose URL is not meant to be sent
  and keeps the characters it has.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

#: What needs no care: lower-case host, no port 80, only characters that are sent as they are.
_PLAIN = re.compile(
    r"https?://[a-z0-9][a-z0-9.-]*[a-z0-9](?::(?!80/|443/)(?:[1-9]\d{0,3}|[1-5]\d{4}))?/[A-Za-z0-9/._~!$&'()*+,;=:@?-]*"
)
#: Server and first segment of most URLs in one look, and of all.
MOST = re.compile(r"https?://([a-z0-9.-]+)/(?:([^/?#]*)/)?")
_ANY = re.compile(
    r"\s*(?:(https?|ftp):[/\\]*|([a-z][a-z0-9+.-]*)://|[/\\]{2,})?([^/\\?#]*)(?:[/\\]([^/?#]*)(/)?)?", re.IGNORECASE
)
_WITH_SCHEME = re.compile(r"([^:/?#]+)://([^/\\?]*)[/\\]?(.*)", re.DOTALL)
#: What no name of a host has, however it is written.
_NO_HOST = re.compile(r"[\x00-\x20\x7f%<>\"^`{|}\\]")
_PORTS = {"http": "80", "https": "443", "ftp": "21"}


def server_and_directory(url: str) -> tuple[str, str]:
    """(server, directory) of any URL.

    >>> server_and_directory("HTTP://me@A.de:80/th/x"), server_and_directory("https://a.de:80/about.html")
    (('a.de', 'a.de/th'), ('a.de:80', 'a.de:80/'))
    >>> server_and_directory("www.münchen.de"), server_and_directory("http://a.de/?a/b/")
    (('www.xn--mnchen-3ya.de', 'www.xn--mnchen-3ya.de/'), ('a.de', 'a.de/'))
    """
    if usual := MOST.match(url):
        return usual[1], f"{usual[1]}/{usual[2] or ''}"
    parts = _ANY.match(url)
    assert parts is not None, "every part of the pattern may be empty"
    server = _as_looked_up(_folded(parts[3].rstrip(), parts[1] or parts[2] or "http"))
    return server, f"{server}/{parts[4] if parts[5] else ''}"


def server_of(url: str) -> str:
    """The server of a URL.

    >>> server_of("http://a.de:8080/b"), server_of("http://A.de:80/"), server_of("http://a.de/")
    ('a.de:8080', 'a.de', 'a.de')
    """
    return server_and_directory(url)[0]


def host_of(server: str) -> str:
    """The host of a server, without its port.

    >>> host_of("a.de:8080"), host_of("[::1]:80")
    ('a.de', '::1')
    """
    if server.startswith("["):
        return server[1:].partition("]")[0]
    return server.partition(":")[0]


def canonical(url: str) -> str | None:
    """The URL as a crawl knows and sends it: no fragment, its server as above, escaped; None if it is none of http(s).

    >>> canonical("HTTP://A.De:80#top"), canonical("http://a.de/b?c#d"), canonical("ftp://a.de/"), canonical("http://[")
    ('http://a.de/', 'http://a.de/b?c', None, None)
    >>> canonical("http://a b.de/"), canonical("http://%zz.de/")
    (None, None)
    """
    url = url.partition("#")[0]
    if _PLAIN.fullmatch(url):
        return url
    from w3lib.url import safe_url_string

    try:
        parts = urlsplit(safe_url_string(url.strip()))
        named = bool(parts.hostname) and (parts.port is None or parts.port >= 0)  # a port that is none raises
    except (ValueError, UnicodeError):
        return None
    server = _as_looked_up(_folded(parts.netloc, parts.scheme))
    if parts.scheme not in ("http", "https") or not named or not server.isascii() or _NO_HOST.search(server):
        return None
    return urlunsplit((parts.scheme, server, parts.path or "/", parts.query, ""))


def plain_spelling(url: str) -> str:
    """The URL as a vertex of a graph has it: no fragment, user or usual port, scheme and host in lower case.

    >>> plain_spelling("HTTP://A.de:80#top"), plain_spelling("http://Köln.de/Straße"), plain_spelling("www.a.uk")
    ('http://a.de/', 'http://köln.de/Straße', 'www.a.uk')
    """
    url = url.strip().partition("#")[0]
    if MOST.match(url) or not (parts := _WITH_SCHEME.match(url)):
        return url
    scheme = parts[1].lower()
    return f"{scheme}://{_folded(parts[2], scheme)}/{parts[3]}"


def _folded(authority: str, scheme: str) -> str:
    """What stands before the path, in lower case, without the user and the scheme's usual port."""
    server = authority.rpartition("@")[2].lower()
    host, colon, port = server.rpartition(":")
    if not colon or not (port + "0").isdecimal() or not port.isascii() or (":" in host and host[-1] != "]"):
        return server  # there is no port, or nothing that can be told from the host
    port = port and (port.lstrip("0") or "0")
    return host if port in ("", _PORTS.get(scheme.lower())) else f"{host}:{port}"


def _as_looked_up(server: str) -> str:
    """A server with its host in punycode; as it is where the host cannot be written so."""
    if server.isascii():
        return server
    try:
        return server.encode("idna").decode("ascii")
    except UnicodeError:
        return server
