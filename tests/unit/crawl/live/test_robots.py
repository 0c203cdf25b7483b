"""robots.txt is asked for once, obeyed while it holds, and a server that does not answer is asked again."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import exceptions as wrong
from scrapy.crawler import Crawler
from scrapy.http import Request, Response
from scrapy.settings import Settings
from tests.own_loop import in_its_own_loop

from dragoman.crawl.live.driver import robots
from dragoman.crawl.live.driver.robots import Robots
from dragoman.crawl.live.state.safety import FORBIDDEN, NO_RULES


class Web:
    """Answers to requests for robots.txt by server; an exception is raised instead of answered."""

    def __init__(self, answers: dict[str, tuple[int, bytes] | Exception], **headers: str) -> None:
        self.answers, self.headers = answers, {name.replace("_", "-"): value for name, value in headers.items()}
        self.asked: Counter[str] = Counter()
        self.downloader = SimpleNamespace(per_slot_settings={}, slots={"a.example": SimpleNamespace(delay=1.0)})

    async def download_async(self, request: Request) -> Response:
        self.asked[request.url] += 1
        await asyncio.sleep(0)
        answer = self.answers[request.url]
        if isinstance(answer, Exception):
            raise answer
        return Response(request.url, status=answer[0], body=answer[1], headers=self.headers)


def obeying(web: Web) -> Robots:
    settings = Settings({"USER_AGENT": "dragoman", "DOWNLOAD_DELAY": 1.0})
    crawler: Any = SimpleNamespace(settings=settings, engine=web, spider=None)
    return Robots.from_crawler(cast("Crawler", crawler))


async def reasons(middleware: Robots, *urls: str) -> list[str | None]:
    """Why each request may not go on; they are made at the same time."""

    async def reason(url: str) -> str | None:
        try:
            await middleware.process_request(Request(url))
        except Exception as error:
            return str(error) if type(error) is wrong.IgnoreRequest else type(error).__name__
        return None

    return await asyncio.gather(*map(reason, urls))


def test_rules_are_asked_for_once_and_hold_for_every_spelling_of_a_server() -> None:
    web = Web({"http://a.example/robots.txt": (200, b"User-agent: *\nDisallow: /no\nCrawl-delay: 7\n")})
    obeyed = in_its_own_loop(
        reasons(
            obeying(web), "http://a.example/", "http://a.example/no/x", "http://A.example:80/no", "http://a.example/"
        )
    )
    assert obeyed == [None, FORBIDDEN, FORBIDDEN, None]
    assert web.asked == {"http://a.example/robots.txt": 1}
    assert web.downloader.per_slot_settings == {"a.example": {"delay": 7.0}}
    assert web.downloader.slots["a.example"].delay == 7.0


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ((404, b"User-agent: *\nDisallow: /\n"), None),
        ((500, b""), NO_RULES),
        ((200, b"\xff\xfe nonsense \x00"), None),
        ((200, "User-agent: *\nDisallow: /\n".encode("utf-16")), FORBIDDEN),
        ((200, b"User-agent: *\n" + b"#" * robots.MOST_BYTES + b"\nDisallow: /\n"), None),
        (wrong.DownloadTimeoutError(), "DownloadTimeoutError"),
        (wrong.DownloadFailedError(), "DownloadFailedError"),
        (wrong.ResponseDataLossError(), None),
    ],
)
def test_what_has_no_rules_and_what_forbids_everything(answer: Any, reason: str | None) -> None:
    assert in_its_own_loop(reasons(obeying(Web({"http://a.example/robots.txt": answer})), "http://a.example/")) == [
        reason
    ]


@pytest.mark.parametrize("status", [429, 503])
def test_who_wants_to_be_asked_later_for_rules_is_and_then_forbids_everything(status: int) -> None:
    """Rules that were refused with 429 once counted as none, and one 503 lost a whole host."""
    url = "http://a.example/robots.txt"

    async def visits(web: Web) -> list[str | None]:
        middleware = obeying(web)
        return [reason for _ in range(4) for reason in await reasons(middleware, "http://a.example/")]

    web = Web({url: (status, b"")}, Retry_After="2")
    assert in_its_own_loop(visits(web)) == ["NotReady", "NotReady", NO_RULES, NO_RULES]
    assert web.asked == {url: 3}
    for_an_hour = Web({url: (status, b"")}, Retry_After="3600")
    assert in_its_own_loop(visits(for_an_hour)) == [NO_RULES] * 4
    assert for_an_hour.asked == {url: 1}


def test_a_silent_server_is_asked_again_by_the_next_request_and_old_rules_too(monkeypatch: pytest.MonkeyPatch) -> None:
    address = "https://a.example:8443/robots.txt"
    web = Web({address: wrong.DownloadConnectionRefusedError()})

    async def visits() -> None:
        middleware = obeying(web)
        both = await reasons(middleware, "https://a.example:8443/1", "https://a.example:8443/2")
        assert both == ["DownloadConnectionRefusedError"] * 2
        assert web.asked == {address: 1}
        web.answers[address] = (200, b"")
        assert await reasons(middleware, "https://a.example:8443/1") == [None]
        web.answers[address] = (200, b"User-agent: *\nDisallow: /\n")
        assert await reasons(middleware, "https://a.example:8443/1") == [None], "rules hold for a day"
        now = time.monotonic() + robots.HOLD + 1
        monkeypatch.setattr("dragoman.crawl.live.driver.robots.time.monotonic", lambda: now)
        assert await reasons(middleware, "https://a.example:8443/1") == [FORBIDDEN]

    in_its_own_loop(visits())


def test_only_so_many_files_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, "MOST_FILES", 2)
    urls = [f"http://{name}.example/" for name in "abc"]
    web = Web({f"{url}robots.txt": (200, b"") for url in urls})

    async def visits() -> None:
        middleware = obeying(web)
        for url in (*urls, urls[0]):
            await reasons(middleware, url)

    in_its_own_loop(visits())
    assert web.asked[f"{urls[0]}robots.txt"] == 2
    assert web.asked[f"{urls[2]}robots.txt"] == 1
