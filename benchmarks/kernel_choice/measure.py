"""Prints the table of the decision record "kernels in C": one kernel, built in every candidate way.

    python benchmarks/kernel_choice/measure.py [--urls 200000] [--rounds 9]

Needs numpy and, for each candidate, its tools: a C compiler (`cc`, or what CC names) for C; with it Cython
and Python.h for Cython; numba for numba. A candidate whose tools are missing is named and skipped.
Everything is built in a temporary folder, which is removed at the end.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import workload

HERE = Path(__file__).resolve().parent
PLAIN_URLS = 5_000  # plain Python is timed on fewer URLs
FLAGS = ["-O3", "-shared", "-fPIC"]  # no -march: a wheel must run on every machine of its platform
if sys.platform == "darwin":
    FLAGS += ["-undefined", "dynamic_lookup"]

# Runs in a fresh process, which has paid for numpy already: what do the import and the first call add?
PROBE = """
import json, sys, time
import numpy, workload
batch = workload.make(1)
before = time.perf_counter()
score = __import__(sys.argv[1]).score
imported = time.perf_counter()
score(*batch.arguments())
called = time.perf_counter()
print(json.dumps([imported - before, called - imported]))
"""


class MissingToolError(Exception):
    """A tool that a candidate needs is not here."""


@dataclass
class Candidate:
    """A built kernel: its folder, its module, and what building and installing it took."""

    name: str
    folder: Path
    module: str
    score: Callable[..., Any]
    prepare: Callable[..., Callable[..., Any]] | None  # only where a table can be checked ahead
    build_seconds: float
    installed_bytes: int


def compiler() -> str:
    """The path of the C compiler."""
    found = shutil.which(os.environ.get("CC", "cc"))
    if found is None:
        raise MissingToolError("no C compiler (cc, or what CC names)")
    return found


def run(*command: str | Path, folder: Path) -> None:
    """Run a build step; a step that fails stops the measurement with its own message."""
    subprocess.run([str(part) for part in command], cwd=folder, check=True)


def build_plain(folder: Path) -> int:
    """0 bytes: there is nothing to build."""
    return 0


def build_c(folder: Path) -> int:
    """The size of the shared library made of kernel.c."""
    library = folder / "kernel_c.so"
    run(compiler(), "-std=c11", "-fvisibility=hidden", *FLAGS, "kernel.c", "-o", library, folder=folder)
    return library.stat().st_size


def build_cython(folder: Path, *defines: str) -> int:
    """The size of the extension module made of kernel_cython.py."""
    include = Path(sysconfig.get_paths()["include"])
    if importlib.util.find_spec("Cython") is None:
        raise MissingToolError("Cython is not installed")
    if not (include / "Python.h").exists():
        raise MissingToolError("Python.h is not installed")
    library = folder / "kernel_cython.so"
    run(sys.executable, "-m", "cython", "kernel_cython.py", "-o", "kernel_cython.c", folder=folder)
    run(compiler(), *FLAGS, *defines, f"-I{include}", "kernel_cython.c", "-o", library, folder=folder)
    return library.stat().st_size


def build_cython_limited(folder: Path) -> int:
    """The size of the extension module that keeps to the limited API of Python 3.11."""
    return build_cython(folder, "-DPy_LIMITED_API=0x030B0000")


def build_numba(folder: Path) -> int:
    """The size of the two packages that the user's machine needs for numba."""
    if importlib.util.find_spec("numba") is None:
        raise MissingToolError("numba is not installed")
    size = 0
    for package in ("numba", "llvmlite"):
        for file in importlib.metadata.files(package) or []:
            path = Path(str(file.locate()))
            size += path.stat().st_size if path.suffix != ".pyc" and path.exists() else 0
    return size


CANDIDATES: dict[str, tuple[str, Callable[[Path], int]]] = {
    "plain Python": ("kernel_plain", build_plain),
    "C + ctypes": ("kernel_ctypes", build_c),
    "Cython": ("kernel_cython", build_cython),
    "Cython, limited API": ("kernel_cython", build_cython_limited),
    "numba": ("kernel_numba", build_numba),
}


def build(name: str, root: Path) -> Candidate:
    """The candidate, built in a folder of its own and loaded."""
    module, builder = CANDIDATES[name]
    folder = root / name.replace(" ", "-")
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("__pycache__"))
    start = time.perf_counter()
    size = builder(folder)
    took = time.perf_counter() - start
    built = folder / f"{module}.so"
    file = built if built.exists() else folder / f"{module}.py"
    spec = importlib.util.spec_from_file_location(module, file)
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    prepare = getattr(loaded, "prepare", None)
    return Candidate(name, folder, module, loaded.score, prepare, took, size)


