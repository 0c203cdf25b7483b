"""The view of texts: spans, shares and colours are those of the library, in every script and direction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import Looks
from tests.browser.reading import hsl, percent

import dragoman
from dragoman.identifiers.track.colours import hue, shares

#: Signs beyond the Basic Multilingual Plane, so that offsets differ from the browser's; a line from right to left.
TEXT = (
    "😀😀 Das Wetter war gestern sehr schön. 🎈 We went to the beach with my uncle and his old dog.\n\n"
    "كان الطقس جميلا في ذلك المساء وجلسنا جميعا في الحديقة.\n"
    "🎈 El domingo por la mañana fuimos al mercado a comprar naranjas."
)


def tracked(look: Looks, text: str = TEXT) -> None:
    page = look.go("text")
    page.fill("#text-in", text)
    page.click("#text-form button[type=submit]")
    page.wait_for_function("end => document.getElementById('text-shown').textContent.includes(end)", arg=text[-12:])


def marks(look: Looks) -> list[dict[str, Any]]:
    # found and read in one go: the page may be drawn again in between
    found: list[dict[str, Any]] = look.page.evaluate(
        """() => [...document.querySelectorAll("#text-shown mark")].map(one => ({
            language: one.dataset.language, first: one.classList.contains("first"),
            said: one.querySelector(".sr")?.textContent ?? "", text: one.lastChild.textContent, lang: one.lang,
            label: getComputedStyle(one, "::before").content, colour: getComputedStyle(one).backgroundColor,
            direction: getComputedStyle(one.closest("p")).direction}))""",
    )
    return found


@pytest.mark.parametrize("look", [(1280, "light"), (360, "dark")], indirect=True)
def test_spans_and_colours_are_those_of_the_library(look: Looks, request: pytest.FixtureRequest) -> None:
    tracked(look)
    spans = dragoman.track(TEXT)
    lightness = 0.22 if request.node.callspec.params["look"][1] == "dark" else 0.9
    found = marks(look)
    assert [one["text"] for one in found] == [TEXT[span.start : span.end] for span in spans]
    for one, span in zip(found, spans, strict=True):
        assert one["language"] == one["lang"] == span.language
        assert span.language is not None
        assert one["colour"] == hsl(hue(span.language), 0.8, lightness)


def test_a_span_is_told_by_more_than_its_colour(look: Looks) -> None:
    tracked(look)
    first = marks(look)[0]
    assert first["said"] == "German: "
    assert first["label"] == '"de"'


def test_lines_from_right_to_left_run_that_way(look: Looks) -> None:
    tracked(look)
    assert {one["language"]: one["direction"] for one in marks(look)} == {
        "de": "ltr",
        "en": "ltr",
        "ar": "rtl",
        "es": "ltr",
    }


def test_the_legend_has_the_shares_and_shows_a_language_alone(look: Looks) -> None:
    tracked(look)
    told = shares(TEXT, dragoman.track(TEXT))
    entries = look.page.locator("#text-legend button")
    assert look.page.locator("#text-legend .code").all_inner_texts() == list(told)
    assert look.page.locator("#text-legend .number").all_inner_texts() == [percent(share) for share in told.values()]
    entries.first.click()
    assert entries.first.get_attribute("aria-pressed") == "true"
    meant = set(look.page.eval_on_selector_all("mark.meant", "all => all.map(one => one.dataset.language)"))
    assert meant == {next(iter(told))}
    entries.first.click()
    assert look.page.locator("mark.meant").count() == 0


def test_n_and_p_go_from_change_to_change(look: Looks) -> None:
    tracked(look)
    number = len(dragoman.track(TEXT))
    look.page.focus("#text-shown")
    for place in range(1, number + 2):
        look.page.keyboard.press("n")
        assert look.page.inner_text("#text-place").endswith(f"span {min(place, number)} of {number}")
    look.page.keyboard.press("p")
    assert look.page.inner_text("#text-place").endswith(f"span {number - 1} of {number}")
    assert look.page.evaluate("document.activeElement.classList.contains('here')")


def test_of_a_page_the_visible_text_is_shown_and_none_of_its_markup_lives(look: Looks, tmp_path: Path) -> None:
    html = (
        "<!DOCTYPE html><title>x</title><script>window.bad = 1</script>"
        "<p>Das ist ein altes Haus am Ende der Straße.</p>"
        "<img src=x onerror='window.bad = 1'><p>This is an old house at the end of the street &lt;b&gt;.</p>"
    )
    path = tmp_path / "page.html"
    path.write_text(html, encoding="utf-8")
    page = look.go("text")
    page.set_input_files("#text-file", path)
    page.wait_for_function("() => document.getElementById('text-status').textContent.startsWith('The visible text')")
    assert [one["language"] for one in marks(look)] == ["de", "en"]
    assert "street <b>" in page.inner_text("#text-shown")
    assert page.locator("#text-shown img, #text-shown script, #text-shown b").count() == 0
    assert page.evaluate("window.bad") is None
    assert page.inner_text("#text-status").endswith(" characters: 2 languages, 1 change.")


def test_nothing_and_numbers_alone_get_a_line(look: Looks) -> None:
    page = look.go("text")
    page.wait_for_selector("#text-shown mark")  # the example
    page.click("#text-clear")
    page.click("#text-form button[type=submit]")
    assert page.inner_text("#text-status") == "Paste a text, open a file, or press an example."
    page.fill("#text-in", "17 + 4")
    page.click("#text-form button[type=submit]")
    page.wait_for_selector("#text-whole .language")
    assert page.inner_text("#text-whole .language") == "No language"
    assert "no letters" in page.inner_text("#text-status")


def test_the_whole_text_has_an_answer_with_its_probability(look: Looks) -> None:
    text = "Das Wetter war gestern sehr schön, und wir gingen am Nachmittag lange am Fluss spazieren."
    tracked(look, text)
    prediction = dragoman.identify_text(text)
    assert prediction.probability is not None
    assert look.page.inner_text("#text-whole .language .code") == prediction.language == "de"
    assert look.page.inner_text("#text-whole .said .number") == percent(min(prediction.probability, 0.999999))
    assert not look.page.locator("#text-whole .likeliest").is_visible()
    look.page.click("#text-whole summary")
    scores = dragoman.identify_text(text, top=5).scores or {}
    assert look.page.locator("#text-whole .likeliest .code").all_inner_texts() == list(scores)


def test_a_text_of_several_languages_is_called_that(look: Looks) -> None:
    tracked(look)
    assert look.page.inner_text("#text-whole .language") == "Several languages"
    assert "are " in look.page.inner_text("#text-whole .note")


def test_the_languages_to_choose_among_are_asked_and_carried_by_the_link(look: Looks) -> None:
    page = look.go("text?t=" + "Das Wetter war heute sehr schön. We went to the beach together." + "&languages=de,en")
    page.wait_for_selector("#text-shown mark")
    assert page.input_value("#text-languages") == "German, English"
    page.fill("#text-languages", "fr")
    page.press("#text-languages", "Enter")
    page.wait_for_function("() => [...document.querySelectorAll('#text-shown mark')].every(one => one.lang === 'fr')")
    assert "languages=fr" in page.url
    page.click("#text-same summary")
    page.wait_for_selector("#text-ways pre")
    assert "dragoman track text.txt --languages fr" in page.inner_text("#text-ways")
    page.fill("#text-languages", "Klingonese")
    page.press("#text-languages", "Enter")
    page.wait_for_function("() => document.getElementById('text-status').textContent.includes('Klingonese')")


def test_half_a_million_characters_are_shown_within_two_seconds(look: Looks) -> None:
    page = look.go("text?t=Das+Wetter")
    page.wait_for_selector("#text-shown mark")
    page.evaluate("""() => {
        document.getElementById("text-in").value =
          "Das Wetter war gestern sehr schön. We went to the beach with my uncle.\\n".repeat(7000);
    }""")
    seconds = page.evaluate("""async () => {
        const start = performance.now();
        document.querySelector("#text-form button[type=submit]").click();
        const shown = () => document.getElementById("text-status").textContent.includes("Shown: the first");
        while (!shown()) await new Promise((then) => setTimeout(then, 20));
        return (performance.now() - start) / 1000;
    }""")
    assert seconds < 10  # two on a quiet machine


def test_a_word_that_many_languages_have_is_no_certainty(look: Looks) -> None:
    tracked(look, "Hello")
    likely = dragoman.identify_text("Hello").probability or 0
    assert ("Unsure" in look.page.locator("#text-whole .language").inner_text()) == (likely < 0.6)
    assert look.page.locator("#text-whole .likeliest").is_visible() == (likely < 0.6)
    assert not look.page.locator("#text-aside").is_visible()
    assert "100" not in look.page.locator("#view-text").inner_text()
