from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.made_urls import ROWS_OF_ALL_KINDS as URLS

from dragoman import identify_column
from dragoman.errors import UsageError

pl: Any = pytest.importorskip("polars")
pytest.importorskip("dragoman.integrations.polars")


def both(**settings: Any) -> Any:
    return pl.col("url").dragoman.identify(**settings).struct.unnest()


def test_every_row_gets_the_answer_that_it_gets_without_polars() -> None:
    urls = URLS * 700
    frame = pl.DataFrame({"url": urls})
    language, probability = (column.to_pylist() for column in identify_column(urls))
    for found in (
        frame.with_columns(both()),
        frame.with_columns(both(threads=2)),
        frame.lazy().with_columns(both()).collect(engine="streaming"),
        frame.with_columns(
            language=pl.col("url").dragoman.language(), probability=pl.col("url").dragoman.probability()
        ),
    ):
        assert found.schema == {"url": pl.String, "language": pl.String, "probability": pl.Float32}
        assert found["language"].to_list() == language
        assert found["probability"].to_list() == probability
    assert language[:2] == ["de", None]


def test_chunks_slices_empty_frames_and_categories_work() -> None:
    part = pl.DataFrame({"url": URLS})
    chunked = pl.concat([part] * 3, rechunk=False)
    assert chunked["url"].n_chunks() == 3
    expected = part.select(pl.col("url").dragoman.language())["language"].to_list()
    assert chunked.select(both())["language"].to_list() == expected * 3
    assert chunked.slice(6, 3).select(both())["language"].to_list() == [*expected[6:], *expected[:2]]
    assert part.clear().select(both()).schema == {"language": pl.String, "probability": pl.Float32}
    coded = part.with_columns(pl.col("url").cast(pl.Categorical))
    assert coded.select(both())["language"].to_list() == expected
    assert pl.DataFrame({"url": [None, None]}).select(both())["language"].to_list() == [None, None]


def test_settings_reach_the_model_and_mistakes_are_told_at_once() -> None:
    frame = pl.DataFrame({"url": ["http://a.com/", "http://a.de/"]})
    assert frame.select(both(model="cctld"))["language"].to_list() == [None, "de"]
    found = frame.select(both(languages=["fr", "it"], threshold=0))["language"].to_list()
    assert set(found) <= {"fr", "it", None}
    with pytest.raises(UsageError, match="Unknown language"):
        pl.col("url").dragoman.language(languages="gibberish")
    with pytest.raises(Exception, match="text"):
        pl.DataFrame({"url": [1]}).select(both())


def test_files_stream_through_and_threads_share_the_model(tmp_path: Path) -> None:
    frame = pl.DataFrame({"url": URLS * 300})
    frame.write_parquet(tmp_path / "in.parquet")
    pl.scan_parquet(tmp_path / "in.parquet").with_columns(both()).sink_parquet(tmp_path / "out.parquet")
    expected = frame.with_columns(both())
    assert pl.read_parquet(tmp_path / "out.parquet").equals(expected)
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda _: frame.with_columns(both()).equals(expected), range(8)))
