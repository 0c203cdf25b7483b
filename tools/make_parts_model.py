"""Trains a model of parts on labelled URLs, texts and words, with its figures on the tuning halves.

    python tools/make_parts_model.py [--data DIR] [--scale SHARE] -o FILE

Not yet what ships (see docs/explanation/the-url-model.md): `dragoman url --model FILE` tries it. Real URLs come from
train.parquet and train2.parquet, words and phrases from sentences.parquet, sentences2.parquet and words2.parquet;
sharpness is chosen on the tuning halves of dev_*.parquet. The same data and seed give the same bytes.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyarrow.parquet as parquet
from url_material import slugs, texts
from url_material.real import RealUrls, read_real
from url_material.spelling import forms

from dragoman.columns import ByteColumn
from dragoman.identifiers import model_file
from dragoman.identifiers.url.parts.classifier import WeighedParts
from dragoman.identifiers.url.parts.code_book import CodeBook, UrlNames
from dragoman.identifiers.url.parts.domains import domain_priors
from dragoman.identifiers.url.parts.material import Material, WordWeights

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
#: A language needs so many lines and sites; those with fewer URLs than ENOUGH count less among the made ones.
LEAST_LINES, LEAST_SITES, ENOUGH, LESS = 1_500, 8, 60, 0.3
#: Languages that no test of ours has, or that are dialects of one that has their texts.
LEFT_OUT = frozenset({"udm", "din", "kw", "yue", "bm", "chr"})
#: A frequency that says nothing, the most that a word can say, and the least that is worth an entry (nats).
NOTHING, MOST, LEAST_WORD, LEAST_ENTRY = 3e-7, 7.5, 1.2, 0.4
_GENERIC = frozenset({"com", "org", "net", "info", "io", "co", "tv"})


def chosen_languages(lines: dict[str, texts.Lines], real: RealUrls) -> list[str]:
    """The languages with texts and sites enough."""
    sites = Counter(tag for tag, _ in set(zip(real.languages, real.sites, strict=True)))
    return sorted(
        tag
        for tag, some in lines.items()
        if len(some) >= LEAST_LINES and sites[tag] >= LEAST_SITES and tag not in LEFT_OUT
    )


def word_weights(words: dict[str, dict[str, float]], languages: list[str]) -> WordWeights:
    """How much each form of each frequent word says: the log of its frequency, less what other languages have of it."""
    frequency: dict[str, dict[int, float]] = defaultdict(dict)
    for number, tag in enumerate(languages):
        for word, value in list(words[tag].items())[: 4_000 if tag in texts.UNSPACED else None]:
            for form, share in forms(tag, word) if len(word) <= texts.LONGEST else ():
                if len(form) > 1:
                    frequency[form][number] = frequency[form].get(number, 0.0) + value * share
    forms_, entries = [], []
    for form, by_language in frequency.items():
        top = sorted(by_language.items(), key=lambda pair: -pair[1])[:8]
        most = min(MOST, math.log(1 + top[0][1] / NOTHING))
        weights = [(number, most - math.log(top[0][1] / value)) for number, value in top]
        if most >= LEAST_WORD:
            forms_.append(form)
            entries.append([pair for pair in weights if pair[1] > LEAST_ENTRY])
    return WordWeights.of_entries(forms_, entries)


def made_rows(
    real: RealUrls, words: dict[str, dict[str, float]], lines: dict[str, texts.Lines], codes: CodeBook, scale: float
) -> list[tuple[str, str]]:
    """Made URLs with their languages; those that say nothing have the languages that sites have on the whole."""
    draw = random.Random(5)
    hosts, generic, paths = defaultdict(list), [], list(slugs.EVERYWHERE) * 20
    english = []
    for url, tag in zip(real.urls, real.languages, strict=True):
        host, _, path = re.sub("^[a-z]+:/*", "", url).partition("/")
        hosts[tag].append(host)
        if host.rpartition(".")[2] in _GENERIC:
            generic.append(host.removeprefix("www."))
        if tag == "en" and 1 <= len(re.findall("[a-zA-Z]{2,}", path)) <= 2 and len(path) < 30:
            english.append(path)
    paths += draw.sample(english, min(len(english), 1_500))
    phrases = {tag: texts.phrases(lines[tag], seed=3) for tag in words}
    maker = slugs.SlugMaker(words, phrases, hosts, generic, paths, codes, seed=7)
    rows = list(maker.every(list(words), scale))
    of_sites = list(dict(zip(real.sites, real.languages, strict=True)).values())
    rows += [(maker.empty(), tag) for tag in draw.choices(real.languages, k=round(slugs.EMPTY * scale))]
    rows += [(maker.common(), tag) for tag in draw.choices(of_sites, k=round(slugs.COMMON * scale))]
    return [row for row in rows if row[1] in words]


def tuning_rows(folder: Path, languages: list[str]) -> tuple[list[str], np.ndarray]:
    """The tuning halves of all test sets: URLs and the numbers of their languages (-1: none of these)."""
    number = {tag: place for place, tag in enumerate(languages)}
    urls, truth = [], []
    for path in sorted(folder.glob("dev_*.parquet")):
        table = parquet.read_table(path, columns=["url", "lang", "half"])
        for url, label, half in zip(*(table[column].to_pylist() for column in table.column_names), strict=True):
            if half == "tune":
                urls.append(url)
                truth.append(number.get(texts.language_of(label) or "", -1))
    return urls, np.array(truth, np.int64)


def main() -> int:
    """Gather, train, calibrate, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--scale", type=float, default=1.0, help="share of the made URLs")
    parser.add_argument("-o", "--output", type=Path, required=True)
    asked = parser.parse_args()
    if not (asked.data / "urls" / "train2.parquet").exists():
        print("There is no data to make the model from (--data DIR).")
        return 0
    started = time.monotonic()

    def report(what: str) -> None:
        print(f"{time.monotonic() - started:5.0f} s  {what}", flush=True)

    real, lines = read_real(asked.data / "urls"), texts.read_lines(asked.data / "text")
    languages = chosen_languages(lines, real)
    kept = [row for row, tag in enumerate(real.languages) if tag in set(languages)]
    real = RealUrls(*([column[row] for row in kept] for column in (real.urls, real.languages, real.sites)))
    report(f"{len(real.urls):,} URLs, {len(languages)} languages")
    words = texts.frequencies(asked.data / "text", lines, languages)
    codes = CodeBook.shipped(languages)
    made = made_rows(real, words, lines, codes, asked.scale)
    report(f"{len(made):,} made URLs")
    number = {tag: place for place, tag in enumerate(languages)}
    truth = np.array([number[tag] for tag in real.languages], np.int64)
    material = Material(
        tuple(languages),
        word_weights(words, languages),
        codes,
        UrlNames.shipped(),
        domain_priors(ByteColumn.of(real.urls), truth, tuple(languages), codes.countries, real.sites),
    )
    report(f"{len(material.words.keys):,} words")
    counts = np.bincount(truth, minlength=len(languages)).astype(np.float64)
    of_real = np.maximum(counts, 1000) ** -0.6
    of_real *= counts.sum() / (of_real * counts).sum()
    of_made = np.where(counts >= ENOUGH, 1.0, LESS)
    importance = np.concatenate([of_real[truth], of_made[[number[tag] for _, tag in made]]]).astype(np.float32)
    model = WeighedParts().fit(
        ByteColumn.of([*real.urls, *(url for url, _ in made)]),
        [*real.languages, *(tag for _, tag in made)],
        material,
        importance,
        report,
    )
    urls, labels = tuning_rows(asked.data / "urls", languages)
    model.calibrate(ByteColumn.of(urls), labels)
    right = model.scores(ByteColumn.of(urls)).best == labels
    report(f"right on the tuning halves: {right.mean():.4f} of {len(right):,}")
    report(f"{model_file.save(model, asked.output)}, {asked.output.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
