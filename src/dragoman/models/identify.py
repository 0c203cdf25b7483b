"""The languages of URLs in one call: for people (`identify`) and for columns (`identify_column`)."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, overload

from dragoman.errors import need
from dragoman.languages import parse_list
from dragoman.models.answer import answer, predictions
from dragoman.models.classifier import Classifier
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
    top: int = ...,
    explain: bool = ...,
) -> list[Prediction]: ...
def identify(
    urls: Any,
    model: Model = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    *,
    top: int = 0,
    explain: bool = False,
) -> Prediction | list[Prediction]:
    """A Prediction for one URL, a list of them for several (a list, a batch, an Arrow column).

    `languages` restricts the choice: a list, or a text such as "en,de". `top` adds the likeliest languages as
    `scores`, `explain` what decided as `contributions`.

    >>> identify("http://a.it/", model="cctld").language
    'it'
    >>> identify(["http://a.it/", ""], model="cctld")[1]
    Prediction(language=None, probability=None, scores={}, contributions=())
    """
    one = isinstance(urls, str | bytes)
    batch = UrlBatch.from_rows([urls]) if one else _batch(urls)
    found = predictions(_opened(model), batch, _chosen(languages), threshold, top=top, explain=explain)
    return found[0] if one else found


def identify_column(
    column: Any, model: Model = DEFAULT, languages: Choice = None, threshold: float | None = None, threads: int = 1
) -> tuple[Any, Any]:
    """(language, probability) as Arrow columns for an Arrow column of URLs; no Python object is made per URL.

    >>> import pyarrow
    >>> identify_column(pyarrow.array(["http://a.es/", None]), model="cctld")[0].to_pylist()
    ['es', None]
    """
    need("bulk", "pyarrow")
    return answer(_opened(model), _batch(column), _chosen(languages), threshold, threads).arrow()


def _opened(model: Model) -> Classifier:
    return model if isinstance(model, Classifier) else open_model(model)


def _chosen(languages: Choice) -> Iterable[str] | None:
    return parse_list(languages) if isinstance(languages, str) else languages


def _batch(urls: Any) -> UrlBatch:
    if getattr(urls, "num_chunks", None) == 0:
        return UrlBatch.from_rows([])
    return UrlBatch.of(urls)
