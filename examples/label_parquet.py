"""Add `language` and `probability` to a Parquet file of URLs, in constant memory.

    python examples/label_parquet.py IN.parquet OUT.parquet [COLUMN]

`dragoman url IN.parquet -o OUT.parquet` does the same; this is the way to do it inside a program of your own. The file
may as well be CSV, TSV or JSON lines, and its column may hold texts or pages (`holds="texts"`, `holds="html"`).
"""

from __future__ import annotations

import sys

import dragoman

if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    counts = dragoman.label_file(*sys.argv[1:], threads=2)
    print(f"{counts.rows:,} rows labelled")
