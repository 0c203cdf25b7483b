"""The lines that train the text model: which languages, how many lines of each kind of text, in which scripts.

    sentences.parquet, pages.parquet    what text_material.py says that trains, Django's messages among it
    sentences2.parquet                  books, news, recordings, messages of software: at most MESSAGES messages of each
                                        language and script, since more than half of the lines are messages
    words2.parquet                      frequent words of 80 languages: short texts, and lines drawn from them
                                        (text_words.py)

Scripts that nobody wrote down are made from others by tables: Uzbek, Azerbaijani and Karakalpak in Cyrillic from what
is there in Latin letters, more Serbian in Latin letters from Serbian in Cyrillic. Whether Chinese is simplified or
traditional is told by the characters that only one of two parallel sets of sentences has. Running Bosnian is short;
some of it is made from Croatian by putting in the words that Bosnian has instead (south_slavic.py).
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import text_material
import text_words
from south_slavic import Line, ListedWord, Neighbours, astray, bosnian, ijekavian, neighbours, serbian_in_latin

from dragoman.columns import ByteColumn
from dragoman.identifiers.text.scripts import HAN, script_of, script_table
from dragoman.kernels.text import text_scripts

MESSAGES = 2500
#: Sources whose lines are messages of software.
SOFTWARE = frozenset(
    ["mediawiki", "firefox-l10n", "mozilla-www", "openstreetmap-website", "wikipedia-android", "django"]
)
#: Lines of other sources, for each language and script.
MOST = {"debian": 1200, "bible-corpus": 3000}
#: A language has another script with this share of its lines, or so many.
SHARE, MANY, FEWEST = 0.03, 1000, 30

_TOLD = """
aa ab ace ady af alt am an ar ary arz as ast av awa ay az azb ba ban bcl be bem bg bho bi bjn bm bn bo br brx bs bug bxr
ca cak ce ceb ch chr cjk ckb co crh crs cs csb cv cy da dag de din diq dsb dtp dv dyu dz ee el en eo es et eu fa ff fi
fj fo fon fr frp frr fur fy ga gaa gag gd gl gn gsw gu gv ha haw he hi hil hne hr hsb ht hu hy ia id ig ii ilo inh is it
iu ja jam jv ka kaa kab kam kbd kbp kea kek kg kha ki kjh kk kl km kmb kn ko kok kr krc krl ks ksh ku kum kv kw ky la lb
lez lg li lij lmo ln lo loz lrc lt ltg lua luo lus lv mad mag mai mdf mfe mg mh mhr mi min mk ml mn mni mnw mos mr mrj
ms mt my myv mzn nah nan nap nb nds ne ng nl nn nqo nr nso nus nv ny oc oj om or os pa pag pam pap pcd pl pms pnb ps pt
qu rm rn ro rom ru rue rw sa sah sat sc scn sd se sg sgs shn si sk skr sl sm smn sms sn so sq sr ss st stq su sv sw syr
szl ta taq tcy te tet tg th ti tig tk tl tly tn to tpi tr ts tt tum tw ty tyv udm ug uk umb ur uz vai ve vec vep vi vro
wa war wo xal xh xmf yi yo yue za zgh zh zu
"""
#: The languages that the model tells; Norwegian in its two written forms.
TOLD = frozenset(_TOLD.split())
#: Codes of parts of a language, and what they count for.
PARTS = {
    "aii": "syr", "als": "sq", "ayr": "ay", "dik": "din", "dip": "din", "fuf": "ff", "fuv": "ff", "gaz": "om",
    "gom": "kok", "hyw": "hy", "ike": "iu", "kmr": "ku", "knc": "kr", "kng": "kg", "ktu": "kg", "nhn": "nah",
    "no": "nb", "ojb": "oj", "pbu": "ps", "plt": "mg", "prs": "fa", "quh": "qu", "quy": "qu", "quz": "qu",
    "src": "sc", "tzm": "zgh", "zlm": "ms", "zyb": "za",
}  # fmt: skip

_UZBEK = [
    *(zip(("o‘", "g‘", "oʻ", "gʻ", "o'", "g'", "oʼ", "gʼ"), "ўғўғўғўғ", strict=True)),
    *(zip(("sh", "ch", "yo", "yu", "ya", "ye"), "шчёюяе", strict=True)),
    *(zip("abdfghijklmnopqrstuvxyze", "абдфгҳижклмнопқрстувхйзе", strict=True)),
    *((apostrophe, "ъ") for apostrophe in "'’ʼ"),
]
_AZERBAIJANI = dict(zip("abcçdeəfgğhxıijkqlmnoöprsştuüvyz", "абҹчдеәфҝғһхыижкглмноөпрсштуүвјз", strict=True))
_KARAKALPAK = [("sh", "ш"), ("ya", "я"), ("yu", "ю"), ("ch", "ч")]
_KARAKALPAK += zip("aábdefgǵhxıijkqlmnńoóprstuúvwyz", "аәбдефгғҳхыижкқлмнңоөпрстуүвўйз", strict=True)


def uzbek_in_cyrillic(text: str) -> str:
    """Uzbek in the letters it had until the nineties."""
    text = re.sub(r"(^|[^a-z])e", r"\1э", text.lower())
    for latin, cyrillic in _UZBEK:
        text = text.replace(latin, cyrillic)
    return text


def azerbaijani_in_cyrillic(text: str) -> str:
    """Azerbaijani in the letters it had until the nineties."""
    return "".join(_AZERBAIJANI.get(letter, letter) for letter in text.replace("I", "ı").replace("İ", "i").lower())


def karakalpak_in_cyrillic(text: str) -> str:
    """Karakalpak in the letters that most of it is still written in."""
    text = text.replace("I", "ı").replace("İ", "i").lower()
    for latin, cyrillic in _KARAKALPAK:
        text = text.replace(latin, cyrillic)
    return text


def _raw(folder: Path) -> Iterator[Line]:
    """All lines of the languages that are told, texts that tune or judge left out."""
    import pyarrow.parquet as pq

    held = set()
    table = pq.read_table(folder / "sentences.parquet", columns=["text", "lang", "source"]).to_pydict()
    for text, code, source in zip(table["text"], table["lang"], table["source"], strict=True):
        if text_material.part_of(text) != "train":
            held.add(text.strip().lower())
        else:
            yield Line(text, code, source.partition("-")[0])
    for one in text_material.messages():
        yield Line(one.text, one.language, one.source)
    rng = random.Random(1)
    for page in text_material.pages(folder / "pages.parquet", "train"):
        for one in text_material.lines_of(page, rng):
            yield Line(one.text, one.language, one.source)
    for text, code, source in _more(folder / "sentences2.parquet"):
        if text.strip().lower() not in held:
            yield Line(text, code, source)


def _more(path: Path) -> Iterator[tuple[str, str, str]]:
    """(text, code, source) of the lines of sentences2.parquet, somewhat more messages than are wanted."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["text", "lang", "script", "source"])
    software = pc.is_in(table["source"].cast("string"), pa.array(sorted(SOFTWARE))).to_numpy()
    pairs = pc.binary_join_element_wise(table["lang"].cast("string"), table["script"].cast("string"), "-")
    place = np.zeros(len(table), np.int64)
    shuffled = np.random.default_rng(5).permutation(np.flatnonzero(software))
    numbers = pairs.combine_chunks().dictionary_encode().indices.to_numpy()[shuffled]
    order = np.argsort(numbers, kind="stable")
    starts = np.searchsorted(numbers[order], numbers[order])
    place[shuffled[order]] = np.arange(len(order)) - starts
    kept = table.filter(pa.array(place < MESSAGES + 1500))
    yield from zip(*(kept[name].to_pylist() for name in ("text", "lang", "source")), strict=True)


