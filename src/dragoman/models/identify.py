"""The languages of URLs in one call: for people (`identify`) and for columns (`identify_column`)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, overload

from dragoman.errors import UsageError, need
from dragoman.models.answer import answer, predictions
from dragoman.models.classifier import Classifier
from dragoman.models.operating import OperatingPoint, operating_point
from dragoman.models.shelf import DEFAULT, open_model
from dragoman.types import Prediction
from dragoman.url.batch import UrlBatch

Model = str | os.PathLike[str] | Classifier
Choice = str | Iterable[str] | None


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
    urls: Iterable[str | bytes | None] | UrlBatch,
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
    - `top` adds the likeliest languages as `scores`, `explain` what decided as `contributions`.

    >>> identify("http://a.it/", model="cctld").language
    'it'
    >>> identify(["http://a.it/", ""], model="cctld")[1]
    Prediction(language=None, probability=None, scores={}, contributions=())
    """
    one = isinstance(urls, str | bytes)
    batch = UrlBatch.from_rows([urls]) if one else _batch(urls)
    opened = _opened(model)
    point = _point(opened, language, precision, recall)
    found = predictions(opened, batch, languages, threshold, top=top, explain=explain, point=point)
    return found[0] if one else found


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
    opened = _opened(model)
    point = _point(opened, language, precision, recall)
    return answer(opened, _batch(column), languages, threshold, threads, point=point).arrow()


def _point(
    model: Classifier, language: str | None, precision: float | None, recall: float | None
) -> OperatingPoint | None:
    if language is None:
        if precision is not None or recall is not None:
            raise UsageError("A precision or recall is for one language: say which with language=")
        return None
    return operating_point(model, language, precision, recall)


def _opened(model: Model) -> Classifier:
    return model if isinstance(model, Classifier) else open_model(model)


def _batch(urls: Any) -> UrlBatch:
    if getattr(urls, "num_chunks", None) == 0:
        return UrlBatch.from_rows([])
    return UrlBatch.of(urls)
