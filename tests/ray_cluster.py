"""A Ray cluster of three nodes on this machine, for tests: it listens on loopback only."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NODES = 3


@contextmanager
def ray_cluster(cpus: int = 2) -> Iterator[Any]:
    """Nodes that play machines, with so many processors each; the test is skipped where Ray is not installed."""
    os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"  # before the import: else it listens on all addresses
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 (Ray's name); else whatever else is at work here goes first
    ray = pytest.importorskip("ray", reason="the extra cluster is not installed")
    from ray import cluster_utils

    node: dict[str, Any] = {"num_cpus": cpus, "node_ip_address": "127.0.0.1", "object_store_memory": 80_000_000}
    cluster: Any = cluster_utils.Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        for _ in range(NODES - 1):
            cluster.add_node(**node)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        yield cluster
    finally:
        ray.shutdown()
        cluster.shutdown()
