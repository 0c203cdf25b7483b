"""A crawl folder that an earlier version wrote (format 2) is refused in one line, which names the remedy."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from dragoman.crawl.live.state.store import Store
from dragoman.crawl.live.state.targets import Target
from dragoman.errors import DragomanError

STORED = Path(__file__).parent / "data" / "crawl_of_format_2.sql"


def test_a_crawl_of_an_earlier_version_is_refused_and_stays_as_it_was(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "crawl.sqlite")) as database:
        database.executescript(STORED.read_text(encoding="utf-8"))
    with pytest.raises(
        DragomanError, match="another version of Dragoman: give a new folder with -o, and this one with --earlier"
    ):
        Store(tmp_path, Target(("th",), strategy="scout").identity())
    with closing(sqlite3.connect(tmp_path / "crawl.sqlite")) as database:
        assert database.execute("SELECT value FROM meta WHERE key = 'format'").fetchone()[0] == "2"
