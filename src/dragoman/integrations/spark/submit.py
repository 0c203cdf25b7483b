"""The script for spark-submit: the table in one folder is labelled into another, by either way that Spark has."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from dragoman.errors import DragomanError, UsageError, need
from dragoman.identifiers.models import DEFAULT
from dragoman.integrations.spark.files import label_files
from dragoman.integrations.spark.frames import label_index


def main(arguments: Sequence[str] | None = None) -> int:
    """Label the table in one folder into another; exit codes as of the command line."""
    parser = argparse.ArgumentParser(prog="label_common_crawl.py", description=label_index.__doc__)
    parser.add_argument("source", help="folder of the table, e.g. s3a://commoncrawl/cc-index/table/cc-main/warc/")
    parser.add_argument("target", help="folder to write to; give the same one again to go on")
    parser.add_argument("--by-file", action="store_true", help="Parquet file to Parquet file, without the JVM, in "
                        "about half the time, for folders that Python opens on every executor")  # fmt: skip
    parser.add_argument("--column", default="url", help="column with the URLs")
    parser.add_argument("--columns", help="columns to keep, e.g. url,url_host_name,content_languages (else all)")
    parser.add_argument("--model", default=DEFAULT, help="name or file of the model")
    parser.add_argument("--languages", help="choose among these only, e.g. en,de,fr")
    parser.add_argument("--threshold", type=float, help="no language below this probability")
    parser.add_argument("--at-once", type=int, help="files worked on at the same time: 2, or 64 with --by-file")
    options = parser.parse_args(arguments)
    way, at_once = (label_files, 64) if options.by_file else (label_index, 2)
    try:
        spark = need("spark", "pyspark.sql").SparkSession.builder.appName("dragoman").getOrCreate()
        count = way(
            spark, options.source, options.target, options.column, options.columns or None, options.model,
            options.languages, options.threshold, at_once if options.at_once is None else options.at_once,
            lambda line: print(f"dragoman: {line}", file=sys.stderr, flush=True),
        )  # fmt: skip
    except DragomanError as error:
        print(f"dragoman: {error}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1
    print(f"dragoman: {count:,} files labelled", file=sys.stderr)
    return 0
