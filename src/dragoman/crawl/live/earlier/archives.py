"""What an earlier crawl left: the answers that WARC, CDX and CDXJ files tell of, and those of a crawl folder.

A file that is damaged or cut off gives all that can be read of it: what cannot is counted in `Damage`.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path

from dragoman.errors import UsageError, need
from dragoman.languages import find
from dragoman.tables.archives import ArchiveRecord, DamagedPlace, digest_of, read_archive
from dragoman.types import Language
from dragoman.web.addresses import canonical

ENDINGS = (".warc", ".warc.gz", ".cdx", ".cdx.gz", ".cdxj", ".cdxj.gz")
#: The columns of a CDX file that does not name them, by how many there are.
_LETTERS = {11: "N b a m s k r M S V g", 10: "N b a m s k r M V g", 9: "N b a m s k r V g", 7: "N b a m s k S"}

#: How much could not be read, by file and kind: ("x.warc.gz", "damaged records") and the like.
Damage = Counter[tuple[str, str]]


@dataclass(frozen=True)
class EarlierAnswer:
    """An answer of an earlier crawl; what its file does not tell is None."""

    url: str
    status: int | None = None
    #: The content type, as far as it is known.
    kind: str = ""
    language: Language | None = None
    body: bytes | None = None
    content_language: str | None = None
    #: Where a redirect leads.
    location: str | None = None
    #: ETag and Last-Modified, by which a server can say that nothing has changed.
    validators: tuple[str | None, str | None] = (None, None)
    #: When it was asked for, in seconds since 1970, the digest of its body, and True if that was as before.
    seconds: float | None = field(default=None, compare=False)
    digest: str | None = field(default=None, compare=False)
    is_same: bool = False

    @property
    def is_page(self) -> bool:
        """True for status 200 and HTML or plain text, where it is said."""
        kind = self.kind.lower()
        return self.status in (None, 200) and (
            kind in ("", "-") or kind.startswith(("text/html", "text/plain", "application/xhtml"))
        )

    @property
    def for_good(self) -> bool:
        """True if asking again would hardly bring anything else: no error of the server, nothing unknown."""
        return self.status is None or (self.status < 500 and self.status != 429)


def is_archive(path: str) -> bool:
    """True for the name of a WARC, CDX or CDXJ file.

    >>> is_archive("a/CC-MAIN-2024.WARC.GZ"), is_archive("seeds.txt")
    (True, False)
    """
    return path.lower().endswith(ENDINGS)


def archived_urls(path: Path) -> list[str]:
    """The URLs of the pages that a WARC, CDX or CDXJ file tells of, each once, in their order.

    Only answers with status 200 and HTML or plain text count, where the file says so.
    """
    urls = dict.fromkeys(answer.url for answer in answers(path, Damage(), bodies=False) if answer.is_page)
    if not urls:
        raise UsageError(f"'{path}' tells of no page: give a WARC, CDX or CDXJ file with answers in it")
    return list(urls)


def files_of(path: Path) -> list[Path]:
    """The files of an earlier crawl: the file itself; of a crawl folder its archive or else its catalogue."""
    if not path.exists():
        raise UsageError(f"There is no '{path}': give a WARC, CDX or CDXJ file, or the folder of a crawl")
    if not path.is_dir():
        if not is_archive(path.name):
            raise UsageError(f"'{path}' is no WARC, CDX or CDXJ file: give one, or the folder of a crawl")
        return [path]
    for files in (
        sorted((path / "warc").glob("*.warc*")),
        sorted((path / "catalogue").glob("part-*.parquet")),
        sorted(file for file in path.rglob("*") if is_archive(file.name) and file.is_file()),
    ):
        if files:
            return files
    raise UsageError(f"'{path}' holds no crawl: give a folder with WARC, CDX or CDXJ files, or one of dragoman crawl")


def answers(path: Path, damage: Damage, *, bodies: bool) -> Iterator[EarlierAnswer]:
    """The answers that a file tells of, in its order; with `bodies` those of pages come along where it has them."""
    name = path.name.lower()
    if name.endswith(".parquet"):
        rows = _catalogue(path)
    elif ".warc" in name:
        rows = _warc(path, damage, bodies)
    else:
        rows = _cdx(path, damage)
    for answer in rows:
        url = canonical(answer.url)
        if url is None:
            damage[path.name, "URLs that are none of http or https"] += 1
        elif not url.endswith("/robots.txt"):  # rules of a server, and no page of it
            yield answer if url == answer.url else replace(answer, url=url)


def _warc(path: Path, damage: Damage, bodies: bool) -> Iterator[EarlierAnswer]:
    """Responses and revisits."""
    with path.open("rb") as file:
        for record in read_archive(file):
            if isinstance(record, DamagedPlace):
                damage[path.name, "damaged places"] += 1
            elif record.url is not None and record.kind in ("response", "revisit"):
                yield _answer(record, record.url, bodies)


def _answer(record: ArchiveRecord, url: str, bodies: bool) -> EarlierAnswer:
    """The answer in a record; the body of a revisit is elsewhere."""
    if record.status is None:
        return EarlierAnswer(url, kind=record.content_type or "no/http")
    if record.kind == "revisit":
        return EarlierAnswer(url, kind="warc/revisit", seconds=_seconds(record.date), is_same=True)
    leads = record.headers.get("location") if 300 <= record.status < 400 else None
    language = record.headers.get("content-language")
    kind = record.content_type or ""
    marks = record.headers.get("etag"), record.headers.get("last-modified")
    answer = EarlierAnswer(
        url, record.status, kind, content_language=language, location=leads, validators=marks,
        seconds=_seconds(record.date),
    )  # fmt: skip
    if not answer.is_page:
        return answer
    return replace(answer, digest=digest_of(record.body), body=record.body if bodies else None)


def _seconds(date: str | None) -> float | None:
    """A date of a WARC (2024-05-01T12:00:00Z) or of an index (20240501120000) in seconds since 1970.

    >>> _seconds("1970-01-02T00:00:00Z"), _seconds("19700102000000"), _seconds("yesterday")
    (86400.0, 86400.0, None)
    """
    try:
        if date is not None and date.isdigit():
            return datetime.strptime(date, "%Y%m%d%H%M%S").replace(tzinfo=UTC).timestamp()
        return datetime.fromisoformat(date or "").timestamp()
    except (ValueError, OverflowError):
        return None


def _cdx(path: Path, damage: Damage) -> Iterator[EarlierAnswer]:
    """Lines of CDXJ (key, time, JSON), or of CDX with its letters in the first line (` CDX N b a m s ...`)."""
    letters: Sequence[str] = ()
    for line in _lines(path, damage):
        if line.lstrip("\ufeff").startswith((" CDX ", "CDX ")):
            letters = line.split()[1:]
            continue
        if not line.strip() or line.startswith(("!", "#", ";")):
            continue
        answer = _of_json(line) if "{" in line else _of_columns(line.split(), letters)
        if answer is None:
            damage[path.name, "lines that are no CDX"] += 1
        else:
            yield answer


def _of_json(line: str) -> EarlierAnswer | None:
    try:
        row = json.loads(line[line.index("{") :])
        status, url = str(row.get("status", "")), str(row["url"])
    except (ValueError, KeyError, AttributeError, RecursionError):
        return None
    language = find(str(row.get("languages") or "").split(",")[0].strip())
    before = line.partition("{")[0].split()
    return EarlierAnswer(
        url, _status(status), _kind(row.get("mime")), language, location=row.get("redirect"),
        seconds=_seconds(before[1] if len(before) > 1 else None), digest=row.get("digest"),
    )  # fmt: skip


def _of_columns(fields: Sequence[str], letters: Sequence[str]) -> EarlierAnswer | None:
    names = letters or _LETTERS.get(len(fields), "").split()
    row = dict(zip(names, fields, strict=False))
    url = row.get("a", "")
    if "://" not in url:
        return None
    leads = row.get("r", "-")
    return EarlierAnswer(
        url, _status(row.get("s", "")), _kind(row.get("m")), location=leads if "://" in leads else None,
        seconds=_seconds(row.get("b")), digest=row.get("k"),
    )  # fmt: skip


def _status(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) == 3 else None


def _kind(content_type: object) -> str:
    return "" if content_type in (None, "", "-", "unk") else str(content_type)


def _lines(path: Path, damage: Damage) -> Iterator[str]:
    packed = path.name.lower().endswith(".gz")
    with (
        gzip.open(path, "rt", encoding="utf-8", errors="replace")
        if packed
        else path.open(encoding="utf-8", errors="replace") as file
    ):
        try:
            yield from file
        except (EOFError, OSError, zlib.error):
            damage[path.name, "places where it is cut off or damaged"] += 1


def _catalogue(path: Path) -> Iterator[EarlierAnswer]:
    """The rows of a part of a crawl's catalogue that had an answer."""
    names = ["url", "final_url", "status", "language", "reason", "time", "digest"]
    table = need("crawl", "pyarrow.parquet").read_table(path, columns=names)
    for batch in table.to_batches():
        for row in batch.to_pylist():
            if row["status"] is None:
                continue
            kind = "" if row["reason"] is None else "no/page"
            if row["final_url"] != row["url"]:
                yield EarlierAnswer(row["url"], 302, location=row["final_url"])
            yield EarlierAnswer(
                row["final_url"], row["status"], kind, row["language"], seconds=row["time"].timestamp(),
                digest=row["digest"], is_same=row["status"] == HTTPStatus.NOT_MODIFIED,
            )  # fmt: skip
