"""What crawl folders left, by Spark: one catalogue of many crawls, and the URLs that still wait, scored anew.

A folder is one of `dragoman crawl`, by one process or many, wherever Spark reads Parquet. Its `catalogue` and its
`decisions` are complete once the crawl has ended or was stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from dragoman.columns import ByteColumn
from dragoman.crawl.live.driver.scoring import UrlScorer
from dragoman.errors import UsageError, need
from dragoman.identifiers.answer import choice
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.identifiers.url.identify import Model
from dragoman.integrations.spark.frames import content_in, model_in, parcel

#: What is told of each other answer.
_OTHERS = ("crawl", "url", "time", "status", "reason", "digest", "warc", "warc_offset", "warc_length")


def merge_catalogues(spark: Any, *folders: str) -> Any:
    """One row per page of many crawl folders, by the URL where redirects ended (`final_url`); the newest page wins.

    The columns are those of a catalogue and

    - `crawl`: the folder that the row is from, as an address;
    - `captures`: how many answers there are of this URL;
    - `last_time`, `last_status`, `last_reason`: of the newest answer, which may be none or say that it is unchanged;
    - `others`: the other answers, the newest first, with where they are in which archive.

    An answer with status 200 that is a page comes before one that says it is unchanged, and that before one that is no
    page, however new. Written to a folder `NAME/catalogue`, it can be given to `dragoman crawl --earlier NAME`, and be
    merged with later crawls. What is given twice counts once.
    """
    f = need("spark", "pyspark.sql.functions")
    answers = _tables(spark, folders, "catalogue")
    added = ("crawl", "captures", "last_time", "last_status", "last_reason", "others")
    columns = [*(name for name in answers.columns if name not in added), "crawl"]
    page = "CASE WHEN reason IS NOT NULL THEN 0 WHEN status = 200 THEN 2 ELSE 1 END"
    # the rest of the key makes the choice the same in every run
    ranked = f.expr(f"struct(struct({page}, time, crawl, url) AS key, struct({', '.join(columns)}) AS answer)")
    captures = f.expr(f"collect_set(struct({', '.join(_OTHERS)}))")
    if "others" in answers.columns:  # it was merged before
        captures = f.array_distinct(f.concat(captures, f.flatten(f.collect_list("others"))))
    groups = answers.groupBy("final_url").agg(f.max(ranked).alias("best"), captures.alias("every"))
    last = "struct(one.time AS last_time, one.status AS last_status, one.reason AS last_reason)"
    groups = groups.withColumn("last", f.expr(f"array_max(transform(every, one -> {last}))"))
    return groups.selectExpr(
        *(f"best.answer.{name}" for name in columns),
        "size(every) AS captures",
        "last.*",
        "array_sort(filter(every, one -> (one.crawl, one.url, one.time) != (best.answer.crawl, best.answer.url, "
        "best.answer.time)), (a, b) -> CASE WHEN a.time > b.time THEN -1 WHEN a.time < b.time THEN 1 ELSE 0 END) "
        "AS others",
    )


def waiting_urls(spark: Any, *folders: str) -> Any:
    """The URLs that crawl folders know and never asked for: `url`, `links`, `priority`, `reason`.

    `links` is how many links led there. `priority` and `reason` are those of the decision that was most in favour; a
    URL that was always rejected has the priority null. What one of the folders asked for waits in none: give the
    earlier crawls along with those that went on after them.
    """
    f = need("spark", "pyspark.sql.functions")
    asked = _tables(spark, folders, "catalogue").selectExpr("explode(array(url, final_url)) AS url").distinct()
    links = _tables(spark, folders, "decisions").join(asked, "url", "left_anti")
    # null comes before every number
    best = f.max(f.expr("struct(priority, reason)")).alias("best")
    return links.groupBy("url").agg(f.count("page").alias("links"), best).selectExpr("url", "links", "best.*")


def rescore(urls: Any, languages: str | Iterable[str], model: Model = DEFAULT, column: str = "url") -> Any:
    """The data frame with `score` and `guess`, the best first: URLs as a crawl for these languages would see them.

    `score` is what the URL model says for the wanted languages, in log-odds (0: even, or nothing to say), and `guess`
    is the likeliest language. As Parquet it can be given to `dragoman crawl --seeds`, with the same `--model`.
    """
    types = need("spark", "pyspark.sql.types")
    if column not in urls.columns:
        raise UsageError(f"The data frame has no column '{column}' to read; its columns: {', '.join(urls.columns)}")
    opened = open_url_model(model)
    wanted = choice(opened, languages) or ()
    urls = urls.drop("score", "guess")
    added = [types.StructField("score", types.FloatType()), types.StructField("guess", types.StringType())]
    schema = types.StructType([*urls.schema.fields, *added])
    scored = urls.mapInArrow(_scorer(parcel(urls, opened), column, tuple(wanted)), schema)
    return scored.orderBy(scored["score"].desc(), scored[column])


def _scorer(model: Any, column: str, languages: tuple[str, ...]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def score(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        scorer = UrlScorer(languages, model_in(content_in(model)))
        names = pa.array(scorer.names, pa.string())
        for batch in batches:
            odds, best = scorer.columns(ByteColumn.of(batch.column(column)))
            guess = names.take(pa.array(best, pa.int64(), mask=best < 0))
            yield pa.RecordBatch.from_arrays(
                [*batch.columns, pa.array(odds), guess], names=[*batch.schema.names, "score", "guess"]
            )

    return score


def _tables(spark: Any, folders: tuple[str, ...], name: str) -> Any:
    """The rows of a table of all folders, and the folder that each is from as `crawl`."""
    if not folders:
        raise UsageError("There is no crawl to read: give one folder or more")
    paths = [f"{folder.rstrip('/')}/{name}" for folder in folders]
    try:
        rows = spark.read.option("mergeSchema", True).parquet(*paths)
    except need("spark", "pyspark.errors").AnalysisException as error:
        message = str(error).partition("\n")[0]
        raise UsageError(f"No {name} to read, which a crawl has once it has ended or was stopped: {message}") from error
    folder = f"regexp_replace(_metadata.file_path, '/{name}/[^/]*$', '')"
    if "crawl" in rows.columns:
        folder = f"coalesce(crawl, {folder})"
    return rows.selectExpr(*(column for column in rows.columns if column != "crawl"), f"{folder} AS crawl")
