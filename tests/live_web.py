"""A small web on loopback: many hosts behind one port, told apart by the Host header, made from the synthetic web.

Pages hold text of their language out of the translations inside Django's package. `SmallWeb` is the content, `serve`
plays it: all names have to be resolved to 127.0.0.1 (`dragoman crawl --resolve '*=127.0.0.1' --allow-private`).
"""

from __future__ import annotations

import asyncio
import gettext
import gzip
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from dragoman.crawl.synth import Recipe, make
from dragoman.crawl.synth.urls import urls
from dragoman.web.addresses import server_and_directory
from dragoman.web.graph import Graph
from tests.played_http import PlayedHttp

#: Stands in URLs for the port, which is not known before the web is served.
PORT = 65_001
_FOLDERS = {"zh": "zh_Hans", "pt": "pt", "no": "nb"}


@cache
def sentences(language: str) -> tuple[str, ...]:
    """Texts of a language from Django's translations."""
    import django

    found: dict[str, None] = {}
    home = Path(django.__file__).parent
    folder = "de" if language == "en" else _FOLDERS.get(language, language)
    for path in sorted(home.glob(f"**/locale/{folder}/LC_MESSAGES/django.mo")):
        with path.open("rb") as file:
            catalogue = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        for asked, said in catalogue.items():
            text = (asked if isinstance(asked, str) else asked[0]) if language == "en" else said
            if len(text.encode()) > 16 and not set(text) & set("%{}<&") and (asked != "" and asked != ("", 0)):
                found[text.strip()] = None
    assert len(found) > 100, language
    return tuple(found)


