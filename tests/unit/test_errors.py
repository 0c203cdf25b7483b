from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest

from dragoman import errors
from dragoman.errors import BadModel, BadTable, DragomanError, MissingExtra, UnknownLanguage, UnknownName, UsageError

EVERY = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, Exception)]


def test_the_tree_at_the_top_of_the_file_is_complete() -> None:
    assert errors.__doc__ is not None
    for kind in EVERY:
        assert kind.__name__ in errors.__doc__
        assert issubclass(kind, DragomanError)
    assert issubclass(UnknownName, UsageError)
    assert issubclass(UnknownLanguage, UsageError)
    assert not issubclass(BadTable, UsageError)
    assert not issubclass(BadModel, UsageError)


def test_an_unknown_name_is_answered_with_the_known_ones_and_the_nearest() -> None:
    text = str(UnknownName("algorithm", "naive_bayes", ["nearest", "naive-bayes", "cctld"]))
    assert text == "Unknown algorithm 'naive_bayes'. Known: cctld, naive-bayes, nearest. Did you mean 'naive-bayes'?"


def test_a_name_that_is_like_no_other_gets_no_suggestion() -> None:
    assert str(UnknownName("algorithm", "qqqq", ["cctld"])) == "Unknown algorithm 'qqqq'. Known: cctld."


@pytest.mark.parametrize("given", ["a\nb\r\n\tc", "x" * 5000, "", "\x00"])
def test_whatever_is_given_the_message_is_one_short_line(given: str) -> None:
    for error in (UnknownName("model", given, ["a", "b"]), UnknownLanguage(given, ["German", "French"])):
        assert "\n" not in str(error)
        assert len(str(error)) < 300


def test_an_unknown_language_is_answered_with_the_nearest() -> None:
    assert "'german'" in str(UnknownLanguage("Germann", ["German", "French"]))
    assert "Did you mean" not in str(UnknownLanguage("qqqq", ["German", "French"]))


def test_need_gives_the_module() -> None:
    assert errors.need("nothing", "json") is json


def test_need_says_what_to_install() -> None:
    with pytest.raises(MissingExtra) as caught:
        errors.need("plot", "no_such_package.inner")
    assert str(caught.value) == "This needs 'no_such_package', which is not installed: pip install 'dragoman[plot]'"
    assert isinstance(caught.value.__cause__, ImportError)


def test_need_names_what_is_missing_and_not_what_asks_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "asks_for_more.py").write_text("import no_such_package.inner\n", encoding="utf-8")
    (tmp_path / "is_broken.py").write_text("from json import no_such_name\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingExtra, match="'asks_for_more', which needs 'no_such_package', which is not installed"):
        errors.need("plot", "asks_for_more")
    with pytest.raises(MissingExtra, match=r"'is_broken', which is installed but cannot be imported .*no_such_name"):
        errors.need("plot", "is_broken")


def test_an_extra_is_looked_for_without_an_import() -> None:
    errors.check_extra("train", "json", "xmlrpc.server")
    with pytest.raises(
        MissingExtra, match=r"'no_such_package', which is not installed: pip install 'dragoman\[train\]'"
    ):
        errors.check_extra("train", "json", "no_such_package")


def test_shorten_keeps_short_text_and_the_limit() -> None:
    assert errors.shorten(" a  b\n") == "a b"
    assert errors.shorten("x" * 80) == "x" * 80
    assert errors.shorten("x" * 81) == "x" * 77 + "..."
    assert len(errors.shorten("x" * 99, 10)) == 10
