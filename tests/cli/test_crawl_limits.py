"""When a live crawl ends, what it leaves out, and what it says: budgets, quotas, patterns, hosts that do not answer."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import socket
import subprocess
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.live_crawls import catalogue, command, crawl, pages, records
from tests.live_web import PORT, SmallWeb, sentences, serve

from dragoman.web.graph import Graph

LANGUAGES = ("th", "ja", "en")
OF_EACH = 8


def three_languages() -> SmallWeb:
    """Three hosts, one per language; every page links to all others."""
    urls = [f"http://{one}.test:{PORT}/{one}/page{number}.html" for one in LANGUAGES for number in range(OF_EACH)]
    rows = [[end for end in range(len(urls)) if end != place] for place in range(len(urls))]
    language = [place // OF_EACH for place in range(len(urls))]
    return SmallWeb(Graph.of(rows, language=language, languages=LANGUAGES, seeds=[0, OF_EACH, 2 * OF_EACH]), urls)


@pytest.fixture(scope="module")
def web() -> Iterator[SmallWeb]:
    with serve(three_languages()) as there:
        yield there


USUAL = ("--language", "th,ja", "--allow-private", "--strategy")


@pytest.mark.slow
def test_every_budget_ends_a_crawl_which_then_goes_on(web: SmallWeb, tmp_path: Path) -> None:
    size = len(web.page(0))
    for budget, told in (
        (("--bytes", f"{3 * size}"), "bytes is used up"),
        (("--hosts", "2"), "the budget of 2 hosts is used up"),
    ):
        done = crawl(tmp_path / "one", web, *USUAL, "bfs", "--concurrent", "1", *budget)
        assert done.returncode == 0, done.stderr
        assert told in done.stdout, done.stdout
    assert 4 <= len(pages(tmp_path / "one")) <= OF_EACH + 4
    done = crawl(tmp_path / "two", web, *USUAL, "bfs", "--delay", "1", "--time", "2.5s")
    assert "the budget of 2.5 seconds is used up" in done.stdout, done.stderr
    assert int(done.stdout.split()[1]) < len(web.urls)


def test_quotas_are_of_languages_and_nothing_else_is_collected(web: SmallWeb, tmp_path: Path) -> None:
    quotas = ("--quota", "th=6", "--quota", "ja=2", "--concurrent", "1", "--tolerance", "1")
    done = crawl(tmp_path / "some", web, *USUAL, "scout", *quotas)
    assert "every quota is full" in done.stdout, done.stderr
    rows = catalogue(tmp_path / "some")
    found = Counter(rows["language"])
    assert found["th"] == 6
    assert 2 <= found["ja"] <= 3, "a full language goes last"
    assert found["en"] <= 2, "more than T pages are not asked of a server without wanted ones"
    page = (tmp_path / "some" / "report.html").read_text(encoding="utf-8")
    assert "6 of 6" in page


def test_what_stands_on_private_addresses_alone_is_told_with_the_remedy(web: SmallWeb, tmp_path: Path) -> None:
    done = crawl(tmp_path / "some", web, "--language", "th")
    told = "dragoman: None of the seeds gave a page: address is private (3); --allow-private fetches from these too\n"
    assert (done.returncode, done.stderr) == (1, told)
    assert "wanted     0 (0.0 % of 3 requests)" in done.stdout
    assert "unknown of pages" not in done.stdout


def test_patterns_say_what_is_followed(web: SmallWeb, tmp_path: Path) -> None:
    done = crawl(
        tmp_path / "some", web, *USUAL, "bfs", "--include", r"//(th|en)\.test", "--include", "page3", "--exclude",
        "page[567]",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = catalogue(tmp_path / "some")
    seeds = set(web.seeds)
    wanted = [
        url for url in web.urls
        if (re.search(r"//(th|en)\.test|page3", url) and not re.search("page[567]", url)) or url in seeds
    ]  # fmt: skip
    assert sorted(rows["url"]) == sorted(wanted)
    assert "excluded by a pattern" in (tmp_path / "some" / "report.html").read_text(encoding="utf-8")


class Silent:
    """A port that takes connections, counts them and never answers."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = int(self.server.getsockname()[1])
        self.taken: list[socket.socket] = []

    def take(self) -> None:
        while True:
            try:
                self.taken.append(self.server.accept()[0])
            except OSError:
                return

    def close(self) -> None:
        self.server.shutdown(socket.SHUT_RDWR)
        self.server.close()
        for one in self.taken:
            one.close()


@pytest.fixture
def silent() -> Iterator[Silent]:
    made = Silent()
    thread = threading.Thread(target=made.take, daemon=True)
    thread.start()
    yield made
    made.close()
    thread.join(10)


