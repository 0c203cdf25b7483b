"""The languages of URLs in one call: for people (`identify`) and for columns (`identify_column`)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, overload

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError, need, shorten
from dragoman.identifiers.answer import answer, predictions
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.identifiers.operating import OperatingPoint, operating_point
from dragoman.types import Prediction

Model = str | os.PathLike[str] | Classifier
Choice = str | Iterable[str] | None
#: What each call takes, as a message says it.
_TAKES = {
    "identify": "identify takes a URL (str or bytes), a list of them, or an Arrow column of text",
    "identify_column": "identify_column takes an Arrow column of text, or a list of URLs (str or bytes)",
}


@overload
def identify(  # type: ignore[overload-overlap]
    urls: str | bytes,
    model: Model = ...,
    languages: Choice = ...,
    threshold: float | None = ...,
    *,
    language: str | None = ...,
    precision: float | None = ...,
    recall: float | None = ...,
    top: int = ...,
    explain: bool = ...,
) -> Prediction: ...
@overload
def identify(
    urls: Iterable[str | bytes | None] | ByteColumn,
    model: Model = ...,
    languages: Choice = ...,
    threshold: float | None = ...,
    *,
    language: str | None = ...,
    precision: float | None = ...,
    recall: float | None = ...,
    top: int = ...,
    explain: bool = ...,
) -> list[Prediction]: ...
def identify(
    urls: Any,
    model: Model = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    *,
    language: str | None = None,
    precision: float | None = None,
    recall: float | None = None,
    top: int = 0,
    explain: bool = False,
) -> Prediction | list[Prediction]:
    """A Prediction for one URL, a list of them for several (a list, a batch, an Arrow column).

    - `languages` restricts the choice: a list, or a text such as "en,de". The presets `five` and `default` (all of the
      model's) are known.
    - `threshold`: a language less probable than this is not told (None). Left out, it is the one that was measured for
      the model, if any; 0 tells the likeliest language wherever there is evidence.
    - `language` with `precision` or `recall` asks for one language at an operating point: `language="th",
      precision=0.95` says Thai or None, at a threshold from which on 95 % of the yes can be expected to be right.
    - `top` adds the likeliest languages as `scores`; `explain` adds what spoke for and against them (three languages
      without `top`) as `contributions`, the likeliest language first.

    >>> identify("http://a.it/", model="cctld").language
    'it'
    >>> identify(["http://a.it/", ""], model="cctld")[1]
    Prediction(language=None, probability=None, scores={}, contributions=(), outcome=None)
    """
    single = isinstance(urls, str | bytes)
    batch = ByteColumn.from_rows([urls]) if single else _batch(urls, "identify")
    opened = open_url_model(model)
    point = _point(opened, language, precision, recall)
    answers = predictions(opened, batch, languages, threshold, top=top, explain=explain, point=point)
    return answers[0] if single else answers


def identify_column(
    column: Any,
    model: Model = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    threads: int = 1,
    *,
    language: str | None = None,
    precision: float | None = None,
    recall: float | None = None,
) -> tuple[Any, Any]:
    """(language, probability) as Arrow columns for an Arrow column of URLs; no Python object is made per URL.

    The arguments are those of `identify`.

    >>> import pyarrow
    >>> identify_column(pyarrow.array(["http://a.es/", None]), model="cctld")[0].to_pylist()
    ['es', None]
    """
    need("bulk", "pyarrow")
    if isinstance(column, str | bytes):
        raise TypeError(f"{_TAKES['identify_column']}, not one URL: put it in a list, or call identify")
    batch = _batch(column, "identify_column")
    opened = open_url_model(model)
    point = _point(opened, language, precision, recall)
    return answer(opened, batch, languages, threshold, threads, point=point).arrow()


def _point(
    model: Classifier, language: str | None, precision: float | None, recall: float | None
) -> OperatingPoint | None:
    if language is None:
        if precision is not None or recall is not None:
            raise UsageError("A precision or recall is for one language: say which with language=")
        return None
    return operating_point(model, language, precision, recall)


def _batch(urls: Any, asked: str) -> ByteColumn:
    """The URLs as a batch; TypeError for what cannot be URLs, in one line that says what is allowed."""
    if isinstance(urls, ByteColumn):
        return urls
    if hasattr(urls, "__arrow_c_array__") or hasattr(urls, "__arrow_c_stream__"):
        return _arrow_batch(urls, asked)
    if isinstance(urls, bytearray | memoryview | Mapping) or not isinstance(urls, Iterable):
        given = "None" if urls is None else type(urls).__name__
        raise TypeError(f"{_TAKES[asked]}, not {given}")
    rows = list(urls)
    for number, row in enumerate(rows):
        if not isinstance(row, str | bytes | None):
            raise TypeError(
                f"{_TAKES[asked]}: item {number} is {type(row).__name__} ({shorten(repr(row), 40)}), "
                "give str, bytes or None"
            )
    return ByteColumn.from_rows(rows)


def _arrow_batch(urls: Any, asked: str) -> ByteColumn:
    pa = need("bulk", "pyarrow")
    kind = getattr(urls, "type", None)
    if isinstance(kind, pa.DataType):
        inner = kind.value_type if pa.types.is_dictionary(kind) else kind
        if str(inner).removeprefix("large_").removesuffix("_view") not in ("string", "binary", "null"):
            raise TypeError(f"{_TAKES[asked]}: this column holds {kind}, not text")
    if getattr(urls, "num_chunks", None) == 0:
        return ByteColumn.from_rows([])
    try:
        return ByteColumn.from_arrow(urls)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError, TypeError) as error:
        raise TypeError(f"{_TAKES[asked]}, not {type(urls).__name__}: {shorten(str(error))}") from error
