"""Languages in Spark: `identify(df, "url")` adds `language` and `probability`; `label_index` labels a whole table.

For tables that Python can open, dragoman.integrations.spark.files does the latter in about half the time.

Rows travel as Arrow batches (`mapInArrow`), without a Python object per row. The model's bytes are broadcast, so every
executor uses the driver's model and gets it once; each Python process opens it once and keeps it. Dragoman itself must
be installed where the executors run.

A scalar Arrow function would send only the URLs, but is slower for tables of few columns: the JVM keeps the rest of
each row in a queue of its own meanwhile, and joins them row by row.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Self

from dragoman.columns import LANGUAGE, PROBABILITY
from dragoman.errors import UsageError, need
from dragoman.identifiers import model_file as store
from dragoman.identifiers.answer import choice
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.identifiers.url.identify import Choice, Model
from dragoman.integrations.answers import answering
from dragoman.integrations.spark.runs import SETTINGS, HadoopFolder, Say, agree, check, parts_of, work_off

#: A file of a table is done when Spark has left this beside what it wrote.
DONE = "_SUCCESS"
_KINDS = ("StringType", "VarcharType", "CharType", "BinaryType")


def identify(
    df: Any,
    column: str = "url",
    model: Model = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    *,
    replace: bool = False,
) -> Any:
    """The data frame with the columns `language` (string) and `probability` (float), null where there is no answer.

    The arguments are those of `dragoman.identify`, and are checked here, before anything runs. All columns travel
    through Python: select those that you need first. With `replace`, columns of these names are written over.
    """
    types = need("spark", "pyspark.sql.types")
    added = (LANGUAGE, PROBABILITY)
    clash = [name for name in added if name in df.columns]
    if clash and not replace:
        raise UsageError(f"The data frame has a column '{clash[0]}' already: rename it, or pass replace=True")
    if column not in df.columns or column in clash:
        raise UsageError(f"The data frame has no column '{column}' to read; its columns: {', '.join(df.columns)}")
    if clash:
        df = df.drop(*clash)
    kind = df.schema[column].dataType
    if type(kind).__name__ not in _KINDS:
        raise UsageError(f"Column '{column}' holds {kind.simpleString()}, not text: name the column of the URLs")
    chosen = tuple_of(languages)
    opened = open_url_model(model)
    answering(opened, chosen, threshold)
    schema = types.StructType(
        [
            *df.schema.fields,
            types.StructField(LANGUAGE, types.StringType()),
            types.StructField(PROBABILITY, types.FloatType()),
        ]
    )
    return df.mapInArrow(_mapper(parcel(df, opened), column, chosen, threshold), schema)


def parcel(df: Any, model: Classifier) -> Any:
    """The bytes of a model, or what holds them: what the functions of a data frame are to take along."""
    content = content_of(model)
    context = _context(df.sparkSession)
    return content if context is None else broadcast(context, content)


def content_in(model: Any) -> bytes:
    """The bytes of a model that was taken along, in the process that needs them."""
    return model if isinstance(model, bytes) else bytes(model.value)


def _context(session: Any) -> Any:
    """The context of a session; None for Spark Connect, which has none, and so no broadcasts."""
    try:
        return session.sparkContext
    except (AttributeError, NotImplementedError):
        return None


def _mapper(
    model: Any, column: str, languages: str | tuple[str, ...] | None, threshold: float | None
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What runs in the executors' Python processes: batches in, the same with two more columns out."""

    def label(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        answer = _answering(content_in(model), languages, threshold)
        for batch in batches:
            answers = answer(batch.column(column))
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, *answers.flatten()], names=[*batch.schema.names, LANGUAGE, PROBABILITY]
            )

    return label


@lru_cache(maxsize=4)
def _answering(
    content: bytes, languages: str | tuple[str, ...] | None, threshold: float | None
) -> Callable[[Any], Any]:
    """The model, opened once in a process; the same object of bytes is the same key, and is hashed once."""
    return answering(model_in(content), languages, threshold)


