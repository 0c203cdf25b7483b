"""How fast Spark labels Parquet on two executors, beside our own two processes, and where its time goes.

    python benchmarks/integrations/spark.py [--urls FILE.parquet] [--rows N] [--rounds N] [--compression snappy|zstd]
                                            [--master local[2]] [--conf NAME=VALUE]... [--output FILE.json]

The same rows, a URL and a number, lie in as many Parquet files as there are executors; URLs are repeated if there are
fewer than --rows. Both sides read and write the same columns in the same compression (zstd at level 1 on both sides).
One session stays open and its Python processes are kept, as they are in a long job. After warm-up rounds (Java compiles
what it runs for some millions of rows), rounds of all ways alternate and medians are printed:

    own           two processes, each labels a file as `dragoman url FILE -o FILE` does
    scan          Spark reads the files and throws the rows away
    copy          Spark reads and writes the files, nothing else: the JVM's share
    transfer      Spark sends the rows through Python, which adds two constant columns: JVM and Arrow transfer
    identify      dragoman.integrations.spark.identify: all of it, the way for data frames
    files         dragoman.integrations.spark.files.label_files: Spark hands out the files, Python reads and writes
                  them, the way from Parquet to Parquet

So of `identify`, reading takes `scan`, writing `copy - scan`, the way to Python and back `transfer - copy`, the model
`identify - transfer`. The executors are two Java processes with one core each (`local-cluster[2,1,...]`), each with a
Python process of its own. Beside seconds on the clock stand those of the processors, of this process and all below it,
where the system tells them: other work on the machine makes the former longer, but hardly the latter. `own` and `files`
write the new columns in the same compression (zstd, level 1) and copy the others as they are. Exit code: how many of
`identify` and `files` are below --least of `own` by processor time.
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

from dragoman.identifiers.models import open_model
from dragoman.integrations.spark import identify
from dragoman.integrations.spark.files import label_files

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bulk import SHARED, run

EXECUTORS = 2
#: Settings of Spark's that docs/how-to/spark.md advises, and what a benchmark on one machine needs.
SETTINGS = {
    "spark.executor.extraJavaOptions": "-XX:+UseParallelGC",
    "spark.driver.extraJavaOptions": "-XX:+UseParallelGC",
    "spark.executor.memory": "1g",
    "spark.driver.memory": "1g",
    "spark.python.worker.reuse": "true",
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.hadoop.parquet.compression.codec.zstd.level": "1",
    # neither repeats
    "spark.hadoop.parquet.enable.dictionary#url": "false",
    "spark.hadoop.parquet.enable.dictionary#id": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def session(master: str, settings: dict[str, str], folder: Path) -> Any:
    """A session whose executors leave their logs in the folder."""
    import pyspark
    from pyspark.sql import SparkSession

    home = folder / "spark"
    home.mkdir()
    for name in ("bin", "jars", "python"):
        (home / name).symlink_to(Path(pyspark.__file__).parent / name)
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable, "SPARK_HOME": str(home)}
    builder = SparkSession.builder.master(master)
    for name, value in settings.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found


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
    """What `identify` gives back, without a model."""
    for batch in batches:
        columns = [
            pa.array(["de"]).take(pa.array(np.zeros(len(batch), np.int32))),
            np.full(len(batch), 0.5, np.float32),
        ]
        yield pa.RecordBatch.from_arrays(
            [*batch.columns, *map(pa.array, columns)], names=[*batch.schema.names, "language", "probability"]
        )


def work(source: Path, target: Path) -> None:
    """One of our own processes."""
    run(open_model("default"), source, target)


def ways(spark: Any, folder: Path, pool: Any) -> dict[str, Callable[[], object]]:
    """What is timed, by name."""
    source, target = str(folder / "in"), str(folder / "out")
    places = [(path, folder / f"own-{path.name}") for path in sorted((folder / "in").glob("*.parquet"))]
    schema = identify(spark.read.parquet(source)).schema

    def read() -> Any:
        return spark.read.parquet(source)

    def written(df: Any) -> None:
        df.write.mode("overwrite").parquet(target)

    def by_file() -> None:
        shutil.rmtree(folder / "files", ignore_errors=True)  # what is done would be passed over
        label_files(spark, source, str(folder / "files"))

    return {
        "own": lambda: pool.starmap(work, places, 1),
        "scan": lambda: read().write.mode("overwrite").format("noop").save(),
        "copy": lambda: written(read()),
        "transfer": lambda: written(read().mapInArrow(constant, schema)),
        "identify": lambda: written(identify(read())),
        "files": by_file,
    }


def write_files(path: Path, folder: Path, rows: int, compression: str) -> None:
    """The URLs with a number beside each, again and again, in a file for each executor."""
    folder.mkdir()
    column = pq.read_table(path, columns=["url"]).column("url").drop_null().cast(pa.large_string())
    drawn = np.sort(np.random.default_rng(0).permutation(max(rows, len(column)))[:rows]) % len(column)
    size = -(-rows // EXECUTORS)
    for number in range(EXECUTORS):
        part = column.take(pa.array(drawn[number * size : (number + 1) * size])).cast(pa.string())
        table = pa.table({"url": part, "id": np.arange(number * size, number * size + len(part))})
        pq.write_table(table, folder / f"part-{number}.parquet", compression=compression)


def measure(arguments: argparse.Namespace) -> tuple[dict[str, list[float]], str]:
    """([seconds, seconds of the processors] of each way, medians of the rounds; Spark's version)."""
    times: dict[str, list[tuple[float, float]]] = {}
    settings = SETTINGS | {"spark.sql.parquet.compression.codec": arguments.compression}
    settings |= dict(given.split("=", 1) for given in arguments.conf)
    with multiprocessing.get_context("spawn").Pool(EXECUTORS) as pool, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(arguments.urls, folder / "in", arguments.rows, arguments.compression)
        spark = session(arguments.master, settings, folder)
        made = ways(spark, folder, pool)
        for turn in range(arguments.warm_up + arguments.rounds):
            for way, do in made.items():
                if turn < arguments.warm_up and way in ("scan", "copy"):
                    continue  # `transfer` warms up all that they need
                began, used = time.perf_counter(), processor()
                do()
                if turn >= arguments.warm_up:
                    times.setdefault(way, []).append((time.perf_counter() - began, processor() - used))
        version = spark.version
        spark.stop()
    return {
        way: [statistics.median(one) for one in zip(*values, strict=True)] for way, values in times.items()
    }, version


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=Path, default=SHARED)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--warm-up", type=int, default=3, help="rounds before those that count")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--compression", choices=["snappy", "zstd"], default="snappy", help="snappy is Spark's own")
    parser.add_argument("--master", default=f"local-cluster[{EXECUTORS},1,1024]")
    parser.add_argument("--conf", action="append", default=[], metavar="NAME=VALUE", help="a setting of Spark's")
    parser.add_argument("--least", type=float, default=0.4)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    if not arguments.urls.exists() or shutil.which("java") is None:
        print("skipped: no URLs (--urls) or no Java")
        return 0
    found, version = measure(arguments)
    rows, own = arguments.rows, found["own"]
    print(f"{rows:,} URLs, {arguments.compression}, two executors ({arguments.master}), Spark {version}; "
          f"median of {arguments.rounds} rounds after {arguments.warm_up} to warm up")  # fmt: skip
    print(f"{'':10}{'URLs/s':>10} {'x own':>7} {'processor, ns/URL':>18} {'x own':>7}")
    for way, (seconds, used) in found.items():
        rate = f"{rows / seconds:10,.0f} {own[0] / seconds:7.2f}"
        print(f"{way:10}{rate} {used / rows * 1e9:18,.0f} {own[1] / used:7.2f}")
    scanned, copied, carried, whole = (found[way][1] for way in ("scan", "copy", "transfer", "identify"))
    steps = {
        "JVM reads": scanned,
        "JVM writes": copied - scanned,
        "Arrow transfer": carried - copied,
        "model": whole - carried,
    }
    shares = {what: seconds / whole for what, seconds in steps.items()}
    print(
        "of the processor time of identify: "
        + ", ".join(f"{what} {100 * share:.0f} %" for what, share in shares.items())
    )
    ratios = {way: own[1] / found[way][1] for way in ("files", "identify")}
    for way, what in (("files", "label_files, Parquet to Parquet"), ("identify", "identify, by way of a data frame")):
        missed = "" if ratios[way] >= arguments.least else ", missed"
        print(f"Spark to our own two processes, {what}: {ratios[way]:.2f} by processor time, "
              f"{own[0] / found[way][0]:.2f} by the clock (must: {arguments.least}{missed})")  # fmt: skip
    if arguments.output:
        told = {"seconds_and_processor_seconds": found, "shares": shares, "ratios": ratios}
        arguments.output.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return sum(ratio < arguments.least for ratio in ratios.values())


if __name__ == "__main__":
    sys.exit(main())
