"""Lists of frequent words: how often each is met in a language, without what robots wrote; lines drawn from them.

    words2.parquet    up to 30,000 words from each of up to four lists of a language

Two of the lists were counted in encyclopaedias, whose robots wrote a sentence about every village of a country, in the
words of that country, and left English and the names of fonts in it: "légales" was a hundred times as frequent in
Slovak as in French. So what such a list says counts only as far as the lists of what people say and write bear it out;
where a language has no other list, words that prove a robot's in many languages are left out.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from south_slavic import Line, ListedWord

from dragoman.identifiers.text.scripts import LATIN, script_of

#: Lists counted in encyclopaedias.
ENCYCLOPAEDIC = frozenset(["langidentify", "wikipedia-word-frequency"])
#: A word counts in an encyclopaedia's list for at most so many times what the other lists of the language have, and not
#: at all where it has so many times as much as their rarest word and they lack it. What does so in this many languages
#: is a robot's: languages with nothing but such a list do without it, and without words of so many letters that people
#: say in English this often, unless they have this share.
BORNE_OUT, ROBOTS, LANGUAGES, LETTERS, IN_ENGLISH, OWN = 10.0, 30.0, 4, 5, 2e-6, 0.006
#: Words that a list must have to make lines of; languages that have no spaces between words.
LONG_LIST, WITHOUT_SPACES = 2000, frozenset(["ja", "th", "zh", "zh-Hans", "my", "km", "lo"])
#: Chinese characters next to each other.
_HAN_RUN = re.compile(r"(?<![\u3400-\u9fff])[\u3400-\u9fff]{2,8}(?![\u3400-\u9fff])")


def words(
    path: Path, told: frozenset[str], parts: Mapping[str, str] = MappingProxyType({}), most: int = 50_000
) -> Iterator[ListedWord]:
    """Frequent words of the languages `told`; those that are far more frequent in another language left out. `parts`:
    codes of parts of a language, and what they count for. Chinese is simplified, as its lists are."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["word", "lang", "count", "source"])
    rows = table.set_column(0, "word", pc.utf8_lower(table["word"]))
    labels = [parts.get(code, code) for code in table["lang"].cast("string").to_pylist()]
    rows = rows.append_column("label", pa.array(labels))
    letters = pc.match_substring_regex(rows["word"], r"^[\pL\pM]+$")  # vowels of Indian scripts are marks
    good = pc.and_(letters, pc.greater_equal(pc.utf8_length(rows["word"]), 2))
    wanted = pc.is_in(rows["label"], pa.array(sorted(told)))
    rows = rows.append_column("share", pa.array(borne_out(rows))).filter(pc.and_(good, wanted))
    rows = rows.filter(pc.greater(rows["share"], 0))
    own = rows.group_by(["label", "word"], use_threads=False).aggregate([("share", "sum")])
    highest = own.group_by("word", use_threads=False).aggregate([("share_sum", "max")])
    own = own.join(highest, "word", use_threads=False).sort_by(
        [("label", "ascending"), ("share_sum", "descending"), ("word", "ascending")]
    )
    # English is met where any language is: "hi" is Catalan for "there", too
    times = pc.if_else(pc.equal(own["label"], "en"), 200.0, 20.0)
    own = own.filter(pc.greater(pc.multiply(own["share_sum"], times), own["share_sum_max"]))
    by: dict[str, list[ListedWord]] = defaultdict(list)
    for one in zip(*(own[name].to_pylist() for name in ("word", "label", "share_sum", "share_sum_max")), strict=True):
        by[one[1]].append(ListedWord(*one)._replace(label="zh-Hans" if one[1] == "zh" else one[1]))
    for tag, listed in by.items():
        scripts = Counter(script_of(ord(one.word[0])) for one in listed)
        usual = {scripts.most_common(1)[0][0], *([LATIN] if tag == "sr" else [])}
        yield from [one for one in listed if script_of(ord(one.word[0])) in usual][:most]


