"""Texts out of the folder of a crawl: one JSON line per page, its parts in the wanted language only, each page once.

    python examples/corpus_from_crawl.py CRAWL LANGUAGE OUT.jsonl [SHORTEST]

SHORTEST is the least number of characters in the wanted language (200).
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
from fastwarc.warc import ArchiveIterator

import dragoman
from dragoman.identifiers.text.document import read_page


def extract(folder: Path, language: str, target: Path, shortest: int = 200) -> Counter[str]:
    """Write the texts; what became of the pages comes back, counted."""
    counted, seen = Counter[str](), set[str]()
    columns = ["url", "final_url", "language", "relevant", "digest", "warc", "warc_offset"]
    with target.open("w", encoding="utf-8") as out:
        for row in pq.read_table(folder / "catalogue", columns=columns).to_pylist():
            if row["language"] != language or not row["relevant"] or row["warc"] is None:
                counted["not wanted"] += 1
            elif row["digest"] in seen:
                counted["the same page again"] += 1
            else:
                seen.add(row["digest"])
                with (folder / "warc" / row["warc"]).open("rb") as file:
                    file.seek(row["warc_offset"])
                    record = next(iter(ArchiveIterator(file)))
                    page = read_page(record.reader.read(), record.http_content_type, row["final_url"])
                spans = dragoman.track(page.text)
                text = "\n".join(page.text[one.start : one.end] for one in spans if one.language == language)
                counted["kept" if len(text) >= shortest else "too short"] += 1
                if len(text) >= shortest:
                    out.write(json.dumps({"url": row["url"], "text": text}, ensure_ascii=False) + "\n")
    return counted


if __name__ == "__main__":
    found = extract(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), *map(int, sys.argv[4:]))
    print(", ".join(f"{what} {count:,}" for what, count in found.most_common()))
