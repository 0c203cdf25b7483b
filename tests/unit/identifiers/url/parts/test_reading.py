"""What stands in a URL: words, a known site, scripts and a domain."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman.columns import ByteColumn
from dragoman.identifiers.url.parts.code_book import CodeBook, UrlNames
from dragoman.identifiers.url.parts.domains import (
    ANY_LANGUAGE,
    ONE_LANGUAGE,
    SEVERAL_LANGUAGES,
    DomainPriors,
    domain_priors,
)
from dragoman.identifiers.url.parts.keys import host_rows, path_rows, text_key
from dragoman.identifiers.url.parts.material import Material, WordWeights
from dragoman.identifiers.url.parts.reading import UrlParts, read_parts
from dragoman.kernels.parts import PartReader
from dragoman.kernels.parts_tables import small_entries, small_slots, small_value, text_keys

LANGUAGES = ("de", "el", "en", "ja", "ko", "ru", "zh")


@pytest.fixture(scope="module")
def reader() -> PartReader:
    priors = DomainPriors(("com", "рф"), np.array([1, 0], np.uint8), np.zeros((2, len(LANGUAGES)), np.float32))
    words = WordWeights.of({}, LANGUAGES)
    return Material(LANGUAGES, words, CodeBook.shipped(LANGUAGES), UrlNames.shipped(), priors).reader()


def read(reader: PartReader, url: str) -> UrlParts:
    parts = read_parts(url.encode(), reader)
    assert parts is not None
    return parts


def test_words_of_host_and_path_are_kept_apart(reader: PartReader) -> None:
    parts = read(reader, "https://www.blaue-Blume.garden.com/Über-uns/index.html?x=Kontakt")
    assert parts.host_words == ("blaue", "blume", "garden")
    assert parts.path_words == ("über", "uns", "kontakt")
    assert parts.domain == ("com", 0)


def test_a_known_site_is_known_by_any_of_its_hosts(reader: PartReader) -> None:
    for url in ("http://naver.com/", "https://www.NAVER.com/x", "https://blog.naver.com"):
        assert read(reader, url).site == ("naver.com", LANGUAGES.index("ko"))
    assert read(reader, "https://naver.com.example.org/").site is None


def test_a_platform_says_nothing_by_itself(reader: PartReader) -> None:
    parts = read(reader, "https://blumen.blogspot.com/")
    assert (parts.site, parts.host_words) == (None, ("blumen",))


def test_a_part_of_a_known_site_may_be_in_another_language(reader: PartReader) -> None:
    assert read(reader, "https://www.asahi.com/national").site == ("asahi.com", LANGUAGES.index("ja"))
    assert read(reader, "https://www.asahi.com/AJW/articles?x").site == ("asahi.com/ajw", LANGUAGES.index("en"))
    assert read(reader, "https://dw.com/").site is None
    assert read(reader, "https://www.samsung.com/sec/tvs").site == ("samsung.com/sec", LANGUAGES.index("ko"))


def test_of_a_shortener_not_even_the_domain_says_anything(reader: PartReader) -> None:
    parts = read(reader, "https://spoti.рф/haus")
    assert (parts.host_words, parts.domain) == (("spoti",), ("рф", 1))
    parts = read(reader, "https://bloom.bg/haus")
    assert (parts.site, parts.host_words, parts.domain, parts.path_words) == (None, (), None, ("haus",))


def test_what_sites_are_registered_below_is_no_word(reader: PartReader) -> None:
    for url in ("https://www.haus.ac.ke/", "https://haus.GOV.wf/", "https://haus.com.ai/"):
        assert read(reader, url).host_words == ("haus",)
    assert read(reader, "https://gov.me/").host_words == ()
    assert read(reader, "https://com.garden/").host_words == ("com",)


def test_the_domain_may_be_of_any_script(reader: PartReader) -> None:
    assert read(reader, "http://xn--e1afmkfd.xn--p1ai/").domain == ("рф", 1)
    assert read(reader, "http://example.unheard/").domain is None
    assert read(reader, "http://localhost/").domain is None


def test_scripts_are_read_once_and_kana_make_han_japanese(reader: PartReader) -> None:
    def scripts(path: str) -> tuple[int, ...]:
        return read(reader, f"https://example.com/{path}").scripts

    assert scripts("погода-сегодня") == scripts("лес")
    assert len(scripts("лес")) == 1
    assert scripts("漢字") != scripts("お問い合わせ") == scripts("問い合わせ")
    assert len(scripts("漢字/лес/δάσος")) == 3
    assert scripts("été") == ()


@pytest.mark.parametrize(
    "copy",
    [
        "https://web.archive.org/web/20160218174457/http://www.blumen.com/Rosen",
        "https://web.archive.org/web/2016im_/HTTPS://www.blumen.com/Rosen",
        "https://archive.example.org/all/http:/www.blumen.com/Rosen",
    ],
)
def test_an_address_within_a_path_is_what_is_read(reader: PartReader, copy: str) -> None:
    assert read(reader, copy) == read(reader, copy[copy.lower().index("/http") + 1 :])


@pytest.mark.parametrize(
    "url",
    ["https://example.com/a?u=/http://blumen.de/", "/a/http://blumen.de/", "https://example.com/xhttp://blumen.de/"],
)
def test_other_addresses_within_a_url_are_words_of_it(reader: PartReader, url: str) -> None:
    assert "blumen" in read(reader, url).path_words


@pytest.mark.parametrize("rest", ["http://", "https:///", "http://b c/"])
def test_an_address_without_a_host_within_a_path_is_left_alone(reader: PartReader, rest: str) -> None:
    assert read(reader, f"https://blumen.com/web/{rest}").host_words == ("blumen",)


def test_what_is_no_web_address_has_no_parts(reader: PartReader) -> None:
    assert read_parts(b"mailto:a@example.org", reader) is None
    assert read_parts(b"", reader) is None


def test_many_words_and_labels_take_no_longer_than_their_number(reader: PartReader) -> None:
    parts = read(reader, "http://" + "ab." * 3000 + "com/" + "cd-" * 3000)
    assert (len(parts.host_words), len(parts.path_words)) == (256, 256)


@pytest.mark.parametrize("drawn", ["dQw4w9WgXcQ", "3tAgumh", "3xYz", "x7Kp2Qa", "aBcdEfG"])
def test_identifiers_are_no_words(reader: PartReader, drawn: str) -> None:
    for url in (
        f"https://youtu.be/{drawn}",
        f"https://example.com/watch?v={drawn}",
        f"https://example.com/p/{drawn}/#{drawn}",
    ):
        assert {"watch"} >= set(read(reader, url).path_words)


@pytest.mark.parametrize(
    "written", ["Teil2", "mp3player", "laMiaCasa", "covid19impfung", "2024Teil1", "HAUS", "meinHaus"]
)
def test_words_beside_numbers_and_humps_stay_words(reader: PartReader, written: str) -> None:
    assert read(reader, f"https://example.com/{written}.html").path_words


def test_long_runs_of_letters_and_digits_take_no_longer_than_their_number(reader: PartReader) -> None:
    assert read(reader, "http://example.com/" + "ab1" * 30_000).path_words == ()


def test_keys_of_texts_are_those_of_the_kernels() -> None:
    texts = ["", "a", "haus", "zeitungen", "naver.com", "ui_locale", "погода", "日本語日本語", "x" * 100]
    column = ByteColumn.of(texts)
    assert text_keys(column.data, column.offsets).tolist() == [text_key(text) for text in texts]
    assert text_key("HAUS") == text_key("haus")
    assert len({text_key(text) for text in texts}) == len(texts)


def test_a_table_of_keys_gives_their_values_and_can_be_made_again() -> None:
    keys = np.array([text_key(f"word{number}") for number in range(500)], np.uint64)
    slots = small_slots(keys, np.arange(500, dtype=np.uint16))
    entries = small_entries(slots)
    again = small_slots(entries, (entries & 0xFFFF).astype(np.uint16))
    for table in (slots, again):
        assert [small_value(table, int(key)) for key in keys] == list(range(500))
        assert small_value(table, text_key("another")) == -1


def test_n_grams_are_of_three_to_five_letters_with_boundaries() -> None:
    assert len(host_rows("haus", 18)) == 4 + 2 + 1
    assert len(path_rows("haus", 18)) == 4 + 3 + 2
    assert len(path_rows("ab", 18)) == 2 + 1
    assert path_rows("z" * 40, 18) == path_rows("z" * 90, 18)
    assert max(host_rows("donaudampfschifffahrt", 10)) < 1 << 10


def test_domains_are_counted_by_sites_and_smoothed_by_countries() -> None:
    urls = ByteColumn.of([*["http://a.de/1", "http://a.de/2"], *(f"http://b{n}.com/" for n in range(30))])
    truth = np.array([0, 0, *([1] * 30)])
    priors = domain_priors(urls, truth, ("de", "en"), {"de": {"de": 1.0}, "uk": {"en": 1.0}})
    shares = dict(zip(priors.names, np.exp(priors.rows), strict=True))
    assert priors.names == ("com", "de", "uk")
    assert shares["de"][0] > shares["de"][1]
    assert shares["uk"][1] > shares["uk"][0]
    assert priors.kinds.tolist() == [ANY_LANGUAGE, ONE_LANGUAGE, ONE_LANGUAGE]
    once = domain_priors(urls, truth, ("de", "en"), {}, sites=["one"] * len(urls))
    assert np.ptp(once.rows[0]) < np.ptp(priors.rows[0])


def test_a_country_of_several_languages_has_a_domain_of_several() -> None:
    urls = ByteColumn.of([f"http://haus{n}.ch/" for n in range(30)] + [f"http://maison{n}.ch/" for n in range(12)])
    truth = np.array([*([0] * 30), *([1] * 12)])
    priors = domain_priors(urls, truth, ("de", "fr"), {"ch": {"de": 0.7, "fr": 0.3}, "fr": {"fr": 1.0}})
    assert dict(zip(priors.names, priors.kinds.tolist(), strict=True)) == {"ch": SEVERAL_LANGUAGES, "fr": ONE_LANGUAGE}


def test_a_domain_below_which_many_sites_are_registered_is_one_by_itself() -> None:
    french = [f"http://maison{n}.qc.ca/" for n in range(60)]
    english = [f"http://house{n}.ca/" for n in range(60)] + [f"http://www.cnn.ca/{n}" for n in range(60)]
    urls, truth = ByteColumn.of(french + english), np.array([*([0] * 60), *([1] * 120)])
    sites = [*range(120), *(["cnn.ca"] * 60)]
    priors = domain_priors(urls, truth, ("fr", "en"), {"ca": {"en": 0.7, "fr": 0.3}}, sites)
    shares = dict(zip(priors.names, np.exp(priors.rows), strict=True))
    assert priors.names == ("ca", "qc.ca")
    assert shares["qc.ca"][0] > shares["qc.ca"][1]
    assert priors.kinds.tolist() == [ONE_LANGUAGE, ONE_LANGUAGE]
    left_out = domain_priors(urls, truth, ("fr", "en"), {"ca": {"en": 0.7, "fr": 0.3}}, sites, left_out=["qc.ca"])
    assert left_out.names == ("ca",)
