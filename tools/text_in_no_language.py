"""Texts in no language, made for training: romanised text, names, and what looks like code or falls on a keyboard.

Romanised text is made from lines in other letters by tables, with the choices that people make: `zh` or `j`, `kh`
or `h` or `x`. Arabic, Persian and Hebrew get vowels at random, Japanese gets syllables at random for its characters.
The languages have no rule for this, and neither have the people who write so; what counts is that it looks like it.
"""

from __future__ import annotations

import builtins
import keyword
import random
import re
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator

#: Labels of text in no language (dragoman.identifiers.text.algorithms.text).
ROMANISED, CODE, NAMES = "zxx-romanised", "zxx-code", "zxx-names"


def _sounds(text: str) -> list[str]:
    return text.split(" ")


def _table(letters: str, sounds: str) -> dict[str, str]:
    """What each letter is written as, the choices separated by commas."""
    return dict(zip(letters, _sounds(sounds), strict=True))


_CYRILLIC = _table(
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюяіїєґ",
    "a b v g d e yo,e,jo zh,j z i y,j,i k l m n o p r s t u f h,kh,x ts,c ch sh sch,shch,sh , y,i , e yu,ju,iu "
    "ya,ja,ia i yi,i ye,ie g",
)
_GREEK = _table(
    "αβγδεζηθικλμνξοπρσςτυφχψω",
    "a v,b g,gh d e z i,h th,8 i k l m n ks,x o p r s s t i,y,u f,ph x,h,ch ps o,w",
)
_ARABIC = _table(
    "ابتثجحخدذرزسشصضطظعغفقكلمنهويةءآأإئؤىپچژگکی",
    "a b t th,t j,g h,7 kh,5 d dh,z,d r z s sh s d t z 3,a,' gh f q,k k l m n h w,u,o,oo y,i,ee a,ah ,' a a i "
    "e,' o,' a p ch zh g k i,y,ee",
)
_HEBREW = _table(
    "אבגדהוזחטיכךלמםנןסעפףצץקרשת",
    "a v,b g d h o,u,v z ch,h t i,y k,ch ch l m m n n s a p,f f tz,ts tz k r sh,s t",
)
_INDIC = _table(
    "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसहळ",
    "k kh g gh n ch chh j jh n t th d dh n t th d dh n p ph,f b bh m y r l v,w sh sh s h l",
)
_INDIC_VOWELS = _table(
    "अआइईउऊऋएऐओऔािीुूृेैोौंँः",
    "a aa,a i ee,i u oo,u ri e ai o au aa,a i ee,i u oo,u ri e ai o au n n h",
)
_KANA = _table(
    "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんがぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽゃゅょっ",
    "a i u e o ka ki ku ke ko sa shi su se so ta chi tsu te to na ni nu ne no ha hi fu he ho ma mi mu me mo ya "
    "yu yo ra ri ru re ro wa o n ga gi gu ge go za ji zu ze zo da ji zu de do ba bi bu be bo pa pi pu pe po ya "
    "yu yo t",
)
_SYLLABLES = _sounds(
    "kou sei shi kan jin dai shin gaku sha chuu kyou mon koku ten ji nichi gatsu hon ki ryo hou bun kai sen"
)
_LEAD = _sounds("g kk n d tt r m b pp s ss  j jj ch k t p h")
_VOWEL = _sounds("a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i")
_TAIL = _sounds(" k k k n n n t l k m l l l p l m p p t t ng t t k t p t")

