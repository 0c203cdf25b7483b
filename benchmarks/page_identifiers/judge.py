"""Any identifiers on any labelled texts: accuracy, F and the worst languages, on all they know and on what both know.

    python benchmarks/page_identifiers/judge.py PLACE... [--tests DIR] [--methods text,heliport] [--rows N] [--half H]
                                                [-o FILE]

A place is a table (Parquet, CSV, TSV or JSON lines with a column of texts and one of languages, by the names that the
tests below give them, and perhaps `half`), a folder with a file for each language that is named by it, a text a line
(FLORES: `deu_Latn.devtest`; NTREX: `newstest2019-ref.deu.txt`; lingua's words, pairs and sentences: `de.txt`), or a
folder with `x_test.txt` and `y_test.txt` (WiLI). Codes and names of languages of any kind are understood; Norwegian
counts as one language.

A place can be the name of a test as well: flores, ntrex, wili, commonlid, udhr-lid (GlotLID's), cld2, dsl, eu, mafand,
lingua. It is looked for in `--tests DIR` under that name or one that its publisher gave it; one that is not there is
told and left out.

Every identifier chooses among all languages that it has, and an answer of none is wrong. Macro accuracy is the mean
over languages of the share of their texts that are recognised. Texts per second are of processor time, in rounds in
which the identifiers take turns; memory is what a fresh process has grown by once it has answered.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from dragoman.columns import ByteColumn
from dragoman.errors import MissingExtra, UnknownLanguage
from dragoman.identifiers.text.identify import answer_texts, open_method
from dragoman.languages import normalise

SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "text"
METHODS = "text,heliport,py3langid,pycld2,fasttext,lingua"
#: What files and folders of each test are called, where somebody has it.
TESTS = {
    "flores": (
        "flores",
        "flores200",
        "flores200_dataset/devtest",
        "flores101_dataset/devtest",
        "floresp-v2.0-rc.3/devtest",
    ),
    "ntrex": ("ntrex", "NTREX-128", "NTREX/NTREX-128", "dev_ntrex.parquet"),
    "wili": ("wili", "wili-2018", "WiLI-2018"),
    "commonlid": ("commonlid", "CommonLID"),
    "udhr-lid": ("udhr-lid", "udhr-lid.csv", "udhr"),
    "cld2": ("cld2",),
    "dsl": ("dsl", "DSL-TL", "dslcc"),
    "eu": ("eu",),
    "mafand": ("mafand", "mafand-mt"),
    "lingua": ("lingua", "language-testdata/sentences", "sentences"),
}
_ENDINGS = ("", ".parquet", ".jsonl", ".tsv", ".csv")
#: What columns of texts and of languages are called.
TEXTS, CODES = ("text", "sentence", "content"), ("lang", "language", "label", "iso639-3", "iso639_3", "tag", "code")
#: How many of the worst languages are told, and what they are taken for.
WORST, TAKEN = 10, 3


class Labelled(NamedTuple):
    """A text and its language."""

    text: str
    language: str


def tag_of(code: str) -> str | None:
    """Our tag for a code of any kind: `deu_Latn`, `zh-Hant`, `nob`; None for what is no language."""
    for given in (code, code.replace("_", "-"), code.partition("_")[0].partition("-")[0]):
        try:
            return normalise(given)
        except UnknownLanguage:
            continue
    return None


def from_table(path: Path, half: str | None) -> Iterator[tuple[str, str]]:
    """(text, code) of a table."""
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        rows: Any = pq.read_table(path).to_pylist()
    elif path.suffix == ".jsonl":
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    else:
        import csv

        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t" if path.suffix == ".tsv" else ","))
    text = code = ""
    for row in rows:
        if not text:
            text, code = (next((name for name in names if name in row), names[0]) for names in (TEXTS, CODES))
        if half is None or row.get("half", half) == half:
            yield row[text], row[code]


def from_folder(folder: Path) -> Iterator[tuple[str, str]]:
    """(text, code) of a folder with a file for each language, or of WiLI's two files."""
    if (folder / "x_test.txt").exists():
        texts, codes = (
            (folder / name).read_text(encoding="utf-8").splitlines() for name in ("x_test.txt", "y_test.txt")
        )
        yield from zip(texts, codes, strict=True)
        return
    for path in sorted(one for one in folder.iterdir() if one.is_file()):
        parts = [part for part in path.name.split(".") if part not in ("txt", "dev", "devtest")]
        for text in path.read_text(encoding="utf-8").splitlines():
            yield text, parts[-1]


def place_of(name: str, tests: Path) -> Path | None:
    """Where a test of this name is, or the place itself; None where it is not there."""
    if name not in TESTS:
        return Path(name)
    named = (tests / f"{one}{ending}" for one in TESTS[name] for ending in _ENDINGS)
    return next((path for path in named if path.exists()), None)


def labelled(place: Path, half: str | None, most: int) -> list[Labelled]:
    """The texts of a place, at most so many of each language."""
    by: dict[str, list[str]] = defaultdict(list)
    for text, code in from_folder(place) if place.is_dir() else from_table(place, half):
        if text.strip() and (tag := tag_of(code)):
            by[tag].append(text)
    rng = random.Random(0)
    return [
        Labelled(text, tag)
        for tag, texts in sorted(by.items())
        for text in (texts if len(texts) <= most else rng.sample(texts, most))
    ]


