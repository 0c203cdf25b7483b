"""The charset rule of 2007 on real pages: what META alone gets wrong, what n-grams add, and both together.

    python benchmarks/page_identifiers/charset_rule.py [--data ../shared/data/text] [--pages 30] [--seed 1]
                                                       [--method rank-order]

First, what META says on the pages as stored. They are decoded and all that say anything say UTF-8, so each is written
again in four ways:

own       in the charset that its language used to be written in, which META names
utf-8     in UTF-8, which META names
noise     in ASCII with numeric references, and META says ISO-8859-1, as tools did
template  English pages only: META names the charset of another language, as on the English pages of a Thai site

In `template`, META is wrong by construction: how often sites do that is the paper's figure, not ours.

For every language with a charset of its own: recall, and false positives per page of other languages, on `own`, `utf-8`
and `noise` together; the share of `template` pages that are taken for it; and what precision that makes for the pages
META names it on, mixed as in the paper's Table 2 (285 pages in the language to 59 that are not). `--method` is the
n-gram identifier: `rank-order`, as in the paper, is trained here on sentences (22,446 characters of each language),
others are methods of `dragoman page`. Pages are at most `--pages` per language, drawn at random.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from dragoman.identifiers.algorithms import make
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.text.charset import charsets
from dragoman.identifiers.text.charset_rule import COMBINATIONS, CharsetRule, meta_charset
from dragoman.identifiers.text.identify import open_method
from dragoman.languages import find

CHARACTERS = 22_446
OLD = {
    "el": "iso-8859-7", "ru": "koi8-r", "ja": "shift_jis", "ko": "euc-kr", "zh": "gbk", "th": "windows-874",
    "tr": "windows-1254", "vi": "windows-1258", "ar": "iso-8859-6", "cs": "iso-8859-2", "pl": "iso-8859-2",
    "hu": "iso-8859-2", "sl": "iso-8859-2", "ro": "iso-8859-2", "hr": "iso-8859-2", "et": "iso-8859-13",
    "lv": "iso-8859-13", "lt": "iso-8859-13", "uk": "koi8-u", "bg": "windows-1251", "sr": "windows-1251",
}  # fmt: skip
DECLARED = re.compile(r"<\?xml[^>]*\?>|<meta[^>]*charset[^>]*>", re.IGNORECASE)
TRUE, FALSE = 285, 59
Case = tuple[str, str, bytes]


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/text"))
    parser.add_argument("--pages", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--method", default="rank-order")
    asked = parser.parse_args()
    if not (asked.data / "pages.parquet").exists():
        print(f"skipped: there are no pages in {asked.data}")
        return 0
    as_stored(asked.data / "pages.parquet")
    pages = drawn(asked.data / "pages.parquet", asked.pages, asked.seed)
    ngrams = identifier(asked.method, asked.data / "sentences.parquet", tuple(pages), asked.seed)
    pages = {language: some for language, some in pages.items() if language in ngrams.languages_}
    remember(ngrams)
    cases, templates = written(pages)
    rules = {name: CharsetRule(ngrams, name) for name in COMBINATIONS}
    found = {name: [rule.identify(data).language for _, _, data in cases] for name, rule in rules.items()}
    print(
        f"{len(cases):,} pages in {len(pages)} languages; n-grams: {asked.method}, {len(ngrams.languages_)} languages\n"
    )
    whole(cases, found)
    by_language(cases, found, templates, rules)
    return 0


def as_stored(path: Path) -> None:
    """What META says on the pages as they are."""
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["html", "lang"]).to_pydict()
    named, wrong, seen = 0, 0, Counter[str]()
    for html, given in zip(table["html"], table["lang"], strict=True):
        charset = meta_charset(html or "")
        seen[charset or "none"] += 1
        languages = charsets()[charset].languages if charset else ()
        named += len(languages) == 1
        wrong += len(languages) == 1 and find(given) != languages[0]
    most = ", ".join(f"{name} {number:,}" for name, number in seen.most_common(8))
    print(
        f"{len(table['html']):,} pages as stored: META names one language's charset on {named:,}, wrongly on {wrong:,}"
    )
    print(f"charsets named (ISO-8859-1 is none): {most}\n")


def drawn(path: Path, most: int, seed: int) -> dict[str, list[str]]:
    """At most `most` pages of each language that has five or more."""
    import pyarrow.parquet as pq

    rows: dict[str, list[str]] = defaultdict(list)
    table = pq.read_table(path, columns=["html", "lang"]).to_pydict()
    for html, given in zip(table["html"], table["lang"], strict=True):
        if (language := find(given)) and (html or "").strip():
            rows[language].append(html)
    rng = random.Random(seed)
    many = {language: some for language, some in sorted(rows.items()) if len(some) >= 5 or language == "th"}
    return {language: rng.sample(some, min(most, len(some))) for language, some in many.items()}


def identifier(method: str, sentences: Path, languages: tuple[str, ...], seed: int) -> Classifier:
    """The n-gram identifier."""
    if method != "rank-order":
        return open_method(method)
    import pyarrow.parquet as pq

    table = pq.read_table(sentences, columns=["text", "lang"]).to_pydict()
    rows = list(zip(table["text"], (find(given) for given in table["lang"]), strict=True))
    random.Random(seed).shuffle(rows)
    taken: dict[str, list[str]] = {language: [] for language in languages}
    left = dict.fromkeys(languages, CHARACTERS)
    for text, language in rows:
        if language in left and left[language] > 0 and text:
            taken[language].append(text)
            left[language] -= len(text)
    known = {language: texts for language, texts in taken.items() if len(texts) > 5}
    texts = [text for some in known.values() for text in some]
    return make("rank-order").fit(texts, [language for language, some in known.items() for _ in some])


def remember(ngrams: Classifier) -> None:
    """Let the identifier keep its answers: each text is asked about once for every way and every rule."""
    asked = ngrams.probabilities
    answers: dict[bytes, Any] = {}

    def remembered(batch: Any) -> Any:
        text = bytes(batch[0])
        if text not in answers:
            answers[text] = asked(batch)
        return answers[text]

    ngrams.probabilities = remembered  # type: ignore[method-assign, assignment]


def rewritten(html: str, charset: str, codec: str) -> bytes:
    """A page in this charset, which META names."""
    bare = DECLARED.sub("", html)
    meta = f'<META http-equiv="Content-Type" content="text/html; charset={charset}">'
    place = re.search(r"<head[^>]*>", bare, re.IGNORECASE)
    at = place.end() if place else 0
    return (bare[:at] + meta + bare[at:]).encode(codec, "xmlcharrefreplace")


def written(pages: dict[str, list[str]]) -> tuple[list[Case], dict[str, list[bytes]]]:
    """((language, way, bytes) of all pages, the English ones that name another language's charset)."""
    cases: list[Case] = []
    for language, some in pages.items():
        charset = OLD.get(language, "windows-1252")
        for html in some:
            cases.append((language, "own", rewritten(html, charset, charsets()[charset].codec)))
            cases.append((language, "utf-8", rewritten(html, "utf-8", "utf-8")))
            cases.append((language, "noise", rewritten(html, "ISO-8859-1", "ascii")))
    english = pages.get("en", [])
    templates = {
        language: [rewritten(html, charset, charsets()[charset].codec) for html in english]
        for language, charset in OLD.items()
        if language in pages
    }
    return cases, templates


def whole(cases: list[Case], found: dict[str, list[Any]]) -> None:
    """Accuracy by way."""
    print(f"{'right, %':<12}" + "".join(f"{way:>9}" for way in ("own", "utf-8", "noise")))
    for name, answers in found.items():
        shares = []
        for way in ("own", "utf-8", "noise"):
            right = [answer == case[0] for case, answer in zip(cases, answers, strict=True) if case[1] == way]
            shares.append(100 * sum(right) / len(right))
        print(f"{name:<12}" + "".join(f"{share:9.1f}" for share in shares))
    print()


def by_language(
    cases: list[Case], found: dict[str, list[Any]], templates: dict[str, list[bytes]], rules: dict[str, CharsetRule]
) -> None:
    """Recall, false positives, and the paper's mixture, for each language with a charset."""
    names = ("meta", "first", "both")
    print(
        "recall % on its own charset | false positives per 1,000 pages of other languages | % of English pages in its"
    )
    print(f"charset that are taken for it | precision % where META names it, mixed {TRUE}:{FALSE} as in Table 2")
    print(f"{'':<5}{'pages':>6}" + "".join(f"{f'{name}':>9}" for _ in range(4) for name in names))
    for language, english in templates.items():
        own = [row for row, case in enumerate(cases) if case[0] == language and case[1] == "own"]
        others = [row for row, case in enumerate(cases) if case[0] != language]
        cells: list[list[float]] = [[], [], [], []]
        for name in names:
            recall = sum(found[name][row] == language for row in own) / len(own)
            false = sum(found[name][row] == language for row in others) / len(others)
            taken = sum(rules[name].identify(data).language == language for data in english) / max(len(english), 1)
            hits = TRUE * recall + FALSE * taken
            values = (100 * recall, 1000 * false, 100 * taken, 100 * TRUE * recall / hits if hits else float("nan"))
            for cell, value in zip(cells, values, strict=True):
                cell.append(value)
        print(f"{language:<5}{len(own):>6}" + "".join(f"{value:9.1f}" for cell in cells for value in cell))


if __name__ == "__main__":
    sys.exit(main())
