"""Which script a letter belongs to, and which script a text is written in.

Scripts have their ISO 15924 codes. Han, kana and bopomofo are one here, `Hani`: Japanese has all of them in one word.

The script of a text is that of most of its letters, with one exception: where another script has a third as many
letters as Latin, or at least 15 and a ninth as many, it is that one. Manuals in Russian or Japanese are full of
commands and names in Latin letters, and no English page has that many letters of another script by accident.

>>> main_script("Привет, John"), main_script("see Привет at the end of this line"), main_script("12:30")
('Cyrl', 'Latn', None)
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

#: First and last code point of the blocks of each script.
_BLOCKS = """
Latn 0041-024F 0250-02AF 1D00-1DBF 1E00-1EFF 2C60-2C7F A720-A7FF AB30-AB6F FB00-FB06 FF21-FF5A
Grek 0370-03E1 03F0-03FF 1F00-1FFF
Copt 03E2-03EF 2C80-2CFF
Cyrl 0400-052F 1C80-1C8F 2DE0-2DFF A640-A69F
Armn 0530-058F FB13-FB17
Hebr 0590-05FF FB1D-FB4F
Arab 0600-06FF 0750-077F 0870-08FF FB50-FDFF FE70-FEFC
Syrc 0700-074F 0860-086F
Thaa 0780-07BF
Nkoo 07C0-07FF
Deva 0900-097F A8E0-A8FF
Beng 0980-09FF
Guru 0A00-0A7F
Gujr 0A80-0AFF
Orya 0B00-0B7F
Taml 0B80-0BFF
Telu 0C00-0C7F
Knda 0C80-0CFF
Mlym 0D00-0D7F
Sinh 0D80-0DFF
Thai 0E00-0E7F
Laoo 0E80-0EFF
Tibt 0F00-0FFF
Mymr 1000-109F A9E0-A9FF AA60-AA7F
Geor 10A0-10FF 1C90-1CBF 2D00-2D2F
Hang 1100-11FF 3130-318F A960-A97F AC00-D7FF FFA0-FFDC
Ethi 1200-139F 2D80-2DDF AB00-AB2F
Cher 13A0-13FF AB70-ABBF
Cans 1400-167F 18B0-18FF
Khmr 1780-17FF 19E0-19FF
Mong 1800-18AF
Olck 1C50-1C7F
Bugi 1A00-1A1F
Tfng 2D30-2D7F
Hani 2E80-2FDF 3005-3007 3021-3029 3038-303B 3041-312F 31A0-31BF 31F0-31FF 3400-4DBF 4E00-9FFF F900-FAFF FF66-FF9F
Hani 1B000-1B16F 20000-2FFFF
Yiii A000-A4CF
Vaii A500-A63F
Mtei AAE0-AAFF ABC0-ABFF
Goth 10330-1034F
"""

SCRIPTS: tuple[str, ...] = tuple(dict.fromkeys(line.split()[0] for line in _BLOCKS.split("\n") if line))
LATIN, CYRILLIC, HAN = (SCRIPTS.index(code) for code in ("Latn", "Cyrl", "Hani"))
#: Letters that follow the script of the letter before them, and what is no letter of these scripts.
NONE = 255
#: Code points from here on have no script.
POINTS = 0x30000
#: Another script than Latin prevails with one letter to so many Latin ones, or, from FEW letters on, to so many.
_SHARE, _FEW, _SHARE_OF_MANY = 3, 15, 9
_ASCII, _ASCII_LETTERS = re.compile("[\0-\x7f]+"), ascii_letters.encode()


@cache
def script_table() -> NDArray[np.uint8]:
    """The number of the script of every code point, NONE for most."""
    table = np.full(POINTS, NONE, np.uint8)
    for code, *blocks in (line.split() for line in _BLOCKS.split("\n") if line):
        for block in blocks:
            first, _, last = block.partition("-")
            table[int(first, 16) : int(last, 16) + 1] = SCRIPTS.index(code)
    table.flags.writeable = False
    return table


@cache
def script_of(point: int) -> int:
    """The number of the script of a letter, or NONE."""
    return int(script_table()[point]) if point < POINTS else NONE


def prevailing(letters: Counter[int]) -> int | None:
    """The number of the script of a text that has so many letters of each."""
    latin = letters[LATIN]
    others = [(-count, script) for script, count in letters.items() if script not in (LATIN, NONE) and count]
    if others:
        most, script = min(others)
        if -most * _SHARE >= latin or (-most >= _FEW and -most * _SHARE_OF_MANY >= latin):
            return script
    return LATIN if latin else None


def main_script(text: str) -> str | None:
    """The code of the script that a text is written in; None where no letter is of a known one."""
    plain = text.encode("ascii", "ignore")
    letters = Counter({LATIN: len(plain) - len(plain.translate(None, _ASCII_LETTERS))})  # at once, as most are ASCII
    for letter, count in Counter(_ASCII.sub("", text)).items():
        if letter.isalpha():
            letters[script_of(ord(letter))] += count
    number = prevailing(letters)
    return None if number is None else SCRIPTS[number]
