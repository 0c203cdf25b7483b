"""Which identifier should be the default: accuracy by length, speed, memory and load time, all in one run.

    python benchmarks/page_identifiers/compare.py [--data DIR] [--rows N] [--rounds N] [-o DIR]

Sentences are Tatoeba's and pages are documentation pages, those that neither trained nor tuned our model
(tools/text_material.py); what the others were trained on is not known, Tatoeba may be among it. Every identifier
answers once among the 5 or 11 languages (restricted as far as it can be) and once among all it has. The runs of the
identifiers alternate and the median of the rounds counts, so that other work on the machine hits all alike.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import text_material  # noqa: E402
from text_material import Text  # noqa: E402

from dragoman.columns import ByteColumn  # noqa: E402
from dragoman.identifiers.text.identify import identify_text, open_method  # noqa: E402
from dragoman.languages import ELEVEN, FIVE  # noqa: E402

SHARED = ROOT.parent / "shared" / "data" / "text"
METHODS = ("text", "heliport", "py3langid", "fasttext", "lingua", "pycld2")
LENGTHS = {"under 25": (1, 24), "25-50": (25, 50), "20-200": (20, 200)}
#: What speed is compared with: lingua at its fastest.
LINGUA = "lingua, 5 languages"
#: A language is common if all identifiers know it and there are so many sentences to judge it by.
ENOUGH = 30


def material(folder: Path, rows: int) -> dict[str, list[Text]]:
    """The texts of each table: sentences by length and languages, and pages."""
    rng = random.Random(0)
    found = [*text_material.sentences(folder / "sentences.parquet")]
    found += text_material.tracked(folder / "tracking_dev.jsonl")
    once = {(one.text, one.language): one for one in found if one.part == "judge" and one.source in
            ("tatoeba", "sent5", "sent11")}  # fmt: skip
    spoken = sorted(once.values())
    known = frozenset.intersection(*(frozenset(open_method(name).languages_) for name in METHODS))
    often = Counter(one.language for one in spoken)
    common = tuple(sorted(tag for tag in known if often[tag] >= ENOUGH))
    tables = {}
    for name, among in (("5", FIVE), ("11", ELEVEN), (f"{len(common)}", common)):
        for length, (low, high) in LENGTHS.items():
            chosen = [one for one in spoken if one.language in among and low <= len(one.text) <= high]
            tables[f"{name} languages, {length} characters"] = rng.sample(chosen, min(rows, len(chosen)))
    pages = [one for one in text_material.pages(folder / "pages.parquet") if one.part == "judge"]
    for name, among in (("5", FIVE), ("11", ELEVEN), (f"{len(common)}", common)):
        chosen = [one for one in pages if one.language in among]
        tables[f"{name} languages, whole pages"] = rng.sample(chosen, min(rows // 2, len(chosen)))
    return tables


def interval(right: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    z, p = 1.96, right / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def accuracy(name: str, texts: list[Text], closed: bool) -> dict[str, Any]:
    """The share of right answers, among the languages of the table or among all."""
    model = open_method(name)
    among = tuple(sorted({one.language for one in texts})) if closed else None
    best, _ = model.best(ByteColumn.from_rows([one.text for one in texts]), among)
    names = among or model.languages_
    right = sum(place >= 0 and names[place] == one.language for place, one in zip(best, texts, strict=True))
    low, high = interval(right, len(texts))
    return {"n": len(texts), "accuracy": right / len(texts), "low": low, "high": high}


def runners(texts: list[str]) -> dict[str, Callable[[], Any]]:
    """A run of each identifier over the same texts, by its own quickest call."""
    lines = [" ".join(one.split()) for one in texts]
    batch = ByteColumn.from_rows(texts)
    heliport, langid = open_method("heliport")._identifier, open_method("py3langid")._identifier  # type: ignore[attr-defined]
    fasttext, cld2 = open_method("fasttext")._model, open_method("pycld2")._cld2  # type: ignore[attr-defined]
    lingua = open_method("lingua")
    for among in (None, FIVE, ELEVEN):
        lingua.best(ByteColumn.from_rows(["eins"]), among)
    whole, five, eleven = (
        lingua._detectors[key]  # type: ignore[attr-defined]
        for key in (None, frozenset(FIVE), frozenset({*ELEVEN, "nb", "nn"} - {"no"}))
    )
    ours = open_method("text")
    langid.set_languages(None)

    def by_cld2() -> None:
        for one in lines:
            try:
                cld2.detect(one, isPlainText=True, bestEffort=True)
            except cld2.error:
                continue

    return {
        "text": lambda: ours.best(batch),
        "text, one at a time": lambda: [identify_text(one) for one in texts],
        "heliport": lambda: [heliport.identify(one) for one in texts],
        "py3langid": lambda: [langid.classify(one) for one in texts],
        "fasttext": lambda: [fasttext.predict(one) for one in lines],
        LINGUA: lambda: [five.detect_language_of(one) for one in texts],
        "lingua, 11 languages": lambda: [eleven.detect_language_of(one) for one in texts],
        "lingua, all languages": lambda: [whole.detect_language_of(one) for one in texts],
        "pycld2": by_cld2,
    }


def speed(texts: list[str], rounds: int) -> dict[str, dict[str, float]]:
    """Texts per second of processor time: the median and the range of some rounds, in which all take turns."""
    found: dict[str, list[float]] = {}
    runs = runners(texts)
    for one in runs.values():
        one()
    for _ in range(rounds):
        for name, run in runs.items():
            started, passes = time.process_time(), 0
            while time.process_time() - started < 0.3:
                run()
                passes += 1
            found.setdefault(name, []).append(passes * len(texts) / (time.process_time() - started))
    return {
        name: {"median": statistics.median(all_), "low": min(all_), "high": max(all_)} for name, all_ in found.items()
    }


_FRESH = """
import resource, sys, time
from dragoman.identifiers.text.identify import open_method
from dragoman.columns import ByteColumn
before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
model = open_method(sys.argv[1])
model.best(ByteColumn.from_rows(["Das ist ein kurzer Satz, nicht mehr.", "This is a short sentence, no more."]))
print(time.process_time() - started, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, before)
"""


def fresh(name: str) -> dict[str, float]:
    """Load time (processor seconds to the first answer) and memory of a process that does nothing else."""
    runs = [
        subprocess.run([sys.executable, "-c", _FRESH, name], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(1 if name == "lingua" else 3)  # it takes a minute
    ]
    seconds, peak, before = (statistics.median(float(run[i]) for run in runs) for i in range(3))
    return {"load_seconds": seconds, "megabytes": peak / 1024, "megabytes_before": before / 1024}


def _percent(one: dict[str, Any]) -> str:
    return f"{100 * one['accuracy']:.1f}"


def readme(results: dict[str, Any]) -> str:
    """The tables for people."""
    lines = ["# Identifiers of text, side by side", "", *__doc__.strip().splitlines()[4:], ""]
    for closed, title in ((True, "among the languages of the table"), (False, "among all that each knows")):
        lines += [f"## Right answers in %, {title}", "", "| | n | ± | " + " | ".join(METHODS) + " |",
                  "|---|--:|--:|" + "--:|" * len(METHODS)]  # fmt: skip
        for table, row in results["accuracy"]["closed" if closed else "open"].items():
            ours = row["text"]
            spread = 50 * (ours["high"] - ours["low"])
            lines.append(
                f"| {table} | {ours['n']:,} | {spread:.1f} | " + " | ".join(_percent(row[m]) for m in METHODS) + " |"
            )
        lines.append("")
    lines += ["± is half of the 95 % interval for our own row.", "", "## Speed, on one core", "",
              "Texts per second of processor time, median (range) of "
              f"{results['rounds']} rounds; sentences of 20-200 characters, and whole pages.", "",
              "| | sentences/s | x lingua | pages/s | x lingua |", "|---|--:|--:|--:|--:|"]  # fmt: skip
    both = results["speed"]
    for name in both["sentences"]:
        cells = []
        for kind in ("sentences", "pages"):
            one, base = both[kind][name], both[kind][LINGUA]["median"]
            cells += [f"{one['median']:,.0f} ({one['low']:,.0f}-{one['high']:,.0f})", f"{one['median'] / base:,.1f}"]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += ["", "## Load time (processor) and memory of a fresh process", "",
              "| | seconds to the first answer | MB | MB before |",
              "|---|--:|--:|--:|"]  # fmt: skip
    for name, one in results["fresh"].items():
        lines.append(
            f"| {name} | {one['load_seconds']:.2f} | {one['megabytes']:,.0f} | {one['megabytes_before']:,.0f} |"
        )
    lines += ["", "## What must hold", "", "| | asked | reached | |", "|---|--:|--:|---|"]
    lines += [
        f"| {name} | {asked} | {got} | {'yes' if good else 'no'} |" for name, asked, got, good in results["targets"]
    ]
    return "\n".join(lines) + "\n"


def targets(results: dict[str, Any]) -> list[tuple[str, str, str, bool]]:
    """(what, asked, reached, held) for what is asked of the default identifier."""
    closed = results["accuracy"]["closed"]
    whole = next(row for name, row in reversed(closed.items()) if name.endswith("whole pages"))
    ratio = results["speed"]["sentences"]["text"]["median"] / results["speed"]["sentences"][LINGUA]["median"]
    rows = [
        ("5 languages, 20-200 characters", 0.995, closed["5 languages, 20-200 characters"]["text"]["accuracy"]),
        ("11 languages, 20-200 characters", 0.99, closed["11 languages, 20-200 characters"]["text"]["accuracy"]),
        ("whole pages, all common languages", 0.995, whole["text"]["accuracy"]),
    ]
    found = [(name, f"{100 * asked:.1f} %", f"{100 * got:.2f} %", got >= asked) for name, asked, got in rows]
    return [*found, ("speed beside lingua's", "20 x", f"{ratio:,.0f} x", ratio >= 20)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).with_name("results"))
    arguments = parser.parse_args()
    if not (arguments.data / "sentences.parquet").exists():
        print("skipped: no labelled texts; give a folder of them with --data")
        return 0
    results: dict[str, Any] = {"rounds": arguments.rounds, "fresh": {name: fresh(name) for name in METHODS}}
    tables = material(arguments.data, arguments.rows)
    results["accuracy"] = {
        kind: {
            table: {name: accuracy(name, texts, kind == "closed") for name in METHODS}
            for table, texts in tables.items()
        }
        for kind in ("closed", "open")
    }
    sentences = [
        one.text for one in next(texts for name, texts in tables.items() if name.startswith("11 languages, 20"))
    ]
    pages = [one.text for one in list(tables.values())[-1]]
    results["speed"] = {
        "sentences": speed(sentences[:300], arguments.rounds), "pages": speed(pages[:20], arguments.rounds)
    }  # fmt: skip
    results["targets"] = targets(results)
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, content in (("results.json", json.dumps(results, indent=1) + "\n"), ("README.md", readme(results))):
        part = arguments.output / f"{name}.{os.getpid()}.part"
        part.write_text(content, encoding="utf-8")
        part.replace(arguments.output / name)
    print(readme(results))
    return 0 if all(one[3] for one in results["targets"]) else 1


if __name__ == "__main__":
    sys.exit(main())
