"""Speed and memory of reading pages: real ones, and pages of 100 MB made of one thing over and over.

    python benchmarks/markup/large.py [--data ../shared/data/text/pages.parquet] [--megabytes 100] [--check]

Every page of `--megabytes` is read by a process of its own, whose memory at its peak is told beside the page's size
(the bytes themselves are one time the size, the decoded page and its text 1 to 4 times each). `--check` fails where
a page takes longer than 20 seconds of processor time or more than 30 times its size, or where the tokeniser reads real
pages at less than 50 MB per second of processor time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

PIECES = {
    "prose": "<p>The children play in the forest near the school, where the summer is over. </p>\n",
    "links": "<a href='/a/b?c=d&amp;e=f'>x</a> ",
    "tags": "<b>",
    "references": "&lt;",
    "two characters": "&nGt; ",
    "languages": "<i lang=fr>",
    "Thai": "<td>เด็ก ๆ เล่นอยู่ในป่า</td>",
    "one tag": " a=b",
    "spaces": " \n",
    "nothing closed": "<!-- <script> ",
}
STEPS = """
import json, sys, time
from resource import RUSAGE_SELF, getrusage
from dragoman.identifiers.text.document import read_page
piece, size = json.loads(sys.argv[1]), int(sys.argv[2])
read_page(b"<p>warm &amp; ready")
start = "<html><a" if piece == " a=b" else "<html><body>"
data = (start + piece * (size // len(piece.encode()))).encode()
before = getrusage(RUSAGE_SELF).ru_maxrss
begin = time.process_time()
page = read_page(data, "text/html; charset=utf-8", "http://a.example/")
took = time.process_time() - begin
scale = 1e6 if sys.platform == "darwin" else 1e3
print(json.dumps([took, getrusage(RUSAGE_SELF).ru_maxrss / scale, len(page.text), len(page.links)]))
"""


def real(path: Path) -> float:
    """MB per second of processor time for text and map, and for all facts, on real pages."""
    import pyarrow.parquet as pq

    from dragoman.identifiers.text.document import read_page
    from dragoman.identifiers.text.markup.visible import read_markup

    pages = pq.read_table(path, columns=["html"])["html"].to_pylist()[:1500]
    size = sum(len(page.encode()) for page in pages) / 1e6
    speeds = []
    for what, read in (("text and map", read_markup), ("all of the page", read_page)):
        best = 0.0
        for _ in range(3):
            begin = time.process_time()
            for page in pages:
                read(page)
            best = max(best, size / (time.process_time() - begin))
        print(f"{len(pages):,} real pages, {size:.0f} MB, {what}: {best:.0f} MB/s")
        speeds.append(best)
    joined = "".join(pages)
    begin = time.process_time()
    read_markup(joined)
    print(f"the same as one page, text and map: {size / (time.process_time() - begin):.0f} MB/s\n")
    return speeds[0]


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/text/pages.parquet"))
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    failed = False
    if asked.data.exists():
        failed = real(asked.data) < 50
    else:
        print(f"real pages skipped: there is no {asked.data}\n")
    size = asked.megabytes * 1_000_000
    print(f"{f'{asked.megabytes} MB of':<16}{'seconds':>8}{'MB/s':>7}{'peak MB':>9}{'text':>13}{'links':>8}")
    for name, piece in PIECES.items():
        command = [sys.executable, "-c", STEPS, json.dumps(piece), str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        if done.returncode:
            print(f"{name:<16}  failed: {done.stderr.strip().splitlines()[-1:]}")
            failed = True
            continue
        took, peak, text, links = json.loads(done.stdout)
        failed |= took > 20 or peak > 30 * asked.megabytes
        print(f"{name:<16}{took:8.1f}{size / 1e6 / took:7.0f}{peak:9.0f}{text:13,}{links:8,}")
    return 1 if failed and asked.check else 0


if __name__ == "__main__":
    sys.exit(main())
