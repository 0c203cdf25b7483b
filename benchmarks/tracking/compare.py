"""Trackers side by side on documents whose languages change: letters right, boundaries found, speed, memory.

    python benchmarks/tracking/compare.py [--data DIR] [--half judge] [--parts accuracy,ablation,monolingual,cost]
                                          [--rounds 3] [--characters FILE] [-o DIR]

Accuracy: tracking_dev.jsonl, half by half; each tracker chooses among the languages of the set, and ours also among all
that it has. Speed: all documents of the half, the trackers one after the other in each round, processor time, medians.
Ablation: ours with one ingredient left out at a time. Monolingual: sentences joined to 500 characters and more, and
pages. Cost: one text repeated up to 50 MB, seconds and the largest memory, each in a process of its own.
Figures go to results.json, and README.md is written from it; parts that were not asked for are kept from before.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tracking_quality import Tracked, Tracking, judge, read_tracked

from dragoman.identifiers.model_file import load
from dragoman.identifiers.track.decode import PathSettings
from dragoman.identifiers.track.hmm_network import PENALTY
from dragoman.identifiers.track.lexicon import Lexicon
from dragoman.identifiers.track.tracker import Tracker
from dragoman.languages import ELEVEN, FIVE, normalise
from dragoman.types import Span

HERE = Path(__file__).resolve().parent
SETS = {"sent5": FIVE, "sent11": ELEVEN, "phrase5": FIVE, "phrase11": ELEVEN}
#: What must hold, and what is aimed at: letters right / F1 of boundaries.
GOALS = {
    "sent5": (99, 95, 99.5, 97),
    "sent11": (97.5, 92, 98.5, 95),
    "phrase5": (90, 84, 92, 88),
    "phrase11": (86, 80, 88, 84),
}
Track = Callable[[str], list[Span]]
Make = Callable[[tuple[str, ...]], Track]


def ours(settings: PathSettings | None = None, everything: bool = False) -> Make:
    return lambda languages: Tracker(languages=None if everything else languages, settings=settings).spans


def lingua_multiple(languages: tuple[str, ...]) -> Track:
    from lingua import IsoCode639_1, LanguageDetectorBuilder

    codes = [IsoCode639_1.from_str("NB" if tag == "no" else tag.upper()) for tag in languages]
    detector = LanguageDetectorBuilder.from_iso_codes_639_1(*codes).build()
    return lambda text: [
        Span(one.start_index, one.end_index, normalise(one.language.iso_code_639_1.name.lower()))
        for one in detector.detect_multiple_languages_of(text)
    ]


def per_sentence(method: str) -> Make:
    from dragoman.identifiers.track import open_tracker

    def make(languages: tuple[str, ...]) -> Track:
        ready = open_tracker(method, languages)
        return lambda text: ready(text, False)

    return make


def network(data: Path) -> Make:
    """The network of the HMM paper: 22,446 characters per language from sentences.parquet."""
    from dragoman.identifiers.text.algorithms.hmm.classifier import Hmm
    from dragoman.identifiers.text.algorithms.hmm.network import Network

    def make(languages: tuple[str, ...]) -> Track:
        texts, labels = list[str](), list[str]()
        for tag, rows in material(data, languages).items():
            rows = random.Random(1).sample(rows, len(rows))
            size = 0
            for text in rows:
                if size < 22_446:
                    texts.append(text)
                    labels.append(tag)
                    size += len(text)
        return Network(Hmm().fit(texts, labels), PENALTY).decode

    return make


def material(data: Path, languages: tuple[str, ...]) -> dict[str, list[str]]:
    """The Tatoeba sentences of each language."""
    import pyarrow.parquet as pq

    table = pq.read_table(data / "sentences.parquet", columns=["text", "lang", "source"])
    found: dict[str, list[str]] = {tag: [] for tag in languages}
    codes = {tag: tag for tag in languages} | {"nb": "no"}
    for text, code, source in zip(*(table[name].to_pylist() for name in ("text", "lang", "source")), strict=True):
        if codes.get(code) in found and source.startswith("tatoeba"):
            found[codes[code]].append(text)
    return found


def accuracy(documents: list[Tracked], makes: dict[str, Make], rounds: int) -> dict[str, Any]:
    """{tracker: {set: figures}} and, under `seconds`, the median time of each over all documents."""
    out: dict[str, Any] = {name: {} for name in makes}
    spent: dict[str, list[float]] = {name: [0.0] * rounds for name in makes}
    for kind, languages in SETS.items():
        chosen = [one for one in documents if one.kind == kind]
        trackers = {name: make(languages) for name, make in makes.items()}
        for name, tracker in trackers.items():
            total = sum((judge(one.text, one.spans, tracker(one.text)) for one in chosen), Tracking())
            out[name][kind] = {
                "letters": round(100 * total.accuracy, 2),
                "f1": round(100 * total.f1, 1),
                "documents": len(chosen),
            }
            print(f"{kind:9} {name:28} {out[name][kind]}", flush=True)
        for number in range(rounds):
            for name, tracker in trackers.items():
                started = time.process_time()
                for one in chosen:
                    tracker(one.text)
                spent[name][number] += time.process_time() - started
    for name, seconds in spent.items():
        out[name]["seconds"] = round(statistics.median(seconds), 4) if rounds else None
    return out


def ablation(documents: list[Tracked], lexicon: Path | None) -> dict[str, Any]:
    """Ours with one ingredient left out at a time: what each is worth."""
    base = PathSettings()
    flat = tuple(6.0 if place == 6 else base.phrases[0] for place in range(len(base.phrases)))
    variants = {
        "all of it": base,
        "one style: phrases": base.changed(sentences=base.phrases),
        "one style: sentences": base.changed(phrases=base.sentences),
        "no boundaries (one cost everywhere)": base.changed(sentences=flat, phrases=flat),
        "no limit to what a word says": base.changed(most=1000.0),
        "capitals say as much as others": base.changed(capital=16),
        "languages with few letters are as good as others": base.changed(rare=0.0),
        "phrases cost nothing per word": base.changed(linger=0.0),
    }
    out: dict[str, Any] = {}
    for name, settings in variants.items():
        out[name] = _figures(documents, ours(settings))
    if lexicon is not None:
        model = load(lexicon)
        assert isinstance(model, Lexicon)
        out["no listed words (characters only)"] = _figures(documents, lambda tags: Tracker(tags, lexicon=model).spans)
    out["chosen among all languages"] = _figures(documents, ours(everything=True))
    for name, row in out.items():
        print(f"{name:38} {row}", flush=True)
    return out


def _figures(documents: list[Tracked], make: Make) -> dict[str, Any]:
    row = {}
    for kind, languages in SETS.items():
        tracker = make(languages)
        chosen = [one for one in documents if one.kind == kind]
        total = sum((judge(one.text, one.spans, tracker(one.text)) for one in chosen), Tracking())
        row[kind] = {"letters": round(100 * total.accuracy, 2), "f1": round(100 * total.f1, 1)}
    return row


def monolingual(data: Path, number: int = 30) -> dict[str, Any]:
    """The share of letters in a wrong language, and of documents that are one span: joined sentences, and pages."""
    import pyarrow.parquet as pq

    from dragoman.identifiers.text.document import read_page
    from dragoman.identifiers.track import track

    rng = random.Random(7)
    documents: dict[str, list[tuple[str, str]]] = {"sentences": [], "pages": []}
    for tag, rows in material(data, ELEVEN).items():
        for _ in range(number):
            parts: list[str] = []
            while sum(map(len, parts)) < 500:
                parts.append(rng.choice(rows))
            documents["sentences"].append((tag, " ".join(parts)))
    table = pq.read_table(data / "pages.parquet", columns=["html", "lang", "source"])
    by_language: dict[str, list[str]] = {}
    for html, code in zip(table["html"].to_pylist(), table["lang"].to_pylist(), strict=True):
        if (tag := {"nb": "no"}.get(code, code)) in ELEVEN:
            by_language.setdefault(tag, []).append(html)
    for tag, pages in sorted(by_language.items()):
        documents["pages"] += [(tag, html) for html in rng.sample(pages, min(number, len(pages)))]
    out: dict[str, Any] = {}
    for name, chosen in documents.items():
        for choice in ("eleven", None):
            total, single, count, third = Tracking(), 0, 0, 0
            for tag, text in chosen:
                page = read_page(text, "text/html" if name == "pages" else "text/plain")
                if len(page.text) < 500:
                    continue
                spans = [span for span in track(page, choice) if span.language]
                total += judge(page.text, [Span(0, len(page.text), tag)], spans)
                single, count = single + (len(spans) == 1), count + 1
                odd = (span for span in spans if span.language not in (tag, "en"))
                third += sum(map(str.isalpha, "".join(page.text[span.start : span.end] for span in odd)))
            key = f"{name}, {'eleven languages' if choice else 'all languages'}"
            out[key] = {
                "documents": count,
                "wrong": round(100 * (1 - total.accuracy), 3),
                "neither_it_nor_english": round(100 * third / total.letters, 3),
                "one_span": round(100 * single / count, 1),
            }
            print(f"{key:32} {out[key]}", flush=True)
    return out


COST = """
import re, sys, time
from pathlib import Path
from dragoman.identifiers.track.tracker import Tracker
text = open(sys.argv[1], encoding="utf-8").read()
size = int(float(sys.argv[2]) * 1e6)
tracker = Tracker(languages=sys.argv[3] if sys.argv[3] != "all" else None)
tracker.spans(text[:20000])
pieces = (text for _ in range(size // len(text.encode())))
def most():  # of this program: what getrusage tells begins with the program that started it
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
before = most()
started, count = time.process_time(), 0
for span in tracker.stream(pieces): count += 1
after = most()
print(time.process_time() - started, count, before / 1024, after / 1024)
"""


def cost(documents: list[Tracked], folder: Path, sizes: tuple[float, ...] = (1, 10, 50)) -> dict[str, Any]:
    """Seconds and memory for texts of so many MB, in pieces, among eleven languages and among all."""
    text = folder / "cost.txt"
    text.write_text("\n".join(one.text for one in documents) + "\n", encoding="utf-8")
    out: dict[str, Any] = {}
    try:
        for languages in ("eleven", "all"):
            for size in sizes if languages == "eleven" else sizes[:-1]:
                command = [sys.executable, "-c", COST, str(text), str(size), languages]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                seconds, spans, before, after = map(float, done.stdout.split())
                row = {
                    "seconds": round(seconds, 2),
                    "MB_per_second": round(size / seconds, 2),
                    "spans": int(spans),
                    "MB_before": round(before),
                    "MB_most": round(after),
                }
                out[f"{languages}, {size:g} MB"] = row
                print(f"{languages}, {size:g} MB: {row}", flush=True)
    finally:
        text.unlink()
    return out


def main() -> int:
    """Measure what was asked for, and write it down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/text"))
    parser.add_argument("--half", choices=["tune", "judge"], default="judge")
    parser.add_argument("--parts", default="accuracy,ablation,monolingual,cost")
    parser.add_argument("--characters", type=Path, help="a lexicon without words: tools/make_track_model.py --words 0")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path, default=HERE / "results")
    asked = parser.parse_args()
    file = asked.data / "tracking_dev.jsonl"
    if not file.exists():
        print(f"skipped: there is no {file}")
        return 0
    documents = [one for one in read_tracked(file) if one.half == asked.half]
    asked.output.mkdir(parents=True, exist_ok=True)
    results = asked.output / "results.json"
    found: dict[str, Any] = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}
    for part in asked.parts.split(","):
        if part == "accuracy":
            makes: dict[str, Make] = {
                "dragoman": ours(),
                "dragoman, all languages open": ours(everything=True),
                "dragoman, per sentence": per_sentence("sentences"),
                f"network of HMMs (2004), penalty {PENALTY:g}": network(asked.data),
                "heliport, per sentence": per_sentence("sentences:heliport"),
                "lingua, multiple languages": lingua_multiple,
            }
            found["accuracy"] = {
                "half": asked.half,
                "rounds": asked.rounds,
                "trackers": accuracy(documents, makes, asked.rounds),
            }
        elif part == "ablation":
            found["ablation"] = {"half": asked.half, "rows": ablation(documents, asked.characters)}
        elif part == "monolingual":
            found["monolingual"] = monolingual(asked.data)
        elif part == "cost":
            found["cost"] = cost(documents, asked.output)
        results.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (asked.output / "README.md").write_text(report(found), encoding="utf-8")
    print(f"memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    return 0


def _cell(row: dict[str, Any]) -> str:
    return f"{row['letters']:.1f} / {row['f1']:.0f}"


def report(found: dict[str, Any]) -> str:
    """The figures as Markdown."""
    lines = ["# Trackers side by side", "", "Written by `python benchmarks/tracking/compare.py`; do not edit.", ""]
    if part := found.get("accuracy"):
        trackers = part["trackers"]
        slowest = trackers.get("lingua, multiple languages", {}).get("seconds")
        lines += [
            f"## Letters labelled right / F1 of boundaries within 10 characters, {part['half']} half",
            "",
            "100 documents per set; each tracker chooses among the languages of the set, unless it says otherwise.",
            "",
            f"| tracker | {' | '.join(SETS)} | x lingua's speed |",
            "|---|" + "---|" * (len(SETS) + 1),
        ]
        for name, row in trackers.items():
            speed = f"{slowest / row['seconds']:.1f}" if slowest and row["seconds"] else ""
            lines.append(f"| {name} | {' | '.join(_cell(row[kind]) for kind in SETS)} | {speed} |")
        lines += [
            f"| must / aim | {' | '.join(f'{a:g} / {b}, {c:g} / {d}' for a, b, c, d in GOALS.values())} | 5 |",
            "",
        ]
    if part := found.get("ablation"):
        lines += [
            f"## Ours with one ingredient left out, {part['half']} half",
            "",
            f"| | {' | '.join(SETS)} |",
            "|---|" + "---|" * len(SETS),
        ]
        lines += [f"| {name} | {' | '.join(_cell(row[kind]) for kind in SETS)} |" for name, row in part["rows"].items()]
        lines.append("")
    if part := found.get("monolingual"):
        lines += [
            "## Documents in one language, 500 characters and more",
            "",
            "| documents | n | letters in another language | in one that is not English either | one span |",
            "|---|---|---|---|---|",
        ]
        for name, row in part.items():
            shares = f"{row['wrong']:.2f} % | {row['neither_it_nor_english']:.2f} % | {row['one_span']:.0f} %"
            lines.append(f"| {name} | {row['documents']} | {shares} |")
        lines.append("")
    if part := found.get("cost"):
        lines += [
            "## Cost of long texts, read in pieces",
            "",
            "| languages, size | seconds | MB/s | spans | memory before, most (MB) |",
            "|---|---|---|---|---|",
        ]
        for name, row in part.items():
            memory = f"{row['MB_before']}, {row['MB_most']}"
            lines.append(
                f"| {name} | {row['seconds']:.1f} | {row['MB_per_second']:.1f} | {row['spans']:,} | {memory} |"
            )
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
