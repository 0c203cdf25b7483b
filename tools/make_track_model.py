"""Makes the lexicon that the tracker ships with, from word lists and labelled texts.

    python tools/make_track_model.py [--texts DIR] [--words N] [-o FILE]

Words come from the lists of the package wordfreq (42 languages) and from sentences.parquet; languages without a list
take those of pages.parquet too, without the lines that several languages share. A language is in if it has a list or
200 sentences. The documents that trackers are judged on (tracking_dev.jsonl) are not read. The same data gives the same
bytes.
Says so and ends well where the data is not there.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from dragoman.errors import UnknownLanguage, need
from dragoman.identifiers import model_file as store
from dragoman.identifiers.text.markup.visible import read_markup
from dragoman.identifiers.track.counting import word_frequencies
from dragoman.identifiers.track.lexicon import Lexicon, words_of
from dragoman.languages import normalise

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data" / "text"
#: Sentences that a language without a list of words must have.
LEAST = 200
#: Words that are read from a list, and characters of pages.
LISTED, PAGES = 40_000, 200_000
#: A line of a page that so many languages have is of none of them.
MANY = 3
#: Lists that go by another code, or serve several languages.
LISTS = {"no": "nb", "tl": "fil", "hr": "sh", "bs": "sh"}
LICENCE = "Apache-2.0, as Dragoman; what it was learnt from keeps its own licences (see provenance)"
PROVENANCE = (
    "Learnt from the word lists of wordfreq (code Apache-2.0, data CC BY-SA 4.0), Tatoeba sentences (CC BY 2.0 FR), "
    "the Universal Declaration of Human Rights, Debian package descriptions and documentation. The file holds hashed "
    "costs of words and n-grams only."
)


def rows(path: Path, column: str) -> Iterator[tuple[str, str]]:
    """(language, text) of the rows whose language is known."""
    parquet = need("bulk", "pyarrow.parquet")
    table = parquet.read_table(path, columns=[column, "lang"])
    for label, text in zip(table["lang"].to_pylist(), table[column].to_pylist(), strict=True):
        try:
            yield normalise(label), text
        except UnknownLanguage:
            continue


def word_list(language: str) -> dict[str, float] | None:
    """The frequencies of a language's most frequent words, if wordfreq has a list of it."""
    wordfreq = need("train", "wordfreq")
    code = LISTS.get(language, language)
    if code not in wordfreq.available_languages():
        return None
    found: dict[str, float] = {}
    for word, frequency in list(wordfreq.get_frequency_dict(code, "small").items())[:LISTED]:
        # most are one word in small letters already, and taking a word apart is slow
        for part in (word,) if word.isascii() and word.isalpha() and word.islower() else words_of(word):
            found[part] = found.get(part, 0.0) + frequency
    return found


def of_many(pages: Iterable[tuple[str, str]]) -> set[str]:
    """The lines that pages of several languages have: commands, code, names, and what nobody translated."""
    languages: dict[str, set[str]] = {}
    for language, text in pages:
        for line in text.splitlines():
            languages.setdefault(line.strip(), set()).add(language)
    return {line for line, found in languages.items() if len(found) >= MANY}


def main() -> int:
    """Count, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, default=SHARED)
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "src/dragoman/data/models/track.dragoman")
    parser.add_argument("--words", type=int, default=Lexicon().words, help="words that are kept per language")
    arguments = parser.parse_args()
    files = [arguments.texts / name for name in ("sentences.parquet", "pages.parquet")]
    if not all(path.exists() for path in files):
        print("There are no texts to make the lexicon from (--texts DIR): the one that ships stays as it is.")
        return 0
    started = time.monotonic()
    counts: dict[str, Counter[str]] = {}
    sentences: Counter[str] = Counter()
    for language, text in rows(files[0], "text"):
        counts.setdefault(language, Counter()).update(words_of(text))
        sentences[language] += 1
    wordfreq = need("train", "wordfreq")
    tags = {normalise(code) for code in wordfreq.available_languages()} | set(LISTS)
    tags |= {language for language, number in sentences.items() if number >= LEAST}
    lists = {language: word_list(language) for language in sorted(tags)}
    left = {language: PAGES for language, found in lists.items() if found is None}
    pages = [(language, read_markup(source).text) for language, source in rows(files[1], "html")]
    shared = of_many(pages)
    for language, text in pages:
        if left.get(language, 0) > 0:
            own = "\n".join(line for line in text.splitlines() if line.strip() not in shared)
            left[language] -= len(own)
            counts.setdefault(language, Counter()).update(words_of(own))
    print(f"{len(tags)} languages counted after {time.monotonic() - started:.0f} s", flush=True)
    frequencies = {one: word_frequencies(counts.get(one, Counter()), lists[one]) for one in sorted(tags)}
    model = Lexicon(words=arguments.words).fit_words(frequencies)
    model.notes_ = {
        "licence": LICENCE,
        "provenance": PROVENANCE,
        "data": {path.name: hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest() for path in files},
        "listed": sorted(language for language, found in lists.items() if found is not None),
        "sentences": {language: sentences[language] for language in sorted(tags)},
    }
    digest = store.save(model, arguments.output)
    size, seconds = arguments.output.stat().st_size, time.monotonic() - started
    keys = len(model.table_.prints)
    print(f"{len(model.languages_)} languages, {size:,} bytes, {keys:,} keys, {seconds:.0f} s, {digest}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
