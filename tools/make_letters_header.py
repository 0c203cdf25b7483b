"""Prints src/dragoman/kernels/letters.h: which code points are letters, and their lower case, as ranges.

    python tools/make_letters_header.py > src/dragoman/kernels/letters.h

The table is fixed (Unicode 14, what Python 3.11 knows), so that a model reads a URL the same way under every
Python. Letters are the categories L and M: without the marks, words in Thai or Hindi would fall apart.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence


def is_letter(point: int) -> bool:
    """True for letters and for the marks that belong to them."""
    return unicodedata.category(chr(point))[0] in "LM"


def letters() -> list[tuple[int, int]]:
    """The runs (first, last) of neighbouring letters."""
    runs: list[tuple[int, int]] = []
    for point in filter(is_letter, range(sys.maxunicode + 1)):
        if runs and runs[-1][1] == point - 1:
            runs[-1] = (runs[-1][0], point)
        else:
            runs.append((point, point))
    return runs


def cases() -> list[tuple[int, int, int, int]]:
    """The runs (first, last, step, shift) of capitals: every step-th of first..last lowers to itself + shift."""
    runs: list[tuple[int, int, int, int]] = []
    for point in filter(is_letter, range(sys.maxunicode + 1)):
        shift = ord(chr(point).lower()[0]) - point
        if shift == 0:
            continue
        if runs:
            first, last, step, before = runs[-1]
            gap = point - last
            if shift == before and gap in ((1, 2) if first == last else (step,)):
                runs[-1] = (first, point, gap, shift)
                continue
        runs.append((point, point, 1, shift))
    return runs


def show(declaration: str, rows: Sequence[tuple[int, ...]]) -> None:
    """Print one C array."""
    print(declaration + " = {")
    cells = ["{" + ", ".join(map(str, row)) + "}," for row in rows]
    for start in range(0, len(cells), 6):
        print("    " + " ".join(cells[start : start + 6]))
    print("};")


def main() -> None:
    """Print the header."""
    print(f"/* Written by tools/make_letters_header.py from Unicode {unicodedata.unidata_version}. */")
    show("static const uint32_t LETTER_RUNS[][2]", letters())
    print("/* first, last, step, shift to the lower case */")
    show("static const int32_t CASE_RUNS[][4]", cases())


if __name__ == "__main__":
    main()
