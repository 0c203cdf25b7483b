"""The table of languages is sound, and any code or name leads to one tag."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from importlib.resources import files

import pytest

from dragoman import languages
from dragoman.errors import UnknownLanguage, UsageError


def table() -> list[list[str]]:
    text = files("dragoman.data").joinpath("languages.tsv").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]


def codes_of(row: list[str]) -> set[str]:
    return {row[0], row[1], *row[2].split()}


def names_of(row: list[str]) -> list[str]:
    return [name for name in f"{row[3]};{row[4]}".split(";") if name]


def test_every_row_has_seven_columns_without_stray_spaces() -> None:
    for row in table():
        assert len(row) == 7, row
        assert all(cell == " ".join(cell.split()) for cell in row), row


def test_every_tag_is_unique_and_the_table_is_sorted_by_tag() -> None:
    tags = [row[0] for row in table()]
    assert tags == sorted(set(tags))
    assert languages.known() == tuple(tags)


def test_there_are_enough_languages_for_the_web() -> None:
    assert len(languages.known()) > 190


def test_every_code_in_the_table_is_well_formed() -> None:
    for tag, alpha3, codes, names, _, scripts, domains in table():
        assert re.fullmatch("[a-z]{2,3}", tag)
        assert re.fullmatch("[a-z]{3}", alpha3), tag
        assert len(tag) == 2 or tag == alpha3, tag
        assert all(re.fullmatch(r"[a-z]{1,3}(-[a-z]+)*", code) for code in codes.split()), tag
        assert names, tag
        assert scripts, tag
        assert all(re.fullmatch("[A-Z][a-z]{3}", script) for script in scripts.split()), tag
        assert all(re.fullmatch("[a-z][a-z0-9-]+(:[0-9]+)?", domain) for domain in domains.split()), tag


def test_no_code_belongs_to_two_languages() -> None:
    owner: dict[str, str] = {}
    for row in table():
        for code in codes_of(row):
            assert owner.setdefault(code, row[0]) == row[0], code


def test_every_code_and_every_name_leads_to_its_own_row_and_no_other() -> None:
    for row in table():
        for alias in [*codes_of(row), *names_of(row)]:
            assert languages.normalise(alias) == row[0], alias


def test_a_tag_is_its_own_normal_form() -> None:
    for tag in languages.known():
        assert languages.normalise(tag) == tag
        assert languages.normalise(tag.upper()) == tag


@pytest.mark.parametrize(
    ("given", "tag"),
    [(text, "no") for text in ("nb", "nn", "no", "nob", "nno", "nor", "Norwegian", "norsk", "Bokmål", "nb_NO")]
    + [
        ("fas", "fa"),
        ("per", "fa"),
        ("pes", "fa"),
        ("prs", "fa"),
        ("Farsi", "fa"),
        ("arb", "ar"),
        ("cmn", "zh"),
    ]
    + [
        ("zsm", "ms"),
        ("ekk", "et"),
        ("lvs", "lv"),
        ("swh", "sw"),
        ("azj", "az"),
        ("uzn", "uz"),
        ("fil", "tl"),
    ]
    + [("iw", "he"), ("in", "id"), ("ji", "yi"), ("jw", "jv"), ("mo", "ro"), ("sh", "sr")],
)
def test_members_of_macrolanguages_and_retired_codes_have_one_tag(given: str, tag: str) -> None:
    assert languages.normalise(given) == tag


@pytest.mark.parametrize(
    ("given", "tag"),
    [
        ("de-AT", "de"),
        ("pt_BR", "pt"),
        ("zh-Hant", "zh"),
        ("zh_Hans_CN", "zh"),
        ("sr-Latn-RS", "sr"),
        ("es-419", "es"),
        ("de-DE-1996", "de"),
        ("ca-valencia", "ca"),
        ("en-US-u-hc-h12", "en"),
        ("en-x-a-b", "en"),
        ("zh-yue-HK", "yue"),
        ("zh-cmn-Hans", "zh"),
        ("zh-min-nan", "nan"),
        ("DEU_DE", "de"),
        ("de_DE.UTF-8", "de"),
        ("sr_RS@latin", "sr"),
    ],
)
def test_region_script_and_variant_are_accepted_and_dropped(given: str, tag: str) -> None:
    assert languages.normalise(given) == tag


@pytest.mark.parametrize(
    ("given", "tag"),
    [
        ("GERMAN", "de"),
        ("  deutsch ", "de"),
        ("francais", "fr"),
        ("Français", "fr"),
        ("scottish-gaelic", "gd"),
        ("Haitian_Creole", "ht"),
        ("olelo hawaii", "haw"),
        ("K’iche’", "quc"),
        ("Ελληνικά", "el"),
        ("РУССКИЙ", "ru"),
        ("日本語", "ja"),
        ("Portuguese (Brazil)", "pt"),
        ("Chinese (Simplified)", "zh"),
        ("Ga (Ghana)", "gaa"),
        ("Ga", "ga"),
    ],
)
def test_names_are_understood_in_any_case_with_or_without_accents(given: str, tag: str) -> None:
    assert languages.normalise(given) == tag


NO_LANGUAGE = [
    "",
    " ",
    "-",
    "en-",
    "-en",
    "en--US",
    "en-a",
    "und",
    "mul",
    "zxx",
    "xx",
    "qqq",
    "unknown",
    "zh-qqq",
]
HOSTILE = [
    "\0",
    "(",
    "(" * 90,
    " (" * 45,
    "en\nde",
    "en" + "-a" * 40 + "!",
    "en-x" + "-x" * 40 + "!",
    "e" * 1_000_000,
]


@pytest.mark.parametrize("given", [*NO_LANGUAGE, *HOSTILE])
def test_what_is_no_language_is_refused_in_one_short_line(given: str) -> None:
    started = time.perf_counter()
    with pytest.raises(UnknownLanguage) as caught:
        languages.normalise(given)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(("given", "nearest"), [("Germn", "german"), ("Frensh", "french"), ("Swahilli", "swahili")])
def test_an_unknown_name_is_answered_with_the_nearest_known(given: str, nearest: str) -> None:
    with pytest.raises(UsageError) as caught:
        languages.normalise(given)
    message = str(caught.value)
    assert given in message
    assert nearest in message
    assert "\n" not in message


def test_a_list_keeps_its_order_and_drops_what_it_has_said() -> None:
    assert languages.parse_list("en,de, French") == ("en", "de", "fr")
    assert languages.parse_list("it,deu,German,IT,nb,nn") == ("it", "de", "no")
    assert languages.parse_list("sv,") == ("sv",)


def test_a_list_knows_the_two_presets() -> None:
    assert languages.parse_list("five") == languages.FIVE == ("en", "de", "fr", "es", "it")
    assert languages.parse_list("Eleven") == languages.ELEVEN
    assert languages.parse_list("pt,five,en") == ("pt", "en", "de", "fr", "es", "it")


@pytest.mark.parametrize("name", ["default", "Default", " all ", "ALL"])
def test_default_and_all_are_the_languages_of_the_model_at_hand(name: str) -> None:
    own = ("de", "th", "zz-own")
    assert languages.parse_list(name, own) == own
    assert languages.parse_list(f"th,{name},five", own) == ("th", "de", "zz-own", "en", "fr", "es", "it")
    with pytest.raises(UsageError, match=r"stands for the languages of a model.*list them") as caught:
        languages.parse_list(name)
    assert "\n" not in str(caught.value)


def test_a_tag_of_the_model_is_taken_as_it_is() -> None:
    assert languages.parse_list("zz-own, de", ("de", "zz-own")) == ("zz-own", "de")
    with pytest.raises(UnknownLanguage):
        languages.parse_list("zz-own", ("de",))


@pytest.mark.parametrize("given", ["", " , ", "en,klingonese-of-the-north"])
def test_a_list_with_an_unknown_language_or_none_is_refused(given: str) -> None:
    with pytest.raises(UnknownLanguage):
        languages.parse_list(given)


def test_a_language_tells_its_names_code_and_scripts() -> None:
    assert languages.name("de") == "German"
    assert languages.name("bn") == "Bengali"
    assert languages.native_name("de") == "Deutsch"
    assert languages.native_name("zh") == "中文"
    assert languages.native_name("acu") == languages.name("acu") == "Achuar-Shiwiar"
    assert languages.alpha3("de") == "deu"
    assert languages.alpha3("yue") == "yue"
    assert languages.scripts("sr") == ("Cyrl", "Latn")
    assert languages.scripts("th") == ("Thai",)


def test_questions_about_a_language_take_its_aliases_too() -> None:
    assert languages.name("ger") == "German"
    assert languages.alpha3("Norwegian") == "nor"
    assert languages.country_domains("nob") == languages.country_domains("no")
    with pytest.raises(UnknownLanguage):
        languages.name("xx")


def test_a_country_domain_belongs_to_its_main_language() -> None:
    assert {"de", "at", "ch", "li"} == languages.country_domains("de")
    assert {"se", "ax"} == languages.country_domains("sv")
    assert "ch" not in languages.country_domains("fr")
    assert "ch" in languages.country_domains("fr", shared=True)
    assert languages.country_domains("la") == frozenset()
    assert "cat" in languages.country_domains("ca")


def test_no_domain_has_two_main_languages() -> None:
    main = [domain for tag in languages.known() for domain in languages.country_domains(tag)]
    assert len(main) == len(set(main))


def test_the_languages_of_every_domain_are_ranked_without_gaps() -> None:
    ranks: dict[str, list[int]] = {}
    for row in table():
        for entry in row[6].split():
            domain, _, rank = entry.partition(":")
            ranks.setdefault(domain, []).append(int(rank or 1))
    for domain, given in ranks.items():
        assert sorted(given) == list(range(1, len(given) + 1)), domain


def test_a_domain_tells_its_languages_main_first() -> None:
    assert languages.domain_languages("ch") == ("de", "fr", "it", "rm")
    assert languages.domain_languages("be") == ("nl", "fr", "de")
    assert languages.domain_languages("ca") == ("en", "fr")
    assert languages.domain_languages(".FR") == ("fr",)
    assert languages.domain_languages("no") == ("no",)


@pytest.mark.parametrize("form", ["xn--p1ai", "XN--P1AI", "рф", ".РФ"])
def test_an_internationalised_domain_is_known_in_both_its_forms(form: str) -> None:
    assert languages.domain_languages(form) == ("ru",)


@pytest.mark.parametrize("tld", ["", ".", "com", "eu", "zz", "a" * 100_000, "é" * 100, "\0", "\ud800"])
def test_a_domain_that_says_nothing_has_no_languages(tld: str) -> None:
    assert languages.domain_languages(tld) == ()


def test_the_lists_of_the_url_paper_are_kept_to_the_letter() -> None:
    assert {tag: " ".join(sorted(domains)) for tag, domains in languages.PAPER_DOMAINS.items()} == {
        "en": "au gb gov ie mil nz uk us",
        "de": "at de",
        "fr": "dz fr mg tn",
        "es": "ar cl co es mx pe ve",
        "it": "it",
    }


def test_the_second_rule_of_the_url_paper_adds_com_and_org_to_english_alone() -> None:
    assert languages.PAPER_DOMAINS_PLUS["en"] - languages.PAPER_DOMAINS["en"] == {"com", "org"}
    for tag in ("de", "fr", "es", "it"):
        assert languages.PAPER_DOMAINS_PLUS[tag] == languages.PAPER_DOMAINS[tag]


def test_the_table_agrees_with_the_papers_country_domains() -> None:
    for tag, domains in languages.PAPER_DOMAINS.items():
        assert domains - {"gov", "mil"} <= languages.country_domains(tag)


def test_the_table_is_read_in_less_than_five_milliseconds() -> None:
    def seconds() -> float:
        started = time.perf_counter()
        languages._rows.__wrapped__()
        languages._codes.__wrapped__()
        return time.perf_counter() - started

    assert min(seconds() for _ in range(10)) < 0.005


def test_importing_the_module_does_not_read_the_table() -> None:
    probe = "from dragoman import languages; assert languages._rows.cache_info().currsize == 0"
    subprocess.run([sys.executable, "-c", probe], check=True)
