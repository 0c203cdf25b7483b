"""Languages in Polars: importing this module adds the namespace `dragoman` to expressions.

    import dragoman.integrations.polars
    frame.with_columns(language=pl.col("url").dragoman.language())

Columns go through Arrow, without a Python object per row. Polars keeps texts as views, the model reads them one behind
the other: their bytes are copied once, what comes back is not.
"""

from __future__ import annotations

from typing import Any

from dragoman.columns import LANGUAGE, PROBABILITY
from dragoman.errors import need
from dragoman.identifiers.models import DEFAULT
from dragoman.identifiers.url.identify import Choice, Model
from dragoman.integrations.answers import answering

NAME = "dragoman"


class Languages:
    """The namespace: `language()`, `probability()` and, for both in one pass, `identify()`.

    The arguments are those of `dragoman.identify`; `threads` is for frames in memory, whose columns come whole (the
    streaming engine brings pieces and threads of its own).
    """

    def __init__(self, expression: Any) -> None:
        self._expression = expression

    def identify(
        self, model: Model = DEFAULT, languages: Choice = None, threshold: float | None = None, *, threads: int = 1
    ) -> Any:
        """An expression of structs with the fields `language` (String) and `probability` (Float32).

        >>> import polars as pl
        >>> frame = pl.DataFrame({"url": ["http://a.es/", None]})
        >>> frame.select(pl.col("url").dragoman.identify("cctld").struct.unnest()).get_column("language").to_list()
        ['es', None]
        """
        pl = need("polars", "polars")
        answer = answering(model, languages, threshold, threads)

        def judge(urls: Any) -> Any:
            return pl.Series(urls.name, answer(urls.to_arrow()))

        kind = pl.Struct({LANGUAGE: pl.String, PROBABILITY: pl.Float32})
        return self._expression.map_batches(judge, return_dtype=kind, is_elementwise=True)

    def language(
        self, model: Model = DEFAULT, languages: Choice = None, threshold: float | None = None, *, threads: int = 1
    ) -> Any:
        """An expression of the languages, null where there is no answer."""
        return self.identify(model, languages, threshold, threads=threads).struct.field(LANGUAGE)

    def probability(
        self, model: Model = DEFAULT, languages: Choice = None, threshold: float | None = None, *, threads: int = 1
    ) -> Any:
        """An expression of the probabilities, null where there was nothing to judge."""
        return self.identify(model, languages, threshold, threads=threads).struct.field(PROBABILITY)


need("polars", "polars").api.register_expr_namespace(NAME)(Languages)
