"""Two versions of Dragoman side by side: processor time of the same commands, taken in turns in one run.

    python benchmarks/versions.py --before OLD/dragoman --after NEW/dragoman [--rows N] [--rounds N] [--pages N]

URLs from a Parquet file to a Parquet file and from JSON lines to JSON lines, texts by the text model, simulated crawls
of a made web. Ratios are before / after by the fastest round of each, so above 1 the later version is faster; the
neighbours of a shared machine slow single rounds, and hardly ever all of them.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as parquet

WORDS = (
    "haus", "garten", "wetter", "musik", "noticias", "viaje", "salud", "maison", "recette", "ville", "casa", "mercato",
    "sport", "news", "garden", "travel",
)  # fmt: skip
DOMAINS = ("com", "org", "de", "fr", "es", "it", "net", "co.uk", "com.br", "jp")


def made_urls(rows: int) -> list[str]:
    """URLs of ordinary lengths, the same at every run."""
    draw = random.Random(1)
    return [
        f"https://www.{draw.choice(WORDS)}{draw.choice(WORDS)}.{draw.choice(DOMAINS)}/"
        f"{'-'.join(draw.choices(WORDS, k=draw.randrange(1, 6)))}/{draw.randrange(10**6)}"
        for _ in range(rows)
    ]


def processor_seconds(command: Sequence[str]) -> float:
    """The user and system time that a command takes; its output is thrown away, and it must succeed."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def commands(folder: Path, rows: int, pages: int) -> dict[str, list[str]]:
    """What is measured: the arguments behind the program's name."""
    urls = made_urls(rows)
    parquet.write_table(pa.table({"url": urls}), folder / "urls.parquet")
    (folder / "urls.txt").write_text("\n".join(urls[: rows // 4]), "utf-8")
    texts = [" ".join(random.Random(i).choices(WORDS, k=30)) for i in range(rows // 20)]
    parquet.write_table(pa.table({"text": texts}), folder / "texts.parquet")
    out = str(folder / "out")
    crawls = {
        f"simulate {name}": ["simulate", "--synth", "--pages", str(pages), "--strategy", name, "-o", out + name]
        for name in ("bfs", "conservative-server", "scout")
    }
    return {
        "url, nothing to read": ["url", "http://example.org/"],
        "url, Parquet": ["url", str(folder / "urls.parquet"), "-o", out + ".parquet", "--threads", "1"],
        "url, lines": ["url", str(folder / "urls.txt"), "--format", "jsonl"],
        "page, Parquet": ["page", str(folder / "texts.parquet"), "--column", "text", "-o", out + "-texts.parquet"],
    } | crawls


def main() -> None:
    """Measure in turns, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", required=True)
    parser.add_argument("--after", required=True)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--pages", type=int, default=300_000)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        print(f"{'command':30} {'before':>8} {'after':>8} {'ratio':>6}")
        for task, arguments in commands(Path(name), asked.rows, asked.pages).items():
            seconds: dict[str, list[float]] = {asked.before: [], asked.after: []}
            for _ in range(asked.rounds):
                for program, times in seconds.items():
                    times.append(processor_seconds([program, *arguments]))
            old, new = min(seconds[asked.before]), min(seconds[asked.after])
            print(f"{task:30} {old:7.2f}s {new:7.2f}s {old / new:6.2f}", flush=True)


if __name__ == "__main__":
    main()
