"""Spark for real, on a cluster of two executors with a Python process each, where there are PySpark and Java."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.made_index import COLUMNS, index_table, part_name, write_part
from tests.spark_session import SETTINGS, need_spark, spark_session

from dragoman import identify_column
from dragoman.errors import BadTable, UsageError
from dragoman.integrations.spark import frames as ours
from dragoman.integrations.spark.files import label_files
from dragoman.integrations.spark.runs import SETTINGS as NOTED
from dragoman.integrations.spark.submit import main

pyspark = need_spark()
F = pytest.importorskip("pyspark.sql.functions")
pytestmark = pytest.mark.filterwarnings("ignore")

SCRIPT = Path(__file__).resolve().parents[3] / "examples" / "label_common_crawl.py"
URLS = [
    b"http://www.beispiel.de/wetter/garten",
    None,
    b"",
    b"mailto:a@example.org",
    b"http://www.exemple.fr/recettes/cuisine",
    b"http://[::1",
    b"http://www.exemple.fr/fran\xe7ais/\xff\xfe",
    b"\x00\xed\x9f\xbf http:// ///",
    b"https://www.ejemplo.es/noticias/" + b"a" * 5000,
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of Spark's that may be written to: executors of a local cluster leave their logs there."""
    path = tmp_path_factory.mktemp("spark")
    for name in ("bin", "jars", "python"):
        (path / name).symlink_to(Path(pyspark.__file__).parent / name)
    return path


@pytest.fixture(scope="module")
def session(home: Path) -> Iterator[Any]:
    with spark_session("local-cluster[2,1,512]", home) as found:
        yield found


def as_text(rows: list[bytes | None]) -> Any:
    """A column of text that holds bytes which are no UTF-8, as files of careless writers do."""
    column = pa.array(rows, pa.binary())
    return pa.Array.from_buffers(pa.string(), len(column), column.buffers(), column.null_count)


def test_every_row_gets_the_answer_that_it_gets_without_spark(session: Any, tmp_path: Path) -> None:
    urls = as_text(URLS * 100)
    table = pa.table({"id": range(len(urls)), "url": urls})
    for number in range(2):
        pq.write_table(table.slice(number * 450, 450), tmp_path / f"{number}.parquet")
    ours.identify(session.read.parquet(str(tmp_path))).write.parquet(str(tmp_path / "out"))
    found = pq.read_table(tmp_path / "out").sort_by("id")
    assert found.column_names == ["id", "url", "language", "probability"]
    assert found["url"].cast(pa.binary()).to_pylist() == URLS * 100
    language, probability = (column.to_pylist() for column in identify_column(urls))
    assert (found["language"].to_pylist(), found["probability"].to_pylist()) == (language, probability)
    assert (language[0], language[1], language[6]) == ("de", None, "fr")
    raw = session.read.parquet(str(tmp_path / "0.parquet")).selectExpr("id", "cast(url as binary) as url")
    assert dict(ours.identify(raw).select("id", "language").collect()) == dict(enumerate(language[:450]))


def test_each_process_opens_the_model_once_for_all_its_batches(session: Any) -> None:
    df = session.range(4000, numPartitions=4).selectExpr("concat('http://a', id, '.de/') as url")
    labelled = ours.identify(df, model="cctld-plus")
    for _ in range(2):
        assert labelled.where("language = 'de'").count() == 4000

    def census(batches: Iterator[Any]) -> Iterator[Any]:
        for _ in batches:
            pass
        info = ours._answering.cache_info()
        row = {"executor": [os.getppid()], "process": [os.getpid()], "opened": [info.misses], "asked": [info.hits]}
        yield pa.RecordBatch.from_pydict(row)

    # with a barrier, both tasks run at once, so one in each process
    kinds = "executor long, process long, opened long, asked long"
    rows = session.range(2, numPartitions=2).mapInArrow(census, kinds, barrier=True).collect()
    assert len({row["executor"] for row in rows}) == len({row["process"] for row in rows}) == 2
    # two models so far; eight tasks of ten batches each have asked for the second
    assert max(row["opened"] for row in rows) <= 2
    assert sum(row["opened"] + row["asked"] for row in rows) >= 8
    assert ours.broadcast.cache_info().misses <= 2


