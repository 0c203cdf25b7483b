"""How fast whole files are labelled, as a ratio to the kernel alone, in what memory, and whether long URLs cost more.

    python benchmarks/bulk.py [--urls FILE.parquet] [--rounds N] [--output FILE.json]
    python benchmarks/bulk.py --rows 100000000      flat memory: files of 1M, 10M and so many rows, peak memory of each

What is timed is what `dragoman url FILE -o FILE --threads N` does, in this process, start-up left out; the kernel is
`model.best` on the same URLs in pieces of the same size. Rounds of all alternate and medians are printed, so that other
work on the machine hits all alike: trust the ratios. One core means that the process may use only one, where the system
can be told so. Without --urls the URLs beside the repository are used.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from dragoman.columns import ByteColumn
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.models import open_model
from dragoman.label.file import label_file
from dragoman.tables.parquet.reading import ROWS

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data" / "urls" / "train.parquet"
GROUP = 1 << 20
#: The command, telling its peak memory in kB at the end: the system's own record where there is one, because what
#: `resource` says holds that of the process that started it too.
WATCHED = """
import atexit, resource, sys
from pathlib import Path
from dragoman.cli.main import main
def peak():
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    found = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    print(*(found or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]), file=sys.stderr)
atexit.register(peak)
main()
"""


@contextmanager
def cores(count: int) -> Iterator[None]:
    """Only so many processors, where the system can be told."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(every)[-count:]))
    try:
        yield
    finally:
        os.sched_setaffinity(0, every)


def run(model: Classifier, path: Path, out: Path, threads: int = 1, sites: bool = False) -> None:
    """What the command does with a file."""
    label_file(path, out, model=model, threads=threads, by_site=sites)


def kernel(model: Classifier, urls: ByteColumn, threads: int = 1) -> None:
    """The scoring alone."""
    parts = [urls.slice(start, min(start + ROWS, len(urls))) for start in range(0, len(urls), ROWS)]
    if threads == 1:
        for part in parts:
            model.best(part)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(model.best, parts))


def without_kernel(model: Classifier) -> Classifier:
    """The model with a scoring that costs nothing: what is left is reading, writing and what is between."""

    def best(rows: ByteColumn, chosen: tuple[str, ...] | None = None) -> tuple[Any, Any]:
        return np.zeros(len(rows), np.int32), np.full(len(rows), 0.9, np.float32)

    free = copy.copy(model)
    free.best = best  # type: ignore[method-assign]
    return free


def files(folder: Path, urls: Any) -> dict[str, Path]:
    """The same URLs with a number beside each in every format."""
    table = pa.table({"url": urls, "id": np.arange(len(urls))})
    paths = {name: folder / f"in.{name}" for name in ("zstd.parquet", "snappy.parquet", "csv", "jsonl", "txt.gz")}
    for packing in ("zstd", "snappy"):
        pq.write_table(table, paths[f"{packing}.parquet"], compression=packing, row_group_size=GROUP)
    pyarrow.csv.write_csv(table, paths["csv"])
    texts = urls.to_pylist()
    lines = (json.dumps({"url": url, "id": number}) for number, url in enumerate(texts))
    paths["jsonl"].write_text("\n".join(lines), encoding="utf-8")
    with gzip.open(paths["txt.gz"], "wt", encoding="utf-8", compresslevel=6) as stream:
        stream.write("\n".join(texts))
    return paths


def speed(model: Classifier, urls: Any, rounds: int) -> dict[str, tuple[float, float]]:
    """(URLs per second, processor time per URL in nanoseconds) of each way, medians of the rounds."""
    batch, free = ByteColumn.of(urls), without_kernel(model)
    times: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = files(folder, urls)
        zstd, snappy = made["zstd.parquet"], made["snappy.parquet"]
        out = folder / "out.parquet"
        ways: dict[str, tuple[int, Callable[[], None]]] = {
            "kernel alone, 1 core": (1, lambda: kernel(model, batch)),
            "kernel alone, 2 cores": (2, lambda: kernel(model, batch, 2)),
            "Parquet (zstd) to Parquet, 1 core": (1, lambda: run(model, zstd, out)),
            "Parquet (zstd) to Parquet, 2 cores": (2, lambda: run(model, zstd, out, 2)),
            "Parquet (snappy) to Parquet, 1 core": (1, lambda: run(model, snappy, out)),
            "Parquet (snappy) to Parquet, 2 cores": (2, lambda: run(model, snappy, out, 2)),
            "the same (zstd) without the kernel": (1, lambda: run(free, zstd, out)),
            "the same (snappy) without the kernel": (1, lambda: run(free, snappy, out)),
            "Parquet by site, 1 core": (1, lambda: run(model, zstd, folder / "out.jsonl", 1, True)),
            "CSV to CSV, 1 core": (1, lambda: run(model, made["csv"], folder / "out.csv")),
            "JSON lines to JSON lines, 1 core": (1, lambda: run(model, made["jsonl"], folder / "out.jsonl")),
            "text.gz to JSON lines, 1 core": (1, lambda: run(model, made["txt.gz"], folder / "out.jsonl")),
        }
        for _ in range(rounds):
            for way, (count, work) in ways.items():
                with cores(count):
                    began, used = time.perf_counter(), time.process_time()
                    work()
                    taken = time.perf_counter() - began, time.process_time() - used
                    times.setdefault(way, []).append(taken)
    found = {}
    for way, values in times.items():
        seconds, processor = (statistics.median(column) for column in zip(*values, strict=True))
        found[way] = len(urls) / seconds, processor / len(urls) * 1e9
    return found


