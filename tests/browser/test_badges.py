"""Badges beside the links of a page on another site: the bookmarklet and the user script."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from tests.browser.conftest import LINKS, Looks
from tests.serve.started import Started

import dragoman

CODES = "all => all.filter(one => one.title).map(one => one.firstChild.textContent)"


@pytest.fixture
def elsewhere(browser: Browser, service: Started) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


def badges(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all("[data-dragoman-badge]", CODES)
    return found


def click_bookmark(page: Page, bookmarklet: str) -> None:
    """What a browser does at a click on a bookmark: it runs the address in the page."""
    page.evaluate("address => { location.href = address }", bookmarklet)


def bookmarklet_of(look: Looks) -> str:
    page = look.go("badges")
    page.wait_for_selector("#bookmarklet")
    found = page.get_attribute("#bookmarklet", "href")
    assert found is not None
    return found


def test_the_bookmarklet_puts_a_badge_beside_every_link_and_takes_them_away(
    look: Looks, elsewhere: Page, other_site: int
) -> None:
    bookmarklet = bookmarklet_of(look)
    look.page.click("#bookmarklet")
    assert "bookmarks bar" in look.page.inner_text("#badges-status")
    elsewhere.goto(f"http://127.0.0.1:{other_site}/")
    click_bookmark(elsewhere, bookmarklet)
    elsewhere.wait_for_function("n => document.querySelectorAll('[data-dragoman-badge]').length > n", arg=len(LINKS))
    expected = [one.language for one in dragoman.identify(list(LINKS))]
    assert badges(elsewhere) == expected == ["de", "fr", "it"]
    beside = elsewhere.eval_on_selector_all("a[href^=http] + [data-dragoman-badge]", "all => all.map(one => one.title)")
    assert [title.split(",")[0] for title in beside] == ["German", "French", "Italian"]
    click_bookmark(elsewhere, bookmarklet)
    elsewhere.wait_for_function("() => !document.querySelector('[data-dragoman-badge]')")


def test_a_site_that_was_not_allowed_is_told_how(look: Looks, elsewhere: Page, other_site: int) -> None:
    bookmarklet = bookmarklet_of(look)
    elsewhere.goto(f"http://localhost:{other_site}/")  # another origin: its name is another
    click_bookmark(elsewhere, bookmarklet)
    elsewhere.wait_for_function(
        "() => document.querySelector('[data-dragoman-badge=status]')?.textContent.includes('--allow-origin')"
    )
    assert badges(elsewhere) == []


def test_the_user_script_asks_through_its_manager_and_waits_for_its_keys(
    service: Started, elsewhere: Page, other_site: int
) -> None:
    status, headers, body = service.ask("GET", "/dragoman.user.js")
    script = body.decode()
    assert (status, headers["content-type"].partition(";")[0]) == (200, "text/javascript")
    assert "// @connect     127.0.0.1\n" in script
    elsewhere.goto(f"http://localhost:{other_site}/")

    # What a script manager gives: requests that are not the page's own.
    def ask(url: str, data: str) -> dict[str, object]:
        answer = elsewhere.request.post(url, data=data, headers={"Content-Type": "application/json"})
        return {"status": answer.status, "responseText": answer.text()}

    elsewhere.expose_function("managerAsks", ask)
    elsewhere.evaluate(
        "() => { window.GM_xmlhttpRequest = (one) => managerAsks(one.url, one.data).then(one.onload, one.onerror) }"
    )
    elsewhere.evaluate(script)
    assert badges(elsewhere) == []
    elsewhere.keyboard.press("Alt+Shift+KeyL")
    elsewhere.wait_for_function("n => document.querySelectorAll('[data-dragoman-badge]').length > n", arg=len(LINKS))
    assert badges(elsewhere) == ["de", "fr", "it"]