def test_the_model_and_the_languages_that_were_given_are_used(session: Any) -> None:
    df = session.range(40).selectExpr("concat('http://a', id, '.es/') as url")
    labelled = ours.identify(df, model="cctld", languages=["es", "de"])
    assert {row["language"] for row in labelled.collect()} == {"es"}
    empty = ours.identify(df.limit(0), model="cctld")
    assert empty.collect() == []
    assert [field.simpleString() for field in empty.schema.fields] == [
        "url:string",
        "language:string",
        "probability:float",
    ]


def test_mistakes_are_told_before_anything_runs(session: Any) -> None:
    df = session.createDataFrame([("http://a.de/", 1)], "url string, language int")
    with pytest.raises(UsageError, match="already: rename it"):
        ours.identify(df)
    with pytest.raises(UsageError, match="no column 'address'"):
        ours.identify(df, "address", replace=True)
    with pytest.raises(UsageError, match="holds int, not text"):
        ours.identify(df.withColumnRenamed("language", "n"), "n")
    with pytest.raises(UsageError, match="Unknown language"):
        ours.identify(df, languages="gibberish", replace=True)
    assert ours.identify(df, replace=True).collect()[0]["language"] == "de"


def captures(number: int) -> list[tuple[str | None, str | None, int]]:
    texts = [url.decode("utf-8", "replace") if url is not None else None for url in URLS]
    made = [(f"http://www.beispiel{number}-{i}.de/garten", "deu,eng", 200) for i in range(100)]
    return [*((url, None, 404) for url in texts), *made]


