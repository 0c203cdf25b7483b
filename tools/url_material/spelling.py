"""How sites write words in addresses: without marks, ä as ae, Cyrillic, Greek and Hindi in Latin letters, or as is."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

Forms = list[tuple[str, float]]


def listed(words: str) -> list[str]:
    """Words that stand in one text: lists of them are easier to read so.

    >>> listed("a b")
    ['a', 'b']
    """
    return words.split()


_CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґўјљњћђџѓќѕқғүұөәңһҳҷӣӯ",
        listed(
            "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch - y - e yu ya i i ie g u j lj nj c "
            "dj dz gj kj dz q g u u o a n h h j i u"
        ),
        strict=True,
    )
)
#: Where a language's sites write letters otherwise; several ways for one language are all met.
_WAYS: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "ru": (
        {},
        {"й": "j", "х": "h", "щ": "sch", "ю": "ju", "я": "ja"},
        {"х": "h", "щ": "sch"},
        {"х": "h", "щ": "shh", "ё": "yo"},
    ),
    "uk": (
        {"г": "h", "и": "y", "й": "i", "є": "ie", "ю": "iu", "я": "ia"},
        {"г": "h", "и": "y", "є": "ye", "ї": "yi"},
        {"х": "h"},
    ),
    "bg": ({"щ": "sht", "ъ": "a", "х": "h"}, {"щ": "sht", "ъ": "u", "х": "h", "ц": "c", "й": "j"}),
    "sr": ({"ж": "z", "ц": "c", "ч": "c", "ш": "s", "х": "h"},),
    "mk": ({"ж": "z", "ц": "c", "ч": "c", "ш": "s", "х": "h"}, {"ц": "c", "х": "h"}),
    "be": ({"г": "h", "й": "i", "я": "ia", "ю": "iu"}, {"х": "h"}),
    "mn": ({"ө": "u"}, {"х": "h"}),
}
_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρσςτυφχψω",
        listed("a v g d e z i th i k l m n x o p r s s t y f ch ps o"),
        strict=True,
    )
)
_GREEK_WAYS: tuple[Mapping[str, str], ...] = ({}, {"χ": "x", "η": "h", "υ": "u", "ω": "w"}, {"χ": "h", "υ": "i"})
_GREEK_PAIRS = (("ου", "ou"), ("αυ", "av"), ("ευ", "ef"))
_GEORGIAN = dict(
    zip(
        "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
        listed("a b g d e v z t i k l m n o p zh r s t u p k gh q sh ch ts dz ts ch kh j h"),
        strict=True,
    )
)
_ARMENIAN = dict(
    zip(
        "աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆև",
        listed("a b g d e z e y t zh i l kh ts k h dz gh ch m y n sh o ch p j r s v t r ts v p q o f ev"),
        strict=True,
    )
)
#: Hindi as people type it on a Latin keyboard; a consonant without a sign has an `a`, which is often not spoken.
_DEVANAGARI = dict(
    zip(
        "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहळ",
        listed("k kh g gh n ch chh j jh n t th d dh n t th d dh n p ph b bh m y r l v sh sh s h l"),
        strict=True,
    )
)
_DEVANAGARI_VOWELS = dict(
    zip("अआइईउऊऋएऐओऔऑािीुूृेैोौॉ", listed("a a i i u u ri e ai o au o a i i u u ri e ai o au o"), strict=True)
)
_DEVANAGARI_MARKS = {"ं": "n", "ँ": "n", "ः": "h", "़": ""}
_NO_VOWEL = "्"
_HINDI_WAYS: tuple[Mapping[str, str], ...] = ({}, {"आ": "aa", "ा": "aa", "ी": "ee", "ू": "oo", "व": "w", "फ": "f"})
_PLAIN = str.maketrans(
    {"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ð": "d", "ə": "e", "ŋ": "ng"}
    | {"ħ": "h", "ŧ": "t", "ʻ": "", "ʼ": "", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ƴ": "y", "ɛ": "e", "ɔ": "o"}
)
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_NORDIC = str.maketrans({"å": "aa", "ø": "oe", "æ": "ae", "ä": "ae", "ö": "oe"})
_NORDIC_LANGUAGES = frozenset({"da", "no", "sv", "is", "fo"})


def unmarked(word: str) -> str:
    """A word without marks, and the letters that have none to lose in their usual stead.

    >>> unmarked("smørrebrød"), unmarked("łódź"), unmarked("đường")
    ('smorrebrod', 'lodz', 'duong')
    """
    bare = "".join(c for c in unicodedata.normalize("NFD", word.translate(_PLAIN)) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", bare)


def forms(language: str, word: str) -> Forms:
    """The ways in which a word in lower case is written in addresses, with their shares.

    >>> forms("de", "über")
    [('über', 0.25), ('ueber', 0.55), ('uber', 0.2)]
    >>> [form for form, _ in forms("ru", "щука")][:3]
    ['щука', 'shchuka', 'schuka']
    """
    if word.isascii():
        return [(word, 1.0)]
    first = ord(word[0])
    if all(_is_latin(letter) for letter in word):
        return _latin(language, word)
    if 0x400 <= first < 0x530:
        ways = _WAYS.get(language, ({},))
        return [(word, 0.6), *_spelled([_letters(word, _CYRILLIC | dict(way)) for way in ways], 0.4)]
    if 0x370 <= first < 0x400 or 0x1F00 <= first < 0x2000:
        bare = "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
        joined = bare
        for pair, latin in _GREEK_PAIRS:
            joined = joined.replace(pair, latin)
        spelled = [_letters(joined, _GREEK | dict(way)) for way in _GREEK_WAYS]
        return [(word, 0.45), (bare, 0.1), *_spelled(spelled, 0.45)]
    if 0x10D0 <= first < 0x1100:
        return [(word, 0.7), *_spelled([_letters(word, _GEORGIAN)], 0.3)]
    if 0x530 <= first < 0x590:
        return [(word, 0.75), *_spelled([_letters(word, _ARMENIAN)], 0.25)]
    if language == "hi" and 0x900 <= first < 0x980:
        return [(word, 0.6), *_spelled([_hindi(word, way) for way in _HINDI_WAYS], 0.4)]
    return [(word, 1.0)]


def _hindi(word: str, way: Mapping[str, str]) -> str:
    """A word of Hindi in Latin letters; an `a` that is not written is left out at the end and between vowels.

    >>> _hindi("करना", {}), _hindi("भारत", {}), _hindi("समाचार", {}), _hindi("कैसे", {})
    ('karna', 'bharat', 'samachar', 'kaise')
    """
    consonants, vowels = _DEVANAGARI | dict(way), _DEVANAGARI_VOWELS | dict(way)
    # syllables: a consonant, a vowel (None: the one that is not written), a mark
    found: list[tuple[str, str | None, str]] = []
    for letter in word:
        if letter in _DEVANAGARI:
            found.append((consonants[letter], None, ""))
        elif letter in _DEVANAGARI_VOWELS and (letter <= "औ" or letter == "ऑ" or not found):
            found.append(("", vowels[letter], ""))
        elif letter in _DEVANAGARI_VOWELS or letter == _NO_VOWEL:
            found[-1:] = [(found[-1][0], vowels.get(letter, ""), "")] if found else []
        elif letter in _DEVANAGARI_MARKS and found:
            before, vowel, _ = found[-1]
            mark = _DEVANAGARI_MARKS[letter]
            found[-1] = (before, vowel if vowel is not None or not mark else "a", mark)
        else:
            return word
    spoken = ""
    for place in range(len(found) - 1, -1, -1):
        consonant, vowel, mark = found[place]
        if vowel is None:
            between = 0 < place < len(found) - 1 and found[place - 1][1] != "" and spoken[1:2] in tuple("aeiou")
            vowel = "" if (place == len(found) - 1 and place > 0) or between else "a"
            found[place] = (consonant, vowel, mark)
        spoken = consonant + vowel + mark + spoken
    return spoken


def _is_latin(letter: str) -> bool:
    return letter.isascii() or bool(unicodedata.combining(letter)) or "LATIN" in unicodedata.name(letter, "")


def _latin(language: str, word: str) -> Forms:
    if language == "de":
        return [(word, 0.25), (unmarked(word.translate(_GERMAN)), 0.55), (unmarked(word), 0.2)]
    found = [(word, 0.25), (unmarked(word), 0.6)]
    if language in _NORDIC_LANGUAGES:
        found.append((unmarked(word.translate(_NORDIC)), 0.15))
    return found


def _letters(word: str, table: Mapping[str, str]) -> str:
    return "".join(table.get(letter, letter).replace("-", "") for letter in word)


def _spelled(words: list[str], share: float) -> Forms:
    """Those that became Latin letters throughout share equally."""
    return [(unmarked(word), share / len(words)) for word in words if unmarked(word).isascii() and word]