_FIRST = """
john mary james anna peter maria paul elena david sofia michael laura thomas julia daniel emma martin lucia robert
clara andrea marco giulia luca francesca carlos ana jose carmen miguel isabel joao pedro beatriz pierre marie jean
claire luc camille hans greta karl ingrid lars astrid erik sven freya johan pekka aino mikko ivan olga dmitri natasha
sergei svetlana boris igor katarzyna piotr agnieszka wojciech pavel jana tomas zuzana laszlo eszter istvan zsofia ion
ioana mihai georgi ivana dragan milica nikola jelena marko ahmed fatima mohammed aisha omar layla yusuf zeynep mehmet
elif ali reza hassan nasrin raj priya amit anita sunil deepa arjun kavita li wei chen mei yuki kenji haruto sakura min
jun björn åsa jürgen jörg françois rené andré zoë josé jesús ángel íñigo joão conceição håkon øyvind søren jürgen
māris līga łukasz małgorzata radosław václav jiří ondřej šárka ľubica ján györgy ágnes zoltán çiğdem ömer gülşen
ştefan ionuţ đorđe željko čedomir siiri väinö tõnu õie guðrún þór sigurður ólafur ji hyun nguyen linh tuan budi siti
dewi agus juan rosa kwame ama chidi ngozi thabo lerato wanjiku kamau abebe tigist
"""
_LAST = """
smith johnson brown taylor miller wilson moore clark lewis walker garcia martinez rodriguez lopez gonzalez fernandez
silva santos oliveira pereira costa rossi russo ferrari bianchi romano muller schmidt schneider fischer weber meyer
wagner becker hoffmann dubois martin bernard petit durand leroy moreau jansen visser bakker smit mulder hansen olsen
larsen andersson johansson karlsson nilsson virtanen korhonen nieminen ivanov petrov sidorov smirnov kuznetsov popov
volkov nowak kowalski wisniewski novak svoboda dvorak horvat kovac nagy szabo toth popescu ionescu dimitrov georgiev
papadopoulos nikolaidis yilmaz demir kaya ozturk hussein hassan ali khan ahmed rahman hosseini karimi sharma patel
singh kumar gupta reddy wang zhang liu chen yang huang tanaka suzuki sato watanabe yamamoto kim lee park choi nguyen
tran pham müller schäfer krüger köhler gonzález hernández pérez gómez muñoz núñez gonçalves simões araújo lefèvre
françois bergström sjöberg lindström åkesson øvergård sørensen nygård mäkinen hämäläinen järvinen wójcik kamiński
zieliński dąbrowski dvořák procházka černý kovács németh şahin yıldız çelik đukić jovanović petrović kovačević
ştefănescu wijaya santoso okafor adeyemi mensah osei mbeki dlamini nkosi kamau otieno tesfaye bekele oconnor murphy
macdonald campbell
"""
_SHELL = """
sudo apt yum git npm pip docker kubectl curl wget grep sed awk chmod chown mkdir rmdir xargs ssh scp rsync tar gzip cd
ls href src div span css html json xml yaml utf png jpg svg href onclick func const var struct enum typedef printf
malloc sizeof nullptr async await impl fn pub mut usize stdin stdout argv argc regexp varchar sql inner join select
where txt http https www com org net localhost config cfg tmp usr etc bin lib src dev null env init param args kwargs
obj idx ptr
"""
_STATEMENTS = """
select id, name from users where id = 5 order by name desc limit 10;|insert into t1 (id, val) values (1, null);
update items set qty = qty - 1 where id in (3, 4);|create table log (id bigint primary key, ts timestamp not null);
drop index if exists ix_name;|alter table x add column y varchar;
select count from a inner join b on a.id = b.id group by a.id;|def f(x): return [i for i in range(x) if i % 2]
for i in range(n): print(i)|if x is not none and y in z: return true|while true: break
try: import os except importerror: pass|with open(path) as f: f.read()|lambda a, b: a + b
class foo(bar): def init(self): super().init()|for (int i = 0; i < n; i++) { sum += a[i]; }
if (x == null) return false;|public static void main(string[] args) { }|const x = () => { return y; }
let a = b.map(c => c.id).filter(d => d)|function f(a, b) { return a + b; }
#include <stdlib.h> int main(int argc, char **argv) { return 0; }|struct node { struct node *next; };
fn main() { let mut v = vec![]; }|func f(a int) error { if err != nil { return err } }|echo $path > out.txt
export path=$path:bin|.box { margin: 0 auto; padding: 2px; color: #fff; display: none; }
@media screen and (max-width: 600px) { body { width: 100% } }
a:hover { border: 1px solid; background: url(x.png) no-repeat; float: left }
<div class="row"><span id="x"></span></div>|<a href="#" onclick="f()"><img src="a.png" alt=""></a>
{"id": 1, "type": "x", "data": [true, false, null]}|^[a-z]+@[a-z]+.[a-z]{2,}$|([a-z0-9]+)-([a-z]+)(?:x|y)*|s/a/b/g
x.y.z|a, b, c, d|a b c|x = y + z * w|f(x) = a x + b|mov eax, ebx; jmp loop; ret
"""
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qazwsxedc", "rfvtgbyhn", "poiuytrewq", "lkjhgfdsa")
_CYRILLIC_ROWS = ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю", "ъхзщшгнекуцй", "эждлорпавыф", "йфяцычувскам")
_CYRILLIC_LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюя"


