"""Lists of words that train the text model: what robots wrote is not taken for what people say."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from south_slavic import Line, ListedWord
from text_words import compounds, word_lines, words


def listed(path: Path, rows: list[tuple[str, str, int, str]], **options: object) -> dict[tuple[str, str], ListedWord]:
    columns = zip(*rows, strict=True)
    table = pa.table(dict(zip(("word", "lang", "count", "source"), map(list, columns), strict=True)))
    pq.write_table(table, path / "words.parquet")
    told = frozenset(lang for _, lang, _, _ in rows) - {"no"}
    return {(one.word, one.label): one for one in words(path / "words.parquet", told, **options)}  # type: ignore[arg-type]


SPOKEN = [(word, lang, 1000, "wordfreq") for lang in ("sk", "fr") for word in ("dom", "rue")]


def test_what_a_robot_wrote_into_an_encyclopaedia_is_no_word_of_its_language(tmp_path: Path) -> None:
    rare = [("rarest", "sk", 1, "wordfreq"), ("rarest", "fr", 1, "wordfreq"), ("légales", "fr", 40, "wordfreq")]
    robots = [("légales", "sk", 500, "langidentify"), ("dom", "sk", 500, "langidentify")]
    found = listed(tmp_path, [*SPOKEN, *rare, *robots])
    assert ("légales", "fr") in found
    assert ("légales", "sk") not in found
    assert ("dom", "sk") in found


def test_an_encyclopaedia_counts_only_as_far_as_people_bear_it_out(tmp_path: Path) -> None:
    rows = [
        *SPOKEN,
        ("obec", "sk", 2, "wordfreq"),
        ("obec", "sk", 900, "langidentify"),
        ("dom", "sk", 100, "langidentify"),
    ]
    found = listed(tmp_path, rows)
    said = 2 / 2002
    assert found["obec", "sk"].share == pytest.approx((said + 10 * said) / 2)


def test_english_words_that_a_small_encyclopaedia_left_in_its_pages_are_left_out(tmp_path: Path) -> None:
    rows = [("settings", "en", 10, "wordfreq"), ("inga", "en", 90, "wordfreq"), ("settings", "ts", 4, "langidentify")]
    found = listed(tmp_path, [*rows, ("leswi", "ts", 4000, "langidentify")])
    assert ("settings", "ts") not in found
    assert {("settings", "en"), ("leswi", "ts")} <= found.keys()


def test_norwegian_is_counted_once_though_its_lists_have_two_codes(tmp_path: Path) -> None:
    lists = [("ikke", "no", 50, "FrequencyWords"), ("og", "no", 50, "FrequencyWords")]
    lists += [("ikke", "nb", 50, "wordfreq"), ("og", "nb", 50, "wordfreq")]
    found = listed(tmp_path, [*lists, ("ikke", "da", 50, "wordfreq"), ("og", "da", 50, "wordfreq")], parts={"no": "nb"})
    assert found["ikke", "nb"].share == pytest.approx(found["ikke", "da"].share)


def test_words_of_one_script_are_not_doubted_because_the_other_list_is_in_another(tmp_path: Path) -> None:
    more = [(word, "sr", 5000, "langidentify") for word in ("кућа", "реч")]
    found = listed(tmp_path, [("kuća", "sr", 50, "FrequencyWords"), *more])
    assert ("кућа", "sr") in found


def test_english_keeps_a_word_that_is_far_more_frequent_elsewhere(tmp_path: Path) -> None:
    rows = [("hi", "ca", 4000, "wordfreq"), ("amb", "ca", 6000, "wordfreq"), ("hi", "en", 30, "wordfreq")]
    rows += [("hi", "de", 30, "wordfreq"), ("the", "en", 9970, "wordfreq"), ("der", "de", 9970, "wordfreq")]
    found = listed(tmp_path, rows)
    assert ("hi", "en") in found
    assert ("hi", "de") not in found


def test_compounds_are_the_chinese_characters_of_japanese_lines() -> None:
    lines = [Line("株式会社の会社概要を見る", "ja", "x"), Line("公司简介", "zh", "x"), Line("会社概要", "ja", "x")]
    assert {one.text for one in compounds(lines)} == {"株式会社", "会社概要"}
    assert {one.label for one in compounds(lines)} == {"ja"}


def test_lines_are_drawn_from_long_lists_of_languages_with_spaces_alone() -> None:
    some = [ListedWord(f"ord{chr(97 + n % 26)}{n}", "nb", 0.001, 0.001) for n in range(2000)]
    assert {one.label for one in word_lines([*some, *(one._replace(label="th") for one in some)], 5)} == {"nb"}
    assert list(word_lines(some[:10])) == []
