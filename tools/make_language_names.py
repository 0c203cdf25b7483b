"""Makes data/language_names.tsv: what languages are called in menus, by CLDR and by our own table.

    python tools/make_language_names.py [--check]

A menu of languages has each in its own words (Deutsch, 日本語), less often in English. CLDR's names are read through
Babel, which is needed for this alone; those of data/languages.tsv are added. Only names are kept, in small letters.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from babel import Locale, localedata
from generated_tables import write_or_check

from dragoman.languages import find

DATA = Path(__file__).resolve().parents[1] / "src/dragoman/data"
TARGET = DATA / "language_names.tsv"
HEADER = """\
# What languages are called in menus, made by tools/make_language_names.py; columns are separated by tabs:
# tag     the language
# names   its names in its own words and in English, in small letters, separated by `;`
"""
#: What menus write beside CLDR's words.
MORE = {
    "cs": ("česky",),
    "en": ("english", "eng", "international english"),
    "es": ("castellano",),
    "et": ("eesti keel", "eesti keeles"),
    "fa": ("فارسى", "پارسی"),
    "he": ("ivrit",),
    "id": ("bahasa indonesia",),
    "lt": ("lietuviškai", "lietuvių kalba"),
    "lv": ("latviski", "latviešu valoda"),
    "ms": ("bahasa melayu", "bahasa malaysia"),
    "no": ("norsk", "bokmål", "norsk bokmål", "nynorsk", "norsk nynorsk"),
    "pt": ("português do brasil", "português brasileiro", "português europeu"),
    "pl": ("po polsku", "język polski"),
    "ru": ("по-русски", "русский язык"),
    "sk": ("slovensky", "slovenský"),
    "sl": ("slovensko",),
    "sr": ("srpski", "srpski latinica", "српски ћирилица", "srpskohrvatski"),
    "uk": ("українська мова", "українською"),
    "tl": ("filipino", "tagalog", "pilipino"),
    "zh": (
        "简体中文",
        "繁體中文",
        "繁体中文",
        "正體中文",
        "简体",
        "繁體",
        "简体字",
        "汉语",
        "漢語",
        "国语",
        "國語",
        "普通话",
    ),
}
#: Short names that are no words elsewhere.
SHORT = frozenset({"igbo", "odia", "suomi", "thai", "tuki", "urdu", "zulu"})
_BRACKETS = re.compile(r"\s*[(（].*?[)）]")


def names_of() -> dict[str, set[str]]:
    """{tag: names}."""
    found: dict[str, set[str]] = {}
    for line in (DATA / "languages.tsv").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            tag, _, _, english_names, native_names, *_ = line.split("\t")
            found[tag] = {*english_names.split(";"), *native_names.split(";")}
    for identifier in localedata.locale_identifiers():
        locale = Locale.parse(identifier)
        own_tag, own = find(identifier.split("_")[0]), locale.languages.get(locale.language)
        if own_tag and own and locale.territory is None:
            found.setdefault(own_tag, set()).add(own)
    english = Locale("en").languages
    for tag, words in found.items():
        if tag in english:
            words.add(english[tag])
        words.update(MORE.get(tag, ()))
    return found


def table() -> str:
    """The content of the file."""
    rows = []
    for tag, words in sorted(names_of().items()):
        small = sorted({_BRACKETS.sub("", word).strip().lower() for word in words} - {""})
        # four letters and less are words, codes and syllables in too many languages (Even, Bari, Fang)
        kept = [word for word in small if len(word) > 4 or not word.isascii() or word in SHORT]
        if kept:
            rows.append(f"{tag}\t{';'.join(kept)}\n")
    return HEADER + "".join(rows)


if __name__ == "__main__":
    sys.exit(write_or_check(TARGET, table, __doc__))
