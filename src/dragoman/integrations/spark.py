"""Languages in Spark: `identify(df, "url")` adds `language` and `probability`; `label_index` labels a whole table.

Rows travel as Arrow batches (`mapInArrow`), without a Python object per row. The model's bytes are broadcast, so every
executor uses the driver's model and gets it once; each Python process opens it once and keeps it. Dragoman itself must
be installed where the executors run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

from dragoman.errors import BadTable, DragomanError, UsageError, need
from dragoman.integrations.answers import Choice, answering, opened
from dragoman.models import store
from dragoman.models.classifier import Classifier
from dragoman.models.identify import Model
from dragoman.models.shelf import DEFAULT
from dragoman.tables.pieces import LANGUAGE, PROBABILITY

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
    chosen = languages if languages is None or isinstance(languages, str) else tuple(languages)
    known = opened(model)
    answering(known, chosen, threshold)
    content = _content(known)
    context = getattr(df.sparkSession, "_sc", None)
    held = content if context is None else _broadcast(context, content)  # Spark Connect has no broadcasts
    schema = types.StructType(
        [
            *df.schema.fields,
            types.StructField(LANGUAGE, types.StringType()),
            types.StructField(PROBABILITY, types.FloatType()),
        ]
    )
    return df.mapInArrow(_mapper(held, column, chosen, threshold), schema)


def _mapper(
    held: Any, column: str, languages: str | tuple[str, ...] | None, threshold: float | None
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What runs in the executors' Python processes: batches in, the same with two more columns out."""

    def label(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        answer = _answering(held if isinstance(held, bytes) else held.value, languages, threshold)
        for batch in batches:
            found = answer(batch.column(column))
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, *found.flatten()], names=[*batch.schema.names, LANGUAGE, PROBABILITY]
            )

    return label


@lru_cache(maxsize=4)
def _answering(
    content: bytes, languages: str | tuple[str, ...] | None, threshold: float | None
) -> Callable[[Any], Any]:
    """The model, opened once in a process; the same object of bytes is the same key, and is hashed once."""
    return answering(store.from_bytes(content), languages, threshold)


@lru_cache(maxsize=4)
def _content(model: Classifier) -> bytes:
    return store.to_bytes(model)


@lru_cache(maxsize=4)
def _broadcast(context: Any, content: bytes) -> Any:
    """The bytes, sent once for all data frames of a session."""
    return context.broadcast(content)


def label_index(
    spark: Any,
    source: str,
    target: str,
    column: str = "url",
    columns: Sequence[str] | None = None,
    model: Model = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    at_once: int = 2,
    say: Callable[[str], None] = lambda line: None,
) -> int:
    """Label every Parquet file below `source` into a folder of the same name below `target`; the number of files done.

    Folders such as `crawl=CC-MAIN-2024-10/subset=warc` stay what they are, so what comes out is a table of the same
    partitions. A file whose folder is finished is passed over: after a failure the same call goes on where it stopped,
    and what was half-written is written anew. `at_once` files are worked on at the same time.
    """
    chosen = languages if languages is None or isinstance(languages, str) else tuple(languages)
    names = _parquet_files(spark, source)
    if not names:
        raise BadTable(f"'{source}' has no Parquet files")
    ready = {name.rpartition("/")[0] for name in _files(spark, target) if name.endswith("/" + DONE)}
    waiting = [name for name in names if name.rpartition(".")[0] not in ready]
    say(f"{len(names):,} files, {len(names) - len(waiting):,} of them done already")

    def work(name: str) -> None:
        df = spark.read.parquet(f"{source.rstrip('/')}/{name}")
        if columns is not None:
            df = df.select(*columns)
        labelled = identify(df, column, model, chosen, threshold, replace=True)
        labelled.write.mode("overwrite").parquet(f"{target.rstrip('/')}/{name.rpartition('.')[0]}")
        say(name)

    with ThreadPoolExecutor(at_once) as pool:
        list(pool.map(work, waiting))
    return len(waiting)


def _parquet_files(spark: Any, folder: str) -> list[str]:
    hidden = ("_", ".")
    return [
        name
        for name in _files(spark, folder)
        if name.endswith(".parquet") and not any(part.startswith(hidden) for part in name.split("/"))
    ]


def _files(spark: Any, folder: str) -> list[str]:
    """Paths of all files below a folder of any file system that Spark reads, from the folder on; none without it."""
    jvm, settings = spark.sparkContext._jvm, spark.sparkContext._jsc.hadoopConfiguration()
    root = jvm.org.apache.hadoop.fs.Path(folder)
    system = root.getFileSystem(settings)
    if not system.exists(root):
        return []
    start = system.getFileStatus(root).getPath().toUri().getPath().rstrip("/") + "/"
    found, listing = [], system.listFiles(root, True)
    while listing.hasNext():
        found.append(listing.next().getPath().toUri().getPath().removeprefix(start))
    return sorted(found)


def main(arguments: Sequence[str] | None = None) -> int:
    """For spark-submit: label the table in one folder into another; exit codes as of the command line."""
    parser = argparse.ArgumentParser(prog="label_common_crawl.py", description=label_index.__doc__)
    parser.add_argument("source", help="folder of the table, e.g. s3a://commoncrawl/cc-index/table/cc-main/warc/")
    parser.add_argument("target", help="folder to write to; give the same one again to go on")
    parser.add_argument("--column", default="url", help="column with the URLs")
    parser.add_argument("--columns", help="columns to keep, e.g. url,url_host_name,content_languages (else all)")
    parser.add_argument("--model", default=DEFAULT, help="name or file of the model")
    parser.add_argument("--languages", help="choose among these only, e.g. en,de,fr")
    parser.add_argument("--threshold", type=float, help="no language below this probability")
    parser.add_argument("--at-once", type=int, default=2, help="files worked on at the same time")
    given = parser.parse_args(arguments)
    columns = given.columns.split(",") if given.columns else None
    try:
        spark = need("spark", "pyspark.sql").SparkSession.builder.appName("dragoman").getOrCreate()
        done = label_index(
            spark, given.source, given.target, given.column, columns, given.model, given.languages, given.threshold,
            given.at_once, lambda line: print(f"dragoman: {line}", file=sys.stderr, flush=True),
        )  # fmt: skip
    except DragomanError as error:
        print(f"dragoman: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    print(f"dragoman: {done:,} files labelled", file=sys.stderr)
    return 0