def lines(folder: Path, listed: Sequence[ListedWord], labels: frozenset[str] = TOLD) -> tuple[list[Line], Neighbours]:
    """The lines that train, in a fixed order, and what keeps Bosnian, Croatian and Serbian apart."""
    found = [one._replace(label=label) for one in _raw(folder) if (label := PARTS.get(one.label, one.label)) in labels]
    by = neighbours(listed, found)
    # treebanks are what they are called
    mixed = (*SOFTWARE, "tatoeba")
    found = [one for one in found if one.kind not in mixed or not astray(one.text, one.label, by)]
    found += list(_made(found, by.croatian))
    found += list(text_words.compounds(found))
    random.Random(7).shuffle(found)
    forms = _forms(found)
    column = ByteColumn.from_rows([one.text for one in found])
    scripts = text_scripts(column.data, column.offsets, script_table()).tolist()
    kept: list[tuple[Line, int]] = []
    seen: set[tuple[str, str]] = set()
    rows: Counter[tuple[str, int, str]] = Counter()
    for one, script in zip(found, scripts, strict=True):
        text = one.text.strip()
        if script < 0 or (text.lower(), one.label) in seen or sum(map(str.isalpha, text)) < 3:
            continue
        seen.add((text.lower(), one.label))
        label = _form(text, forms) if one.label == "zh" else one.label
        kind = "messages" if one.kind in SOFTWARE else one.kind
        rows[label, script, kind] += 1
        if rows[label, script, kind] <= (MESSAGES if kind == "messages" else MOST.get(kind, 1 << 30)):
            kept.append((Line(text, label, kind), script))
    enough = _enough(Counter((one.label, script) for one, script in kept))
    return [one for one, script in kept if (one.label, script) in enough], by