def _by_table(text: str, table: dict[str, str], rng: random.Random) -> str:
    choices = {letter: rng.choice(values.split(",")) for letter, values in table.items()}
    return "".join(choices.get(letter, letter) for letter in text)


def _with_vowels(text: str, table: dict[str, str], rng: random.Random) -> str:
    """Consonants get a vowel between them more often than not."""
    plain = _by_table("".join(one for one in text if not unicodedata.combining(one)), table, rng)
    out = []
    for place, letter in enumerate(plain):
        out.append(letter)
        behind = plain[place + 1 : place + 2]
        if (
            letter.isalpha()
            and letter not in "aeiouwy"
            and behind.isalpha()
            and behind not in "aeiouh"
            and rng.random() < 0.75
        ):
            out.append(rng.choice("aaaaieiou"))
    return "".join(out)


def _of_hindi(text: str, rng: random.Random) -> str:
    out: list[str] = []
    vowels = {letter: rng.choice(values.split(",")) for letter, values in _INDIC_VOWELS.items()}
    for place, letter in enumerate(text):
        behind = text[place + 1 : place + 2]
        if letter in _INDIC:
            out.append(rng.choice(_INDIC[letter].split(",")))
            if behind in _INDIC or (behind in "ंँः" and behind):
                out.append("a")
        elif letter in vowels:
            out.append(vowels[letter])
        elif letter not in "़्\u200d\u200c":
            out.append(letter)
    return "".join(out)


def _of_japanese(text: str, rng: random.Random) -> str:
    out = []
    for letter in text:
        kana = chr(ord(letter) - 0x60) if "ァ" <= letter <= "ヶ" else letter
        if kana in _KANA:
            out.append(_KANA[kana] + (" " if kana in "はがをにでともの" and rng.random() < 0.7 else ""))
        elif "一" <= letter <= "鿿":
            out.append(rng.choice(_SYLLABLES))
        elif not letter.isalpha():
            out.append(" ")
    return "".join(out)


