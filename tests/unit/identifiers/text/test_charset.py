"""Bytes become text: who is believed, and what happens when nobody can be."""

from __future__ import annotations

import codecs
import sys
from importlib.util import find_spec

import pytest

from dragoman.identifiers.text import charset
from dragoman.identifiers.text.charset import charset_of, charsets, decode, meta_labels
from dragoman.languages import known

#: Without resiliparse, what a page does not tell is assumed.
detecting = pytest.mark.skipif(find_spec("resiliparse") is None, reason="needs resiliparse")
RUSSIAN = "Дети играют в лесу возле школы, где лето уже прошло и начинается осень."


def test_the_table_has_decoders_and_languages_that_exist_and_no_label_twice() -> None:
    seen: set[str] = set()
    for row in charsets().values():
        assert row.name == row.labels[0] or row.name in row.labels
        assert not row.codec or codecs.lookup(row.codec)
        assert set(row.languages) <= set(known())
        assert not seen & set(row.labels)
        seen |= set(row.labels)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("UTF8", "utf-8"),
        ("latin1", "windows-1252"),
        ("ISO-8859-9", "windows-1254"),
        ("gb2312", "gbk"),
        ("x-sjis", "shift_jis"),
        ("tis-620", "windows-874"),
        ("ks_c_5601-1987", "euc-kr"),
        ("", None),
        ("nonsense", None),
    ],
)
def test_labels_mean_what_browsers_take_them_for(label: str, name: str | None) -> None:
    assert charset_of(label) == name


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_wins_over_everything(mark: str) -> None:
    found = decode(f"<meta charset=koi8-r>{RUSSIAN}".encode(mark), "text/html; charset=windows-1251")
    assert found.text.endswith(RUSSIAN)
    assert not found.text.startswith("\ufeff")
    assert found.how == "bom"


@detecting
def test_the_header_wins_over_meta_and_meta_over_detection() -> None:
    data = f"<meta charset=iso-8859-5><p>{RUSSIAN}".encode("koi8-r")
    assert decode(data, "text/html; charset=KOI8-R").how == "header"
    assert decode(data, "text/html; charset=KOI8-R").text.endswith(RUSSIAN)
    assert (decode(data).charset, decode(data).how) == ("iso-8859-5", "meta")
    assert decode(data.replace(b"charset=", b"x=")).text.endswith(RUSSIAN)


def test_an_unknown_charset_and_one_without_a_decoder_are_set_aside() -> None:
    found = decode(f"<meta charset=viscii><meta charset=koi8-r>{RUSSIAN}".encode("koi8-r"), "text/html;charset=bogus")
    assert (found.charset, found.how, found.set_aside) == ("koi8-r", "meta", ("bogus", "viscii"))


def test_a_charset_that_the_bytes_contradict_is_set_aside_unless_strict() -> None:
    data = f"<meta charset=windows-1251><p>{RUSSIAN}".encode("cp1251")
    found = decode(data, "text/html; charset=utf-8")
    assert (found.charset, found.how, found.set_aside) == ("windows-1251", "meta", ("utf-8",))
    strict = decode(data, "text/html; charset=utf-8", strict=True)
    assert (strict.charset, strict.how) == ("utf-8", "header")
    assert strict.replaced > 10


def test_utf8_that_is_called_something_else_is_read_as_utf8_unless_strict() -> None:
    data = "<meta charset=iso-8859-1><p>déjà".encode()
    assert decode(data).text.endswith("déjà")
    assert decode(data).set_aside == ("iso-8859-1",)
    assert decode(data, strict=True).text.endswith("dÃ©jÃ\xa0")


THAI = "กรุณาตรวจสอบข้อมูลที่กรอกอีกครั้ง แล้วกดปุ่มส่ง หากมีปัญหาโปรดติดต่อผู้ดูแลระบบ "