def seconds(score: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    score(*arguments)
    return time.perf_counter() - start


def check_equal(candidates: list[Candidate], batch: workload.Workload) -> None:
    """Stop unless every candidate gives the very same float32 sums; this also warms them up."""
    reference = None
    for candidate in candidates:
        arguments = batch.arguments()
        candidate.score(*arguments)
        if reference is None:
            reference = arguments[-1]
        elif not np.array_equal(reference, arguments[-1]):
            sys.exit(f"{candidate.name} gives other sums than {candidates[0].name}")
    print(f"identical float32 sums on {len(batch.offsets) - 1:,} URLs: {', '.join(c.name for c in candidates)}")


def throughput(candidates: list[Candidate], batch: workload.Workload, rounds: int) -> dict[str, list[float]]:
    """URLs a second of every candidate in every round; the candidates take turns within a round."""
    rates: dict[str, list[float]] = {candidate.name: [] for candidate in candidates}
    for turn in range(rounds):
        for candidate in candidates[turn % len(candidates) :] + candidates[: turn % len(candidates)]:
            urls = PLAIN_URLS if candidate.module == "kernel_plain" else len(batch.offsets) - 1
            urls = min(urls, len(batch.offsets) - 1)
            rates[candidate.name].append(urls / seconds(candidate.score, batch.arguments(urls)))
    return rates


def one_url(score: Callable[..., Any], arguments: tuple[Any, ...]) -> float:
    """Microseconds of a call for a single URL: what it costs to cross the border."""
    runs = []
    for _ in range(9):
        start = time.perf_counter()
        for _ in range(2_000):
            score(*arguments)
        runs.append((time.perf_counter() - start) / 2_000 * 1e6)
    return statistics.median(runs)


def two_threads(candidate: Candidate, batch: workload.Workload) -> float:
    """How many times the work of one thread two threads do in the same time: 2 is perfect."""
    gains = []
    for _ in range(7):
        urls = PLAIN_URLS if candidate.module == "kernel_plain" else None
        alone = seconds(candidate.score, batch.arguments(urls))
        threads = [threading.Thread(target=candidate.score, args=batch.arguments(urls)) for _ in range(2)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        gains.append(2 * alone / (time.perf_counter() - start))
    return statistics.median(gains)


def fresh_process(candidate: Candidate, cold: bool) -> tuple[float, float]:
    """Milliseconds of the import and of the first call, medians of 9; `cold` empties numba's cache."""
    cache = candidate.folder / "cache"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    results = []
    for _ in range(9):
        if cold:
            shutil.rmtree(cache, ignore_errors=True)
        command = [sys.executable, "-c", PROBE, candidate.module]
        done = subprocess.run(command, cwd=candidate.folder, env=environment, check=True, capture_output=True)
        results.append(json.loads(done.stdout))
    imported, called = (statistics.median(column) for column in zip(*results, strict=True))
    return imported * 1e3, called * 1e3


def main() -> None:
    """Build, check, measure and print."""
    parser = argparse.ArgumentParser(description="Compare ways to build the compiled kernels.")
    parser.add_argument("--urls", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    batch = workload.make(options.urls)
    length = len(batch.data) / options.urls
    print(f"{options.urls:,} URLs of {length:.0f} bytes; Python {sys.version.split()[0]}")

    with tempfile.TemporaryDirectory() as temporary:
        os.environ["NUMBA_CACHE_DIR"] = str(Path(temporary, "numba-cache"))
        candidates = []
        for name in CANDIDATES:
            try:
                candidates.append(build(name, Path(temporary)))
            except MissingToolError as missing:
                print(f"SKIPPED {name}: {missing}")
        check_equal(candidates, batch)
        rates = throughput(candidates, batch, options.rounds)
        heads = ["candidate", "URLs/s, one core (lowest to highest)", "one-URL call, µs", "two threads"]
        heads += ["import + first call, ms", "the same, cache filled, ms", "adds to disk, KiB", "build, s"]
        print(f"\n| {' | '.join(heads)} |\n|---|{'--:|' * (len(heads) - 1)}")
        for candidate in candidates:
            runs = rates[candidate.name]
            cold, warm = fresh_process(candidate, cold=True), fresh_process(candidate, cold=False)
            print(
                f"| {candidate.name} | {statistics.median(runs):,.0f} ({min(runs):,.0f} to {max(runs):,.0f}) "
                f"| {one_url(candidate.score, batch.arguments(1)):.1f} "
                f"| {two_threads(candidate, batch):.2f}x "
                f"| {cold[0]:.1f} + {cold[1]:.1f} | {warm[0]:.1f} + {warm[1]:.1f} "
                f"| {candidate.installed_bytes / 1024:,.0f} | {candidate.build_seconds:.1f} |"
            )
        for candidate in candidates:
            if candidate.prepare is not None:
                data, offsets, *table, out = batch.arguments(1)
                once = one_url(candidate.prepare(*table), (data, offsets, out))
                print(f"\n{candidate.name}, table checked once: one-URL call {once:.1f} µs")


if __name__ == "__main__":
    main()
