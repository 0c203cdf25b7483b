"""Seeds and known sites as tables: what Spark and others write is read as the lines of a text are."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dragoman.crawl.live.state.targets import KnownSite, lines_of, read_known_sites, read_seeds
from dragoman.errors import BadTable, UsageError

SEEDS, SITES = ("url", "language"), ("site", "language", "share")


def test_a_table_or_a_folder_of_parts_says_what_lines_say(tmp_path: Path) -> None:
    folder = tmp_path / "seeds"
    folder.mkdir()
    (folder / "_SUCCESS").touch()
    parts = [{"url": ["http://b.de"], "language": ["de"]}, {"url": ["http://a.de", None], "score": [1.0, 2.0]}]
    for number, part in enumerate(parts):
        pq.write_table(pa.table(part), folder / f"part-{number}.parquet")
    (tmp_path / "seeds.txt").write_text("http://b.de\tde\nhttp://a.de\n", encoding="utf-8")
    seeds = [read_seeds(lines_of(tmp_path / name, SEEDS), name) for name in ("seeds", "seeds.txt")]
    assert seeds[0] == seeds[1] == {"http://b.de/": "de", "http://a.de/": None}
    assert list(seeds[0]) == list(seeds[1])
    table = pa.table({"share": [0.5, None], "site": ["a.de", "a.de/th"], "language": ["tha", "th"], "pages": [3, 4]})
    pq.write_table(table, tmp_path / "sites.parquet")
    assert read_known_sites(lines_of(tmp_path / "sites.parquet", SITES), "sites", ["th"]) == [
        KnownSite("a.de", None, 0.5),
        KnownSite("a.de", "a.de/th", 1.0),
    ]


def test_what_is_no_such_table_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    (tmp_path / "latin.txt").write_bytes(b"\xff\xfe")
    pq.write_table(pa.table({"address": ["http://a.de/"]}), tmp_path / "other.parquet")
    for name, columns, said in (
        ("empty", SEEDS, "has no Parquet files: give a file, or a folder"),
        ("broken.parquet", SEEDS, "is not Parquet, or damaged"),
        ("other.parquet", SITES, "has no column 'site'; its columns: address"),
        ("latin.txt", SITES, "no text in UTF-8: give a file with one site per line"),
        ("latin.txt", SEEDS, "no text in UTF-8: give a file with one URL per line"),
    ):
        with pytest.raises((UsageError, BadTable), match=said):
            list(lines_of(tmp_path / name, columns))
