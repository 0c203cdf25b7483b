"""The view of URLs: languages, numbers and shading are those of the library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import Looks
from tests.browser.reading import hsl, percent

import dragoman
from dragoman.identifiers.models import open_url_model
from dragoman.identifiers.track.colours import HUES
from dragoman.serve.why import why

URLS = [
    "http://www.wetter-morgen.de/vorhersage/kaernten.html",
    "http://www.recettes-faciles.net/gateau-au-chocolat",
    "http://www.viaggi.example.it/offerte/ultimi-minuti",
    "http://www.wetter-heute.at/schnee",
    "http://example.com/<img src=x onerror=alert(1)>/ä𝒳/casa",
    "17",
]


def told(look: Looks, urls: list[str] = URLS) -> None:
    page = look.go("urls")
    page.fill("#urls-in", "\n".join(urls))
    page.click("#urls-form button[type=submit]")
    page.wait_for_selector("#urls-list li")


def shown(look: Looks) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = look.page.eval_on_selector_all(
        "#urls-list > li",
        """rows => rows.map(row => ({
            code: row.querySelector(".language .code")?.textContent ?? null,
            share: row.querySelector(".share .number")?.textContent ?? null,
            fill: row.querySelector(".share .fill")?.style.getPropertyValue("--part") ?? null,
            url: row.querySelector(".url").innerText, text: [...row.querySelector(".url").childNodes].map(
              node => node.firstChild ? node.firstChild.textContent : node.textContent).join(""),
            marks: [...row.querySelectorAll(".url mark")].map(one => [one.firstChild.textContent, one.dataset.code]),
        }))""",
    )
    return rows


def test_languages_and_probabilities_are_those_of_the_library(look: Looks) -> None:
    told(look)
    rows = shown(look)
    for row, one in zip(rows, dragoman.identify(URLS), strict=True):
        assert row["code"] == one.language
        assert row["share"] == (None if one.probability is None else percent(one.probability))
        assert row["fill"] is None or abs(float(row["fill"]) - (one.probability or 0)) < 1e-6


def test_each_part_is_shaded_by_what_it_said_and_nothing_of_a_url_becomes_markup(look: Looks) -> None:
    told(look)
    for place in range(1, 6):
        item = look.page.locator(f"#urls-list > li:nth-child({place})")
        item.scroll_into_view_if_needed()
        item.locator(".url mark").first.wait_for()
    model = open_url_model("default")
    for row, url in zip(shown(look), URLS, strict=True):
        assert row["text"] == url
        found = dragoman.identify(url, top=5)
        parts = why(model, url, list(found.scores))["parts"]
        loudest = max([1.0, *(part["weight"] for part in parts)])
        expected = []
        for part in parts:
            own = part["weights"].get(found.language, 0.0) if found.language else 0.0
            nearly = own >= 2 / 3 * part["weight"]
            language, weight = (found.language, own) if nearly else (part["language"], part["weight"])
            if language and weight >= loudest / 4:
                expected.append([part["text"], language])
        assert row["marks"] == expected
    assert look.page.locator("#urls-list img").count() == 0


def test_a_language_has_one_colour_and_the_commonest_has_the_first(look: Looks) -> None:
    told(look)
    look.page.wait_for_selector('#urls-list mark.s4[data-code="de"]')
    colour = look.page.eval_on_selector(
        '#urls-list mark.s4[data-code="de"]', "one => getComputedStyle(one).backgroundColor"
    )
    assert colour == hsl(HUES[0], 0.8, 0.9)


def test_why_opens_to_the_likeliest_languages_and_the_weights(look: Looks) -> None:
    told(look)
    button = look.page.locator("#urls-list > li").first.locator("button")
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    panel = look.page.locator("#why-0")
    panel.locator("table").wait_for()
    assert button.get_attribute("aria-expanded") == "true"
    found = dragoman.identify(URLS[0], top=5)
    assert panel.locator(".likeliest .code").all_inner_texts() == list(found.scores)
    parts = why(open_url_model("default"), URLS[0], list(found.scores))["parts"]
    first = panel.locator("tbody tr").first.locator("td").all_inner_texts()
    assert first[0] == f"{parts[0]['weights']['de']:+.2f}"


def test_rows_are_found_filtered_and_sorted(look: Looks) -> None:
    told(look)
    look.page.fill("#urls-find", "WETTER")
    assert [row["code"] for row in shown(look)] == ["de", "de"]
    look.page.fill("#urls-find", "")
    look.page.select_option("#urls-only", "it")
    assert [row["code"] for row in shown(look)] == ["it"]
    look.page.select_option("#urls-only", "")
    look.page.select_option("#urls-sort", "sure")
    shares = [-1.0 if one.probability is None else one.probability for one in dragoman.identify(URLS)]
    order = sorted(range(len(URLS)), key=lambda place: -shares[place])
    assert [row["text"] for row in shown(look)] == [URLS[place] for place in order]
    look.page.fill("#urls-find", "nowhere")
    assert look.page.inner_text("#urls-list") == "No URL here matches."


def test_answers_are_copied_and_saved(look: Looks) -> None:
    told(look, URLS[:2])
    look.page.click("#urls-copy")
    look.page.wait_for_function("() => document.getElementById('urls-status').textContent.includes('copied')")
    lines = look.page.evaluate("navigator.clipboard.readText()").splitlines()
    assert lines[0] == "url\tlanguage\tprobability"
    assert [line.split("\t")[:2] for line in lines[1:]] == [[URLS[0], "de"], [URLS[1], "fr"]]
    with look.page.expect_download() as download:
        look.page.click("#urls-json")
    path = download.value.path()
    assert [row["language"] for row in json.loads(Path(path).read_text(encoding="utf-8"))] == ["de", "fr"]


@pytest.mark.parametrize("look", [(360, "dark")], indirect=True)
def test_the_example_and_nothing_at_all(look: Looks) -> None:
    page = look.go("urls")
    page.click("#urls-form button[type=submit]")
    assert page.inner_text("#urls-status") == "Paste one URL or more, or press Example."
    page.click("#urls-example")
    page.wait_for_selector("#urls-list mark")
    assert page.inner_text("#urls-status").startswith("9 URLs: ")
    page.click("#urls-clear")
    assert not page.is_visible("#urls-list")
    assert page.evaluate("document.activeElement.id") == "urls-in"


def test_many_urls_come_in_pages(look: Looks) -> None:
    told(look, [f"http://www.wetter{number}.de/" for number in range(230)])
    assert len(shown(look)) == 100
    assert look.page.inner_text("#urls-more") == "Show more (130 left)"
    look.page.click("#urls-more")
    assert len(shown(look)) == 200
    look.page.click("#urls-more")
    assert len(shown(look)) == 230
    assert not look.page.is_visible("#urls-more")
