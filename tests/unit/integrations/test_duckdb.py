from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.made_urls import ROWS_OF_ALL_KINDS as URLS

from dragoman import identify_column
from dragoman.errors import UsageError
from dragoman.integrations.duckdb import register

duckdb: Any = pytest.importorskip("duckdb")

BOTH = "select dragoman_language(url) as language, dragoman_probability(url) as probability"


@pytest.fixture
def con() -> Iterator[Any]:
    with duckdb.connect() as opened:
        yield opened


def fill(con: Any, urls: list[str | None]) -> None:
    held = pa.table({"id": range(len(urls)), "url": pa.array(urls, pa.string())})
    con.register("held", held)
    con.execute("create table urls as select * from held")


def test_every_row_gets_the_answer_that_it_gets_without_duckdb(con: Any) -> None:
    urls = URLS * 700
    fill(con, urls)
    register(con)
    found = con.execute(f"{BOTH}, dragoman(url) as both from urls order by id").fetchall()
    language, probability = (column.to_pylist() for column in identify_column(urls))
    assert [row[0] for row in found] == language
    assert [row[1] for row in found] == probability
    assert found[0][2] == {"language": "de", "probability": probability[0]}
    assert found[1][:2] == (None, None)


def test_asking_for_both_scores_each_url_once(con: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = [0]

    def counted(*_: object) -> Any:
        def answer(urls: Any) -> Any:
            seen[0] += len(urls)
            columns = [pa.nulls(len(urls), pa.string()), pa.nulls(len(urls), pa.float32())]
            return pa.StructArray.from_arrays(columns, ["language", "probability"])

        return answer

    monkeypatch.setattr("dragoman.integrations.duckdb.answering", counted)
    fill(con, ["http://a.de/"] * 5000)
    register(con, "cctld")
    con.execute(f"{BOTH} from urls").fetchall()
    assert 5000 <= seen[0] <= 5002


def test_filters_groups_and_empty_tables_work(con: Any) -> None:
    fill(con, URLS)
    register(con, languages=["de", "fr"], threshold=0)
    query = "select dragoman_language(url) l, count(*) from urls where dragoman_language(url) is not null group by l"
    assert {row[0] for row in con.execute(query).fetchall()} <= {"de", "fr"}
    assert con.execute(f"{BOTH} from urls where false").fetchall() == []
    assert con.execute("select dragoman_language(null)").fetchall() == [(None,)]


def test_registering_again_replaces_and_other_names_stay(con: Any) -> None:
    register(con, "cctld")
    register(con, "cctld")
    register(con, "cctld-plus", name="plus")
    query = "select dragoman_language('http://a.com/'), plus_language('http://a.com/')"
    assert con.execute(query).fetchall() == [(None, "en")]
    register(con, "cctld-plus")
    assert con.execute(query).fetchall() == [("en", "en")]


def test_cursors_of_several_threads_get_the_same_answers(con: Any) -> None:
    fill(con, URLS * 500)
    register(con)
    expected = con.execute(f"{BOTH} from urls order by id").fetchall()

    def ask(_: int) -> bool:
        with con.cursor() as cursor:
            register(cursor)
            return bool(cursor.execute(f"{BOTH} from urls order by id").fetchall() == expected)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(8)))


def test_nothing_is_written_to_a_database(tmp_path: Path) -> None:
    path = str(tmp_path / "a.duckdb")
    with duckdb.connect(path) as con:
        con.execute("create table urls as select 'http://a.de/' as url")
    with duckdb.connect(path, read_only=True) as con:
        register(con, "cctld")
        assert con.execute("select dragoman_language(url) from urls").fetchall() == [("de",)]
    with duckdb.connect(path) as con, pytest.raises(duckdb.CatalogException):
        con.execute("select dragoman_language(url) from urls")


def test_mistakes_are_told_at_once(con: Any) -> None:
    with pytest.raises(UsageError, match="Unknown model"):
        register(con, "nonesuch")
    with pytest.raises(UsageError, match="Unknown language"):
        register(con, languages="gibberish")
    with pytest.raises(UsageError, match="cannot name a function"):
        register(con, name="a; drop table urls")
