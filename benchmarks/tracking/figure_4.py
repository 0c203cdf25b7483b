"""The page that the HMM paper prints (its Figure 4), read by the network of its models: one change, where it is.

    python benchmarks/tracking/figure_4.py [--paper FILE] [--data DIR]

The page is the authors', so it is read from the paper's text beside the repository and is not part of it. Models are
the paper's, trained on 22,446 characters of each language (`dragoman.studies.hmm_2004`, three draws). Fails unless the
trained transitions find two spans, Italian and English, whose border is within three characters of the printed one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from dragoman.languages import FIVE
from dragoman.studies.hmm_2004.draws import training
from dragoman.studies.hmm_2004.two_languages import READINGS, read_page
from dragoman.studies.text_draws import load_texts

SHARED = Path(__file__).resolve().parents[3] / "shared"
#: The page's first and last words, and the first of its second language.
FIRST, LAST, CHANGE = "Hotel Gabriella Presentazione", "travellers cheques welcome.", "The Hotel Gabriella"
#: How far the change may be from where it is.
NEAR = 3


def main() -> int:
    """Read the page with every reading of the network."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paper", type=Path, default=SHARED / "papers" / "hmm_web_documents_2004.txt")
    parser.add_argument("--data", type=Path, default=SHARED / "data" / "text")
    arguments = parser.parse_args()
    if not arguments.paper.exists() or not (arguments.data / "sentences.parquet").exists():
        print("figure 4: skipped, the paper's text or the texts to train on are not there (--paper, --data)")
        return 0
    paper = arguments.paper.read_text(encoding="utf-8")
    page = " ".join(paper[paper.index(FIRST) : paper.index(LAST) + len(LAST)].split())
    change = page.index(CHANGE)
    texts = load_texts(arguments.data, FIVE)
    wrong = 0
    for draw in range(3):
        cell = read_page(training(texts, draw), page)
        for reading, spans, second, tags in zip(READINGS, *(cell[key].tolist() for key in cell), strict=True):
            print(f"draw {draw}, {reading:7} {spans:4} spans, the second at {second:4} of {len(page)}: {tags}")
            wrong += reading == "learnt" and not (tags == "it en" and abs(second - change) <= NEAR)
    print(f"figure 4: the change is at {change}; " + ("found" if not wrong else f"missed in {wrong} of 3 draws"))
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