def linear(model: Classifier, urls: ByteColumn) -> dict[int, float]:
    """Nanoseconds per byte of URLs of these lengths, made of the paths of real ones."""
    paths = b"/".join(url.partition(b"//")[2] for url in urls.slice(0, 30_000))
    found = {}
    for size in (1_000, 10_000, 100_000, 1_000_000):
        one = (b"http://www.example.org/" + paths)[:size]
        many = ByteColumn.of([one] * (4_000_000 // size))
        times = []
        for _ in range(3):
            started = time.process_time()
            model.best(many)
            times.append(time.process_time() - started)
        found[size] = statistics.median(times) / (size * len(many)) * 1e9
    return found


def grown(path: Path, urls: Any, rows: int) -> None:
    """A Parquet file of so many rows: the given URLs again and again, a row group at a time."""
    table = pa.table({"url": urls[:GROUP], "id": np.arange(min(GROUP, len(urls)))})
    with pq.ParquetWriter(path, table.schema, compression="zstd") as writer:
        while rows > 0:
            writer.write_table(table.slice(0, min(rows, len(table))), row_group_size=GROUP)
            rows -= len(table)


def memory(urls: Any, most: int, threads: int) -> dict[str, float]:
    """Peak memory in megabytes of the command on files of 1M, 10M and `most` rows."""
    found = {}
    for rows in sorted({min(1_000_000, most), min(10_000_000, most), most}):
        with tempfile.TemporaryDirectory() as name:
            source, out = Path(name) / "in.parquet", Path(name) / "out.parquet"
            need = rows * 70  # in and out, compressed, with room to spare
            free = shutil.disk_usage(name).free
            if need > free:
                print(f"{rows:>13,} rows: skipped, {need / 1e9:.0f} GB are needed and {free / 1e9:.0f} GB free")
                continue
            grown(source, urls, rows)
            command = [sys.executable, "-c", WATCHED, "url", str(source), "-o", str(out), "--threads", str(threads)]
            started = time.perf_counter()
            done = subprocess.run(command, check=True, stderr=subprocess.PIPE, text=True)
            seconds = time.perf_counter() - started
            peak = int(done.stderr.split()[-1]) / 1e3
            found[f"{rows}"] = peak
            size = (source.stat().st_size + out.stat().st_size) / 1e6
            print(f"{rows:>13,} rows: peak {peak:5.0f} MB, {seconds:6.0f} s, {rows / seconds:9,.0f}/s, "
                  f"{size:,.0f} MB on disk", flush=True)  # fmt: skip
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=Path, default=SHARED)
    parser.add_argument("--sample", type=int, default=500_000, help="URLs of the speed runs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, help="run the memory check instead, up to so many rows")
    parser.add_argument("--threads", type=int, default=2, help="of the memory check")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    if not arguments.urls.exists():
        print(f"skipped: no URLs at {arguments.urls.name}; give a Parquet file with a column url with --urls")
        return 0
    column = pq.read_table(arguments.urls, columns=["url"]).column("url").drop_null().combine_chunks()
    urls = pa.array(column.chunk(0) if isinstance(column, pa.ChunkedArray) else column).cast(pa.string())
    result: dict[str, Any] = {}
    if arguments.rows:
        result["peak_megabytes"] = memory(urls, arguments.rows, arguments.threads)
    else:
        model = open_model("default")
        rows = np.random.default_rng(0).permutation(len(urls))[: arguments.sample]
        result |= report(model, urls.take(pa.array(np.sort(rows))), arguments.rounds)
    if arguments.output:
        arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


def report(model: Classifier, urls: Any, rounds: int) -> dict[str, Any]:
    """Speed and linearity, printed."""
    found = speed(model, urls, rounds)
    rates = {way: rate for way, (rate, _) in found.items()}
    base, least = next(iter(found.values()))
    print(f"{len(urls):,} URLs, {len(model.languages_)} languages, median of {rounds} rounds")
    print(f"{'':38}{'URLs/s':>10} {'x kernel':>9} {'processor, ns/URL':>18} {'beside the kernel':>18}")
    for way, (rate, used) in found.items():
        print(f"{way:38}{rate:10,.0f} {rate / base:9.2f} {used:18,.0f} {used - least:18,.0f}")
    for packing in ("zstd", "snappy"):
        one, two = (rates[f"Parquet ({packing}) to Parquet, {n}"] for n in ("1 core", "2 cores"))
        # A machine with other work to do has no second core to give, which the kernel alone shows.
        most = rates["kernel alone, 2 cores"] / base
        print(f"two cores to one, {packing}: {two / one:.2f} (the kernel alone: {most:.2f})")
        free = found[f"the same ({packing}) without the kernel"][1]
        print(f"ratio to the kernel that processor time gives, {packing}: {least / (least + free):.2f}; "
              f"at a kernel of 1 µs: {1000 / (1000 + free):.2f}")  # fmt: skip
    cost = linear(model, ByteColumn.of(urls))
    for size, nanoseconds in cost.items():
        print(f"a URL of {size:>9,} bytes: {nanoseconds:6.1f} ns per byte")
    processor = {way: used for way, (_, used) in found.items()}
    return {"urls_per_second": rates, "processor_nanoseconds_per_url": processor, "nanoseconds_per_byte": cost}


if __name__ == "__main__":
    sys.exit(main())
