"""Which sites are in which language, by Spark: what a crawl is to know before it begins, and where it begins.

`site_counts` counts pages (dragoman.integrations.spark.pages, or any data frame of `url` and `language`) by server,
first directory and language: the only pass over all rows. Of the counts come `known_sites` and `seeds`, which `dragoman
crawl` reads as Parquet.

Rows travel as Arrow batches and come back counted. A URL is read as dragoman.web.addresses reads it: the usual ones in
one look at a whole column, so that Python sees only the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from dragoman.columns import LANGUAGE, text_of
from dragoman.errors import UsageError, need
from dragoman.languages import find, parse_list
from dragoman.web.addresses import MOST, server_and_directory

_COUNTS = f"server string, directory string, {LANGUAGE} string, pages bigint, https boolean"
#: Server and first directory of the usual URLs, as Arrow names groups.
_USUAL = "^" + MOST.pattern.replace("(", "(?P<server>", 1).replace("([^", "(?P<name>[^")
_HTTP = re.compile(r"\s*https?://", re.IGNORECASE)
_SERVER = re.compile(r"(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?")
#: What stands in a path as it is.
_AS_IT_IS = "".join(map(chr, range(33, 127)))


def site_counts(pages: Any, column: str = "url", language: str = LANGUAGE) -> Any:
    """How many pages of each server and first directory are in which language, from a data frame of pages.

    Columns: `server`, `directory` (`a.example/th`; `a.example/` is the root), `language` (a tag; null: not known),
    `pages`, `https` (some of them are fetched by https). Languages may be any codes or names. URLs of other schemes,
    and hosts without a dot, are left out. Counts can be kept as Parquet, and those of several sources be joined by
    `union`.
    """
    for name in (column, language):
        if name not in pages.columns:
            raise UsageError(f"The data frame has no column '{name}' to read; its columns: {', '.join(pages.columns)}")
    counted = pages.select(pages[column].cast("string"), pages[language].cast("string")).mapInArrow(_count, _COUNTS)
    return _summed(counted, "server", "directory", LANGUAGE)


def known_sites(counts: Any, least: int = 3, apart: float = 0.2) -> Any:
    """What `dragoman crawl --known-sites` reads: the share of the pages of each site that are in each language.

    Columns: `site`, `language`, `share`, `pages` (in this language). A site is a host; and a first directory of it
    (`a.example/th`) where the share of some language is other than on the whole host, by `apart` or more. Sites with
    fewer than `least` pages are left out.
    """
    hosts, directories = _shares(counts)
    of_host = hosts.selectExpr("server", LANGUAGE, "pages / total AS usual")
    there = directories.join(of_host, ["server", LANGUAGE]).withColumn("differs", _expr("abs(pages / total - usual)"))
    there = there.withColumn("apart", _over("max(differs)", "directory"))
    sites = hosts.withColumn("site", hosts["server"]).union(
        there.where(there["apart"] >= apart - 1e-9).select(*hosts.columns, "directory")
    )
    chosen = sites.where(sites["total"] >= least)
    return chosen.selectExpr("site", LANGUAGE, "pages / total AS share", "pages")


def seeds(counts: Any, languages: str | Iterable[str], least: int = 3, share: float = 0.8, most: int = 10_000) -> Any:
    """What `dragoman crawl --seeds` reads: the sites that are in a wanted language, at most so many of each.

    Columns: `url`, `language`, `pages` (in this language), those with the most pages first. They are chosen as
    `dragoman sites` chooses: a host of which `least` pages and this share are in the language, else those first
    directories of it of which that is so.
    """
    wanted = parse_list(languages if isinstance(languages, str) else ",".join(languages))
    hosts, directories = (frame.where(frame[LANGUAGE].isin(*wanted)) for frame in _shares(counts))
    enough = f"pages >= {least:d} AND pages >= {share:f} * total"
    whole = hosts.where(enough)
    parts = directories.where(enough).join(whole.select("server", LANGUAGE), ["server", LANGUAGE], "left_anti")
    places = whole.withColumn("directory", whole["server"]).union(parts.select(*whole.columns, "directory"))
    named = places.selectExpr("concat(if(https, 'https://', 'http://'), directory, '/') AS url", LANGUAGE, "pages")
    ranked = named.withColumn("place", _over("row_number()", LANGUAGE, "pages DESC, url"))
    return ranked.where(ranked["place"] <= most).orderBy("place", LANGUAGE).drop("place")


def _shares(counts: Any) -> tuple[Any, Any]:
    """Pages by language of hosts, and of first directories: with the `total` of all languages, and the host's https."""
    if not {"server", "directory", LANGUAGE, "pages", "https"} <= set(counts.columns):
        raise UsageError(f"These are no counts: give what site_counts gives; the columns: {', '.join(counts.columns)}")
    with_https = counts.withColumn("https", _over("max(https)", "server"))
    hosts = _with_total(_summed(with_https, "server", LANGUAGE), "server")
    directories = with_https.where("NOT endswith(directory, '/')")
    return hosts, _with_total(_summed(directories, "server", "directory", LANGUAGE), "directory")


