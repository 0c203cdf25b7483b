"""Gathers what a model of parts learns from: languages, words, made URLs beside real ones, and how much each counts."""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.identifiers.url.parts.code_book import CodeBook, UrlNames
from dragoman.identifiers.url.parts.domains import domain_priors
from dragoman.identifiers.url.parts.material import Material, WordWeights
from dragoman.identifiers.url.parts.training import RowWeights
from dragoman.kernels.parts_tables import WORD_ENTRIES
from url_material import slugs, texts
from url_material.interfaces import interface_messages
from url_material.proper_names import ProperNames
from url_material.real import RealUrls, read_real
from url_material.spelling import forms, listed
from url_material.web_sizes import web_sizes

#: A language needs so many lines and sites.
LEAST_LINES, LEAST_SITES = 1_500, 8
#: Languages of many people whose sites our lists hardly have: they have made URLs alone.
ADDED = frozenset(listed("bo cv fy ht jv la ln mi qu rm sah sn su tk tn ts wo yi"))
#: A made URL of a language with so many real ones counts MADE; of others by this power of their number, within limits.
USUAL, POWER, LOWEST, HIGHEST = 1_500, 0.2, 0.4, 1.4
#: How much a made URL counts beside a real one, and how far real ones of large languages count less.
MADE, BALANCE, LARGE = 0.25, 0.5, 1_000
#: Each URL of a site counts by this power of their number, and all together as much as without it: what stands in the
#: host of one site is no more its language for being met twenty times.
OF_ONE_SITE = -0.5
#: Made home pages count less, since there are real ones: what `.com` says by itself must stay true.
MADE_HOSTS = 0.6
#: Languages that no test of ours has, or that are dialects of one that has their texts.
LEFT_OUT = frozenset({"udm", "din", "kw", "yue", "bm", "chr"})
#: A frequency that says nothing, the most that a word can say, and the least that is worth an entry (nats).
NOTHING, MOST, LEAST_WORD, LEAST_ENTRY = 1e-7, 7.5, 2.6, 0.4
#: A language counts by this power of its pages on the web where a word is of too many.
SIZE_POWER = 0.3
#: Words of a language that have a place in the table.
MOST_WORDS = 45_000
#: Labels of sites, not of pages, are doubted so far: what contradicts the rest of a URL moves less (see `RowWeights`).
DOUBT = 0.15
_GENERIC = frozenset({"com", "org", "net", "info", "io", "co", "tv"})


@dataclass(frozen=True, eq=False)
class Gathered:
    """The material of a model, its URLs (real ones first), their languages, and how much each counts."""

    material: Material
    urls: ByteColumn
    labels: list[str]
    counted: RowWeights
    real: int


def gather(
    urls: Path,
    text: Path,
    interfaces: Path | None,
    report: Callable[[str], None],
    scale: float = 1.0,
    left_out: Collection[str] = (),
) -> Gathered:
    """Everything from folders of URLs, of texts and of packages with messages (fetched where they are not there).

    `scale` is the share of the made URLs that are made, `left_out` has kinds of them that are not.
    """
    messages = interface_messages(interfaces, report) if interfaces else {}
    real, lines = read_real(urls), texts.read_lines(text, messages)
    languages = chosen_languages(lines, real)
    kept = [row for row, tag in enumerate(real.languages) if tag in set(languages)]
    real = real.take(kept)
    report(f"{len(real.urls):,} URLs, {len(languages)} languages")
    words = texts.frequencies(text, lines, languages)
    codes, names = CodeBook.shipped(languages), UrlNames.shipped()
    made = made_rows(real, words, lines, codes, scale, left_out)
    report(f"{len(made):,} made URLs")
    number = {tag: place for place, tag in enumerate(languages)}
    truth = np.array([number[tag] for tag in real.languages], np.int64)
    material = Material(
        tuple(languages),
        word_weights(words, languages, names),
        codes,
        names,
        domain_priors(
            ByteColumn.of(real.urls),
            truth,
            tuple(languages),
            codes.countries,
            real.sites,
            names.regions,
            names.platforms | names.sites.keys(),
        ),
    )
    report(f"{len(material.words.keys):,} words")
    labels = [*real.languages, *(tag for _, tag in made)]
    rows = ByteColumn.of([*real.urls, *(url for url, _ in made)])
    count = len(real.urls)
    doubt = np.zeros(len(rows), np.float32)
    doubt[:count] = np.where(real.doubted, DOUBT, 0.0)
    counted = RowWeights(importance(rows, labels, real.sites, languages), host_share(rows, count), doubt)
    return Gathered(material, rows, labels, counted, count)


