"""`dragoman crawl --cluster`: the same crawl on the machines of a Ray cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from dragoman.cli.crawl import conclude
from dragoman.errors import UsageError, need
from dragoman.files import is_remote

#: Shards for each worker, where nobody says how many there are to be.
SHARDS = 8


def crawl_on_cluster(output: str, options: dict[str, Any], arguments: dict[str, Any]) -> None:
    """Crawl with the workers of a cluster, to the end or until somebody stops it."""
    from dragoman.crawl.live.cluster.shards import Shard
    from dragoman.crawl.strategies import STRATEGIES, LinkStrategy

    need("cluster", "ray")
    from dragoman.crawl.live.cluster.cluster import ClusterCrawl, read_state
    from dragoman.crawl.live.cluster.job import ClusterJob

    if arguments.pop("earlier"):
        raise UsageError("--earlier and --cluster do not go together: give the earlier crawl's URLs as --seeds")
    arguments.pop("revisit"), arguments.pop("revisit_chance")
    shards = options["shards"] or read_state(output).get("shards") or SHARDS * (options["workers"] or 1)
    Shard(0, shards)
    target = arguments.pop("target")
    if shards > 1 and STRATEGIES[target.strategy].receive is LinkStrategy.receive:
        raise UsageError(f"'{target.strategy}' cannot crawl in shards: give --shards 1 or another strategy")
    arguments["most_waiting"] = max(1, arguments["most_waiting"] // shards)
    folder = output if is_remote(output) else str(Path(output).absolute())
    job = ClusterJob(
        folder, shards, target, arguments.pop("seeds"), arguments.pop("manners"), arguments.pop("budget"), arguments,
    )  # fmt: skip
    crawl = ClusterCrawl(job, options["cluster"], options["workers"])
    if crawl.resumed:
        click.echo(f"Resumed: a crawl of {shards} shards", err=True)
    progress = crawl.run()
    for line in crawl.notes:
        click.echo(line, err=True)
    conclude(progress, f"; {shards} shards in {output}")
