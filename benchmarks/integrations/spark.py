"""How fast Spark labels Parquet on two cores, beside our own two processes, and where its time goes.

    python benchmarks/integrations/spark.py [--urls FILE.parquet] [--sample N] [--rounds N] [--output FILE.json]

The same URLs lie in four Parquet files. After a warm-up round of each way, rounds alternate and medians are printed:

    own           two processes, each labels two of the files as `dragoman url FILE -o FILE` does
    copy          Spark reads and writes the files, nothing else: the JVM's share
    transfer      Spark sends the rows through Python, which adds two constant columns: JVM and Arrow transfer
    identify      dragoman.integrations.spark.identify: all of it

So the JVM takes `copy`, the way to Python and back `transfer - copy`, the model `identify - transfer`. Spark runs with
two task slots (local[2]), each with a Python process of its own. Beside seconds on the clock stand those of the
processors, of this process and all below it, where the system tells them: other work on the machine makes the former
longer, but hardly the latter. Exit code 1 if `identify` is below --least of `own` by processor time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dragoman.integrations.spark import identify
from dragoman.models.shelf import open_model

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bulk import SHARED, run

FILES = 4


def session() -> Any:
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1")
    builder = builder.config("spark.sql.parquet.compression.codec", "zstd")
    return builder.config("spark.driver.memory", "2g").getOrCreate()


def processor() -> float:
    """Seconds of the processors that this process and all that it started have used so far."""
    tick, used, parents = os.sysconf("SC_CLK_TCK"), {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        parents[int(path.parent.name)] = int(fields[1])
        used[int(path.parent.name)] = sum(map(int, fields[11:15])) / tick  # its own and of children that have ended
    ours = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(used.get(number, 0.0) for number in ours)


def constant(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        columns = [
            pa.array(["de"]).take(pa.array(np.zeros(len(batch), np.int32))),
            np.full(len(batch), 0.5, np.float32),
        ]
        yield pa.RecordBatch.from_arrays(
            [*batch.columns, *map(pa.array, columns)], names=[*batch.schema.names, "language", "probability"]
        )


def work(places: list[tuple[Path, Path]]) -> None:
    for source, target in places:
        run(open_model("default"), source, target)


def ways(spark: Any, folder: Path, pool: Any) -> dict[str, Callable[[], object]]:
    source, target = str(folder / "in"), str(folder / "out")
    paths = [(path, folder / f"own-{path.name}") for path in sorted((folder / "in").glob("*.parquet"))]

    def written(df: Any) -> None:
        df.write.mode("overwrite").parquet(target)

    def read() -> Any:
        return spark.read.parquet(source)

    return {
        "own": lambda: pool.map(work, [paths[:2], paths[2:]], 1),
        "copy": lambda: written(read()),
        "transfer": lambda: written(read().mapInArrow(constant, identify(read()).schema)),
        "identify": lambda: written(identify(read())),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=Path, default=SHARED)
    parser.add_argument("--sample", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--least", type=float, default=0.4)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    if not arguments.urls.exists() or shutil.which("java") is None:
        print("skipped: no URLs (--urls) or no Java")
        return 0
    column = pq.read_table(arguments.urls, columns=["url"]).column("url").drop_null().cast(pa.large_string())
    rows = np.sort(np.random.default_rng(0).permutation(len(column))[: arguments.sample])
    urls = column.take(pa.array(rows)).cast(pa.string())
    times: dict[str, list[tuple[float, float]]] = {}
    with multiprocessing.get_context("spawn").Pool(2) as pool, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "in").mkdir()
        size = -(-len(urls) // FILES)
        for number in range(FILES):
            part = urls.slice(number * size, size)
            table = pa.table({"url": part, "id": np.arange(len(part))})
            pq.write_table(table, folder / "in" / f"part-{number}.parquet", compression="zstd")
        spark = session()
        spark.sparkContext.setLogLevel("ERROR")
        for turn in range(arguments.rounds + 1):
            for way, do in ways(spark, folder, pool).items():
                began, used = time.perf_counter(), processor()
                do()
                if turn:  # the first is the warm-up
                    times.setdefault(way, []).append((time.perf_counter() - began, processor() - used))
        version = spark.version
        spark.stop()
    found = {way: [statistics.median(column) for column in zip(*values, strict=True)] for way, values in times.items()}
    print(f"{len(urls):,} URLs, two cores, median of {arguments.rounds} rounds after a warm-up; Spark {version}")
    print(f"{'':10}{'URLs/s':>10} {'x own':>7} {'processor, ns/URL':>18} {'x own':>7}")
    for way, (seconds, used) in found.items():
        rate, own = len(urls) / seconds, found["own"]
        print(f"{way:10}{rate:10,.0f} {own[0] / seconds:7.2f} {used / len(urls) * 1e9:18,.0f} {own[1] / used:7.2f}")
    copied, carried, whole = (found[way][1] for way in ("copy", "transfer", "identify"))
    shares = {"JVM": copied / whole, "Arrow transfer": (carried - copied) / whole, "model": (whole - carried) / whole}
    print("of the processor time: " + ", ".join(f"{what} {100 * share:.0f} %" for what, share in shares.items()))
    if arguments.output:
        told = {"seconds_and_processor_seconds": found, "shares": shares}
        arguments.output.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return int(found["own"][1] / whole < arguments.least)


if __name__ == "__main__":
    sys.exit(main())
