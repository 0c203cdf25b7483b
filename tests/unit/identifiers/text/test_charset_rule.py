"""The charset rule of 2007, step by step."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import pytest

from dragoman.errors import UsageError
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.models import open_model
from dragoman.identifiers.text.charset_rule import CharsetRule, meta_charset

THAI = "เด็ก ๆ เล่นอยู่ในป่าใกล้โรงเรียน"
ENGLISH = "the children play in the forest near the school"


class Letters(Classifier):
    """A stand-in for n-grams: counts the letters of three alphabets."""

    algorithm: ClassVar[str] = "letters"
    reads: ClassVar[str] = "text"
    languages_ = ("en", "ru", "bg", "th")

    def fit(self, inputs: Any, labels: Any) -> Self:
        return self

    def plain_scores(self, row: bytes) -> list[float]:
        text = row.decode()
        latin, thai = sum("a" <= c <= "z" for c in text), sum("\u0e00" <= c <= "\u0e7f" for c in text)
        cyrillic = sum("а" <= c <= "я" for c in text)
        found = [latin, cyrillic * 1.1, cyrillic, thai]
        return [min(3.0, value) for value in found] if any(found) else [float("nan")] * 4


def page(charset: str | None, text: str, codec: str) -> bytes:
    meta = f'<META http-equiv="Content-Type" content="text/html; charset={charset}">' if charset else ""
    return f"<html><head>{meta}</head><body>{text}</body></html>".encode(codec)


def test_the_last_valid_charset_wins_and_latin_1_is_noise() -> None:
    metas = [b"<meta charset=%s>" % one for one in (b"euc-jp", b"TIS-620", b"nonsense", b"ISO-8859-1", b"latin1")]
    assert meta_charset(b"".join(metas)) == "windows-874"
    assert meta_charset(b"".join(metas[2:])) is None
    assert meta_charset(b"<meta charset=iso-8859-1><meta charset=windows-1252>") == "windows-1252"


def test_meta_names_the_language_and_the_text_is_not_asked() -> None:
    assert CharsetRule(Letters()).identify(page("TIS-620", ENGLISH, "cp874")).language == "th"
    assert CharsetRule(None).identify(page("windows-874", THAI, "cp874")).how == "meta"


def test_both_together_see_the_english_page_on_a_thai_site() -> None:
    rule = CharsetRule(Letters(), "both")
    assert rule.identify(page("TIS-620", ENGLISH, "cp874")).language == "en"
    assert rule.identify(page("TIS-620", THAI, "cp874")).language == "th"
    assert rule.identify(page("TIS-620", "a 1", "cp874")).language == "th"
    assert rule.identify(page("TIS-620", "1 2 3", "cp874")).how == "meta"


def test_without_a_charset_n_grams_decide_and_numeric_references_count() -> None:
    rule = CharsetRule(Letters())
    assert rule.identify(page(None, THAI, "utf-8")).language == "th"
    references = "".join(f"&#{ord(char)};" for char in THAI)
    found = rule.identify(page("ISO-8859-1", references, "ascii"))
    assert (found.language, found.how, found.charset) == ("th", "n-grams", None)


def test_utf_8_says_nothing_and_the_conversion_is_the_papers() -> None:
    data = page("utf-8", THAI + " 日本", "utf-8")
    assert CharsetRule(Letters()).is_language(data, "th")
    assert not CharsetRule(Letters(), convert=True).is_language(data, "th")
    assert CharsetRule(Letters(), convert=True).is_language(page("utf-8", THAI, "utf-8"), "th")
    assert not CharsetRule(Letters()).is_language(data, "en")


def test_a_charset_of_several_languages_leaves_the_choice_among_them() -> None:
    found = CharsetRule(Letters()).identify(page("windows-1251", "дети играют the school is", "cp1251"))
    assert (found.language, found.how) == ("ru", "both")


def test_nothing_to_go_by_is_no_language() -> None:
    assert CharsetRule(Letters()).identify(b"").language is None
    assert CharsetRule(None).identify(page("utf-8", THAI, "utf-8")).language is None
    assert CharsetRule(Letters(), "meta").identify(page(None, THAI, "utf-8")).language is None


def test_bad_arguments_get_a_line() -> None:
    with pytest.raises(UsageError, match="needs an identifier"):
        CharsetRule(None, "both")
    with pytest.raises(UsageError, match="first, both, meta, n-grams"):
        CharsetRule(Letters(), "either")
    with pytest.raises(UsageError, match="reads urls"):
        CharsetRule(open_model("cctld"))
