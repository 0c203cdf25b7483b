from __future__ import annotations

import subprocess
import sys
from typing import Any

import pyarrow as pa
import pytest

import dragoman
from dragoman.identifiers.url.algorithms.cctld import CountryCode


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_the_list_of_public_names_is_sorted_and_complete() -> None:
    assert dragoman.__all__ == sorted(dragoman.__all__)
    assert set(dragoman.__all__) == {*dragoman._PLACES, "__version__"}
    assert set(dragoman.__all__) <= set(dir(dragoman))


@pytest.mark.parametrize("name", dragoman.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(dragoman, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        dragoman.nonsense  # noqa: B018


@pytest.mark.parametrize("module", ["dragoman", "dragoman.cli.main", "dragoman.cli.url", "dragoman.cli.models"])
def test_importing_pulls_in_nothing_heavy(module: str) -> None:
    heavy = ("pyarrow", "scipy", "sklearn", "matplotlib", "tldextract", "pandas")
    code = f"import sys, {module}; print([name for name in {heavy!r} if name in sys.modules])"
    assert run(code).strip() == "[]"


def test_import_alone_does_not_even_need_numpy() -> None:
    assert run("import sys, dragoman; print('numpy' in sys.modules, 'click' in sys.modules)").split() == ["False"] * 2


def test_an_answer_of_the_default_model_imports_no_other_algorithm() -> None:
    others = [
        f"dragoman.identifiers.url.algorithms.{name}"
        for name in ("combined", "decision_tree", "linear", "naive_bayes", "nearest")
    ]
    code = (
        f"import sys, dragoman; dragoman.identify('http://a.de/'); print([n for n in {others!r} if n in sys.modules])"
    )
    assert run(code).strip() == "[]"


def test_one_url_gives_one_prediction_and_several_give_a_list() -> None:
    assert dragoman.identify("http://a.de/", model="cctld").language == "de"
    assert dragoman.identify(b"http://a.de/", model="cctld").language == "de"
    found = dragoman.identify(["http://a.de/", None, b"\xff"], model="cctld")
    assert [one.language for one in found] == ["de", None, None]
    assert dragoman.identify([]) == []


def test_identify_takes_a_model_or_its_name_and_languages_as_list_or_text() -> None:
    model = CountryCode.ready()
    assert dragoman.identify("http://a.de/", model, "German, fr").language == "de"
    assert dragoman.identify("http://a.de/", model, ["fr", "it"]).language is None
    assert dragoman.identify("http://a.de/", model, threshold=0.99).language is None
    found = dragoman.identify("http://a.de/", model, top=2, explain=True)
    assert len(found.scores) == 2
    assert found.contributions


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.dictionary(pa.int32(), pa.string())])
def test_columns_give_columns(kind: pa.DataType) -> None:
    column = pa.array(["http://a.de/", None, "x", "http://b.fr/"], pa.string()).cast(kind)
    language, probability = dragoman.identify_column(column, model="cctld")
    assert language.to_pylist() == ["de", None, None, "fr"]
    assert probability.type == pa.float32()


def test_chunked_sliced_and_empty_columns_are_fine() -> None:
    chunked = pa.chunked_array([["http://a.de/"], ["http://b.fr/", "x"]])
    assert dragoman.identify_column(chunked, model="cctld")[0].to_pylist() == ["de", "fr", None]
    assert dragoman.identify_column(chunked.slice(1, 1), model="cctld")[0].to_pylist() == ["fr"]
    assert len(dragoman.identify_column(pa.chunked_array([], pa.string()))[0]) == 0
    assert len(dragoman.identify_column(pa.array([], pa.string()))[0]) == 0
    assert dragoman.identify_column(pa.nulls(2), model="cctld")[0].to_pylist() == [None, None]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, ", not None"),
        (7, ", not int"),
        (bytearray(b"http://a.de/"), ", not bytearray"),
        ({"http://a.de/": 1}, ", not dict"),
        ([b"http://a.de/", 7], ": item 1 is int (7), give str, bytes or None"),
        ([["http://a.de/"]], ": item 0 is list (['http://a.de/'])"),
        (pa.array([1, 2]), ": this column holds int64, not text"),
        (pa.table({"url": ["http://a.de/"]}), ", not Table"),
    ],
)
def test_what_is_no_url_is_answered_with_what_is_allowed(given: Any, message: str) -> None:
    calls: tuple[Any, ...] = (dragoman.identify, dragoman.identify_column)
    for call in calls:
        with pytest.raises(TypeError) as caught:
            call(given, model="cctld")
        assert str(caught.value).startswith(f"{call.__name__} takes ")
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("given", [None, 7, bytearray(b"Guten Morgen"), {"text": "Guten Morgen"}])
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (dragoman.identify_text, "identify_text takes a text (str or bytes), a page that was read, or several, not "),
        (dragoman.identify_page, "A page is given as bytes or str, not "),
        (dragoman.track, "track takes a text (str), or a page that was read, not "),
    ],
)
def test_what_is_no_text_is_answered_with_what_is_allowed(call: Any, words: str, given: Any) -> None:
    with pytest.raises(TypeError) as caught:
        call(given)
    assert str(caught.value) == words + type(given).__name__


def test_less_than_no_languages_cannot_be_asked_for() -> None:
    with pytest.raises(dragoman.UsageError, match="not -1"):
        dragoman.identify("http://a.de/", top=-1)


def test_a_number_among_the_languages_is_an_unknown_language() -> None:
    with pytest.raises(dragoman.UnknownLanguage, match="'5'"):
        dragoman.identify("http://a.de/", languages=["de", 5])  # type: ignore[list-item]


def test_one_url_is_not_a_column() -> None:
    for one in ("http://a.de/", b"http://a.de/"):
        assert dragoman.identify(one, model="cctld").language == "de"
        with pytest.raises(TypeError, match="not one URL: put it in a list, or call identify"):
            dragoman.identify_column(one, model="cctld")
