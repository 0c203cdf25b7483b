"""Spark for real, on two Python processes, where there are PySpark and Java."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragoman import identify_column
from dragoman.errors import BadTable, UsageError
from dragoman.integrations import spark as ours

pytest.importorskip("pyspark", reason="PySpark is not installed: pip install 'dragoman[spark]'")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java, which is not installed", allow_module_level=True)
pytestmark = pytest.mark.filterwarnings("ignore")

URLS = [
    "http://www.beispiel.de/wetter/garten",
    None,
    "",
    "mailto:a@example.org",
    "http://www.exemple.fr/recettes/cuisine",
    "http://[::1",
    "\x00\ud7ff http:// ///",
    "https://www.ejemplo.es/noticias/" + "a" * 5000,
]


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
        "spark.driver.memory": "512m",
        # small work: what compiles longest runs shortest
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.adaptive.enabled": "false",
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = builder.getOrCreate()
        found.sparkContext.setLogLevel("ERROR")
        yield found
        found.stop()


def test_every_row_gets_the_answer_that_it_gets_without_spark(session: Any, tmp_path: Path) -> None:
    urls = URLS * 100
    pq.write_table(pa.table({"id": range(len(urls)), "url": urls}), tmp_path / "in.parquet")
    df = session.read.parquet(str(tmp_path / "in.parquet")).repartition(4)
    found = {row["id"]: (row["url"], row["language"], row["probability"]) for row in ours.identify(df).collect()}
    language, probability = (column.to_pylist() for column in identify_column(urls))
    assert found == dict(enumerate(zip(urls, language, probability, strict=True)))
    assert found[0][1] == "de"
    assert found[1] == (None, None, None)


def test_the_model_and_the_languages_that_were_given_are_used(session: Any) -> None:
    df = session.createDataFrame([(f"http://a{i}.es/",) for i in range(40)], "url string").repartition(2)
    labelled = ours.identify(df, model="cctld", languages=["es", "de"])
    assert {row["language"] for row in labelled.collect()} == {"es"}
    empty = ours.identify(df.limit(0), model="cctld")
    assert empty.collect() == []
    assert [field.simpleString() for field in empty.schema.fields] == [
        "url:string",
        "language:string",
        "probability:float",
    ]


def test_mistakes_are_told_before_anything_runs(session: Any) -> None:
    df = session.createDataFrame([("http://a.de/", 1)], "url string, language int")
    with pytest.raises(UsageError, match="already: rename it"):
        ours.identify(df)
    with pytest.raises(UsageError, match="no column 'address'"):
        ours.identify(df, "address", replace=True)
    with pytest.raises(UsageError, match="holds int, not text"):
        ours.identify(df.withColumnRenamed("language", "n"), "n")
    with pytest.raises(UsageError, match="Unknown language"):
        ours.identify(df, languages="gibberish", replace=True)
    assert ours.identify(df, replace=True).collect()[0]["language"] == "de"


def test_an_index_is_labelled_by_partition_and_taken_up_where_it_stopped(session: Any, tmp_path: Path) -> None:
    part = tmp_path / "index" / "crawl=CC-MAIN-2024-10" / "subset=warc"
    part.mkdir(parents=True)
    for number in range(2):
        table = pa.table({"url": URLS, "url_host_name": [f"h{number}"] * len(URLS), "content_languages": ["deu"] * 8})
        pq.write_table(table, part / f"part-0000{number}.c000.gz.parquet")
    source, target = str(tmp_path / "index"), str(tmp_path / "out")
    told: list[str] = []
    keep = ["url", "content_languages"]
    assert ours.label_index(session, source, target, columns=keep, say=told.append) == 2
    assert told[0] == "2 files, 0 of them done already"
    found = session.read.parquet(target)
    assert found.count() == 2 * len(URLS)
    assert set(found.columns) == {"url", "content_languages", "language", "probability", "crawl", "subset"}
    done = tmp_path / "out" / "crawl=CC-MAIN-2024-10" / "subset=warc" / "part-00001.c000.gz"
    (done / "_SUCCESS").unlink()  # as if it had been stopped there
    assert ours.label_index(session, source, target, columns=keep) == 1
    assert ours.label_index(session, source, target, columns=keep) == 0
    assert session.read.parquet(target).count() == 2 * len(URLS)
    with pytest.raises(BadTable, match="no Parquet files"):
        ours.label_index(session, str(tmp_path / "out2"), target)
