"""One service, one browser: a real `dragoman serve` looked at by the system's Chromium."""

from __future__ import annotations

import json
import re
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, sync_playwright
from tests.serve.started import Started, started

from dragoman.cli.main import cli
from dragoman.crawl.live.state.progress import FORMAT, NAME

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
#: A page of links somewhere else on the web, for the badges.
LINKS = (
    "http://www.wetterbericht.de/vorhersage",
    "http://www.recettes-de-cuisine.fr/gateau",
    "http://www.viaggi-e-vacanze.it/offerte",
)


@dataclass
class Looks:
    """A page of the browser, and what it said and asked for on the way."""

    page: Page
    address: str
    said: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def go(self, view: str) -> Page:
        """Open a view as if the page were new."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}#{view}")
        self.page.wait_for_selector(f"#view-{re.split('[/?]', view)[0]}:not([hidden])")
        return self.page


@pytest.fixture(scope="session")
def other_site() -> Iterator[int]:
    """The port of a site that is not ours: one page of links."""
    body = "".join(f'<p><a href="{link}">{link}</a></p>' for link in LINKS)
    page = f'<!DOCTYPE html><html lang="en"><title>Links</title><body>{body}<a href="#top">Top</a></body></html>'

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *given: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def crawl_state(pages: int, ended: str | None = None) -> dict[str, Any]:
    relevant = pages // 2
    return {
        "format": FORMAT, "time": time.time(), "wanted": ["th"], "strategy": "scout", "tolerance": 3, "ended": ended,
        "seconds": pages / 4, "pages": pages, "relevant": relevant, "bytes": 1000 * pages, "waiting": 40,
        "expected": 20.0, "curve": [[one, one // 2, 40, 20.0, one, 9.0 * one] for one in range(10, pages + 1, 10)],
        "servers": {"irrelevant": 2, "relevant": 5}, "languages": [["th", relevant], [None, pages - relevant]],
        "reasons": [["on a relevant page", 300], ["<b>seed</b>", 1]], "answers": [["page", pages]],
        "guesses": [[True, True, 3], [True, False, 1], [False, True, 3]], "largest": [["a.th", 9]],
    }  # fmt: skip


def put(folder: Path, state: dict[str, Any]) -> None:
    folder.mkdir(exist_ok=True)
    new = folder / "new"
    new.write_text(json.dumps(state), encoding="utf-8")
    new.replace(folder / NAME)


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a finished simulation and a finished crawl; tests put other crawls beside them."""
    folder = tmp_path_factory.mktemp("runs")
    wanted = ["--pages", "2000", "--language", "th", "--strategy", "bfs", "--strategy", "scout", "--no-plots"]
    done = CliRunner().invoke(cli, ["simulate", "--synth", *wanted, "-o", str(folder / "simulated")])
    assert done.exit_code == 0, done.output
    put(folder / "crawled", crawl_state(500, "500 pages"))
    return folder


@pytest.fixture(scope="session")
def service(runs: Path, other_site: int) -> Iterator[Started]:
    with started("--folder", str(runs), "--allow-origin", f"http://127.0.0.1:{other_site}") as there:
        yield there


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(PROGRAMS)} is installed")
    with sync_playwright() as playwright:
        there = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield there
        there.close()


@pytest.fixture
def look(request: pytest.FixtureRequest, browser: Browser, service: Started) -> Iterator[Looks]:
    """A page of the width and scheme given (1280, light), which must neither complain nor ask elsewhere."""
    shape: tuple[int, Literal["light", "dark"]] = getattr(request, "param", (1280, "light"))
    width, scheme = shape
    context = browser.new_context(
        viewport={"width": width, "height": 740}, color_scheme=scheme, reduced_motion="reduce", accept_downloads=True
    )
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=service.address.rstrip("/"))
    context.set_default_timeout(15_000)
    found = Looks(context.new_page(), service.address)
    found.page.on("console", lambda message: found.said.append(f"{message.type}: {message.text}"))
    found.page.on("pageerror", lambda error: found.said.append(f"error: {error}"))
    found.page.on("request", lambda asked: found.asked.append(asked.url))
    yield found
    context.close()
    assert found.said == []
    assert [url for url in found.asked if not url.startswith((service.address, "blob:", "data:"))] == []
