"""What holds in every view: for eyes, keys and screen readers, wide and narrow, light and dark, offline too."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from tests.browser.conftest import Looks
from tests.browser.reading import faint, nameless, repeated_ids, skipped_headings, too_wide

WIDTHS = [(1280, "light"), (360, "light")]


def fill_urls(page: Page) -> None:
    page.click("#urls-example")
    page.wait_for_function("() => document.getElementById('h-urls-found').textContent === 'Answers'")
    page.locator("#urls-list > li").first.scroll_into_view_if_needed()
    page.wait_for_selector("#urls-list li:nth-child(1) mark")
    page.locator("#urls-list > li").first.locator("button").click()
    page.wait_for_selector("#why-0 table")
    page.click("#urls-same summary")


def fill_text(page: Page) -> None:
    page.wait_for_selector("#text-shown mark")
    page.click("#text-same summary")


def fill_runs(page: Page) -> None:
    page.wait_for_selector("svg.chart path.line", state="attached")
    page.locator(".numbers summary").first.click()


def fill_crawl(page: Page) -> None:
    page.wait_for_selector("svg.chart path.line", state="attached")
    page.select_option("#runs-along", "seconds")
    page.locator("svg.chart").first.focus()
    page.keyboard.press("End")


def fill_quiz(page: Page) -> None:
    page.get_by_role("button", name="10 URLs").click()
    page.get_by_role("button", name="English").click()
    assert faint(page) == []
    page.get_by_role("button", name="Stop and score").click()
    page.wait_for_selector(".scores")


def fill_badges(page: Page) -> None:
    page.wait_for_selector("#bookmarklet")


FILLED = {
    "urls": fill_urls,
    "text": fill_text,
    "runs/simulated": fill_runs,
    "runs/crawled": fill_crawl,
    "quiz": fill_quiz,
    "badges": fill_badges,
}


@pytest.mark.parametrize("look", WIDTHS, indirect=True, ids=["wide", "narrow"])
@pytest.mark.parametrize("view", FILLED)
def test_a_view_can_be_read_by_everybody(look: Looks, view: str) -> None:
    page = look.go(view)
    FILLED[view](page)
    assert faint(page) == []
    page.emulate_media(color_scheme="dark")
    assert faint(page) == []
    assert nameless(page) == []
    assert too_wide(page) == []
    assert repeated_ids(page) == []
    assert not skipped_headings(page)
    assert page.get_attribute("html", "lang") == "en"
    assert page.title().endswith("Dragoman")


def test_the_page_is_used_by_keys_alone(look: Looks) -> None:
    page = look.go("urls")

    def focused() -> str:
        return str(page.evaluate("document.activeElement.id || document.activeElement.textContent"))

    def tab_to(wanted: str, most: int = 15) -> None:
        for _ in range(most):
            page.keyboard.press("Tab")
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", focused()
            if focused().startswith(wanted):
                return
        raise AssertionError(f"{wanted} was not reached; {focused()} was")

    tab_to("Skip to the content", 1)
    page.keyboard.press("Enter")
    assert focused() == "main"
    tab_to("urls-in", 2)
    page.keyboard.type("http://www.wetterbericht.de/")
    page.keyboard.press("Control+Enter")
    page.wait_for_function("() => document.getElementById('h-urls-found').textContent === 'Answers'")
    page.wait_for_selector("#urls-list mark")
    tab_to("Why", 30)
    page.keyboard.press("Enter")
    page.wait_for_selector("#why-0 table")
    page.goto(f"{look.address}#text")
    page.wait_for_selector("#view-text:not([hidden])")
    tab_to("text-in", 1)
    page.keyboard.type("Das Wetter war schön. We went to the beach together.")
    page.keyboard.press("Control+Enter")
    # the example may be shown still
    page.wait_for_function("() => document.getElementById('text-place').textContent === '2 spans'")
    tab_to("text-next", 30)
    page.keyboard.press("Enter")
    assert "span 1 of 2" in page.inner_text("#text-place")


def test_views_are_links_and_what_was_typed_stays(look: Looks) -> None:
    page = look.go("urls")
    page.fill("#urls-in", "http://a.de/")
    page.get_by_role("link", name="Quiz").click()
    page.wait_for_selector("#h-quiz")
    assert page.get_by_role("link", name="Quiz").get_attribute("aria-current") == "page"
    page.go_back()
    assert page.input_value("#urls-in") == "http://a.de/"


def test_an_answer_that_comes_late_leaves_the_address_of_the_next_view_alone(look: Looks) -> None:
    page = look.go("urls")
    page.wait_for_selector("#urls-list > li")
    page.evaluate("""() => {
      const ask = window.fetch;
      window.fetch = async (...all) => (await new Promise((go) => setTimeout(go, 300)), ask(...all));
    }""")
    page.fill("#urls-in", "http://a.de/")
    page.wait_for_timeout(100)  # the answer is on its way
    with page.expect_response("**/v1/urls"):
        page.evaluate("location.hash = 'quiz'")
    page.wait_for_function("() => document.getElementById('urls-status').textContent.includes('1 URL')")
    assert page.url.endswith("#quiz")


def test_the_scheme_is_the_systems_until_somebody_chooses(look: Looks) -> None:
    page = look.go("urls")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate(ground)
    assert light != dark
    page.get_by_role("button", name="Switch to light colours").click()
    assert page.evaluate(ground) == light
    page.reload()
    page.wait_for_selector("#view-urls:not([hidden])")
    assert page.evaluate(ground) == light


def test_a_service_that_has_gone_is_told_and_found_again(look: Looks) -> None:
    page = look.go("urls")
    page.fill("#urls-in", "http://www.wetterbericht.de/")
    page.wait_for_selector('#urls-list .url[title="http://www.wetterbericht.de/"] mark')
    assert not page.is_visible("#gone")
    page.context.set_offline(True)
    page.click("#urls-form button[type=submit]")
    page.wait_for_selector("#gone:not([hidden])")
    assert page.inner_text("#urls-status") == "The service does not answer."
    assert faint(page) == []
    page.context.set_offline(False)
    page.click("#again")
    page.wait_for_selector("#gone", state="hidden")
    page.click("#urls-form button[type=submit]")
    page.wait_for_selector("#urls-list .code")
    assert all("ERR_INTERNET_DISCONNECTED" in line for line in look.said)
    look.said.clear()
