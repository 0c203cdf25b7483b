"""A table of labelled URLs becomes columns: what training and evaluation start from."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman import languages as tags
from dragoman.columns import text_of
from dragoman.errors import BadTable, UnfitTable, UnknownLanguage, need, shorten
from dragoman.tables.formats import Format, format_of
from dragoman.tables.labelled.columnar_index import Sample, is_index, is_many, read_index
from dragoman.tables.labelled.open_directory import is_dump, read_dump
from dragoman.tables.parquet.reading import check_text
from dragoman.tables.pieces import Columns
from dragoman.tables.read import open_source, pieces
from dragoman.tables.source import no_column
from dragoman.types import Language

#: Where the labels are looked for when the column of the default name is not there.
LABEL_COLUMNS = ("lang", "language", "label")
URL_COLUMN, SITE_COLUMN = "url", "site"


@dataclass(frozen=True, eq=False)
class Labelled:
    """URLs with their languages, row by row.

    `urls` is an Arrow column; `languages` holds BCP 47 tags, None where a row has no label or one that is no language;
    `sites` is the column `site` if there is one; `table` has every column of the file. `warnings` are lines for people.
    """

    urls: Any
    languages: NDArray[np.object_]
    sites: NDArray[np.object_] | None
    table: Any
    warnings: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.languages)


def read_labelled(
    path: str | os.PathLike[str] | Sequence[str],
    url_column: str = URL_COLUMN,
    language_column: str = LABEL_COLUMNS[0],
    limit: int | None = None,
    sample: Sample | None = None,
) -> Labelled:
    """The URLs and labels of a Parquet, CSV, TSV or JSON-lines file, of its first `limit` rows if that is given.

    A dump of the Open Directory (`content.rdf.u8.gz`) and Common Crawl's columnar index (a file, folder, pattern or
    remote path of Parquet files, or several of them) are read too; of the index `sample` says how much is kept.

    Labels may be anything that dragoman.languages knows. A label that it does not know leaves its rows without a
    language and is counted in `warnings`: real files hold some `und` and `zxx`, and the rest of the rows is still good.
    """
    paths = [os.fspath(path)] if isinstance(path, str | os.PathLike) else list(path)
    name = ", ".join(paths)
    if len(paths) == 1:
        table = _table(name, url_column, limit, language_column, sample)
    elif tables := [path for path in paths if format_of(path) not in (None, Format.PARQUET)]:
        raise UnfitTable(f"Several files are read as one only of Common Crawl's index: give '{tables[0]}' alone")
    else:
        table = read_index(paths, sample).slice(0, limit)
    if not table.num_rows:
        raise BadTable(f"'{name}' has no rows: labelled URLs are needed")
    if url_column not in table.column_names:
        raise no_column(name, url_column, table.column_names)
    check_text(name, url_column, table.schema.field(url_column).type)
    label = _label_column(name, table.column_names, language_column)
    tags_of_rows, warnings = _normalised(name, label, table.column(label))
    sites = _objects(table.column(SITE_COLUMN)) if SITE_COLUMN in table.column_names else None
    return Labelled(_whole(table.column(url_column)), tags_of_rows, sites, table, warnings)


def _table(name: str, url_column: str, limit: int | None, language_column: str, sample: Sample | None) -> Any:
    pa = need("bulk", "pyarrow")
    if is_many(name):
        return read_index(name, sample).slice(0, limit)
    if not Path(name).exists():
        raise UnfitTable(f"No such file: '{name}'; check its name")
    if is_dump(name):
        return read_dump(name, limit)
    format = format_of(name)
    if format is Format.PARQUET and language_column == LABEL_COLUMNS[0] and _is_index(name):
        return read_index(name, sample).slice(0, limit)
    if format is None:
        raise UnfitTable(
            f"'{name}' has no labels: give a Parquet, CSV, TSV or JSON-lines file (.parquet, .csv, .jsonl)"
        )
    if format is Format.JSONL:
        return _from_objects(name, url_column, limit)
    batches, rows = [], 0
    for piece in pieces(open_source(name, format, new_columns=()), url_column):
        batch: Any = piece.batch if isinstance(piece, Columns) else piece.arrow()  # type: ignore[attr-defined]
        batches.append(batch if limit is None else batch.slice(0, max(0, limit - rows)))
        rows += batches[-1].num_rows
        if limit is not None and rows >= limit:
            break
    return pa.Table.from_batches(batches)


def _is_index(name: str) -> bool:
    """True for a file of the columnar index; one that has labels of its own is read as any other table."""
    pa, pq = need("bulk", "pyarrow"), need("bulk", "pyarrow.parquet")
    try:
        names = pq.read_schema(name).names
    except (OSError, pa.ArrowInvalid):
        return False  # whoever reads it says what is wrong with it
    return is_index(names) and not set(names) & set(LABEL_COLUMNS)


def _from_objects(name: str, url_column: str, limit: int | None) -> Any:
    """JSON lines as a table: a column per name that occurs; values of mixed kinds become text."""
    pa = need("bulk", "pyarrow")
    rows = list(islice(_rows(name, url_column), limit))
    names = dict.fromkeys(key for row in rows for key in row)
    columns = {}
    for key in names:
        values = [row.get(key) for row in rows]
        try:
            columns[key] = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, UnicodeError, OverflowError):
            columns[key] = pa.array([None if value is None else _text(value) for value in values], pa.string())
    return pa.table(columns)


def _rows(name: str, url_column: str) -> Iterator[dict[str, Any]]:
    for piece in pieces(open_source(name, Format.JSONL, new_columns=()), url_column):
        for line in piece.objects or ():  # type: ignore[attr-defined]
            # A line that is no object stays a row, so that row numbers and line numbers agree.
            yield {} if line is None else json.loads(line)


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    return text_of(text.encode("utf-8", "surrogatepass"))


def _label_column(name: str, columns: list[str], wanted: str) -> str:
    choices = (wanted, *LABEL_COLUMNS) if wanted == LABEL_COLUMNS[0] else (wanted,)
    for choice in choices:
        if choice in columns:
            return choice
    raise UnfitTable(
        f"'{name}' has no labels: no column {' or '.join(repr(c) for c in dict.fromkeys(choices))}; "
        f"its columns: {shorten(', '.join(columns), 200)}"
    )


def _normalised(name: str, label: str, column: Any) -> tuple[NDArray[np.object_], tuple[str, ...]]:
    """(tags, warnings): each different label is looked up once, however many rows have it."""
    pa, compute = need("bulk", "pyarrow"), need("bulk", "pyarrow.compute")
    try:
        coded = _whole(compute.dictionary_encode(column.cast(pa.large_string())))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise BadTable(f"'{name}': column '{label}' holds {column.type}, not languages") from error
    labels = coded.dictionary.to_pylist()
    tag_of_label: list[Language | None] = []
    for text in labels:
        try:
            tag_of_label.append(tags.normalise(text) if text else None)
        except UnknownLanguage:
            tag_of_label.append(None)
    codes = coded.indices.fill_null(len(labels)).to_numpy(zero_copy_only=False)
    tags_of_rows = np.array([*tag_of_label, None], dtype=object)[codes]
    if all(tag is None for tag in tag_of_label):
        seen = shorten(", ".join(repr(text) for text in labels[:5]), 120) if any(labels) else "nothing"
        raise BadTable(f"'{name}' has no labels: column '{label}' holds {seen}; languages such as 'de' are needed")
    counts = np.bincount(codes, minlength=len(labels) + 1)
    lost = sorted(
        ((int(counts[i]), labels[i]) for i, tag in enumerate(tag_of_label) if tag is None and labels[i]), reverse=True
    )
    warnings = []
    if lost:
        shown = ", ".join(f"'{shorten(text, 20)}' ({count:,})" for count, text in lost[:5])
        more = f" and {len(lost) - 5:,} others" if len(lost) > 5 else ""
        rows = sum(count for count, _ in lost)
        warnings.append(f"'{name}': {rows:,} of {len(codes):,} rows have no known language: {shown}{more}")
    if empty := int(counts[len(labels)]) + sum(int(counts[i]) for i, text in enumerate(labels) if text == ""):
        warnings.append(f"'{name}': {empty:,} of {len(codes):,} rows have no label")
    return tags_of_rows, tuple(warnings)


def _whole(column: Any) -> Any:
    """A chunked column as one array; offsets of 64 bits where the text would not fit otherwise."""
    pa = need("bulk", "pyarrow")
    if column.num_chunks == 1:
        return column.chunk(0)
    if pa.types.is_string(column.type) or pa.types.is_binary(column.type):
        column = column.cast(pa.large_string() if pa.types.is_string(column.type) else pa.large_binary())
    return column.combine_chunks()


def _objects(column: Any) -> NDArray[np.object_]:
    return np.asarray(column.to_numpy(), dtype=object)
