"""Damaged pages: made by a seeded generator, read, and checked. Any failure ends with exit code 1.

    python benchmarks/markup/mutations.py [--files 10000] [--seed 4] [--limit 2.0] [--keep FOLDER]

Pages in seven languages and ten charsets are cut off, their bytes flipped, their pieces deleted, doubled and mixed with
each other, and their charset is declared rightly, wrongly, twice or not at all. Checked for each: no exception, no
longer than `--limit` seconds of processor time, the map to the source leads from every character of the text to a place
inside the source, in order, links stand inside the text, a page with letters is judged by some of them, and spans hold
every letter of its text. Whole hostile pages of 8 MB come last, and the largest memory of all is told; more than
`--most` MB is a failure, too. `--keep` writes the pages that fail.
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from dragoman.identifiers.text.blocks import MOST_TEXT, running_text
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.language_names import may_have_names
from dragoman.identifiers.track import track
from dragoman.label.pages import identify_page
from dragoman.types import Page

SENTENCES = {
    "windows-1252": "Les enfants jouent dans la forêt près de l'école, où l'été est déjà fini.",
    "iso-8859-2": "Dzieci bawią się w lesie, gdzie źródło płynie już całą zimę.",
    "koi8-r": "Дети играют в лесу возле школы, где лето уже прошло.",
    "windows-1251": "Децата играят в гората близо до училището.",
    "windows-874": "เด็ก ๆ เล่นอยู่ในป่าใกล้โรงเรียน",
    "shift_jis": "子供たちは学校の近くの森で遊んでいます。",
    "euc-jp": "夏はもう終わりました。",
    "gbk": "孩子们在学校附近的森林里玩耍。",
    "euc-kr": "아이들이 학교 근처 숲에서 놀고 있습니다.",
    "utf-8": "Τα παιδιά παίζουν στο δάσος κοντά στο σχολείο. 🌲",
}
CODECS = {"windows-1252": "cp1252", "windows-1251": "cp1251", "windows-874": "cp874"}
PIECES = [
    '<p lang="fr">',
    "</p>",
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    '<a href="/a?b=1&copy=2" rel=nofollow hreflang=de>',
    "</a>",
    "<pre>\n  x\r\n</pre>",
    "<br/>",
    "<table><tr><td>",
    "</table>",
    "<!-- a -- b -->",
    "<!-->",
    "<![CDATA[ x ]]>",
    "<script>if (a < b && c) { '<p>' }</script>",
    "<script><!-- <script> </script> --></script>",
    "<style>p > a {}</style>",
    "<title>A &amp; B</title>",
    "<textarea> <b> </textarea>",
    "<template><p>no</p></template>",
    "<svg><title>t</title></svg>",
    "<noscript>please</noscript>",
    '<meta http-equiv="refresh" content="0; url=next.html">',
    "<base href='http://a.example/'>",
    "<frame src=x>",
    "<iframe src='y'>z</iframe>",
    "&eacute;",
    "&#233;",
    "&#xE9;",
    "&#150;",
    "&notit;",
    "&#xFFFFFFFF;",
    "&",
    "&amp",
    "<",
    ">",
    '"',
    "'",
    "</",
    "<?php ?>",
    "<a <b <c",
    "=",
    "\0",
    "\t",
    "\n",
    "  ",
    "<plaintext>",
    "<img alt='x' src=>",
    '<link rel="alternate" hreflang="x-default" href="http://[bad">',
    "<ſcript>",
    "<P CLASS=x",
    "]]>",
    "-->",
    "<select><option>Deutsch<option>Русский",
    "</select>",
    "<nav>",
    "</nav>",
    "<code>rm -rf build</code>",
    "<div class=cookie-notice>We use cookies.",
    "English | Deutsch | Français | 日本語",
]
#: What a whole page of 8 MB is made of.
HOSTILE = ("<select><option>", "<a href=x hreflang=de>x", "<nav><pre><code>", "<div id=cookie>", "<p>a. ",
           "English\n<br>", "x ", "日本", "{};=", "&eacute;", "“a” ", "git a\n", "a" * 50 + " ")  # fmt: skip
LARGE = 8 << 20


def pages(seed: int, files: int) -> Iterator[tuple[bytes, str | None]]:
    """(bytes, content type) of damaged pages; the same seed gives the same pages."""
    rng = random.Random(seed)
    for _ in range(files):
        charset = rng.choice(list(SENTENCES))
        data = _whole(rng, charset)
        for _ in range(rng.choice([0, 1, 1, 2, 3, 8])):
            data = rng.choice(_DAMAGES)(rng, data)
        yield data, rng.choice([None, None, "text/html", f"text/html; charset={charset}", "text/html; charset=utf-8",
                                "text/html; charset=x-nonsense", "text/plain", "application/xhtml+xml"])  # fmt: skip


def _whole(rng: random.Random, charset: str) -> bytes:
    said = [charset] * rng.choice([0, 1, 1, 1, 2])
    said += rng.choices([*SENTENCES, "x-nonsense", "utf-16", "viscii", ""], k=rng.choice([0, 0, 0, 1]))
    rng.shuffle(said)
    metas = [
        f'<meta charset="{one}">' if rng.random() < 0.5
        else f'<META http-equiv=Content-Type content="text/html; charset={one}">'
        for one in said
    ]  # fmt: skip
    body = [
        rng.choice([SENTENCES[charset] + " ", rng.choice(PIECES), rng.choice(PIECES)])
        for _ in range(rng.choice([1, 5, 40, 200]))
    ]
    if rng.random() < 0.02:
        body.append(rng.choice(["<div>", "<b>", "<svg>", "<template>", "<a href=x>", "&#", "<!--"]) * 20_000)
    text = "<!DOCTYPE html><html lang=xx><head>" + "".join(metas) + "</head><body>" + "".join(body) + "</body></html>"
    return text.encode(CODECS.get(charset, charset), "replace")


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _flip(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(min(len(changed), rng.choice([1, 10, 200]))):
        changed[rng.randrange(len(changed))] = rng.choice([0, 60, 62, 34, 38, 0xFF, rng.randrange(256)])
    return bytes(changed)


def _drop(rng: random.Random, data: bytes) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start + rng.choice([1, 1, 5, 100]) :]


def _double(rng: random.Random, data: bytes) -> bytes:
    start = rng.randrange(len(data) + 1)
    return data[:start] + data[start : start + rng.choice([2, 30, 500])] * rng.choice([2, 3, 20]) + data[start:]


def _insert(rng: random.Random, data: bytes) -> bytes:
    start = rng.randrange(len(data) + 1)
    piece = rng.choice(
        [rng.choice(PIECES).encode(), rng.randbytes(8), b"<" * 50, b'"', b"<!--", b"<script>", b"\xff\xfe"]
    )
    return data[:start] + piece + data[start:]


_DAMAGES = [_cut, _flip, _drop, _double, _insert]


def check(page: Page) -> None:
    """AssertionError where the map of a page, or a link, leads outside."""
    where, length = page.map, len(page.source)
    assert where.length == len(page.text), "the map is as long as the text"
    if where.length:
        assert where.text_starts[0] == 0, "the map begins with the text"
        assert (np.diff(where.text_starts) > 0).all(), "segments are not empty"
        ends = where.source_starts + where.source_lengths
        assert (where.source_lengths > 0).all(), "every character has a source"
        assert where.source_starts[0] >= 0, "inside the source"
        assert ends[-1] <= length, "inside the source"
        assert (where.source_starts[1:] >= ends[:-1]).all(), "in order"
        same = where.kinds == 0
        sizes = np.diff(np.append(where.text_starts, where.length))
        assert (sizes[same] == where.source_lengths[same]).all(), "one to one"
        assert where.source_span(0, where.length) == (where.source_starts[0], ends[-1]), "the whole"
    for link in page.links:
        assert 0 <= link.start <= link.end <= len(page.text), "links stand inside the text"


def check_answers(page: Page) -> None:
    """AssertionError where a page has letters and is judged by none, or where a letter of it is in no span."""
    text = page.text
    judged = running_text(page)
    letters = any(map(str.isalpha, text[:MOST_TEXT]))
    # nothing may be left of a page of names of languages, and of one that is links to other languages
    named = may_have_names(text.lower()) or page.stretches.size
    assert judged.text or not letters or named, "a page with letters is judged by some"
    assert abs(sum(judged.weights)) < float("inf"), "weights are numbers"
    found = identify_page(page)
    assert found.languages or (found.probability or 0.0) < 0.1, "a language has a share, unless it is a guess"
    at = 0
    for span in track(page):
        assert at <= span.start < span.end <= len(text), "spans are in order and inside the text"
        assert not text[at : span.start].strip(), "letters are in spans"
        at = span.end
    assert not text[at:].strip(), "letters are in spans"


def most_memory() -> float:
    """The most memory that this program has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def large_pages() -> Iterator[tuple[bytes, str | None]]:
    """Hostile pages as large as a page may be."""
    for piece in HOSTILE:
        data = piece.encode()
        yield data * (LARGE // len(data)), "text/html"


def main() -> int:
    """Read and check all pages."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--limit", type=float, default=2.0)
    parser.add_argument("--most", type=float, default=500.0)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    failed, slowest, size, kinds = 0, 0.0, 0, Counter[str]()
    begin = time.perf_counter()
    for number, (data, content_type) in enumerate(pages(asked.seed, asked.files)):
        start = time.process_time()
        try:
            page = read_page(data, content_type, "http://a.example/b/")
            check(page)
            check_answers(page)
            kinds[f"{page.kind} ({page.charset_how})"] += 1
        except Exception as error:  # whatever it is, it is what we look for
            failed += 1
            print(f"page {number} ({content_type}): {type(error).__name__}: {error}")
            if asked.keep:
                asked.keep.mkdir(parents=True, exist_ok=True)
                (asked.keep / f"{number}.html").write_bytes(data)
        took = time.process_time() - start
        slowest, size = max(slowest, took), size + len(data)
        if took > asked.limit:
            failed += 1
            print(f"page {number}: {took:.1f} s for {len(data):,} bytes")
    took = time.perf_counter() - begin
    print(f"{asked.files:,} pages, {size / 1e6:.0f} MB in {took:.1f} s; {failed} failed")
    print(f"the slowest took {slowest:.3f} s of processor time")
    for data, content_type in large_pages():
        page = read_page(data, content_type)
        begin = time.process_time()
        found = identify_page(page)
        took = time.process_time() - begin
        print(f"8 MB of {data[:16]!r}: {found.language}, {took:.1f} s, {most_memory():.0f} MB so far", flush=True)
        failed += most_memory() > asked.most
    print(f"the most memory was {most_memory():.0f} MB")
    print("taken for: " + ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common()))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
