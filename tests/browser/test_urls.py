"""The view of URLs: languages, numbers and shading are those of the library."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import Looks
from tests.browser.reading import hsl, percent

import dragoman
from dragoman.identifiers.models import open_url_model
from dragoman.identifiers.track.colours import hue
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
    page.wait_for_selector(f'#urls-list > li .url[title^="{urls[0]}"]')


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
        assert row["share"] == (None if one.probability is None else percent(min(one.probability, 0.999999)))
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
        likeliest = max(found.scores, key=lambda tag: found.scores[tag], default=None)
        parts = why(model, url, list(found.scores))["parts"]
        loudest = max([1.0, *(part["weight"] for part in parts)])
        expected = []
        for part in parts:
            own = part["weights"].get(likeliest, 0.0)
            nearly = own >= 2 / 3 * part["weight"]
            language, weight = (likeliest, own) if nearly else (part["language"], part["weight"])
            if language and weight >= loudest / 4:
                expected.append([part["text"], language])
        assert row["marks"] == expected
    assert look.page.locator("#urls-list img").count() == 0


def test_a_language_has_the_same_colour_everywhere(look: Looks) -> None:
    told(look)
    look.page.wait_for_selector('#urls-list mark.s4[data-code="de"]')
    ground = "mark => getComputedStyle(mark).backgroundColor"
    assert look.page.eval_on_selector('#urls-list mark.s4[data-code="de"]', ground) == hsl(hue("de"), 0.8, 0.9)
    look.go("text?t=Das+Wetter+war+gestern+sehr+schön.")
    look.page.wait_for_selector("#text-shown mark")
    assert look.page.eval_on_selector("#text-shown mark", ground) == hsl(hue("de"), 0.8, 0.9)


def test_why_opens_to_the_likeliest_languages_and_the_weights(look: Looks) -> None:
    told(look)
    button = look.page.locator("#urls-list > li").first.locator("button")
    assert button.get_attribute("aria-expanded") == "false"
    button.click()
    panel = look.page.locator("#why-0")
    panel.locator("table").first.wait_for()
    assert button.get_attribute("aria-expanded") == "true"
    found = dragoman.identify(URLS[0], top=5)
    assert panel.locator(".likeliest .code").all_inner_texts() == list(found.scores)
    parts = why(open_url_model("default"), URLS[0], list(found.scores))["parts"]
    shown = panel.locator("tbody tr td:nth-child(2)").all_inner_texts()
    loudest = max(parts, key=lambda part: part["weight"])
    assert shown[0] in {f"{part['weights']['de']:+.2f}" for part in parts}
    assert f"{loudest['weights']['de']:+.2f}" in shown


def test_reasons_that_are_open_stay_open_when_the_same_is_asked_again_or_sorted(look: Looks) -> None:
    told(look)
    look.page.locator("#urls-list > li").first.locator("button").click()
    look.page.locator("#why-0 table").first.wait_for()
    look.page.click("#urls-form button[type=submit]")
    look.page.wait_for_timeout(300)
    assert look.page.locator("#why-0 table").first.is_visible()
    look.page.select_option("#urls-sort", "language")
    look.page.locator("#why-0 table").first.wait_for()
    assert look.page.locator("[aria-controls=why-0]").get_attribute("aria-expanded") == "true"


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
def test_the_first_view_has_examples_with_their_answers(look: Looks) -> None:
    page = look.go("urls")
    page.wait_for_selector("#urls-list mark")
    assert page.inner_text("#h-urls-found") == "For example"
    assert page.input_value("#urls-in") == ""
    page.get_by_role("button", name="a headline").click()
    page.wait_for_function("() => document.querySelectorAll('#urls-list > li').length === 1")
    assert page.inner_text("#urls-status") == "1 URL: Spanish 1."
    page.click("#urls-clear")
    page.wait_for_function("() => document.getElementById('h-urls-found').textContent === 'For example'")
    assert page.evaluate("document.activeElement.id") == "urls-in"


def test_answers_come_while_somebody_types(look: Looks) -> None:
    page = look.go("urls")
    page.focus("#urls-in")
    page.keyboard.type("http://www.wetterbericht.de/")
    page.wait_for_selector('#urls-list .url[title="http://www.wetterbericht.de/"]')
    assert page.inner_text("#urls-status") == "1 URL: German 1."


def test_a_link_carries_urls_languages_and_threshold(look: Looks) -> None:
    told(look, ["http://www.wetterbericht.de/", "http://example.com/casa"])
    look.page.fill("#urls-languages", "German, es")
    look.page.press("#urls-languages", "Enter")
    look.page.wait_for_function("() => location.hash.includes('languages=de%2Ces')")
    look.page.locator("#urls-threshold").fill("97")
    look.page.click("#urls-link")
    look.page.wait_for_function("() => document.getElementById('urls-status').textContent.startsWith('Link copied')")
    link = look.page.evaluate("navigator.clipboard.readText()")
    before = [row["code"] for row in shown(look)]
    look.page.goto("about:blank")
    look.page.goto(link)
    look.page.wait_for_selector("#urls-list > li:nth-child(2)")
    assert look.page.input_value("#urls-in") == "http://www.wetterbericht.de/\nhttp://example.com/casa"
    assert look.page.input_value("#urls-languages") == "German, Spanish"
    assert look.page.inner_text("#urls-threshold-now") == "97 %"
    look.page.wait_for_function("() => document.querySelectorAll('#urls-list > li').length === 2")
    assert [row["code"] for row in shown(look)] == before


def test_a_link_carries_what_is_looked_for_and_how_it_is_ordered(look: Looks) -> None:
    told(look, ["http://www.wetterbericht.de/", "http://www.meteo.fr/plage", "http://www.wetter-heute.de/"])
    look.page.fill("#urls-find", "wetter")
    look.page.select_option("#urls-only", "de")
    look.page.select_option("#urls-sort", "unsure")
    shaded = "() => document.querySelectorAll('#urls-list li:has(mark)').length === 2"
    look.page.wait_for_function(shaded)
    before = look.page.locator("#urls-list .url").all_inner_texts()
    link = look.page.url
    look.page.goto("about:blank")
    look.page.goto(link)
    look.page.wait_for_function(shaded)
    assert look.page.input_value("#urls-find") == "wetter"
    assert look.page.input_value("#urls-only") == "de"
    assert look.page.input_value("#urls-sort") == "unsure"
    assert look.page.locator("#urls-list .url").all_inner_texts() == before


def test_a_slash_goes_to_the_field(look: Looks) -> None:
    look.go("urls")
    look.page.wait_for_selector("#urls-list > li")
    look.page.keyboard.press("/")
    look.page.keyboard.type("http://a/")
    assert look.page.input_value("#urls-in") == "http://a/"


def test_below_the_threshold_a_language_is_a_guess_and_called_one(look: Looks) -> None:
    told(look, ["http://www.wetterbericht.de/", "17"])
    look.page.locator("#urls-threshold").fill("99")
    look.page.locator("#urls-threshold").fill("0")
    languages = look.page.locator("#urls-list .language")
    assert languages.all_inner_texts()[0].startswith("German")
    assert languages.all_inner_texts()[1] == "No evidence"
    url = "http://xqzt.com/"
    told(look, [url])
    likeliest = dragoman.identify(url, threshold=0).probability
    assert likeliest is not None
    look.page.locator("#urls-threshold").fill(str(min(99, int(100 * likeliest) + 1)))
    assert languages.first.inner_text().startswith("Unsure, perhaps ")


def test_an_unknown_language_is_named(look: Looks) -> None:
    told(look, ["http://www.wetterbericht.de/"])
    look.page.fill("#urls-languages", "Klingonish")
    look.page.press("#urls-languages", "Enter")
    look.page.wait_for_function("() => document.getElementById('urls-status').textContent.includes('Klingonish')")


def test_escapes_are_shown_as_letters_and_long_urls_are_cut(look: Looks) -> None:
    told(look, ["http://example.org/%D0%BD%D0%BE%D0%B2%D0%BE%D1%81%D1%82%D0%B8/%00%FF", "http://a.de/" + "x" * 9_000])
    first, second = shown(look)
    assert first["text"] == "http://example.org/новости/%00%FF"
    assert second["text"].endswith(" … 9,012 characters")


def test_the_same_question_is_told_for_the_shell_for_python_and_for_curl(look: Looks) -> None:
    told(look, ["http://www.it's.de/"])
    look.page.click("#urls-same summary")
    look.page.wait_for_selector("#urls-ways pre")
    shell, python, curl = look.page.locator("#urls-ways pre").all_inner_texts()
    assert shell == "dragoman url 'http://www.it'\\''s.de/'"
    assert "dragoman.identify(urls)" in python
    assert curl.startswith("curl -s --get http://127.0.0.1:")
    run = subprocess.run(["sh", "-c", curl], capture_output=True, text=True, check=True)
    assert json.loads(run.stdout)["language"] == dragoman.identify("http://www.it's.de/").language


def test_many_urls_come_in_pages(look: Looks) -> None:
    told(look, [f"http://www.wetter{number}.de/" for number in range(230)])
    assert len(shown(look)) == 100
    assert look.page.inner_text("#urls-more") == "Show more (130 left)"
    look.page.click("#urls-more")
    assert len(shown(look)) == 200
    look.page.click("#urls-more")
    assert len(shown(look)) == 230
    assert not look.page.is_visible("#urls-more")