@detecting
@pytest.mark.parametrize("label", ["iso-8859-1", "windows-1252", "us-ascii", "gbk", "big5", "euc-jp", "utf-8"])
def test_thai_under_a_name_that_cannot_be_is_read_as_thai(label: str) -> None:
    data = (f"<meta charset={label}><p>{THAI}</p>" * 3).encode("cp874")
    found = decode(data)
    assert found.text.endswith(f"{THAI}</p>")
    assert (found.charset, found.how, found.replaced) == ("windows-874", "detected", 0)
    assert label in found.set_aside
    if label != "utf-8":
        strict = decode(data, strict=True)
        assert (strict.how, strict.set_aside) == ("meta", ())


@detecting
def test_what_is_only_doubtful_is_believed_where_nothing_reads_better() -> None:
    german = "Übermäßig große Bäume ärgern Förster. " * 5
    assert decode(f"<meta charset=latin1>{german}".encode("cp1252")).how == "meta"
    rules = "Preise ----- " + "\u2014" * 40  # a row of dashes is no other script
    assert decode(f"<meta charset=windows-1252>{german}{rules}".encode("cp1252")).text.endswith(rules)
    chinese = "今天天气很好我们去公园玩吧大家一起" * 5
    broken = f"<meta charset=gbk>{chinese}".encode("gbk") + b"<p>\xff \xff \xff \xff </p>"
    found = decode(broken)
    assert (found.charset, found.how) == ("gbk", "meta")
    assert chinese in found.text
    russian = decode(f"<meta charset=iso-8859-1>{RUSSIAN * 3}".encode("cp1251"))
    assert (russian.charset, russian.how) == ("windows-1251", "detected")


def test_meta_cannot_say_utf_16_and_utf_16_is_seen_without_its_mark() -> None:
    assert decode("<meta charset=utf-16><p>déjà".encode()).charset == "utf-8"
    for codec in ("utf-16-le", "utf-16-be"):
        found = decode(f"<p>Hello, {RUSSIAN}".encode(codec))
        assert found.text == f"<p>Hello, {RUSSIAN}"


def test_bytes_that_cannot_be_read_become_replacement_characters_and_are_counted() -> None:
    found = decode("Ein Text über Bäume und Wälder".encode() + b"\xff." + "äöü".encode(), "text/html; charset=utf-8")
    assert found.text.count("\ufffd") == found.replaced == 1
    assert decode("ein \ufffd".encode()).replaced == 0


@detecting
@pytest.mark.parametrize("codec", ["koi8-r", "shift_jis", "euc-jp", "iso2022_jp", "euc-kr", "gbk", "big5", "utf-8"])
def test_text_that_says_nothing_is_detected(codec: str) -> None:
    text = {"k": RUSSIAN, "b": "今天天氣很好我們去公園玩吧大家一起"}.get(
        codec[0], "今日はいい天気ですね。公園に行きましょう。"
    )
    text = "오늘 날씨가 좋네요 공원에 갑시다" if codec == "euc-kr" else text
    text = "今天天气很好我们去公园玩吧大家一起" if codec == "gbk" else text
    found = decode(text.encode(codec))
    assert (found.text, found.how) == (text, "detected")


def test_without_the_detector_it_is_utf8_or_windows_1252_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resiliparse.parse.encoding", None)
    assert (decode("déjà".encode()).charset, decode("déjà".encode()).how) == ("utf-8", "detected")
    found = decode("déjà vu".encode("latin-1"))
    assert (found.text, found.charset, found.how) == ("déjà vu", "windows-1252", "assumed")


def test_meta_in_comments_and_scripts_says_nothing() -> None:
    page = b"<!-- <meta charset=koi8-r> --><script>'<meta charset=big5>'</script><META CHARSET='EUC-JP' />"
    assert meta_labels(page) == ["EUC-JP"]
    equiv = b'<meta content="text/html; charset = \'tis-620\'" http-equiv=" Content-Type ">'
    assert meta_labels(equiv) == ["tis-620"]


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"\xfe\xff\x00", b"\xef\xbb\xbf", bytes(range(256)), b"\0" * 9, b"\xff" * 99]
)
@pytest.mark.parametrize(
    "said", [None, "", "text/html; charset=", "charset=utf-16", "; charset=hz-gb-2312", "charset=utf-7"]
)
def test_there_is_always_an_answer(data: bytes, said: str | None) -> None:
    for strict in (False, True):
        found = decode(data, said, strict)
        assert found.charset in charset.charsets()
