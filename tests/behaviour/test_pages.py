"""What a person would expect of any page: what it is written in, whatever stands around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.made_pages import LANGUAGES, made_pages, sentences

import dragoman
from dragoman.identifiers.text.document import read_page

STRANGERS = [
    line.split("\t")
    for line in (Path(__file__).parent / "pages_of_strangers.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def test_98_of_a_hundred_pages_with_menus_notices_code_and_mixed_content_are_right() -> None:
    pages = list(made_pages())
    answers = dragoman.identify_text([read_page(page.html) for page in pages])
    wrong = [(page.kind, page.language, found.language) for page, found in zip(pages, answers, strict=True)
             if found.language != page.language]  # fmt: skip
    assert len(pages) == 100
    assert len(wrong) <= 2, wrong


@pytest.mark.parametrize("number", [0, 1])
def test_the_two_pages_that_were_flipped_by_names_of_languages_are_english(number: int) -> None:
    page = list(made_pages())[number]
    assert dragoman.identify_text(read_page(page.html)).language == "en"


@pytest.mark.parametrize(("language", "html"), STRANGERS)
def test_a_page_of_a_stranger(language: str, html: str) -> None:
    found = dragoman.identify_page(html.replace("\\n", "\n"), content_type="text/html")
    assert (found.language or "-") == language


def test_a_plain_text_with_names_of_languages_in_a_row_is_what_its_sentences_are() -> None:
    text = " ".join(sentences()["en"][:5]) + "\n" + " ".join(LANGUAGES[:15])
    assert dragoman.identify_page(text, content_type="text/plain").language == "en"


def test_the_shares_of_a_page_in_two_languages_are_those_of_its_text() -> None:
    own = sentences()
    html = "".join(f"<p>{one}</p>" for one in [*own["de"], *own["de"][:2], *own["en"][:2]])
    found = dragoman.identify_page(html)
    assert found.language == "de"
    assert list(found.languages) == ["de", "en"]
    assert found.languages["de"] == pytest.approx(0.8, abs=0.06)


def test_a_paragraph_in_two_scripts_has_a_share_of_either() -> None:
    own = sentences()
    found = dragoman.identify_page(f"<p>{own['de'][0]} {own['ru'][0]} {own['de'][1]}</p>")
    assert found.language == "de"
    assert list(found.languages) == ["de", "ru"]


def test_text_in_two_languages_is_not_a_third_one() -> None:
    own = sentences()
    html = "".join(f"<p>{one}</p><p>{two}</p>" for one, two in zip(own["de"], own["en"], strict=True))
    found = dragoman.identify_page(html)
    assert found.language in ("de", "en")
    assert set(found.languages) == {"de", "en"}


def test_what_a_page_declares_decides_where_its_text_says_little_and_not_where_it_says_much() -> None:
    little = dragoman.identify_page("<html lang=da><p>Hotel Central, taxi, internet, sauna, bar</p>").fused
    much = dragoman.identify_page(f"<html lang=da><p>{' '.join(sentences()['pl'])}</p>").fused
    assert little["language"] == "da"
    assert little["declared"] == {"language": "da", "where": "html"}
    assert much["language"] == "pl"


def test_every_witness_is_named_in_the_fused_answer() -> None:
    found = dragoman.identify_page(
        "<html lang=fr><p>Bonjour tout le monde, il fait beau.", url="http://www.exemple.fr/", content_language="fr"
    ).fused
    assert found["language"] == "fr"
    assert [found[name]["language"] for name in ("text", "declared", "header", "url")] == ["fr"] * 4
    assert found["probability"] > found["text"]["probability"] - 1e-6