@pytest.mark.slow
def test_an_index_is_labelled_by_partition_and_a_killed_run_is_taken_up(
    session: Any, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target, parts = tmp_path / "index", tmp_path / "out", 4
    for number in range(parts):
        write_part(index_table(captures(number), str(number)), source, number)
    flags = [f"--conf={name}={value}" for name, value in SETTINGS.items() if not name.endswith("memory")]
    command = [str(home / "bin" / "spark-submit"), "--master", "local[1]", "--driver-memory", "512m", *flags,
               str(SCRIPT), str(source), str(target), "--at-once", "1"]  # fmt: skip
    # spark-submit says on stdout what the script says on stderr
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as run:
        assert run.stdout is not None
        for line in run.stdout:
            if line.startswith("dragoman: crawl="):  # the first file is done, the second has been begun
                os.killpg(run.pid, signal.SIGKILL)
    assert run.returncode == -signal.SIGKILL
    done = [path.parent for path in target.rglob("_SUCCESS")]
    assert 1 <= len(done) < parts
    kept = {path: path.stat().st_mtime_ns for folder in done for path in folder.iterdir()}
    half = target / part_name(parts - 1).removesuffix(".parquet")  # as a run leaves it that dies while it renames
    (half / "_temporary").mkdir(parents=True, exist_ok=True)
    pq.write_table(index_table(captures(0)), half / "part-00000.snappy.parquet")

    assert main([str(source), str(target)]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"dragoman: 4 files, {len(done)} of them done already"
    assert lines[-1] == f"dragoman: {parts - len(done)} files labelled"
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    order = [("warc_segment", "ascending"), ("warc_record_offset", "ascending")]
    found, given = (pq.read_table(path, partitioning="hive").sort_by(order) for path in (target, source))
    assert set(found.column_names) == {*COLUMNS, "language", "probability", "crawl", "subset"}
    assert found.select([*COLUMNS, "crawl", "subset"]).to_pylist() == given.to_pylist()
    assert found["language"].to_pylist() == identify_column(given["url"])[0].to_pylist()
    assert ours.label_index(session, str(source), str(target)) == 0
    assert main([str(source), str(target), "--languages", "de"]) == 2
    assert "begun with other settings (languages): give another folder" in capsys.readouterr().err


def test_a_damaged_part_is_told_and_stops_no_other(session: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "index", str(tmp_path / "out")
    write_part(index_table(captures(0)), source, 1)
    (source / part_name(0)).write_bytes(b"PAR1 and no more PAR1")
    told: list[str] = []
    keep = ["url", "content_languages"]
    with pytest.raises(BadTable, match=r"part-00000.* could not be labelled; the same call again"):
        ours.label_index(session, str(source), target, columns=keep, at_once=1, say=told.append)
    assert " failed: " in told[1]
    assert told[2] == part_name(1)
    found = pq.read_table(target, partitioning="hive")
    assert found.column_names == [*keep, "language", "probability", "crawl", "subset"]
    assert len(found) == len(captures(0))
    for columns, said in ((["url", "gone"], "no column 'gone'"), (["content_languages"], "no column 'url' to read")):
        with pytest.raises(UsageError, match=said):
            ours.label_index(
                session, str(source / part_name(1)).rpartition("/")[0], str(tmp_path / said), columns=columns
            )
    with pytest.raises(BadTable, match="no Parquet files"):
        ours.label_index(session, str(tmp_path / "nothing"), target)


def test_files_are_labelled_as_they_are_without_spark(
    session: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = tmp_path / "in", tmp_path / "out"
    urls = as_text(URLS * 100)
    table = pa.table({"id": range(len(urls)), "url": urls, "more": [{"a": [n]} for n in range(len(urls))]})
    plain, replaced, empty = "day=1/plain.parquet", "day=1/replaced.parquet", "day=2/empty.parquet"
    for name, one in {
        plain: table,
        replaced: table.append_column("language", table["id"]),
        empty: table.slice(0, 0),
    }.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(one, source / name, row_group_size=250)
    # Spark believes what it noted in its own files: it must find the new columns there too
    session.read.parquet(str(source / plain)).withColumn("language", F.lit(1)).write.parquet(str(source / "day=3"))
    session.read.parquet(str(source / plain)).coalesce(1).write.parquet(str(source / "day=4"))
    (source / "_temporary").mkdir()
    (source / "_temporary" / "left.parquet").write_bytes(b"half of it")
    assert main(["--by-file", str(source), str(target)]) == 0
    names = sorted(path.relative_to(source).as_posix() for path in source.glob("day=*/*.parquet"))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"dragoman: {len(names)} files, 0 of them done already"
    assert sorted(lines[1:-1]) == [f"dragoman: {name}" for name in names]
    assert sorted(path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()) == [
        NOTED, *names]  # fmt: skip

    language, probability = identify_column(urls)
    for name in names:
        found, rows = pq.read_table(target / name, partitioning=None), 0 if name == empty else len(urls)
        assert found.column_names == ["id", "url", "more", "language", "probability"]
        assert found.schema.types[3:] == [pa.string(), pa.float32()]
        assert found.select([0, 1, 2]).cast(table.schema).equals(table.slice(0, rows))
        assert found["language"].to_pylist() == language.to_pylist()[:rows]
        assert found["probability"].to_pylist() == probability.to_pylist()[:rows]
    for name in names:
        read = session.read.parquet(str(target / name))
        assert [field.simpleString() for field in read.schema][3:] == ["language:string", "probability:float"]
    answers = session.read.parquet(str(target)).groupBy("language").count().collect()
    assert {row["language"]: row["count"] for row in answers} == {
        tag: 4 * language.to_pylist().count(tag) for tag in set(language.to_pylist())
    }


def test_files_that_are_done_are_passed_over_and_bad_ones_stop_no_other(session: Any, tmp_path: Path) -> None:
    source, target = tmp_path / "index", tmp_path / "out"
    for number in (1, 2):
        write_part(index_table(captures(number)), source, number)
    broken = source / part_name(0)
    broken.write_bytes(b"PAR1 and no more PAR1")
    (source / "other.parquet").parent.mkdir(exist_ok=True)
    pq.write_table(pa.table({"address": ["http://a.de/"], "content_languages": [""]}), source / "other.parquet")
    told: list[str] = []
    keep = ["content_languages", "fetch_time", "url"]

    def again(source: Path | str, target: Path | str, **more: Any) -> int:
        settings: dict[str, Any] = {"columns": keep, "languages": ["de", "fr"], "threshold": 0.5} | more
        return label_files(session, str(source), str(target), say=told.append, **settings)

    with pytest.raises(BadTable, match=r"part-00000.*' and 1 more could not be labelled; the same call again"):
        # local:// is the disk, by way of fsspec
        again(f"local://{source}", f"local://{target}")
    assert told[0] == "4 files, 0 of them done already"
    failed = {line.partition(" failed: ")[0]: line for line in told if " failed: " in line}
    assert set(failed) == {part_name(0), "other.parquet"}
    assert "is not Parquet, or damaged" in failed[part_name(0)]
    assert "no column 'url'; its columns: address" in failed["other.parquet"]
    files = {path.relative_to(target).as_posix() for path in target.rglob("*") if path.is_file()}
    assert files == {NOTED, part_name(1), part_name(2)}
    kept = {path: path.stat().st_mtime_ns for path in target.rglob("*.parquet")}
    (target / part_name(0)).with_name(f".{broken.name}.1234.part").write_bytes(b"as a run leaves it that is killed")

    write_part(index_table(captures(0)), source, 0)
    (source / "other.parquet").unlink()
    assert again(source, target, at_once=1) == 1
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert not list(target.rglob(".*"))
    assert again(source, target) == 0
    found = pq.ParquetFile(target / part_name(0))
    assert found.schema_arrow.names == [*keep, "language", "probability"]
    assert found.schema.column(1).physical_type == "INT96"  # what Spark writes, and reads again
    given = index_table(captures(0))
    assert found.read()["fetch_time"].cast(pa.timestamp("us")).equals(given["fetch_time"])
    expected = identify_column(given["url"], languages=["de", "fr"], threshold=0.5)
    assert found.read()["language"].to_pylist() == expected[0].to_pylist()

    for wrong, said in (
        ({"languages": "de"}, r"begun with other settings \(languages\)"),
        ({"columns": ["content_languages"]}, "no column 'url' to read"),
        ({"at_once": 0}, "0 files at once are none"),
    ):
        with pytest.raises(UsageError, match=said):
            again(source, target, **wrong)
    assert again(source, target, languages="fr, de", columns=",".join(keep)) == 0  # the same, written otherwise
    with pytest.raises(UsageError, match=r"begun with other settings \(way\)"):
        ours.label_index(session, str(source), str(target), columns=keep, languages=["de", "fr"], threshold=0.5)
    with pytest.raises(UsageError, match="lies in"):
        again(source, source / "out")
    (tmp_path / "link").symlink_to(source)
    with pytest.raises(UsageError, match="lies in"):
        again(source, tmp_path / "link" / ".." / source.name / "out")
    with pytest.raises(UsageError, match="Cannot write to"):
        again(source, target / part_name(0))
    begun = tmp_path / "mistaken"
    for column, done in (("address", None), ("url", 3)):  # a first call that wrote nothing binds nobody
        if done is None:
            with pytest.raises(BadTable, match="could not be labelled"):
                label_files(session, source, begun, column)
        else:
            assert label_files(session, source, begun, column) == done
    assert label_files(session, source / part_name(0), tmp_path / "single") == 1
    assert [path.name for path in (tmp_path / "single").glob("*.parquet")] == [Path(part_name(0)).name]
    with pytest.raises(BadTable, match="no Parquet files"):
        again(tmp_path / "nothing", tmp_path / "more")


def test_a_session_of_spark_connect_has_no_context_and_gets_the_model_with_each_task() -> None:
    class Connected:
        """As pyspark 3.5 answers there; later versions raise AttributeError."""

        @property
        def sparkContext(self) -> Any:  # noqa: N802
            raise NotImplementedError

    assert ours._context(Connected()) is None
    assert ours._context(object()) is None