def test_hosts_that_answer_nothing_are_rows_with_a_reason_and_the_rest_is_complete(
    tmp_path: Path, silent: Silent
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        closed_port = int(closed.getsockname()[1])
    made = three_languages()
    thai = "".join(f"<p>{one}</p>" for one in sentences("th")[:12])
    dead = {"http://silent.test:%d/": silent.port, "http://closed.test:%d/": closed_port}
    links = [url % port for url, port in dead.items()] + [f"http://busy.test:{PORT}/"]
    front = thai + "".join(f'<a href="{one}">x</a>' for one in [*links, *made.urls])
    made.special[f"http://front.test:{PORT}/"] = (200, {"Content-Type": "text/html"}, front.encode())
    made.special[f"http://busy.test:{PORT}/robots.txt"] = (503, {"Retry-After": "1"}, b"later")
    asked: Counter[str] = Counter()
    made.seen = lambda host, path: asked.update([f"{host}{path}"])
    with serve(made) as there:
        front_page = next(iter(url for url in there.special if "front" in url))
        (tmp_path / "seeds").write_text(front_page)
        done = crawl(tmp_path / "one", there, *USUAL, "bfs", "--timeout", "1", "--seeds", str(tmp_path / "seeds"),
                     seeds=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    rows = catalogue(tmp_path / "one")
    reasons = {url.split("/")[2].partition(":")[0]: why for url, why in zip(rows["url"], rows["reason"], strict=True)}
    assert reasons["silent.test"] == "no answer in time"
    assert reasons["closed.test"] == "connection refused"
    assert reasons["busy.test"] == "robots.txt was not to be had", "a server's error forbids everything for a while"
    assert set(there.urls) <= set(pages(tmp_path / "one"))
    assert len(silent.taken) == 3, "robots.txt and its retries, not the page again"
    assert [count for one, count in asked.items() if one.startswith("busy.test")] == [3], "robots.txt, and no page"


def test_a_terminal_shows_the_figures_and_ctrl_c_ends_the_crawl_which_then_goes_on(
    web: SmallWeb, tmp_path: Path
) -> None:
    asked: Counter[str] = Counter()
    web.seen = lambda host, path: asked.update([f"http://{host}{path}"])
    ours, theirs = pty.openpty()
    line = command(tmp_path / "one", web, *USUAL, "bfs", "--delay", "0.5")
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=theirs, stdin=theirs, env=environment)
    os.close(theirs)
    shown, stopped = b"", False
    while process.poll() is None or select.select([ours], [], [], 0)[0]:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                shown += os.read(ours, 65536)
            except OSError:
                break
        if not stopped and len(set(_counts(shown))) > 2:
            process.send_signal(signal.SIGINT)
            stopped = True
    told = process.communicate(timeout=60)[0].decode()
    os.close(ours)
    assert process.returncode == 130, shown.decode()
    assert "ended      interrupted" in told
    for name in ("pages", "wanted", "coverage", "queue", "servers", "languages", "URL model", "answers", "Ctrl-C"):
        assert name in shown.decode(), name
    assert "Traceback" not in shown.decode()
    assert _counts(shown) == sorted(_counts(shown))
    first = pages(tmp_path / "one")
    assert 0 < len(first) < len(web.urls)
    done = crawl(tmp_path / "one", web, *USUAL, "bfs")
    web.seen = None
    assert done.returncode == 0, done.stderr
    assert sorted(pages(tmp_path / "one")) == sorted(web.urls)
    assert pages(tmp_path / "one")[: len(first)] == first
    assert {count for url, count in asked.items() if not url.endswith("robots.txt")} == {1}
    assert max(records(tmp_path / "one").values()) == 1


def _counts(shown: bytes) -> list[int]:
    """The pages that a terminal showed, one look after the other."""
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode(errors="replace"))
    return [int(one.replace(",", "")) for one in re.findall(r"pages\s+([\d,]+) \(", plain)]


BROKEN = """
import sys
from dragoman.__main__ import main
from dragoman.crawl.live.driver.session import LiveCrawl
from dragoman.crawl.live.state.steering import Steering

take, pop = LiveCrawl.take, Steering.pop
def broken_take(live, answer, links):
    if live.steering.pages >= 3:
        raise KeyError("a mistake of ours")
    return take(live, answer, links)
def broken_pop(steering, *ready):
    if steering.pages >= 3:
        raise OSError(28, "No space left on device")
    return pop(steering, *ready)
if sys.argv.pop(1) == "take":
    LiveCrawl.take = broken_take
else:
    Steering.pop = broken_pop
main()
"""


@pytest.mark.parametrize("where", ["take", "pop"])
def test_what_goes_wrong_between_two_pages_ends_the_crawl(web: SmallWeb, tmp_path: Path, where: str) -> None:
    script = tmp_path / "broken.py"
    script.write_text(BROKEN)
    line = command(tmp_path / "one", web, *USUAL, "bfs")
    broken = [line[0], str(script), where, *line[3:]]
    done = subprocess.run(broken, capture_output=True, encoding="utf-8", check=False, timeout=200)
    assert done.returncode == 1, done.stdout
    if where == "pop":
        assert done.stderr.count("\n") == 1, done.stderr
        assert "No space left on device" in done.stderr
    else:
        assert "a mistake of ours" in done.stderr
