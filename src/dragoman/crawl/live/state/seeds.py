"""What a crawl is given to begin with, as its store keeps it, and what is given when it goes on."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from dragoman.crawl.live.state.store import Store
from dragoman.crawl.live.state.targets import KnownSite
from dragoman.types import Language


def keep_seeds(
    store: Store, seeds: Mapping[str, int], promised: Mapping[str, Language], sites: Sequence[KnownSite]
) -> None:
    """Keep the numbers of the seeds of a new crawl, the languages that some are said to be in, and known sites."""
    store.set("seeds", list(seeds.values()))
    store.set("promised", {index: promised[url] for index, url in enumerate(seeds) if url in promised})
    store.set("known_sites", [_numbered(store, site) for site in sites])
    store.set("began", time.time())
    store.commit()


def _numbered(store: Store, site: KnownSite) -> tuple[int, int | None, float]:
    directory = None if site.directory is None else store.directory_number(site.directory)
    return store.server_number(site.host), directory, site.share


def new_seeds(store: Store, keys: Sequence[int]) -> list[int]:
    """Those of the seeds which the crawl was never given before. Kept as given from now on, but not committed yet."""
    more: list[int] = store.get("more_seeds", [])
    before = {*store.get("seeds"), *more}
    new = [key for key in keys if key not in before]
    if new:
        store.set("more_seeds", more + new)
    return new
