"""What the model of parts is made from: words as sites spell them, and URLs made of words and phrases."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from dragoman.identifiers.url.parts.code_book import CodeBook

TOOLS = Path(__file__).resolve().parents[3] / "tools"


@pytest.fixture
def slugs(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(TOOLS))
    from url_material import slugs

    yield slugs
    for name in [name for name in sys.modules if name.partition(".")[0] == "url_material"]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("language", "word", "spelled"),
    [
        ("de", "grüße", {"grüße", "gruesse", "grusse"}),
        ("tr", "şarkı", {"şarkı", "sarki"}),
        ("da", "smørrebrød", {"smørrebrød", "smorrebrod", "smoerrebroed"}),
        ("uk", "новини", {"новини", "novyny", "novini"}),
        ("el", "νέα", {"νέα", "νεα", "nea"}),
        ("vi", "đường", {"đường", "duong"}),
        ("ko", "소식", {"소식"}),
        ("en", "news", {"news"}),
    ],
)
def test_a_word_is_spelled_as_sites_spell_it(slugs: ModuleType, language: str, word: str, spelled: set[str]) -> None:
    assert {form for form, _ in slugs.forms(language, word)} == spelled


def made(slugs: ModuleType, seed: int) -> list[tuple[str, str]]:
    from url_material.texts import Phrases  # beside the tools, as scripts find it

    words = {"de": {"haus": 0.2, "garten": 0.1}, "ru": {"дом": 0.2, "сад": 0.1}}
    phrases = {
        "de": Phrases([["seite", "bearbeiten"]], [["das", "haus", "am", "see", "ist", "alt"]]),
        "ru": Phrases([["править"]], []),
    }
    hosts = {"de": ["www.haus.de"], "ru": ["www.dom.ru"]}
    codes = CodeBook.shipped(("de", "ru"))
    maker = slugs.SlugMaker(words, phrases, hosts, ["example.com"], ["about"], codes, seed)
    return list(maker.every(["de", "ru"], scale=0.01))


def test_every_language_has_the_same_number_of_made_urls(slugs: ModuleType) -> None:
    languages = [language for _, language in made(slugs, 1)]
    assert abs(languages.count("de") - languages.count("ru")) < 20


def test_the_same_seed_makes_the_same_urls(slugs: ModuleType) -> None:
    assert made(slugs, 1) == made(slugs, 1)
    assert made(slugs, 1) != made(slugs, 2)
