"""How long Dragoman takes to start: medians over new processes, each step by itself, and the memory at its peak.

    python benchmarks/start.py [--runs N] [--url URL] [--no-bytecode] [--check] [--output FILE.json]

Every run is a process of its own. As after `pip install`, modules are compiled to bytecode before the first run that
counts (in a temporary folder, whatever the environment says); with `--no-bytecode`, modules that have none are compiled
in every run, which is what running from a checkout that may not be written to costs. Files are in the system's cache: a
machine that has just been switched on waits for its disk besides. `--check` fails where a median is above its limit.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

URL = "https://www.wasserbett-test.com/"

#: What a run tells about itself: seconds of each step, then memory in MB.
STEPS = """
import json, sys, time
from resource import RUSAGE_SELF, getrusage

def memory():
    peak = getrusage(RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)

found, clock = {}, time.perf_counter
start = clock(); import dragoman; found["import dragoman"] = clock() - start
start = clock(); import dragoman.identifiers.url.identify, dragoman.identifiers.url.parts.classifier
found["import what answers"] = clock() - start
before = memory()
start = clock(); model = dragoman.load_model(); found["load the model"] = clock() - start
found["memory of the model"] = memory() - before
start = clock(); dragoman.identify(sys.argv[1], model); found["first answer"] = clock() - start
start = clock(); dragoman.identify(sys.argv[1], model); found["second answer"] = clock() - start
found["memory at its peak"] = memory()
print(json.dumps(found))
"""

#: Seconds, or MB, that a median may take.
LIMITS = {"import dragoman": 0.2, "load the model": 0.2, "whole command": 0.5, "memory at its peak": 160.0}


def environment(folder: str, bytecode: bool) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, **({"PYTHONPYCACHEPREFIX": folder} if bytecode else {"PYTHONDONTWRITEBYTECODE": "1"})}


def one_run(url: str, around: dict[str, str]) -> dict[str, float]:
    """The figures of one pair of processes: the steps in the first, the whole command in the second."""
    told = subprocess.run([sys.executable, "-c", STEPS, url], env=around, check=True, capture_output=True)
    found: dict[str, float] = json.loads(told.stdout)
    for name, command in (
        ("whole command", ["-m", "dragoman", "url", url]),
        ("Python and numpy alone", ["-c", "import numpy"]),
    ):
        started = time.perf_counter()
        subprocess.run([sys.executable, *command], env=around, check=True, capture_output=True)
        found[name] = time.perf_counter() - started
    return found


def shown(name: str, value: float) -> str:
    return f"{value:8.1f} MB" if name.startswith("memory") else f"{value * 1e3:8.1f} ms"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--url", default=URL)
    parser.add_argument("--no-bytecode", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        around = environment(folder, not arguments.no_bytecode)
        first = one_run(arguments.url, around)
        runs = [one_run(arguments.url, around) for _ in range(max(1, arguments.runs))]
    medians = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    print(f"medians of {len(runs)} new processes{', no bytecode' if arguments.no_bytecode else ''}")
    print(f"{'':24} {'median':>11} {'fastest':>11} {'slowest':>11}   limit")
    for name, value in medians.items():
        extremes = (min(run[name] for run in runs), max(run[name] for run in runs))
        limit = shown(name, LIMITS[name]).strip() if name in LIMITS else ""
        print(f"{name:24} {shown(name, value)} {shown(name, extremes[0])} {shown(name, extremes[1])}   {limit}")
    if arguments.output:
        result = {"runs": len(runs), "bytecode": not arguments.no_bytecode, "medians": medians, "first_run": first}
        arguments.output.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    above = [name for name, limit in LIMITS.items() if medians[name] > limit]
    if above:
        print(f"above the limit: {', '.join(above)}")
    return 1 if above and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