def _of_korean(text: str, rng: random.Random) -> str:
    out = []
    for letter in text:
        number = ord(letter) - 0xAC00
        if 0 <= number < 11172:
            out.append(_LEAD[number // 588] + _VOWEL[number % 588 // 28] + _TAIL[number % 28])
        else:
            out.append(letter)
    return "".join(out)


def _without_accents(text: str) -> str:
    return "".join(one for one in unicodedata.normalize("NFD", text) if not unicodedata.combining(one))


_ROMANISE: dict[str, Callable[[str, random.Random], str]] = {
    **{tag: lambda text, rng: _by_table(text, _CYRILLIC, rng) for tag in ("ru", "uk", "bg")},
    "el": lambda text, rng: _by_table(_without_accents(text), _GREEK, rng),
    **{tag: lambda text, rng: _with_vowels(text, _ARABIC, rng) for tag in ("ar", "fa", "ur")},
    "he": lambda text, rng: _with_vowels(text, _HEBREW, rng),
    **dict.fromkeys(("hi", "mr", "ne"), _of_hindi),
    "ja": _of_japanese,
    "ko": _of_korean,
}


def romanised(lines: Iterable[tuple[str, str]], most: int = 2000, seed: int = 3) -> Iterator[tuple[str, str]]:
    """(text, language) of (text, language) in Latin letters: at most so many of each language that has a table."""
    rng = random.Random(seed)
    left = dict.fromkeys(_ROMANISE, most)
    for text, tag in lines:
        if left.get(tag):
            made = _ROMANISE[tag](text.lower(), rng)
            if (
                sum(one.isascii() and one.isalpha() for one in made) >= 0.6 * len(made.replace(" ", ""))
                and len(made) > 8
            ):
                left[tag] -= 1
                yield made, tag


def names(cities: Iterable[str], count: int = 12_000, seed: int = 4) -> Iterator[str]:
    """Names of people and places, one to four of them."""
    rng = random.Random(seed)
    first, last, places = _FIRST.split(), _LAST.split(), sorted(cities)
    for _ in range(count):
        kind = rng.random()
        if kind < 0.5:
            yield " ".join([rng.choice(first), *([rng.choice(first)] if rng.random() < 0.1 else []), rng.choice(last)])
        elif kind < 0.6:
            yield ", ".join(f"{rng.choice(first)} {rng.choice(last)}" for _ in range(rng.randint(2, 4)))
        elif kind < 0.75:
            yield rng.choice(rng.choice([first, last]))
        else:
            yield ", ".join(rng.choice(places) for _ in range(rng.choice((1, 1, 1, 2, 3))))


def code(count: int = 12_000, seed: int = 5) -> Iterator[str]:
    """Keyboard noise, random letters, identifiers, commands and statements; noise of Cyrillic keyboards, too."""
    rng = random.Random(seed)
    known = sorted({*keyword.kwlist, *dir(builtins), *dir(str), *dir(list), *sys.stdlib_module_names})
    tokens = [one.strip("_") for one in known if len(one.strip("_")) > 1]
    shell, statements = _SHELL.split(), _STATEMENTS.strip().replace("\n", "|").split("|")
    for _ in range(count):
        kind = rng.random()
        if kind < 0.25:
            yield " ".join(_typed(rng, _ROWS) for _ in range(rng.choice((1, 1, 2, 3))))
        elif kind < 0.4:
            yield _random_words(rng, "abcdefghijklmnopqrstuvwxyz")
        elif kind < 0.5:
            piece = "".join(rng.choice("aeiouhjklmnxzs") for _ in range(rng.randint(1, 3)))
            yield piece * rng.randint(3, 8)
        elif kind < 0.6:
            yield "".join(rng.choice("abcdef0123456789") for _ in range(rng.choice((8, 12, 16, 32, 40))))
        elif kind < 0.75:
            yield _statement(rng.choice(statements), tokens, rng)
        else:
            chosen = [rng.choice(shell if rng.random() < 0.5 else tokens) for _ in range(rng.randint(2, 9))]
            yield rng.choice((" ", ".", "_", "/", " = ", "(", "-")).join(chosen)
    for _ in range(count // 6):
        if rng.random() < 0.6:
            yield " ".join(_typed(rng, _CYRILLIC_ROWS) for _ in range(rng.choice((1, 1, 2, 3))))
        elif rng.random() < 0.6:
            yield _random_words(rng, _CYRILLIC_LETTERS)
        else:
            yield "".join(rng.choice(_CYRILLIC_LETTERS) for _ in range(rng.randint(1, 2))) * rng.randint(4, 9)


def _random_words(rng: random.Random, letters: str) -> str:
    """One to four words of random letters."""
    words = rng.choice((1, 1, 2, 3, 4))
    return " ".join("".join(rng.choice(letters) for _ in range(rng.randint(3, 12))) for _ in range(words))


def _statement(text: str, tokens: list[str], rng: random.Random) -> str:
    """A statement with some of its words replaced by other identifiers."""
    return re.sub(r"[a-z]+", lambda found: rng.choice(tokens) if rng.random() < 0.3 else found.group(), text)


def _typed(rng: random.Random, rows: tuple[str, ...]) -> str:
    """What falls on a keyboard: runs of keys that lie beside each other."""
    out = ""
    while len(out) < rng.randint(3, 10):
        row = rng.choice(rows)
        start = rng.randrange(len(row) - 2)
        out += row[start : start + rng.randint(2, 5)]
    return out
