"""Add `language` and `probability` to a Parquet file of URLs, a few thousand rows at a time, in constant memory.

    python examples/label_parquet.py IN.parquet OUT.parquet [COLUMN]

`dragoman url IN.parquet -o OUT.parquet` does the same; this is the way to do it inside a program of your own.
"""

from __future__ import annotations

import sys

import pyarrow as pa
import pyarrow.parquet as pq

import dragoman


def label(source: str, target: str, column: str = "url") -> int:
    """Write the labelled file; the number of rows comes back."""
    model = dragoman.load_model()
    rows, writer = 0, None
    with pq.ParquetFile(source) as file:
        for batch in file.iter_batches(batch_size=1 << 17):
            # Columns in, columns out: no Python object is made per URL.
            language, probability = dragoman.identify_column(batch.column(column), model, threads=2)
            table = pa.Table.from_batches([batch])
            table = table.append_column("language", language).append_column("probability", probability)
            writer = writer or pq.ParquetWriter(target, table.schema)
            writer.write_table(table)
            rows += len(table)
    if writer is not None:
        writer.close()
    return rows


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    print(f"{label(*sys.argv[1:]):,} rows labelled")