def borne_out(rows: pa.Table) -> NDArray[np.float64]:
    """What each row (word, lang, label, source, count) adds to the share of its word in its language.

    Every list of a language counts the same, whatever code it has: Norwegian has two under `no` and one under `nb`.
    """
    import pyarrow.compute as pc

    sources, codes = (rows[name].cast("string").to_pylist() for name in ("source", "lang"))
    lists, languages = _numbers([*zip(codes, sources, strict=True)]), _numbers(rows["label"].to_pylist())
    counts = rows["count"].to_numpy().astype(np.float64)
    share = counts / np.bincount(lists, weights=counts)[lists]
    of_list = np.zeros(lists.max() + 1, np.int64)
    of_list[lists] = languages
    robot = np.array([source in ENCYCLOPAEDIC for source in sources])
    word = rows["word"].combine_chunks().dictionary_encode().indices.to_numpy().astype(np.int64)
    # lists of Serbian are in one script each: those in the other bear nothing out
    latin = pc.match_substring_regex(rows["word"], r"^\p{Latin}").to_numpy(zero_copy_only=False)
    label = languages * 2 + latin
    some = _numbers([*zip(lists.tolist(), latin.tolist(), strict=True)])
    of_some = np.zeros(some.max() + 1, np.int64)
    of_some[some] = label
    # what the other lists have: of this word, or else of their rarest
    least = np.full(len(of_some), np.inf)
    np.minimum.at(least, some, np.where(robot, np.inf, share))
    rarest = np.zeros(label.max() + 1)
    heard = np.isfinite(least)
    np.maximum.at(rarest, of_some[heard], least[heard])
    _, pair = np.unique(label * (word.max() + 1) + word, return_inverse=True)
    elsewhere = rarest[label]
    said = np.zeros(pair.max() + 1)
    np.maximum.at(said, pair, np.where(robot, 0.0, share))
    elsewhere = np.maximum(elsewhere, said[pair])
    spoken = rarest[label] > 0
    far = robot & spoken & (share > ROBOTS * elsewhere)
    in_languages = np.unique(np.stack([word[far], label[far]], axis=1), axis=0)[:, 0]
    widely = np.bincount(in_languages, minlength=word.max() + 1) >= LANGUAGES
    long = pc.greater_equal(pc.utf8_length(rows["word"]), LETTERS).to_numpy(zero_copy_only=False)
    english = np.zeros(word.max() + 1, bool)
    english[word[(share > IN_ENGLISH) & ~robot & pc.equal(rows["label"], "en").to_numpy(zero_copy_only=False)]] = True
    strange = robot & ~spoken & (widely[word] | (long & english[word])) & (share < OWN)
    share = np.where(robot & spoken, np.minimum(share, BORNE_OUT * elsewhere), share)
    share[strange | (far & (said[pair] == 0))] = 0
    return np.asarray(share / np.bincount(of_list)[languages])


def _numbers(names: Sequence[Any]) -> NDArray[np.int64]:
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], np.int64)


def word_lines(listed: Sequence[ListedWord], count: int = 3000, seed: int = 9) -> Iterator[Line]:
    """Lines of three to ten words of a language's list, drawn by how often they are met: to a model that does not know
    the order of words, text of one more kind. Long lists of languages with spaces only."""
    rng = random.Random(seed)
    by: dict[tuple[str, int], list[ListedWord]] = defaultdict(list)
    for one in listed:
        by[one.label, script_of(ord(one.word[0]))].append(one)
    for (label, _), some in sorted(by.items()):
        if len(some) < LONG_LIST or label in WITHOUT_SPACES:
            continue
        texts, bounds = [one.word for one in some], np.cumsum([one.share for one in some]).tolist()
        for _ in range(count):
            yield Line(" ".join(rng.choices(texts, cum_weights=bounds, k=rng.randint(3, 10))), label, "word lines")


def compounds(lines: Sequence[Line], most: int = 10_000, seed: int = 11) -> Iterator[Line]:
    """Words of two to eight Chinese characters and no kana in lines of Japanese, which headings and menus consist of:
    they are what Japanese shares with Chinese, and lines alone hardly have them without the kana around them."""
    found: Counter[str] = Counter()
    for one in lines:
        if one.label == "ja":
            found.update(_HAN_RUN.findall(one.text))
    chosen = sorted(found, key=lambda run: (-found[run], run))[: 3 * most]
    random.Random(seed).shuffle(chosen)
    yield from (Line(run, "ja", "compounds") for run in chosen[:most])
