"""Languages in DuckDB's SQL: `register(con)` adds `dragoman`, `dragoman_language` and `dragoman_probability`.

DuckDB hands over Arrow columns of about two thousand rows, from as many threads as it has; no Python object is made per
row. `dragoman(url)` gives a struct, and the other two take a field of it. So a query that asks for both scores each URL
once: DuckDB sees that the expression is the same.

What is scored with is a function whose name holds a digest of the model and the settings, and belongs to the database;
the three names are temporary macros on top of it, and belong to the connection. So a name can be given another model,
and each cursor of a program with threads has names of its own.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from dragoman.columns import LANGUAGE, PROBABILITY
from dragoman.errors import UsageError, need, shorten
from dragoman.identifiers import model_file as store
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.identifiers.url.identify import Choice, Model
from dragoman.integrations.answers import answering

NAME = "dragoman"


def register(
    con: Any,
    model: Model = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    *,
    name: str = NAME,
) -> None:
    """Add the functions to a connection; the arguments are those of `dragoman.identify`.

    - `dragoman(url)`: STRUCT(language VARCHAR, probability FLOAT)
    - `dragoman_language(url)`: VARCHAR, NULL where there is no answer
    - `dragoman_probability(url)`: FLOAT, NULL where there was nothing to judge

    Registering again replaces them. Another `name` keeps several models beside each other. Nothing is written to the
    database. A cursor needs a call of its own, which costs next to nothing.

    >>> import duckdb
    >>> with duckdb.connect() as con:
    ...     register(con, "cctld")
    ...     con.sql("select dragoman_language(url) from (values ('http://a.es/'), (null)) urls(url)").fetchall()
    [('es',), (None,)]
    """
    duckdb = need("duckdb", "duckdb")
    if not (name.isascii() and name.isidentifier()):
        raise UsageError(f"'{shorten(name)}' cannot name a function: give letters, digits and underscores")
    opened = open_url_model(model)
    chosen = languages if languages is None or isinstance(languages, str) else list(languages)
    answer = answering(opened, chosen, threshold)
    settings = repr((chosen, threshold)).encode()
    scorer = f"{NAME}_{blake2b(_digest(opened) + settings, digest_size=8).hexdigest()}"
    # It may be there already, by this connection or another one.
    with suppress(duckdb.CatalogException, duckdb.NotImplementedException):
        con.create_function(
            scorer, answer, ["VARCHAR"], f"STRUCT({LANGUAGE} VARCHAR, {PROBABILITY} FLOAT)", type="arrow",
            null_handling="special",
        )  # fmt: skip
    con.execute(f"create or replace temporary macro {name}(url) as {scorer}(url)")
    for field in (LANGUAGE, PROBABILITY):
        con.execute(f"create or replace temporary macro {name}_{field}(url) as ({scorer}(url)).{field}")


@lru_cache(maxsize=8)
def _digest(model: Classifier) -> bytes:
    return store.to_bytes(model)[-store.DIGEST :]
