"""The answers for a column as one Arrow struct column: what every engine here is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dragoman.columns import LANGUAGE, PROBABILITY
from dragoman.errors import need
from dragoman.identifiers.models import open_url_model
from dragoman.identifiers.url.identify import Choice, Model, identify_column


def answering(
    model: Model, languages: Choice = None, threshold: float | None = None, threads: int = 1
) -> Callable[[Any], Any]:
    """A function from an Arrow column of URLs to a struct column of `language` and `probability`, row by row.

    The model is opened and the arguments are checked here, so that a mistake is told before a query runs. The function
    may be called by several threads at once.

    >>> import pyarrow
    >>> answering("cctld")(pyarrow.array(["http://a.es/", None])).field(0).to_pylist()
    ['es', None]
    """
    pa = need("bulk", "pyarrow")
    opened = open_url_model(model)
    chosen = list(languages) if languages is not None and not isinstance(languages, str) else languages

    def answer(urls: Any) -> Any:
        language, probability = identify_column(urls, opened, chosen, threshold, threads)
        return pa.StructArray.from_arrays([language, probability], [LANGUAGE, PROBABILITY])

    answer(pa.array([], pa.string()))
    return answer
