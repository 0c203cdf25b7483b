"""Add the languages of URLs to a Dask data frame, partition by partition.

pip install 'dragoman[bulk]' 'dask[dataframe]'
python examples/dask_frame.py IN.parquet OUT_FOLDER
"""

from __future__ import annotations

import sys
from typing import Any

import pyarrow as pa

import dragoman


def label(part: Any) -> Any:
    """A data frame of pandas with two columns more."""
    language, probability = dragoman.identify_column(pa.array(part["url"], from_pandas=True))
    return part.assign(language=language.to_pandas(), probability=probability.to_pandas())


if __name__ == "__main__":
    import dask.dataframe as dd

    meta = {"url": "string", "language": "string", "probability": "float32"}
    dd.read_parquet(sys.argv[1], columns=["url"]).map_partitions(label, meta=meta).to_parquet(sys.argv[2])
