"""The gate by hand: what the model reaches beside its floors, and the floors raised.

python -m tests.gate                                what is reached; exit code 1 if anything is below its floor
python -m tests.gate --raise                        raise the floors to it, less a margin; none is ever lowered
python -m tests.gate --seen-by urls/train.parquet   note again which sites have no URL in the training data
python -m tests.gate --model PATH                   another model than the one that ships
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from tests.gate import floors, news_sites

from dragoman.identifiers.models import DEFAULT, open_model


def note_unseen(path: Path, train: Path) -> None:
    """Write the numbers of the rows whose sites have no URL in a table with the column `site`."""
    import pyarrow.parquet as pq

    seen = set(pq.read_table(train, columns=["site"]).column("site").unique().to_pylist())
    seen |= {site.removeprefix("www.") for site in seen}
    numbers = [row.number for row in news_sites.rows(path) if not row.hosts() & seen]
    content = {"list": news_sites.digest(path), "train": news_sites.digest(train), "rows": numbers}
    news_sites.UNSEEN.write_text(json.dumps(content) + "\n", encoding="utf-8")
    print(f"{len(numbers):,} of {len(news_sites.rows(path)):,} feeds are of sites without a URL in {train.name}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raise", action="store_true", dest="rise")
    parser.add_argument("--seen-by", type=Path, metavar="TRAIN.parquet")
    parser.add_argument("--model", default=DEFAULT)
    arguments = parser.parse_args()
    path = news_sites.database()
    if path is None:
        print(f"gate: the list of news sites is not installed: {news_sites.INSTALL}")
        return 1
    if arguments.seen_by:
        note_unseen(path, arguments.seen_by)
        return 0
    before = floors.kept()
    if before.list not in ("", news_sites.digest(path)):
        print(f"gate: the floors belong to another list of news sites: {news_sites.INSTALL}")
        return 1
    found = floors.figures(open_model(arguments.model), news_sites.sets_of(path))
    for name, one in found.items():
        floor = before.floors.get(name)
        print(f"{name:42} {one.value:.4f}  n {one.n:5,}  floor {'-' if floor is None else f'{floor:.4f}'}")
    low = floors.below(found, before.floors)
    for line in low:
        print(f"BELOW  {line}")
    if low:
        return 1
    if arguments.rise:
        after = floors.raised(found, before.floors)
        floors.keep(floors.Kept(news_sites.digest(path), after))
        risen = sum(after[name] > before.floors.get(name, 0.0) for name in after)
        print(f"gate: {risen} of {len(after)} floors raised")
    return 0


if __name__ == "__main__":
    sys.exit(main())
