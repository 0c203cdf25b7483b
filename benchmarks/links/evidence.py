"""What a link says about the language of the page it leads to: each kind of evidence alone, and all together.

    python benchmarks/links/evidence.py --warc FILE... [-o DIR]        any web archive, in the order of its records
    python benchmarks/links/evidence.py --manuals [--pages 6000]       the web of real manuals (benchmarks/live)

A row is a link whose target's language is known: the language of the page that it stands on, its anchor text, its
hreflang, its URL, how many pages of the target's host were seen before and in which languages, and the language of the
target. The rows go to `links.parquet`, which others can join with evidence of their own; it holds texts of the pages,
so it is not published here. What is: `evidence.json` and `evidence.md`, with the share of rows that each kind of
evidence has an answer for, the share of the answers that are right, and the share of all rows that are; for links to
hosts that were seen before and to new ones. "Together" is a logistic regression over what all kinds say of a language,
learnt on half of the target hosts and judged on the others, as all figures are.

In a WARC a page's language is what its text is judged to be; of the manuals the true ones are known.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.linear_model import LogisticRegression

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import dragoman
from dragoman.identifiers.text.blocks import running_text
from dragoman.identifiers.text.document import read_page
from dragoman.languages import find
from dragoman.tables.archives import ArchiveRecord, read_archive
from dragoman.types import Page
from dragoman.web.addresses import canonical, server_of

RESULTS = Path(__file__).resolve().parent / "results"
KINDS = ("source", "anchor", "hreflang", "url", "host")
#: Links of a page that become rows: a page with a thousand links is one page still.
PER_PAGE = 5
#: Words of an anchor from which on its text is judged; a shorter one counts if it is the name of a language.
FEW_WORDS = 3
PORT = 8_407


@dataclass(frozen=True)
class LinkRow:
    """A link and the language of its target."""

    source_language: str
    anchor: str
    hreflang: str | None
    url: str
    host_pages: int
    host_languages: str
    language: str


def rows_of(visits: Iterable[tuple[str, str, Page]], truth: dict[str, str], rng: random.Random) -> Iterator[LinkRow]:
    """The rows of pages in the order in which they are visited."""
    records: dict[str, Counter[str]] = defaultdict(Counter)
    for url, language, page in visits:
        links = [(canonical(link.url), link.text, link.language) for link in page.links]
        links += [(canonical(there), "", find(code)) for code, there in page.alternates]
        known = [(there, text, promised) for there, text, promised in links if there in truth and there != url]
        for there, text, promised in rng.sample(known, min(PER_PAGE, len(known))):
            assert there is not None
            seen = records[server_of(there)]
            listed = json.dumps(dict(seen.most_common()))
            yield LinkRow(language, text[:200], promised, there, seen.total(), listed, truth[there])
        records[server_of(url)][language] += 1


def from_warc(paths: list[Path], rng: random.Random) -> Iterator[LinkRow]:
    """The rows of web archives; the language of a page is that of its text."""
    visits: list[tuple[str, str, Page]] = []
    for path in paths:
        with path.open("rb") as stream:
            for record in read_archive(stream):
                if isinstance(record, ArchiveRecord) and record.kind == "response" and record.status == 200:
                    page = read_page(record.body, record.content_type, record.url)
                    language = dragoman.identify_text(running_text(page).text).language if page.kind == "html" else None
                    if language and record.url and (url := canonical(record.url)):
                        visits.append((url, language, page))
    yield from rows_of(visits, {url: language for url, language, _ in visits}, rng)


def from_manuals(count: int, rng: random.Random) -> Iterator[LinkRow]:
    """The rows of so many pages of the web of real manuals, visited in a random order."""
    from live.real_books import placed, truths, unpack

    unpack()
    files, pages = placed(PORT)[0], truths(PORT)
    chosen = rng.sample(sorted(url for url in pages if url in files), count)
    visits = ((url, pages[url].language, read_page(files[url].read_bytes(), "text/html", url)) for url in chosen)
    yield from rows_of(visits, {url: page.language for url, page in pages.items()}, rng)


def beliefs(rows: list[LinkRow], languages: list[str]) -> dict[str, Any]:
    """For each kind of evidence a matrix of what it says of each language, from 0 to 1; a row of zeros is no answer."""
    place = {language: number for number, language in enumerate(languages)}
    told = {kind: np.zeros((len(rows), len(languages))) for kind in KINDS}

    def note(kind: str, row: int, language: str | None, belief: float) -> None:
        if language in place:
            told[kind][row, place[language]] = belief

    of_urls = dragoman.identify([row.url for row in rows], threshold=0, top=5)
    for number, (row, answer) in enumerate(zip(rows, of_urls, strict=True)):
        note("source", number, row.source_language, 1.0)
        note("hreflang", number, row.hreflang, 1.0)
        for language, probability in (answer.scores or {}).items():
            note("url", number, language, probability)
        seen = json.loads(row.host_languages)
        for language, times in seen.items():
            note("host", number, language, times / (row.host_pages + 1))
        anchor = row.anchor.strip()
        if len(anchor.split()) >= FEW_WORDS:
            judged = dragoman.identify_text(anchor)
            note("anchor", number, judged.language, judged.probability or 0.0)
        elif len(anchor) > FEW_WORDS:
            note("anchor", number, find(anchor), 1.0)
    return told


def together(told: dict[str, Any], truth: Any, learnt: Any) -> Any:
    """What all kinds say together, as a matrix: learnt on some rows, told for all."""

    def features(rows: Any) -> Any:
        columns = [told[kind][rows].ravel() for kind in KINDS]
        spoken = [np.repeat(told[kind][rows].sum(1) > 0, told[kind].shape[1]) for kind in KINDS]
        logits = [
            np.log((column + 0.02) / (1.02 - column)) * heard for column, heard in zip(columns, spoken, strict=True)
        ]
        return np.column_stack([*logits, *columns])

    right = (np.arange(told["url"].shape[1])[None, :] == truth[learnt][:, None]).ravel()
    model = LogisticRegression(C=10, max_iter=500).fit(features(learnt), right)
    return model.decision_function(features(np.arange(len(truth)))).reshape(len(truth), -1)


def figures(rows: list[LinkRow]) -> dict[str, Any]:
    """What each kind of evidence, and all of them, are worth."""
    languages = sorted({row.language for row in rows} | {row.source_language for row in rows})
    truth = np.array([languages.index(row.language) for row in rows])
    judged = np.array([crc32(server_of(row.url).encode()) % 2 == 1 for row in rows])
    told = beliefs(rows, languages)
    scores = together(told, truth, np.flatnonzero(~judged))
    new = np.array([row.host_pages == 0 for row in rows])
    told_of: dict[str, Any] = {}
    for name, part in (("all", judged), ("host seen before", judged & ~new), ("new host", judged & new)):
        count = int(part.sum())
        kinds = {}
        for kind in (*KINDS, "together"):
            matrix = scores if kind == "together" else told[kind]
            answered = part & ((matrix.max(1) > 0) | (kind == "together"))
            right = int((matrix[answered].argmax(1) == truth[answered]).sum())
            kinds[kind] = {
                "answered": int(answered.sum()) / max(count, 1),
                "right_of_answered": right / max(int(answered.sum()), 1),
                "right_of_all": right / max(count, 1),
            }
        told_of[name] = {"rows": count, "kinds": kinds}
    return {"rows": len(rows), "languages": len(languages), "hosts": len({server_of(row.url) for row in rows}),
            "parts": told_of}  # fmt: skip


def as_markdown(found: dict[str, Any], command: str) -> str:
    """The figures as a page."""
    lines = [
        "# What a link says about the language of its target", "",
        f"Made by `{command}`: {found['rows']:,} links to {found['hosts']:,} hosts, {found['languages']} languages; "
        "judged on the links to half of the hosts. In %: rows with an answer, answers that are right, right rows.", "",
    ]  # fmt: skip
    for name, part in found["parts"].items():
        head = "| evidence | answered | right of these | right of all |"
        lines += [f"## {name[0].upper()}{name[1:]}: {part['rows']:,} links", "", head, "|---|--:|--:|--:|"]
        for kind, row in part["kinds"].items():
            shown = " | ".join(f"{100 * row[key]:.1f}" for key in ("answered", "right_of_answered", "right_of_all"))
            lines.append(f"| {kind} | {shown} |")
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    """Make the rows and judge them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warc", type=Path, nargs="+")
    parser.add_argument("--manuals", action="store_true")
    parser.add_argument("--pages", type=int, default=6_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, default=RESULTS)
    parser.add_argument("--table", type=Path, default=Path("links.parquet"), help="where the rows go")
    given = parser.parse_args()
    if bool(given.warc) == given.manuals:
        parser.error("give --warc or --manuals")
    rng = random.Random(given.seed)
    rows = list(from_warc(given.warc, rng) if given.warc else from_manuals(given.pages, rng))
    pq.write_table(pa.Table.from_pylist([asdict(row) for row in rows]), given.table)
    found = figures(rows)
    command = (
        f"python benchmarks/links/evidence.py {'--warc ...' if given.warc else f'--manuals --pages {given.pages}'}"
    )
    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / "evidence.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    page = as_markdown(found, command)
    (given.output / "evidence.md").write_text(page, encoding="utf-8")
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
