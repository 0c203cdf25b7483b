"""Languages in Spark: `identify(df, "url")` adds `language` and `probability`; `label_index` labels a whole table.

Rows travel as Arrow batches (`mapInArrow`), without a Python object per row. The model's bytes are broadcast, so every
executor uses the driver's model and gets it once; each Python process opens it once and keeps it. Dragoman itself must
be installed where the executors run.

A scalar Arrow function would send only the URLs, but is slower for tables of few columns: the JVM keeps the rest of
each row in a queue of its own meanwhile, and joins them row by row.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import lru_cache
from typing import Any

from dragoman.errors import BadTable, DragomanError, UsageError, need, shorten
from dragoman.integrations.answers import Choice, answering, opened
from dragoman.models import store
from dragoman.models.classifier import Classifier
from dragoman.models.identify import Model
from dragoman.models.shelf import DEFAULT
from dragoman.tables.pieces import LANGUAGE, PROBABILITY

#: A file of a table is done when Spark has left this beside what it wrote.
DONE = "_SUCCESS"
#: What a table was labelled with; Spark passes over names that begin so when it reads.
SETTINGS = "_dragoman.json"
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
    and what was half-written is written anew. So that one table has one kind of answers, the call must have the same
    settings as the one that began it. `at_once` files are worked on at the same time. A file that cannot be read does
    not stop the others; it is a BadTable at the end.
    """
    chosen = languages if languages is None or isinstance(languages, str) else tuple(languages)
    if at_once < 1:
        raise UsageError(f"{at_once} files at once are none: give 1 or more")
    names = _parquet_files(spark, source)
    if not names:
        raise BadTable(f"'{source}' has no Parquet files")
    known = opened(model)
    _agree(spark, target, [_content(known)[-store.DIGEST :].hex(), column, columns, chosen, threshold])
    ready = {name.rpartition("/")[0] for name in _files(spark, target) if name.endswith("/" + DONE)}
    waiting = [name for name in names if name.rpartition(".")[0] not in ready]
    say(f"{len(names):,} files, {len(names) - len(waiting):,} of them done already")
    failures = need("spark", "pyspark.errors").PySparkException, need("spark", "py4j.protocol").Py4JJavaError
    failed = []

    def work(name: str) -> None:
        try:
            df = spark.read.parquet(f"{source.rstrip('/')}/{name}")
            if lacking := [wanted for wanted in columns or () if wanted not in df.columns]:
                raise UsageError(f"'{name}' has no column '{lacking[0]}'; its columns: {', '.join(df.columns)}")
            labelled = identify(df.select(*columns) if columns else df, column, known, chosen, threshold, replace=True)
            # URLs hardly repeat: a dictionary of them would be made for nothing
            writer = labelled.write.mode("overwrite").option(f"parquet.enable.dictionary#{column}", "false")
            writer.parquet(f"{target.rstrip('/')}/{name.rpartition('.')[0]}")
        except failures as error:
            failed.append(name)
            say(f"{name} failed: {shorten(str(error).partition(chr(10))[0], 200)}")
        else:
            say(name)

    pool = ThreadPoolExecutor(at_once)
    try:
        list(pool.map(work, waiting))
    finally:
        pool.shutdown(cancel_futures=True)
    if failed:
        more = f" and {len(failed) - 1:,} more" if len(failed) > 1 else ""
        raise BadTable(f"'{min(failed)}'{more} could not be labelled; the same call again tries only what is missing")
    return len(waiting)


def _agree(spark: Any, target: str, settings: list[Any]) -> None:
    """Note the settings in the target; UsageError if it was begun with others."""
    path, system = _place(spark, f"{target.rstrip('/')}/{SETTINGS}")
    written = json.dumps(settings).encode()
    begun = b""
    if system.exists(path):
        with closing(system.open(path)) as stream:
            begun = bytes(stream.readAllBytes())
    if begun and begun != written:
        raise UsageError(f"'{target}' was begun with another model, columns, languages or threshold: give another one")
    if not begun:
        with closing(system.create(path, True)) as stream:
            stream.write(written)


def _parquet_files(spark: Any, folder: str) -> list[str]:
    hidden = ("_", ".")
    return [
        name
        for name in _files(spark, folder)
        if name.endswith(".parquet") and not any(part.startswith(hidden) for part in name.split("/"))
    ]


def _files(spark: Any, folder: str) -> list[str]:
    """Paths of all files below a folder of any file system that Spark reads, from the folder on; none without it."""
    root, system = _place(spark, folder)
    if not system.exists(root):
        return []
    start = system.getFileStatus(root).getPath().toUri().getPath().rstrip("/") + "/"
    found, listing = [], system.listFiles(root, True)
    while listing.hasNext():
        found.append(listing.next().getPath().toUri().getPath().removeprefix(start))
    return sorted(found)


def _place(spark: Any, name: str) -> tuple[Any, Any]:
    """(path, file system) of a name, as Hadoop has them."""
    path = spark.sparkContext._jvm.org.apache.hadoop.fs.Path(name)
    return path, path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())


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
