"""Add the languages of URLs to a dataset of Hugging Face, a batch at a time, as Arrow.

pip install 'dragoman[bulk]' datasets
python examples/hugging_face.py IN.parquet OUT.parquet
"""

from __future__ import annotations

import sys
from typing import Any

import dragoman


def label(batch: Any) -> Any:
    """An Arrow table with two columns more; no Python object is made per row."""
    language, probability = dragoman.identify_column(batch["url"])
    return batch.append_column("language", language).append_column("probability", probability)


if __name__ == "__main__":
    import datasets

    rows: Any = datasets.Dataset.from_parquet(sys.argv[1])
    rows.with_format("arrow").map(label, batched=True, batch_size=100_000).to_parquet(sys.argv[2])
