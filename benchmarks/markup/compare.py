"""Our visible text beside that of another extractor (resiliparse) on real pages: words that only one has, and speed.

python benchmarks/markup/compare.py [--data ../shared/data/text/pages.parquet] [--pages 400] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path

from dragoman.identifiers.text.markup.visible import read_markup

WORD = re.compile(r"\w+")


def main() -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/text/pages.parquet"))
    parser.add_argument("--pages", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if not asked.data.exists():
        print(f"skipped: there is no {asked.data}")
        return 0
    import pyarrow.parquet as pq
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.html import HTMLTree

    pages = pq.read_table(asked.data, columns=["html"])["html"].to_pylist()
    read_markup("tables are made at the first call")
    ours, theirs, count, size, spent = Counter[str](), Counter[str](), 0, 0, [0.0, 0.0]
    for html in random.Random(asked.seed).sample(pages, min(asked.pages, len(pages))):
        marks = [time.process_time()]
        found = read_markup(html).text
        marks.append(time.process_time())
        tree = HTMLTree.parse(html)
        text = extract_plain_text(
            tree, alt_texts=False, links=False, form_fields=True, noscript=False, list_bullets=False
        )
        marks.append(time.process_time())
        spent = [spent[0] + marks[1] - marks[0], spent[1] + marks[2] - marks[1]]
        size += len(html.encode())
        mine, other = Counter(WORD.findall(found)), Counter(WORD.findall(text))
        ours += mine - other
        theirs += other - mine
        count += other.total()
    print(f"{count:,} words on {min(asked.pages, len(pages)):,} pages")
    for name, words in (("theirs", theirs), ("ours", ours)):
        most = ", ".join(f"{word} {number}" for word, number in words.most_common(12))
        print(f"only in {name}: {words.total():,} ({100 * words.total() / count:.2f} %): {most}")
    print(
        "MB per second of processor time: "
        + ", ".join(
            f"{name} {size / 1e6 / seconds:.0f}" for name, seconds in zip(("ours", "theirs"), spent, strict=True)
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
