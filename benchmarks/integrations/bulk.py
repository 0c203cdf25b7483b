"""How fast DuckDB and Polars label URLs on one core, as a ratio to the kernel alone and to our own bulk labelling.

    python benchmarks/integrations/bulk.py [--urls FILE.parquet] [--sample N] [--rounds N] [--output FILE.json]

`kernel alone` is `model.best` on the same URLs, as in benchmarks/bulk.py; `bulk` is what `dragoman url FILE -o FILE`
does from Parquet to Parquet; zstd works at level 1 everywhere, which is Arrow's and so ours (the engines' own is 3).
Both answers, language and probability, are asked for everywhere. Rounds of all alternate
and medians are printed, so that other work on the machine hits all alike: trust the ratios. One core means that the
process may use only one, where the system can be told so, and that each engine is told to use one thread.

Exit code 1 if an engine is below --least of the kernel in memory, or of our bulk labelling from Parquet to Parquet, by
the processor time of all threads: what else runs on the machine makes wall-clock times longer, but not these.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ["POLARS_MAX_THREADS"] = "1"  # read when Polars is imported

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

import dragoman.integrations.polars
from dragoman.columns import ByteColumn
from dragoman.identifiers.models import open_model
from dragoman.integrations.duckdb import register

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from bulk import GROUP, SHARED, cores, kernel, run

assert dragoman.integrations.polars.NAME
#: What each way is held against: the kernel has URLs and answers in memory, our bulk labelling in Parquet files.
KERNEL, BULK = "kernel alone", "bulk, Parquet to Parquet"
AGAINST = {
    "DuckDB, in memory": KERNEL,
    "DuckDB, Parquet to Parquet": BULK,
    "Polars, in memory": KERNEL,
    "Polars, Parquet to Parquet": BULK,
}
BOTH = "dragoman_language(url) as language, dragoman_probability(url) as probability"


def ways(con: duckdb.DuckDBPyConnection, urls: Any, folder: Path) -> dict[str, Callable[[], object]]:
    """What is timed, by name; each ends with languages and probabilities."""
    model, batch = open_model("default"), ByteColumn.of(urls)
    held = pa.table({"url": urls, "id": np.arange(len(urls))})
    path, out = folder / "in.parquet", folder / "out.parquet"
    pq.write_table(held, path, compression="zstd", row_group_size=GROUP)
    con.execute("set threads = 1")
    con.execute("create table urls as select * from held")
    register(con)
    frame, both = pl.DataFrame(held), pl.col("url").dragoman.identify().struct.unnest()  # type: ignore[attr-defined]
    copy = f"copy (select *, {BOTH} from '{path}') to '{out}' (format parquet, compression zstd, compression_level 1)"  # noqa: S608
    lazy = pl.scan_parquet(path).with_columns(both)
    return {
        KERNEL: lambda: kernel(model, batch),
        BULK: lambda: run(model, path, out),
        "DuckDB, in memory": lambda: con.sql(f"select {BOTH} from urls").to_arrow_table(),  # noqa: S608
        "DuckDB, Parquet to Parquet": lambda: con.execute(copy),
        "Polars, in memory": lambda: frame.select(both),
        "Polars, Parquet to Parquet": lambda: lazy.sink_parquet(out, compression="zstd", compression_level=1),
    }


def measure(made: dict[str, Callable[[], object]], rounds: int) -> dict[str, tuple[float, float]]:
    """(seconds, processor seconds) of each way, medians of the rounds."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in made}
    for _ in range(rounds):
        for name, work in made.items():
            with cores(1):
                began, used = time.perf_counter(), time.process_time()
                work()
                times[name].append((time.perf_counter() - began, time.process_time() - used))
    medians = {
        name: [statistics.median(column) for column in zip(*taken, strict=True)] for name, taken in times.items()
    }
    return {name: (wall, processor) for name, (wall, processor) in medians.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=Path, default=SHARED)
    parser.add_argument("--sample", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--least", type=float, default=0.6, help="of the rate that each is held against")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    if not arguments.urls.exists():
        print(f"skipped: no URLs at {arguments.urls.name}; give a Parquet file with a column url with --urls")
        return 0
    column = pq.read_table(arguments.urls, columns=["url"]).column("url").drop_null().cast(pa.large_string())
    rows = np.sort(np.random.default_rng(0).permutation(len(column))[: arguments.sample])
    urls = column.take(pa.array(rows)).combine_chunks()
    urls = (urls.chunk(0) if isinstance(urls, pa.ChunkedArray) else urls).cast(pa.string())
    with tempfile.TemporaryDirectory() as name, duckdb.connect() as con:
        found = measure(ways(con, urls, Path(name)), arguments.rounds)
    kernel_time, bulk_time = found[KERNEL], found[BULK]
    print(f"{len(urls):,} URLs, one core, median of {arguments.rounds} rounds; "
          f"DuckDB {duckdb.__version__}, Polars {pl.__version__}")  # fmt: skip
    print(f"{'':28}{'on the clock':>27} {'by processor time':>38}")
    print(f"{'':28}{'URLs/s':>10} {'x kernel':>8} {'x bulk':>7} {'ns/URL':>20} {'x kernel':>9} {'x bulk':>7}")
    result: dict[str, dict[str, float]] = {}
    for way, (seconds, used) in found.items():
        result[way] = {
            "urls_per_second": len(urls) / seconds,
            "of_kernel": kernel_time[0] / seconds,
            "of_bulk": bulk_time[0] / seconds,
            "processor_nanoseconds": used / len(urls) * 1e9,
            "of_kernel_processor": kernel_time[1] / used,
            "of_bulk_processor": bulk_time[1] / used,
        }
        rate, of_kernel, of_bulk, each, *processor = result[way].values()
        print(f"{way:28}{rate:10,.0f} {of_kernel:8.2f} {of_bulk:7.2f} {each:20,.0f} "
              f"{processor[0]:9.2f} {processor[1]:7.2f}")  # fmt: skip
    shares = {way: found[base][1] / found[way][1] for way, base in AGAINST.items()}
    for way, share in shares.items():
        print(f"{way}: {share:.2f} of '{AGAINST[way]}' by processor time (must: {arguments.least})")
    if arguments.output:
        arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return int(min(shares.values()) < arguments.least)


if __name__ == "__main__":
    sys.exit(main())
