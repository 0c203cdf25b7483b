"""The script of a URL's page: what the URL shows, else what is usual."""

from __future__ import annotations

import pytest

from dragoman.columns import ByteColumn
from dragoman.identifiers.url.script import url_scripts, written


@pytest.mark.parametrize(
    ("url", "language", "script"),
    [
        ("https://example.com/", "de", "Latn"),
        ("https://example.com/天气", "ja", "Jpan"),
        ("https://sr.wikipedia.org/wiki/%D0%91%D0%B5%D0%BE", "sr", "Cyrl"),
        ("https://example.com/sr-Latn/vesti", "sr", "Latn"),
        ("https://example.com/?lang=uz_cyrl", "uz", "Cyrl"),
        ("https://example.com/янгилик", "uz", "Cyrl"),
        ("https://example.com/yangilik", "uz", "Latn"),
        ("https://example.com/zh-hant/", "zh", "Hant"),
        ("https://example.com/zh_TW/", "zh", "Hant"),
        ("https://www.ltn.com.tw", "zh", "Hant"),
        ("https://hk.example.com/news", "zh", "Hant"),
        ("https://example.com/tw/", "zh", "Hant"),
        ("https://example.com/twitter/", "zh", "Hans"),
        ("https://example.cn/zh-cn/", "zh", "Hans"),
        ("https://example.com/latina", "sr", "Cyrl"),
        ("not a URL \udcff", "sr", "Cyrl"),
    ],
)
def test_the_script_is_what_the_url_shows_else_what_is_usual(url: str, language: str, script: str) -> None:
    column = ByteColumn.from_rows([url.encode("utf-8", "surrogateescape")])
    assert url_scripts(column, [language]) == [script]


def test_where_no_language_is_told_there_is_no_script() -> None:
    column = ByteColumn.of(["https://example.com/", "https://example.com/"])
    scripts = url_scripts(column, [None, "a label of one's own"])
    assert scripts == [None, None]
    assert written([None, "a label of one's own"], scripts) == [None, None]