def _with_total(counts: Any, key: str) -> Any:
    """The rows that have a language; those that have none count in the total."""
    return counts.withColumn("total", _over("sum(pages)", key)).where(f"{LANGUAGE} IS NOT NULL")


def _summed(counts: Any, *keys: str) -> Any:
    f = need("spark", "pyspark.sql.functions")
    return counts.groupBy(*keys).agg(f.sum("pages").alias("pages"), f.max("https").alias("https"))


def _expr(text: str) -> Any:
    return need("spark", "pyspark.sql.functions").expr(text)


def _over(value: str, key: str, order: str = "") -> Any:
    return _expr(f"{value} OVER (PARTITION BY {key}{f' ORDER BY {order}' if order else ''})")


def _count(batches: Iterator[Any]) -> Iterator[Any]:
    """What runs in the executors' Python processes: URLs and languages in, counts of each batch out."""
    for batch in batches:
        table = _placed(batch.column(0)).append_column(LANGUAGE, _tags(batch.column(1)))
        groups = table.filter(table["server"].is_valid()).group_by(["server", "directory", LANGUAGE], use_threads=False)
        counts = groups.aggregate([([], "count_all"), ("https", "any")])
        yield from counts.rename_columns(["server", "directory", LANGUAGE, "pages", "https"]).to_batches()


def _tags(languages: Any) -> Any:
    """A column of codes as one of our tags; null for what names no language that is known."""
    import pyarrow as pa

    coded = languages.dictionary_encode()
    tags = pa.array([find(code.decode("utf-8", "replace")) for code in coded.dictionary.cast(pa.binary()).to_pylist()],
                    pa.string())  # fmt: skip
    return tags.take(coded.indices)


def _placed(urls: Any) -> Any:
    """A table of `server`, `directory` and `https` for a column of URLs; null where there is none to count."""
    import pyarrow as pa
    import pyarrow.compute as pc

    raw = urls.cast(pa.binary())
    groups = pc.extract_regex(raw, _USUAL)
    server, name = (pc.struct_field(groups, part) for part in ("server", "name"))
    usual = pc.fill_null(pc.and_(pc.match_substring(server, "."), pc.match_substring_regex(name, "^[!-~]*$")), False)
    directory = pc.binary_join_element_wise(server, name, b"/")
    odd = pc.invert(usual)
    others = [_unusual(row) for row in raw.filter(odd).to_pylist()]
    columns = [
        pc.replace_with_mask(column, odd, pa.array([other[number] for other in others], pa.binary())).cast(pa.string())
        for number, column in enumerate((server, directory))
    ]
    https = pc.starts_with(raw, "https:", ignore_case=True)
    return pa.table([*columns, https], names=["server", "directory", "https"])


def _unusual(url: bytes | None) -> tuple[bytes | None, bytes | None]:
    """Server and directory of a URL that takes more than one look; (None, None) if there is none to count."""
    text = text_of(url or b"")
    if not _HTTP.match(text):
        return None, None
    server, directory = server_and_directory(text)
    parts = _SERVER.fullmatch(server)
    # nobody who reads a:80 again would know that it was one of https
    if parts is None or parts[1] == "80" or int(parts[1] or 0) > 65_535:
        return None, None
    return server.encode(), quote(directory, safe=_AS_IT_IS).encode()