@dataclass
class SmallWeb:
    """Pages with links, languages and URLs as a graph, whose servers and directories are read off the URLs."""

    graph: Graph
    urls: list[str]
    #: Answers of its own for some URLs: (status, headers, body), or a generator of a body that goes on.
    special: dict[str, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    endless: set[str] = field(default_factory=set)
    robots: dict[str, bytes] = field(default_factory=dict)
    #: Answers as bytes of a socket: what is sent first, and what again and again after it (nothing: it stays open).
    raw: dict[str, tuple[bytes, bytes]] = field(default_factory=dict)
    #: Called with (host, path) of every request.
    seen: Callable[[str, str], None] | None = None

    def relevant(self, language: str) -> NDArray[np.bool_]:
        return self.graph.is_in(language)

    @property
    def seeds(self) -> list[str]:
        return [self.urls[one] for one in self.graph.seeds.tolist()]

    def at(self, port: int) -> SmallWeb:
        """The same web behind another port."""
        old, new = f":{PORT}/", f":{port}/"
        moved = [url.replace(old, new, 1) for url in self.urls]
        special = {
            url.replace(old, new, 1): (status, {k: v.replace(old, new) for k, v in headers.items()},
                                       body.replace(old.encode(), new.encode()))
            for url, (status, headers, body) in self.special.items()
        }  # fmt: skip
        robots = {host: text.replace(old.encode(), new.encode()) for host, text in self.robots.items()}
        raw = {url.replace(old, new, 1): answer for url, answer in self.raw.items()}
        return SmallWeb(self.graph, moved, special, {one.replace(old, new, 1) for one in self.endless}, robots, raw)

    def numbered(self) -> SmallWeb:
        """The same web with an address of its own for each host, for crawlers that cannot be told how to resolve."""
        hosts: dict[str, str] = {}

        def moved(url: str) -> str:
            host = urlsplit(url).hostname or ""
            return url.replace(host, hosts.setdefault(host, f"127.1.0.{len(hosts) + 1}"), 1)

        return SmallWeb(self.graph, [moved(url) for url in self.urls])

    def page(self, place: int) -> bytes:
        """The HTML of a page."""
        graph = self.graph
        language = graph.languages[graph.language[place]]
        said = sentences(language)
        chance = np.random.default_rng(place)
        text = [said[one] for one in chance.integers(0, len(said), 12)]
        ends = graph.targets[graph.indptr[place] : graph.indptr[place + 1]].tolist()
        links = [f'<li><a href="{escape(self.urls[end])}">{end}</a>' for end in ends]
        body = "".join(f"<p>{escape(one)}</p>" for one in text)
        return f"<!DOCTYPE html><html><title>{place}</title><body>{body}<ul>{''.join(links)}</ul></html>".encode()


def small_web(
    pages: int, *, seed: int = 1, language: str = "th", share: float = 0.1, servers: int = 0, more_seeds: int = 0
) -> SmallWeb:
    """About so many pages of a synthetic web: whole servers, as far as the seeds lead to them.

    With `servers`, all of a web that was made with so many; then its seeds, which are all in the wanted language, can
    be mixed with the first pages of other servers.
    """
    web = make(Recipe(pages=max(2_000, pages), seed=seed, languages=(language,), share=share, servers=servers or None))
    graph, fetched = web.graph, int(web.base[-1])
    if servers:
        first = set(graph.server[graph.seeds].tolist())
        drawn = np.random.default_rng(seed).permutation(web.live).tolist()
        others = web.base[[one for one in drawn if one not in first][:more_seeds]].astype(np.uint32)
        graph = replace(graph, seeds=np.concatenate([graph.seeds, others]))
        return _restricted(graph, [bytes(one).decode() for one in urls(web, 0, fetched)], graph.fetched)
    order, room = np.arange(web.live), max(pages, 1)
    first = set(graph.server[graph.seeds].tolist())
    chance = np.random.default_rng(seed)
    chance.shuffle(order)
    ranked = sorted(order.tolist(), key=lambda one: one not in first)
    sizes = np.diff(web.base)
    keep = np.zeros(len(graph), np.bool_)
    for server in ranked:
        if (sizes[server] > room or sizes[server] > pages // 8 + 10) and server not in first:
            continue
        keep[web.base[server] : web.base[server + 1]] = True
        room -= int(sizes[server])
        if room <= 0:
            break
    return _restricted(graph, [bytes(one).decode() for one in urls(web, 0, fetched)], keep)


def _restricted(graph: Graph, names: list[str], keep: NDArray[np.bool_]) -> SmallWeb:
    """The pages that are kept and can be reached."""
    seeds = [one for one in graph.seeds.tolist() if keep[one]]
    found = dict.fromkeys(seeds)
    waiting = list(found)
    while waiting:
        place = waiting.pop(0)
        for end in graph.targets[graph.indptr[place] : graph.indptr[place + 1]].tolist():
            if keep[end] and end not in found:
                found[end] = None
                waiting.append(end)
    places = {old: new for new, old in enumerate(found)}
    rows = [
        [
            places[end]
            for end in dict.fromkeys(graph.targets[graph.indptr[old] : graph.indptr[old + 1]].tolist())
            if end in places
        ]
        for old in found
    ]
    moved = [_with_port(names[old]) for old in found]
    servers: dict[str, int] = {}
    directories: dict[str, int] = {}
    names_of = [server_and_directory(url) for url in moved]
    small = Graph.of(
        rows,
        server=[servers.setdefault(server, len(servers)) for server, _ in names_of],
        directory=[directories.setdefault(directory, len(directories)) for _, directory in names_of],
        language=[int(graph.language[old]) for old in found],
        languages=graph.languages,
        seeds=[places[one] for one in seeds],
    )
    return SmallWeb(small, moved)


def _with_port(url: str) -> str:
    parts = urlsplit(url)
    return f"http://{parts.netloc}:{PORT}{parts.path or '/'}" + (f"?{parts.query}" if parts.query else "")


class _Server(PlayedHttp):
    """A connection to one of the web's hosts."""

    def __init__(self, web: SmallWeb, places: Mapping[str, int]) -> None:
        super().__init__()
        self.web, self.places = web, places
        self.sending: asyncio.Task[None] | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        if self.sending:
            self.sending.cancel()

    def answer(self, host: str, path: str, headers: Mapping[str, str]) -> None:
        if self.web.seen:
            self.web.seen(host, path)
        url = f"http://{host}{path}"
        place = self.places.get(url)
        if url in self.web.endless:
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
            self.sending = asyncio.get_running_loop().create_task(self.forever(b"<p>and so on</p>" * 4096))
        elif url in self.web.raw:
            first, again = self.web.raw[url]
            self.transport.write(first)
            if again:
                self.sending = asyncio.get_running_loop().create_task(self.forever(again))
        elif url in self.web.special:
            status, named, body = self.web.special[url]
            if "if-none-match" in headers and named.get("ETag") == headers["if-none-match"]:
                status, body = 304, b""
            self.send(status, named, body)
        elif path == "/robots.txt":
            self.send(200, {"Content-Type": "text/plain"}, self.web.robots.get(host.partition(":")[0], b""))
        elif place is not None:
            self.send(200, {"Content-Type": "text/html; charset=utf-8"}, self.web.page(place))
        else:
            self.send(404, {"Content-Type": "text/plain"}, b"There is no such page.")

    async def forever(self, again: bytes) -> None:
        while True:
            self.transport.write(again)
            await asyncio.sleep(0.01)


async def listen(web: SmallWeb, port: int = 0) -> tuple[list[asyncio.Server], SmallWeb]:
    """The servers, and the web as it is reached there."""
    served: list[SmallWeb] = []
    places: dict[str, int] = {}
    loop = asyncio.get_running_loop()
    hosts = sorted({host for url in web.urls if (host := urlsplit(url).hostname or "").startswith("127.")})
    first, *others = hosts or ["127.0.0.1"]
    servers = [await loop.create_server(lambda: _Server(served[0], places), first, port)]
    port = servers[0].sockets[0].getsockname()[1]
    for host in others:
        servers.append(await loop.create_server(lambda: _Server(served[0], places), host, port))
    moved = web.at(port)
    moved.seen = web.seen
    places.update((url, place) for place, url in enumerate(moved.urls))
    served.append(moved)
    return servers, moved


@contextmanager
def serve(web: SmallWeb, port: int = 0) -> Iterator[SmallWeb]:
    """The web while it is there, played by a thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    servers, moved = asyncio.run_coroutine_threadsafe(listen(web, port), loop).result(30)
    try:
        yield moved
    finally:
        for server in servers:
            loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def hostile_web(good: int = 12) -> SmallWeb:
    """A site of Thai pages with every kind of trap among its links."""
    home = f"http://hostile.test:{PORT}"
    pages = [f"{home}/", *(f"{home}/good/{number}.html" for number in range(1, good))]
    rows = [[end for end in range(good) if end != place] for place in range(good)]
    graph = Graph.of(rows, language=[0] * good, languages=("th",), seeds=[0])
    html = {"Content-Type": "text/html"}
    thai = "".join(f"<p>{one}</p>" for one in sentences("th")[:12])
    deep = "/again" * 12
    bomb = gzip.compress(b"<p>boom</p>" * 3_000_000)
    traps = {
        "/loop/a": (302, {"Location": f"{home}/loop/b"}, b""),
        "/loop/b": (302, {"Location": f"{home}/loop/a"}, b""),
        "/to-private": (302, {"Location": "http://10.0.0.1/secret"}, b""),
        "/to-metadata": (301, {"Location": "http://169.254.169.254/latest/meta-data/"}, b""),
        "/to-file": (302, {"Location": "file:///etc/passwd"}, b""),
        "/bomb": (200, html | {"Content-Encoding": "gzip"}, bomb),
        "/wrong-charset": (200, {"Content-Type": "text/html; charset=shift_jis"}, thai.encode()),
        "/wrong-type": (200, {"Content-Type": "text/html"}, b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20),
        "/many": (200, html, (thai + "".join(f"<a href=/m/{one}>x</a>" for one in range(100_000))).encode()),
        "/long": (200, html, (thai + f"<a href=/{'x' * 10_000}>x</a><a href={deep}>y</a>").encode()),
        "/broken-gzip": (200, html | {"Content-Encoding": "gzip"}, zlib.compress(b"x" * 100)[:20]),
    }
    traps |= {f"/hop/{one}": (302, {"Location": f"{home}/hop/{one + 1}"}, b"") for one in range(30)}
    traps |= {
        f"/calendar?month={one}": (200, html, f"{thai}<a href='/calendar?month={one + 1}'>next</a>".encode())
        for one in range(2_000)
    }
    names = [
        *(one for one in traps if not one.startswith(("/hop/", "/calendar", "/loop/b"))),
        "/hop/0",
        "/calendar?month=0",
    ]
    links = [f"{home}{one}" for one in (*names, "/endless", "/forbidden/x")]
    links += [f"http://inside.test:{PORT}/", f"http://huge-robots.test:{PORT}/", "ftp://hostile.test/", "http://[/"]
    front = thai + "".join(f'<a href="{one}">x</a>' for one in [*links, *pages[1:]])
    special = {f"{home}{path}": answer for path, answer in traps.items()} | {pages[0]: (200, html, front.encode())}
    special[f"{home}/hidden.html"] = (200, html, thai.encode())
    listed = f"<urlset><url><loc>{home}/hidden.html</loc></url></urlset>"
    special[f"{home}/sitemap.xml"] = (200, {"Content-Type": "application/xml"}, listed.encode())
    special[f"http://huge-robots.test:{PORT}/"] = (200, html, thai.encode())
    robots = {
        "hostile.test": f"User-agent: *\nDisallow: /forbidden/\nSitemap: {home}/sitemap.xml\n".encode(),
        "huge-robots.test": b"User-agent: *\n" + b"Disallow: /no/such/place/\n" * 400_000,
    }
    return SmallWeb(graph, pages, special, {f"{home}/endless"}, robots)