def _enough(by: Counter[tuple[str, int]]) -> frozenset[tuple[str, int]]:
    """Which scripts of each language have enough lines."""
    whole: Counter[str] = Counter()
    for (label, _), count in by.items():
        whole[label] += count
    return frozenset(
        (label, script)
        for (label, script), count in by.items()
        if count >= FEWEST and (count >= SHARE * whole[label] or count >= MANY)
    )


def _made(found: list[Line], croatian: Mapping[str, float]) -> Iterator[Line]:
    """Lines in scripts and languages that are short, made from others."""
    for one in found:
        if one.label == "sr" and one.kind not in SOFTWARE and (text := ijekavian(serbian_in_latin(one.text), croatian)):
            yield Line(text, "bs", "made from Serbian")
        if one.label == "uz" and one.text.isascii() | ("‘" in one.text) | ("ʻ" in one.text):
            yield Line(uzbek_in_cyrillic(one.text), "uz", one.kind)
        elif one.label == "az" and "ə" in one.text:
            yield Line(azerbaijani_in_cyrillic(one.text), "az", one.kind)
        elif one.label == "kaa" and one.text.islower() | ("ı" in one.text) | ("á" in one.text):
            yield Line(karakalpak_in_cyrillic(one.text), "kaa", one.kind)
        elif one.label == "sr" and one.kind in ("common-voice", "tatoeba"):
            yield Line(serbian_in_latin(one.text), "sr", one.kind)
        elif one.label == "hr" and one.kind not in SOFTWARE:  # what has no Croatian word in it is Bosnian as it stands
            yield Line(bosnian(one.text) or one.text.lower(), "bs", "made from Croatian")


Forms = tuple[frozenset[str], frozenset[str]]


def _forms(found: list[Line]) -> Forms:
    """(simplified, traditional): Chinese characters that only one form has.

    They begin with those of parallel sentences, then lines that have many of one bring in others.
    """
    parallel = {"ud-Chinese-GSDSimp": Counter[str](), "ud-Chinese-GSD": Counter[str]()}
    lines_of = [set(one.text) for one in found if one.label == "zh"]
    for one in found:
        if one.kind in parallel:
            parallel[one.kind].update(one.text)
    simple, traditional = ({c for c in counts if script_of(ord(c)) == HAN} for counts in parallel.values())
    simple, traditional = simple - traditional, traditional - simple
    for _ in range(2):
        often: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        for characters in lines_of:
            first, second = len(characters & simple), len(characters & traditional)
            if first != second and max(first, second) > 2 * min(first, second):
                often[first < second].update(characters)
        simple = {
            c for c in often[0] if often[0][c] >= 3 and often[1][c] * 20 < often[0][c] and script_of(ord(c)) == HAN
        }
        traditional = {
            c for c in often[1] if often[1][c] >= 3 and often[0][c] * 20 < often[1][c] and script_of(ord(c)) == HAN
        }
    return frozenset(simple), frozenset(traditional)


def _form(text: str, forms: Forms) -> str:
    """The label of a Chinese line; what is the same in both is simplified, as most of the web is."""
    simple, traditional = (sum(letter in form for letter in text) for form in forms)
    return "zh-Hant" if traditional > simple else "zh-Hans"