def told(method: str, texts: Sequence[Labelled]) -> list[str | None]:
    """What a method says of each text, by its own threshold."""
    return answer_texts([one.text for one in texts], method).tags()


def figures(texts: Sequence[Labelled], answers: Sequence[str | None], among: frozenset[str]) -> dict[str, Any]:
    """Macro and plain accuracy, macro F, and the worst languages, of texts in some languages."""
    right, there, said = Counter[str](), Counter[str](), Counter[str | None]()
    taken: dict[str, Counter[str]] = defaultdict(Counter)
    for one, answer in zip(texts, answers, strict=True):
        if one.language in among:
            there[one.language] += 1
            said[answer] += 1
            right[one.language] += answer == one.language
            if answer != one.language:
                taken[one.language][answer or "none"] += 1
    if not there:
        return {"languages": 0}
    recall = {tag: right[tag] / count for tag, count in there.items()}
    harmonic = {tag: 2 * right[tag] / (there[tag] + said[tag]) for tag in there}
    worst = sorted(recall, key=lambda tag: (recall[tag], tag))[:WORST]
    return {
        "languages": len(there),
        "n": sum(there.values()),
        "macro_accuracy": round(sum(recall.values()) / len(recall), 4),
        "accuracy": round(sum(right.values()) / sum(there.values()), 4),
        "macro_f": round(sum(harmonic.values()) / len(harmonic), 4),
        "worst": {tag: [round(recall[tag], 3), dict(taken[tag].most_common(TAKEN))] for tag in worst},
    }


def speeds(methods: Sequence[str], texts: Sequence[str], rounds: int) -> dict[str, float]:
    """Texts per second of processor time: the best of some rounds, in which all take turns."""
    rows, best = ByteColumn.from_rows(texts), dict[str, float]()
    for _ in range(rounds):
        for method in methods:
            started = time.process_time()
            open_method(method).best(rows)
            best[method] = max(best.get(method, 0.0), len(texts) / max(1e-9, time.process_time() - started))
    return {method: round(value) for method, value in best.items()}


def memory(method: str) -> int:
    """Megabytes that a fresh process grows by when a method answers for the first time (Linux tells it; else 0)."""
    code = (
        "import pathlib; from dragoman.identifiers.text.identify import identify_text\n"
        "status = pathlib.Path('/proc/self/status')\n"
        "def most(): return int(status.read_text().split('VmHWM:')[1].split()[0]) if status.exists() else 0\n"
        f"before = most(); identify_text('one line of text', {method!r}); print((most() - before) // 1024)"
    )
    return int(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)


def judged(place: Path, methods: Sequence[str], half: str | None, most: int) -> dict[str, Any]:
    """What each method reaches on the texts of a place: on all that it knows, and beside ours on what both know."""
    texts = labelled(place, half, most)
    answers = {method: told(method, texts) for method in methods}
    known = {method: frozenset(open_method(method).languages_) for method in methods}
    found: dict[str, Any] = {}
    for method in methods:
        both = known[method] & known[methods[0]]
        found[method] = figures(texts, answers[method], known[method]) | {
            "on what both know": figures(texts, answers[method], both).get("macro_accuracy"),
            f"{methods[0]} there": figures(texts, answers[methods[0]], both).get("macro_accuracy"),
        }
    return found


def shown(place: str, found: Mapping[str, Any]) -> str:
    """The figures of a place for people."""
    lines = [place, f"{'':12}{'languages':>10}{'macro':>8}{'F':>8}{'both':>8}{'ours':>8}  worst"]
    for method, one in found.items():
        values = [one.get("macro_accuracy"), one.get("macro_f"), one["on what both know"], [*one.values()][-1]]
        worst = " ".join(
            f"{tag} {share} ({', '.join(f'{other} {count}' for other, count in taken.items())})"
            for tag, (share, taken) in list(one.get("worst", {}).items())[:5]
        )
        lines.append(
            f"{method:12}{one['languages']:>10}" + "".join(f"{value or 0:>8.3f}" for value in values) + f"  {worst}"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="+", metavar="PLACE")
    parser.add_argument("--tests", type=Path, default=SHARED, help="where tests are looked for by name")
    parser.add_argument("--methods", default=METHODS)
    parser.add_argument("--rows", type=int, default=200, help="texts of each language, at most")
    parser.add_argument("--half", help="rows of a table whose column `half` says so")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path)
    arguments = parser.parse_args()
    methods = []
    for method in arguments.methods.split(","):
        try:
            open_method(method)
            methods.append(method)
        except MissingExtra as error:
            print(error, file=sys.stderr)
    report: dict[str, Any] = {"places": {}}
    places = {name: place_of(name, arguments.tests) for name in arguments.places}
    for name in [name for name, path in places.items() if path is None]:
        print(f"{name}: not there (looked for {', '.join(TESTS[name])} in {arguments.tests})", file=sys.stderr)
    there = [path for path in places.values() if path is not None]
    if not there:
        return 0
    for place in there:
        report["places"][place.name] = judged(place, methods, arguments.half, arguments.rows)
        print(shown(place.name, report["places"][place.name]))
    sample = [one.text for one in labelled(there[0], arguments.half, 10)]
    report["texts_per_second"] = speeds(methods, sample, arguments.rounds)
    report["megabytes"] = {method: memory(method) for method in methods}
    print("texts per second:", report["texts_per_second"], "megabytes:", report["megabytes"])
    if arguments.output:
        arguments.output.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
