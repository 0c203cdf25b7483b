"""A table with the answers beside each row, in one call: what `dragoman url`, `page` and `track` do with a file."""

from __future__ import annotations

import os
from collections.abc import Sequence

from dragoman.errors import UnknownName, UsageError
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.label.inputs import check_texts, formats_of
from dragoman.label.inputs import output_format as format_to_write
from dragoman.label.judges import Choice, LanguageJudge, RowJudge, language_judge
from dragoman.label.pipeline import Progress, RowCounts, label_rows, row_writer
from dragoman.tables.formats import Format
from dragoman.tables.output import output
from dragoman.tables.read import open_source

#: What a column may hold, and the name that it has where nobody says another.
HOLDS = {"urls": "url", "texts": "text", "html": "html"}
Path = str | os.PathLike[str]


def label_file(
    source: Path | Sequence[Path],
    target: Path,
    column: str | None = None,
    *,
    holds: str = "urls",
    spans: bool = False,
    model: Path | Classifier | None = None,
    languages: Choice = None,
    threshold: float | None = None,
    language: str | None = None,
    precision: float | None = None,
    recall: float | None = None,
    top: int = 0,
    explain: bool = False,
    shares: bool = False,
    fused: bool = False,
    script: bool = False,
    outcome: bool = False,
    by_site: bool = False,
    columns: Sequence[str] | None = None,
    replace: bool = False,
    threads: int = 1,
    input_format: str | None = None,
    output_format: str | None = None,
    progress: Progress = lambda fraction, rows: None,
) -> RowCounts:
    """Write the table in `source` with `language` and `probability` beside each row to `target`; count the rows.

    Tables are Parquet, CSV, TSV and JSON lines, packed or not, and text with one URL per line; several of the same
    columns become one, and `-` is stdin or stdout. The name of the target says its format, else it is that of the
    source. Nothing is ever there half-written, and no Python object is made per row on the way from Parquet to Parquet
    or from CSV to CSV. A row that cannot be read gets no answer, is counted, and the rest goes on.

    - `column` has the URLs, texts or pages (`holds`: "urls", "texts" or "html"); "url", "text" or "html" if left out.
    - `spans` asks where the language changes, instead of which one it is: the column `spans` is added.
    - `model` is that of `dragoman.identify`, for texts the `method` of `identify_text`, for spans that of `track`.
    - `languages`, `threshold`, `language`, `precision`, `recall`, `top`, `explain`: as in `dragoman.identify`. At an
      operating point the column `wanted` (yes or no) comes instead of `language`; `top` adds `scores`, `explain` adds
      `contributions`.
    - `shares` adds `languages`, the share of each language in a text or page; `fused` adds `fused` to pages: the answer
      of text and declared language together, and what each said (dragoman.label.witnesses).
    - `script` adds the `script`, and `written`: both in one, such as `eng_Latn` (of a URL what it shows, else what is
      usual); `outcome` adds to texts and pages why there is no language.
    - `by_site` counts the answers by host instead: one row per site.
    - `columns` of a Parquet file are kept (else all); `replace` writes over columns that have the names of ours.
    - `threads` work at the same time; `progress` is told the fraction done (None: not known) and the rows so far.

    >>> import tempfile
    >>> from pathlib import Path
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "in.csv").write_text("id,url\\n1,http://a.fr/\\n2,mailto:b@c.fr\\n")
    >>> label_file(folder / "in.csv", folder / "out.csv", model="cctld").rows
    2
    >>> (folder / "out.csv").read_text().splitlines()[2]
    '2,mailto:b@c.fr,,'
    """
    if holds not in HOLDS:
        raise UnknownName("kind of column", holds, HOLDS)
    column, path, html = column or HOLDS[holds], os.fspath(target), holds == "html"
    names = [os.fspath(name) for name in ([source] if isinstance(source, str | os.PathLike) else source)]
    if not names:
        raise UsageError("Nothing to label: give a file, or several")
    if by_site and (holds != "urls" or top or explain or script):
        raise UsageError(
            "A row per site is for a column of URLs, without scores, contributions or scripts: leave out by_site"
        )
    if (script and spans) or ((shares or fused or outcome) and (holds == "urls" or spans or (fused and not html))):
        raise UsageError("Shares and outcomes are for texts and pages, the fused answer for pages: say holds='html'")
    judge: RowJudge
    if spans:
        if holds == "urls":
            raise UsageError("The language of a URL does not change inside of it: say holds='texts' or holds='html'")
        if top or explain or any(value is not None for value in (language, precision, recall)):
            raise UsageError("Spans have a language each: give languages and threshold, and none of the other settings")
        from dragoman.label.spans import span_judge

        judge = span_judge(model or DEFAULT, languages, html, threshold)
    elif html or shares or outcome or (script and holds != "urls"):
        from dragoman.label.pages import page_judge  # those who ask about URLs need not wait for it

        judge = page_judge(
            model or DEFAULT, languages, threshold, html=html, shares=shares, fused=fused, script=script,
            outcome=outcome, language=language, precision=precision, recall=recall, top=top, explain=explain,
        )  # fmt: skip
    else:
        opened = open_url_model(model or DEFAULT) if holds == "urls" else _text_model(model or DEFAULT)
        judge = language_judge(
            opened, languages, threshold, language=language, precision=precision, recall=recall, top=top,
            explain=explain, script=script,
        )  # fmt: skip
    format = Format(input_format) if input_format else None
    inputs = [open_source(name, format, () if by_site else judge.names, replace, column) for name in names]
    for part in inputs:
        part.kept_columns = columns
    if columns is not None and any(part.format is not Format.PARQUET for part in inputs):
        raise UsageError("Columns can be chosen of Parquet files only: leave them out, and all are kept")
    shared = formats_of(inputs)[1]
    written = format_to_write(output_format, path, None if by_site else shared)
    if holds != "urls":
        check_texts(inputs, written)
    with output(path) as stream:
        if by_site:
            from dragoman.label.by_site import count_sites, write_sites

            assert isinstance(judge, LanguageJudge)
            sites, counts = count_sites(judge, inputs, column, threads, progress)
            write_sites(sites, written, stream)
            return counts
        out = row_writer(inputs, written, stream)
        return label_rows(judge, inputs, column, out, threads, progress, keeps_objects=holds != "urls")


def _text_model(method: Path | Classifier) -> Classifier:
    from dragoman.identifiers.text.identify import open_method  # those who ask about URLs need not wait for it

    return open_method(method)
