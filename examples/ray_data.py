"""Add the languages of URLs to a Ray dataset, on every worker, as Arrow.

pip install 'dragoman[bulk]' 'ray[data]'
python examples/ray_data.py IN.parquet OUT_FOLDER
"""

from __future__ import annotations

import sys
from typing import Any

import dragoman


def label(batch: Any) -> Any:
    """An Arrow table with two columns more; a worker opens the model once and keeps it."""
    language, probability = dragoman.identify_column(batch["url"])
    return batch.append_column("language", language).append_column("probability", probability)


if __name__ == "__main__":
    import ray

    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
    ray.data.read_parquet(sys.argv[1]).map_batches(label, batch_format="pyarrow").write_parquet(sys.argv[2])