@lru_cache(maxsize=4)
def model_in(content: bytes) -> Classifier:
    """The model in these bytes, opened once in a process."""
    return store.from_bytes(content)


@lru_cache(maxsize=4)
def content_of(model: Classifier) -> bytes:
    """The bytes of a model, always the same object."""
    return store.to_bytes(model)


@lru_cache(maxsize=4)
def broadcast(context: Any, content: bytes) -> Any:
    """The bytes, sent once for all data frames of a session."""
    return context.broadcast(content)


def tuple_of(languages: Choice) -> str | tuple[str, ...] | None:
    """The languages as what can be a key, and can be sent."""
    return languages if languages is None or isinstance(languages, str) else tuple(languages)


class Labelling(NamedTuple):
    """How the files of a table are labelled, whichever way they are handed out."""

    model: Classifier
    column: str
    columns: list[str] | None
    languages: str | tuple[str, ...] | None
    threshold: float | None

    @classmethod
    def checked(
        cls, model: Model, column: str, columns: str | Sequence[str] | None, languages: Choice, threshold: float | None
    ) -> Self:
        """The arguments as somebody gives them, refused before anything runs; columns may be one text with commas."""
        listed = columns.split(",") if isinstance(columns, str) else columns
        if listed is not None and column not in listed:
            raise UsageError(f"The columns to keep have no column '{column}' to read: {', '.join(listed)}")
        opened, chosen = open_url_model(model), tuple_of(languages)
        answering(opened, chosen, threshold)
        return cls(opened, column, list(dict.fromkeys(listed)) if listed else None, chosen, threshold)

    def settings(self, way: str) -> dict[str, Any]:
        """What must be the same for all files of a table, by name."""
        chosen = choice(self.model, self.languages)
        return {
            "model": content_of(self.model)[-store.DIGEST :].hex(),
            "column": self.column,
            "columns": self.columns,
            "languages": chosen and sorted(chosen),
            "threshold": self.threshold,
            "way": way,
        }


def label_index(
    spark: Any,
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    column: str = "url",
    columns: str | Sequence[str] | None = None,
    model: Model = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    at_once: int = 2,
    say: Say = lambda line: None,
) -> int:
    """Label every Parquet file below `source` into a folder of the same name below `target`; the number of files done.

    Folders such as `crawl=CC-MAIN-2024-10/subset=warc` stay what they are, so what comes out is a table of the same
    partitions. A file whose folder is finished is passed over: after a failure the same call goes on where it stopped,
    and what was half-written is written anew. So that one table has one kind of answers, the call must have the same
    settings as the one that began it. `at_once` files are worked on at the same time. A file that cannot be read does
    not stop the others; it is a BadTable at the end.
    """
    source, target = os.fspath(source), os.fspath(target)
    check(source, target, at_once)
    labelling = Labelling.checked(model, column, columns, languages, threshold)
    names, into = parts_of(HadoopFolder(spark, source)), HadoopFolder(spark, target)
    ready = {name.rpartition("/")[0] for name in into.files() if name.endswith("/" + DONE)}
    agree(into, labelling.settings("folders"), empty=set(into.files()) <= {SETTINGS})

    def work(name: str) -> None:
        df = spark.read.parquet(f"{source.rstrip('/')}/{name}")
        if lacking := [wanted for wanted in labelling.columns or () if wanted not in df.columns]:
            raise UsageError(f"'{name}' has no column '{lacking[0]}'; its columns: {', '.join(df.columns)}")
        wanted = df.select(*labelling.columns) if labelling.columns else df
        labelled = identify(wanted, column, labelling.model, labelling.languages, threshold, replace=True)
        # URLs hardly repeat: a dictionary of them would be made for nothing
        writer = labelled.write.mode("overwrite").option(f"parquet.enable.dictionary#{column}", "false")
        writer.parquet(f"{target.rstrip('/')}/{name.rpartition('.')[0]}")

    return work_off(names, {f"{name}.parquet" for name in ready}, work, at_once, say)
