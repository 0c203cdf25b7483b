"""What the model of parts is made from: words as sites spell them, and URLs made of words and phrases."""

from __future__ import annotations

import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from dragoman.columns import ByteColumn
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


def made(slugs: ModuleType, seed: int, left_out: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    from url_material.proper_names import ProperNames  # beside the tools, as scripts find it
    from url_material.texts import Phrases

    words = {"de": {"haus": 0.2, "garten": 0.1}, "ru": {"дом": 0.2, "сад": 0.1}}
    phrases = {
        "de": Phrases([["seite", "bearbeiten"]], [["das", "haus", "am", "see", "ist", "alt"]]),
        "ru": Phrases([["править"]], []),
    }
    hosts = {"de": ["www.haus.de"], "ru": ["www.dom.ru"]}
    codes = CodeBook.shipped(("de", "ru"))
    names = ProperNames({}, [], seed)
    maker = slugs.SlugMaker(words, phrases, hosts, ["example.com"], ["about"], codes, names, seed)
    return list(maker.every(["de", "ru"], 0.01, left_out))


def test_every_language_has_the_same_number_of_made_urls(slugs: ModuleType) -> None:
    languages = [language for _, language in made(slugs, 1)]
    assert languages.count("ru") > 0.8 * languages.count("de")  # fewer names of domains in other letters


def test_the_same_seed_makes_the_same_urls(slugs: ModuleType) -> None:
    assert made(slugs, 1) == made(slugs, 1)
    assert made(slugs, 1) != made(slugs, 2)


def test_a_host_of_any_language_learns_nothing_from_a_made_path(slugs: ModuleType) -> None:
    from url_material.gathering import host_share, importance

    urls = ByteColumn.of(["http://haus.de/x", "https://dom.ru/", "https://bakezo.com/garten", "http://haus-shop.com/"])
    assert host_share(urls, 2).tolist() == [1, 1, 0, 1]
    counted = importance(urls, ["de", "ru", "de", "de"], ["haus.de", "dom.ru"], ["de", "ru"])
    assert counted[0] == counted[1]
    assert counted[3] < counted[2] < counted[0]


def test_many_urls_of_one_site_count_less_each_and_more_together(slugs: ModuleType) -> None:
    from url_material.gathering import importance

    urls = ByteColumn.of(["http://haus.de/x", *(f"https://dom.ru/{number}" for number in range(4))])
    counted = importance(urls, ["de", *["ru"] * 4], ["haus.de", *["dom.ru"] * 4], ["de", "ru"])
    assert 2 * counted[1] == pytest.approx(counted[0])
    assert counted.mean() == pytest.approx(1)


def test_names_stand_beside_words_and_abbreviations_too(slugs: ModuleType) -> None:
    from url_material.proper_names import ProperNames, names_in
    from url_material.texts import Lines

    lines = {"en": Lines([], ["We met Tom Sawyer, a new friend, in Paris.", "I saw a New Thing."])}
    assert set(names_in(lines["en"].sentences)) == {("tom", "sawyer"), ("paris",)}
    names = ProperNames(lines, ["en", "de"], seed=1)
    assert ("kuala", "lumpur") in names.everywhere
    assert names.of_language == {"en": [("paris",), ("tom", "sawyer")]}
    urls = [url for url, _ in made(slugs, 1)]
    assert len(made(slugs, 1, ("named", "abbreviated"))) < len(urls)


def test_a_list_of_words_loses_those_that_are_english(slugs: ModuleType) -> None:
    from url_material.texts import leave_out_english

    lists = {"en": {"skins": 3e-4, "fort": 1e-6}, "bg": {"skins": 1e-5, "fort": 1e-5}}
    leave_out_english(lists)
    assert lists["bg"] == {"fort": 1e-5}
    assert "skins" in lists["en"]


def test_an_english_word_that_is_one_of_the_language_stays(slugs: ModuleType) -> None:
    from url_material.texts import leave_out_english

    lists = {"en": {"see": 1e-3, "of": 1e-2}, "de": {"see": 2e-5, "of": 2e-5}}
    leave_out_english(lists)
    assert lists["de"] == {"see": 2e-5}


def test_words_of_menus_are_known_in_their_language(slugs: ModuleType) -> None:
    from url_material.texts import menus

    phrases = menus()
    assert len(phrases) > 50
    assert ["warenkorb"] in phrases["de"]
    assert all(len(known) >= 120 for known in phrases.values())
    assert ["о", "нама"] in phrases["sr"]
    assert ["o", "nama"] in phrases["sr"]


def test_lines_in_another_script_lose_their_latin_words(slugs: ModuleType, tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    from url_material.texts import read_lines

    rows = {
        "text": ["Открыть следующий документ в новом окне Firefox", "Open", "Datei öffnen"],
        "lang": ["ru", "ru", "de"],
    }
    for name in ("sentences.parquet", "sentences2.parquet"):
        parquet.write_table(pa.table({**rows, "source": ["tatoeba"] * 3}), tmp_path / name)
    lines = read_lines(tmp_path, {"de": ["Warenkorb"], "ru": ["Корзина OK"]})
    assert lines["ru"].interface == ["Корзина"]
    assert set(lines["ru"].sentences) == {"Открыть следующий документ в новом окне"}
    assert set(lines["de"].sentences) == {"Datei öffnen"}


PO = """msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Your basket"
msgstr "Ihr Warenkorb"

msgid "Blog"
msgstr "Blog"

msgid "%(count)s pages"
msgstr "%(count)s Seiten"

#, fuzzy
msgid "Sign out"
msgstr "Anmelden"
"""


def test_messages_of_packages_are_read_by_language_and_english_stays_english(slugs: ModuleType, tmp_path: Path) -> None:
    interfaces = pytest.importorskip("url_material.interfaces")
    package = tmp_path / "shop-1.0-py3-none-any.whl"
    with zipfile.ZipFile(package, "w") as archive:
        archive.writestr("shop/locale/de/LC_MESSAGES/django.po", PO)
        archive.writestr("shop/static/translations/pt_BR.json", json.dumps({"a": {"b": "Minha conta"}, "c": "Blog"}))
        archive.writestr("shop/static/settings/de.json", json.dumps({"a": "no message"}))
        archive.writestr("shop/locale/fr/LC_MESSAGES/broken.mo", b"not a catalogue")
    assert set(interfaces.read_archive(package)) == {
        ("de", "Ihr Warenkorb"), ("pt", "Minha conta"), ("en", "Your basket"), ("en", "Blog"),
    }  # fmt: skip


def test_every_package_of_messages_has_a_version_and_a_licence(slugs: ModuleType, tmp_path: Path) -> None:
    interfaces = pytest.importorskip("url_material.interfaces")
    listed = interfaces.packages()
    assert len(listed) > 30
    assert all(package.version[0].isdigit() for package in listed)
    (tmp_path / "django-5.2.19-py3-none-any.whl").touch()
    (tmp_path / "django_oscar-4.2.1-py3-none-any.whl").touch()
    django = interfaces.Package("pip", "Django", "5.2.19")
    assert django.archive(tmp_path) == tmp_path / "django-5.2.19-py3-none-any.whl"
    assert django.command(tmp_path)[-1] == "Django==5.2.19"