def importance(
    urls: ByteColumn, labels: list[str], sites: Sequence[object], languages: Sequence[str]
) -> NDArray[np.float32]:
    """How much each URL counts; the first ones are real, and `sites` has theirs."""
    number = {tag: place for place, tag in enumerate(languages)}
    truth = np.array([number[tag] for tag in labels], np.int64)
    real = len(sites)
    counts = np.bincount(truth[:real], minlength=len(languages)).astype(np.float64)
    of_real = np.maximum(counts, LARGE) ** -BALANCE
    of_real *= counts.sum() / (of_real * counts).sum()
    of_made = MADE * np.clip((counts / USUAL) ** POWER, LOWEST, HIGHEST)
    found = np.where(np.arange(len(truth)) < real, of_real[truth], of_made[truth])
    urls_of = Counter(sites)
    of_one = np.array([urls_of[site] for site in sites], np.float64) ** OF_ONE_SITE
    found[:real] *= of_one / of_one.mean()
    for row, url in enumerate(islice(urls, real, None), real):
        if _has_own_host(url) and url.find(b"/", 7) == len(url) - 1:
            found[row] *= MADE_HOSTS
    return found.astype(np.float32)


def host_share(urls: ByteColumn, real: int) -> NDArray[np.float32]:
    """1 where a host is of the URL's language; 0 for made paths on any host: nothing is to be learnt about that."""
    return np.array([row < real or _has_own_host(url) for row, url in enumerate(urls)], np.float32)


def _has_own_host(made: bytes) -> bool:
    """True for a made URL whose host was made for its language: those alone begin so."""
    return made.startswith(b"http://")


def chosen_languages(lines: dict[str, texts.Lines], real: RealUrls) -> list[str]:
    """The languages with texts and sites enough."""
    sites = Counter(tag for tag, _ in set(zip(real.languages, real.sites, strict=True)))
    return sorted(
        tag
        for tag, some in lines.items()
        if tag in ADDED or (len(some) >= LEAST_LINES and sites[tag] >= LEAST_SITES and tag not in LEFT_OUT)
    )


def word_weights(words: dict[str, dict[str, float]], languages: list[str], names: UrlNames) -> WordWeights:
    """How much each form of each frequent word says: the log of its frequency, less what other languages have of it.

    Forms in a script that one language has for itself are left out: the script has said it already. Of a word of many
    languages the large ones are written down first: `multimedia` is Spanish, too.
    """
    size = (web_sizes(languages) ** SIZE_POWER).tolist()
    own = [run for run in names.scripts if len(set(run.languages) & set(languages)) == 1]
    letters = {chr(point) for run in own for point in range(run.first, run.last + 1)}
    frequency: dict[str, dict[int, float]] = defaultdict(dict)
    for number, tag in enumerate(languages):
        for word, value in list(words[tag].items())[: 4_000 if tag in texts.UNSPACED else MOST_WORDS]:
            for form, share in forms(tag, word) if len(word) <= texts.LONGEST else ():
                if len(form) > 1 and form[0] not in letters:
                    frequency[form][number] = frequency[form].get(number, 0.0) + value * share
    forms_, entries = [], []
    for form, by_language in frequency.items():
        most_frequent = max(by_language.values())
        top = sorted(by_language.items(), key=lambda pair: -pair[1] * size[pair[0]])[:WORD_ENTRIES]
        most = min(MOST, math.log(1 + most_frequent / NOTHING))
        weights = [(number, most - math.log(most_frequent / value)) for number, value in top]
        if most >= LEAST_WORD:
            forms_.append(form)
            entries.append([pair for pair in weights if pair[1] > LEAST_ENTRY] or weights[:1])
    return WordWeights.of_entries(forms_, entries)


def made_rows(
    real: RealUrls,
    words: dict[str, dict[str, float]],
    lines: dict[str, texts.Lines],
    codes: CodeBook,
    scale: float,
    left_out: Collection[str],
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
    names = ProperNames(lines, words, seed=11)
    maker = slugs.SlugMaker(words, phrases, hosts, generic, paths, codes, names, seed=7)
    rows = list(maker.every(list(words), scale, left_out))
    of_sites = list(dict(zip(real.sites, real.languages, strict=True)).values())
    rows += [(maker.empty(), tag) for tag in draw.choices(real.languages, k=round(slugs.EMPTY * scale))]
    rows += [(maker.common(), tag) for tag in draw.choices(of_sites, k=round(slugs.COMMON * scale))]
    return [row for row in rows if row[1] in words]
