"""What keeps Bosnian, Croatian and Serbian apart where lists and lines mix them up, and Bosnian made from the others.

Croatian has other words than Bosnian for some two hundred things (`BOSNIAN`); Serbian has a short e where both have
`je` or `ije`. Lists of words were counted in subtitles, which are sold across the three countries.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from dragoman.identifiers.text.scripts import LATIN, script_of

_INSTEAD = """
tko:ko netko:neko nitko:niko itko:iko što:šta tijekom:tokom tisuć*:hiljad* tjedan:sedmica tjedna:sedmice
tjedana:sedmica tjednu:sedmici tjedni:sedmice europ*:evrop* siječnja:januara siječanj:januar veljače:februara
ožujka:marta travnja:aprila svibnja:maja lipnja:juna srpnja:jula kolovoza:augusta rujna:septembra listopada:oktobra
studenog:novembra studenoga:novembra prosinca:decembra povijest*:historij* glazb*:muzik* kruh:hljeb kruha:hljeba
nogomet:fudbal nogometa:fudbala nogometni:fudbalski nogometa*:fudbale* sveučilišt*:univerzitet* znanost:nauka
znanosti:nauke znanstven*:naučn* vlak:voz vlaka:voza zrakoplov*:avion* obitelj:porodica obitelji:porodice kava:kafa
kave:kafe kavu:kafu uvjet*:uslov* sustav*:sistem* točk*:tačk* točno:tačno točan:tačan točna:tačna izvješće:izvještaj
izvješća:izvještaja izvješću:izvještaju suradnj*:saradnj* surađ*:sarađ* sudjel*:učestv* potpor*:podršk*
promet:saobraćaj prometa:saobraćaja prometn*:saobraćajn* stoljeć*:vijek* plaća:plata plaće:plate plaću:platu glede:oko
ured:kancelarija ureda:kancelarije tvrtk*:firm* mirovin*:penzij* vjerojatno:vjerovatno izvan:van djelatnik:radnik
općenito:uopšteno uopće:uopšte gospodarstv*:privred* gospodarsk*:privredn* tajnik:sekretar tajnika:sekretara
zastupnik:poslanik zastupnika:poslanika zastupnici:poslanici županij*:kanton* srpanj:juli lipanj:juni
prosinac:decembar studeni:novembar listopad:oktobar rujan:septembar kolovoz:august svibanj:maj travanj:april
ožujak:mart veljača:februar rajčic*:paradajz* tjestenin*:makaron* zemljopis*:geografij* računal*:kompjuter*
ravnatelj*:direktor* natječaj*:konkurs* nazočn*:prisutn* priopćenj*:saopćenj* priopći*:saopći* ispričava*:izvinjava*
dopust*:odmor* skladatelj*:kompozitor* tečaj*:kurs* utjecaj*:uticaj* utječe:utiče postotak:procenat
odvjetnik*:advokat* knjižnic*:bibliotek* kazalište:pozorište kazališta:pozorišta kazalištu:pozorištu kolodvor*:stanic*
obran*:odbran* vratar*:golman* uhić*:uhapš* uhit*:uhaps* kut:ugao kuta:ugla kutu:uglu tvornic*:fabrik* momčad:ekipa
momčadi:ekipe potres*:zemljotres* otok:ostrvo otoka:ostrva otoku:ostrvu otoci:ostrva liječnik*:ljekar*
milijun*:milion* organizir*:organizov* informir*:informis* kritizir*:kritikov* reagir*:reagov* financ*:finans*
demokracij*:demokratij* kemij*:hemij* kaos*:haos* vojarn*:kasarn* časnik*:oficir* dužnosni*:zvanični* stupanj:stepen
stupnja:stepena stupnjev*:stepen* prosvjed*:protest* glasnogovorni*:portparo* umirovljen*:penzionisan* zemljovid*:map*
susjed:komšija susjeda:komšije susjedi:komšije uspored*:upored* putovnic*:pasoš* ljestvic*:tabel* unatoč:uprkos
usprkos:uprkos zaslon*:ekran* promatr*:posmatr* proračun*:budžet* službeno:zvanično službeni:zvanični
službena:zvanična službene:zvanične službenu:zvaničnu službenog:zvaničnog žlic*:kašik* ručnik*:peškir*
natjecanj*:takmičenj* natječ*:takmič* natjecatelj*:takmičar* pobornik*:pristalic* prijevoz*:prevoz* ozljed*:povred*
ozlijeđen*:povrijeđen* postrojb*:jedinic* opskrb*:snabdijevanj* pozornost:pažnja pozornosti:pažnje suvremen*:savremen*
osobit*:naročit* iznimn*:izuzetn* iznimk*:izuzet* naputak:uputstvo naputci:uputstva uputa:uputstvo upute:uputstva
rabi*:koristi* rabljen*:korišten* hrvatskoga:hrvatskog njegova:njegovog njezin*:njen* osigura*:obezbijedi*
slijedeć*:sljedeć* sveučilišn*:univerzitetsk* kolovozu:augustu srpnju:julu lipnju:junu svibnju:maju travnju:aprilu
ožujku:martu veljači:februaru siječnju:januaru rujnu:septembru listopadu:oktobru studenom:novembru studenome:novembru
prosincu:decembru tjedne:sedmice tjednom:sedmicom tisuća:hiljada europa:evropa uporab*:upotreb* skupin*:grup*
nazočnost:prisustvo oporb*:opozicij* stožer*:štab* djelatnic*:radnic* pučanstv*:stanovništv* poduzeć*:preduzeć*
poduzetni*:preduzetni* učinkovit*:efikasn*
"""
#: Croatian words and what Bosnian has instead; `*` stands for any ending.
BOSNIAN: dict[str, str] = dict(pair.split(":") for pair in _INSTEAD.split())

_SERBIAN = dict(zip("абвгдђежзијклмнопрстћуфхцчш", "abvgdđežzijklmnoprstćufhcčš", strict=True))
_SERBIAN |= {"љ": "lj", "њ": "nj", "џ": "dž"}


class Line(NamedTuple):
    """A text that trains: its label (a language, Chinese with its form), and the kind of its source."""

    text: str
    label: str
    kind: str


class ListedWord(NamedTuple):
    """A frequent word: its language, how often it is met there, and how often where it is met most."""

    word: str
    label: str
    share: float
    highest: float


def serbian_in_latin(text: str) -> str:
    """Serbian in Latin letters."""
    return "".join(_SERBIAN.get(letter, letter) for letter in text.lower())


def bosnian(text: str) -> str | None:
    """A Croatian line with Bosnian words in it; None where there is nothing to change."""
    words = re.split(r"(\W+)", text.lower())
    changed = 0
    for place, word in enumerate(words):
        instead = BOSNIAN.get(word) or next(
            (
                BOSNIAN[f"{word[:size]}*"][:-1] + word[size:]
                for size in range(len(word), 3, -1)
                if f"{word[:size]}*" in BOSNIAN
            ),
            word,
        )
        changed += instead != word
        words[place] = instead
    return "".join(words) if changed else None


class Neighbours(NamedTuple):
    """What keeps Bosnian, Croatian and Serbian apart: how often Croatian and Serbian words are met, in Latin letters,
    and how Bosnian words begin that Croatian hardly has."""

    croatian: Mapping[str, float]
    serbian: Mapping[str, float]
    not_croatian: tuple[str, ...] = ()


def neighbours(listed: Sequence[ListedWord], found: Sequence[Line]) -> Neighbours:
    """The words of the lists; what Croatian hardly has is counted in its treebanks."""
    croatian = {one.word: one.share for one in listed if one.label == "hr"}
    serbian: dict[str, float] = {}
    for one in listed:
        if one.label == "sr":
            latin = serbian_in_latin(one.word)
            serbian[latin] = serbian.get(latin, 0.0) + one.share
    treebanks = [one.text.lower() for one in found if one.label == "hr" and one.kind in ("hr500k", "ud-Croatian-SET")]
    counts = Counter(word for text in treebanks for word in re.findall(r"\w+", text))

    def met(form: str) -> int:
        if not form.endswith("*"):
            return counts[form]
        return sum(count for word, count in counts.items() if word.startswith(form[:-1]))

    pairs = [(met(own), met(instead), instead) for own, instead in BOSNIAN.items()]
    rare = {instead for own, instead_of_it, instead in pairs if own >= 3 and own > 5 * instead_of_it}
    common = {instead for own, instead_of_it, instead in pairs if own <= 5 * instead_of_it}
    return Neighbours(croatian, serbian, tuple(sorted(rare - common)))


def _with_other_sounds(text: str, sounds: Sequence[tuple[str, str]], often: Mapping[str, float]) -> str | None:
    """A line in which words have another sound where they are met more often with it; None where no word has."""
    words = re.split(r"(\W+)", text.lower())
    changed = 0
    for place, word in enumerate(words):
        if len(word) > 2:
            forms = [
                word[: at.start()] + instead + word[at.end() :]
                for sound, instead in sounds
                for at in re.finditer(sound, word)
            ]
            best = max([word, *forms], key=lambda one: often.get(one, 0.0))
            changed += best != word
            words[place] = best
    return "".join(words) if changed else None


def ijekavian(text: str, croatian: Mapping[str, float]) -> str | None:
    """A Serbian line in Latin letters with the long e of Bosnian and Croatian (`reč`: `riječ`); None where it has none.

    A word is changed where Croatian has it more often with `je` or `ije` for an `e` than as it is.
    """
    return _with_other_sounds(text, (("e", "ije"), ("e", "je")), croatian)


def ekavian(text: str, serbian: Mapping[str, float]) -> str | None:
    """A Bosnian or Croatian line with the short e of Serbian (`riječ`: `reč`); None where it has no long one."""
    return _with_other_sounds(text, (("ije", "e"), ("je", "e")), serbian)


def astray(text: str, label: str, by: Neighbours) -> bool:
    """True for a word or line that belongs to a neighbour: subtitles of Bosnia, Croatia and Serbia are mixed up, and
    so are lists of words that were made from them.

    Croatian and Bosnian have no words with the short e of Serbian, Serbian none with their long one, Bosnian none
    that it has another for, Croatian none of these.
    """
    if label == "sr":
        letter = next(filter(str.isalpha, text), " ")
        return script_of(ord(letter)) == LATIN and ekavian(text, by.serbian) is not None
    if label not in ("bs", "hr"):
        return False
    if label == "bs" and bosnian(text):
        return True
    if label == "hr" and any(_is_form(word, by.not_croatian) for word in re.findall(r"\w+", text.lower())):
        return True
    return ijekavian(text, by.croatian) is not None


def _is_form(word: str, forms: tuple[str, ...]) -> bool:
    return any(word.startswith(one[:-1]) if one.endswith("*") else word == one for one in forms)
