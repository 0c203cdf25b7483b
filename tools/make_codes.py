"""Makes data/codes.tsv: what the codes of languages and countries in URLs mean, from CLDR and from what sites do.

    python tools/make_codes.py [--check]

CLDR's languages of a country (by Babel, which is needed for this alone) count second languages too; where sites are in
fewer, COUNTRIES has what they are in. CONFLICTS has, for letters that are a language's code and a country's with
another language, how much of what sites mean is the language; ALIASES other letters that sites write for a language.
"""

from __future__ import annotations

import string
import sys
from pathlib import Path

from babel.core import get_global
from babel.languages import get_territory_language_info
from generated_tables import write_or_check

from dragoman.errors import UnknownLanguage
from dragoman.languages import normalise

TARGET = Path(__file__).resolve().parents[1] / "src/dragoman/data/codes.tsv"
HEADER = """\
# The codes of languages and countries in URLs, made by tools/make_codes.py; columns are separated by tabs:
# code      two or three letters
# language  the language whose code it is
# meant     how much of what sites mean by it is that language, where it is a country's code as well
# country   the languages of the country's sites with their shares
# word      `word` where it is a word as well, and none before a number; `phrase` where phrases end with it: `sign_in`
"""
#: The languages of sites, by country.
COUNTRIES = (
    "ae=ar:0.7+en:0.3 af=fa:0.6+ps:0.4 al=sq am=hy ao=pt ar=es at=de au=en az=az ba=bs:0.5+hr:0.2+sr:0.3 "
    "bd=bn:0.8+en:0.2 be=nl:0.5+fr:0.48+de:0.02 bg=bg bh=ar:0.7+en:0.3 bo=es br=pt by=ru:0.6+be:0.4 ca=en:0.7+fr:0.3 "
    "cd=fr ch=de:0.62+fr:0.26+it:0.12 ci=fr cl=es cm=fr:0.8+en:0.2 cn=zh co=es cr=es cu=es cy=el:0.9+en:0.1 cz=cs "
    "de=de dk=da do=es dz=ar:0.5+fr:0.5 ec=es ee=et:0.95+ru:0.05 eg=ar es=es:0.93+ca:0.05+eu:0.01+gl:0.01 "
    "et=am:0.8+en:0.2 eu=en fi=fi:0.93+sv:0.07 fr=fr gb=en ge=ka gh=en gr=el gt=es hk=zh:0.75+en:0.25 hn=es hr=hr "
    "ht=fr hu=hu id=id ie=en:0.95+ga:0.05 il=he in=en:0.55+hi:0.35 iq=ar:0.8+ckb:0.2 ir=fa is=is it=it jm=en jo=ar "
    "jp=ja ke=en:0.7+sw:0.3 kg=ru:0.5+ky:0.5 kh=km kr=ko kw=ar kz=kk:0.55+ru:0.45 la=lo lb=ar:0.7+en:0.2+fr:0.1 "
    "lk=en:0.4+si:0.5+ta:0.1 lt=lt lu=fr:0.6+de:0.3+lb:0.1 lv=lv:0.9+ru:0.1 ly=ar ma=ar:0.5+fr:0.5 md=ro:0.8+ru:0.2 "
    "me=sr mg=fr:0.5+mg:0.5 mk=mk ml=en:0.7+fr:0.3 mm=my mn=mn mt=en:0.5+mt:0.5 mx=es my=en:0.5+ms:0.5 mz=pt ng=en "
    "ni=es nl=nl no=no np=ne:0.8+en:0.2 nz=en om=ar pa=es pe=es ph=en:0.6+tl:0.4 pk=en:0.5+ur:0.5 pl=pl "
    "pr=es:0.8+en:0.2 pt=pt py=es qa=ar:0.7+en:0.3 ro=ro rs=sr ru=ru rw=rw:0.5+en:0.4+fr:0.1 sa=ar sd=ar se=sv "
    "sg=en:0.95+zh:0.05 si=sl sk=sk sn=fr so=so sv=es sy=ar th=th tj=tg tm=ru tn=ar:0.5+fr:0.5 tr=tr tt=en tw=zh "
    "tz=sw:0.7+en:0.3 ua=uk:0.8+ru:0.2 ug=en uk=en us=en:0.96+es:0.03 uy=es uz=uz:0.6+ru:0.4 ve=es vn=vi ye=ar "
    "za=en:0.85+af:0.1 zm=en zw=en"
)
#: How much of what sites mean is the language.
CONFLICTS = (
    "aa:0.8 ab:0.8 ae:0 af:0.9 ak:0.8 am:0.75 an:0.3 ar:0.95 as:0.85 av:0.8 az:1 ba:0.5 be:0.25 bg:1 bi:0.5 bm:0.5 "
    "bn:0.98 bo:0.4 br:0.02 bs:0.95 ca:0.2 ch:0.05 co:0.02 cr:0.05 cs:1 cu:0.05 cv:0.5 cy:0.6 da:1 de:1 dz:0.2 ee:0.1 "
    "el:1 er:0 es:1 et:0.93 eu:0.6 fi:1 fo:1 fr:1 fy:1 ga:0.99 gd:0.85 gl:0.98 gn:0.5 gu:0.97 gv:0.5 ha:0.97 hr:1 "
    "ht:0.7 hu:1 hy:1 id:1 ie:0.05 ig:1 in:0 io:0.1 is:1 it:1 kg:0.1 ki:0.5 kk:1 km:0.93 kn:0.98 kr:0.02 kw:0.1 "
    "ky:0.85 la:0.2 lb:0.4 lg:1 ln:1 lo:0.97 lt:1 lv:1 mg:0.7 mh:0.1 mi:0.95 mk:1 ml:0.85 mn:0.97 mo:0.1 mr:0.93 "
    "ms:0.97 mt:0.95 my:0.1 na:0.1 ne:0.93 ng:0.05 nl:1 no:1 nr:0.3 om:0.2 pa:0.65 pl:1 ps:0.92 pt:1 rn:1 ro:1 ru:1 "
    "rw:0.7 sa:0.15 sc:0.5 sd:0.75 se:0.05 sg:0.05 sh:0.8 si:0.25 sk:1 sl:0.96 sm:0.3 sn:0.3 so:0.95 sq:1 sr:0.97 "
    "ss:0.3 st:0.3 sv:0.94 ta:1 te:1 tg:0.8 th:1 ti:1 tk:0.85 tl:0.95 tn:0.2 to:0.3 tr:1 ts:0.8 tt:0.4 tw:0.02 ug:0.4 "
    "uk:0.25 uz:1 ve:0.05 vi:0.97 xh:1 yo:1 za:0 zu:1"
)
#: Other letters for a language.
ALIASES = (
    "ara=ar arm=hy bul=bg cat=ca ces=cs chi=zh chs=zh cht=zh cn=zh cz=cs cze=cs dan=da deu=de dk=da dut=nl ee=et "
    "ell=el eng=en esp=es eus=eu fas=fa fil=tl fra=fr fre=fr ger=de glg=gl gr=el gre=el heb=he hin=hi hrv=hr hun=hu "
    "ind=id ita=it iw=he jp=ja jpn=ja kor=ko kr=ko lav=lv lit=lt nb=no nld=nl nn=no nor=no per=fa pol=pl por=pt "
    "ron=ro rum=ro rus=ru mx=es cl=es uy=es vn=vi se=sv slk=sk slv=sl sp=es spa=es srp=sr swe=sv tc=zh tha=th "
    "tur=tr ua=uk ukr=uk vie=vi zho=zh"
)
#: Codes of three letters that are no words.
LONG_CODES = (
    "ckb kab bho mai ast crh sah chr arz yue pap ceb nds hsb dsb nso "
    "amh aze bos cym isl kaz khm kir lao mkd mlt nep sqi tgk tgl tuk urd uzb zul"
)
#: Words that phrases begin or end with, in names of files: `sign_in`, `about_us`, `my_account`, `user_id`.
PHRASES = frozenset(
    {"ai", "am", "an", "as", "be", "co", "do", "he", "hi", "id", "in", "is", "me", "my", "or", "so", "to", "tv", "us"}
)
#: Codes that are words as well.
WORDS = (
    "ai am an as be cat co cv da dan de do el es ha he hi hr id in ind is it ki km la li ma me mg ml mr ms my ne no om "
    "or pa per pr ps sa sc se si so sp st ta te to tr tt tv us"
)
#: Languages of fewer people than this share of a country are left out.
LEAST_SHARE = 0.08
#: The share of the language in a conflict that is not listed: where the country speaks it, and where not.
SPOKEN, ELSEWHERE = 1.0, 0.6


def listed(text: str, between: str) -> dict[str, str]:
    """{code: value} of pairs."""
    return dict(pair.split(between, 1) for pair in text.split())


def known(code: str) -> str | None:
    """Our tag of a language, or None."""
    try:
        return normalise(code)
    except UnknownLanguage:
        return None


def shares_of(country: str) -> dict[str, float]:
    """The languages of a country's people by CLDR: official ones count double, unofficial ones less."""
    shares: dict[str, float] = {}
    for code, about in (get_territory_language_info(country.upper()) or {}).items():
        tag, status = known(code.split("_")[0]), about.get("official_status")
        if tag is None:
            continue
        factor = 2.0 if status in ("official", "de_facto_official") else 1.0 if status else 0.3
        shares[tag] = shares.get(tag, 0.0) + factor * float(about.get("population_percent") or 0)
    total = sum(shares.values())
    left = {tag: share / total for tag, share in shares.items() if share > LEAST_SHARE * total} if total else {}
    return {tag: share / sum(left.values()) for tag, share in left.items()}


def countries() -> dict[str, dict[str, float]]:
    """The languages of every country."""
    by_hand = listed(COUNTRIES, "=")
    codes = {code.lower() for code in get_global("territory_languages") if len(code) == 2 and code.isalpha()}
    found = {code: shares_of(code) for code in codes - by_hand.keys()}
    for code, languages in by_hand.items():
        pairs = (pair.partition(":") for pair in languages.split("+"))
        found[code] = {tag: float(share or 1) for tag, _, share in pairs}
    return {code: shares for code, shares in found.items() if shares}


def table() -> str:
    """The content of the file."""
    aliases, conflicts, spoken = listed(ALIASES, "="), listed(CONFLICTS, ":"), countries()
    pairs = {one + other for one in string.ascii_lowercase for other in string.ascii_lowercase}
    rows = []
    for code in sorted({*pairs, *aliases, *LONG_CODES.split()}):
        language, shares = aliases.get(code) or known(code), spoken.get(code, {})
        if not language and not shares:
            continue
        meant = ""
        if language and shares:
            meant = conflicts.get(code) or f"{SPOKEN if shares.get(language, 0) > 0.4 else ELSEWHERE:g}"
            if code in aliases:
                meant = f"{SPOKEN:g}"
        country = " ".join(f"{tag}:{share:.3g}" for tag, share in sorted(shares.items(), key=lambda pair: -pair[1]))
        word = "phrase" if code in PHRASES else "word" if code in WORDS.split() else ""
        rows.append("\t".join((code, language or "", meant, country, word)))
    return HEADER + "".join(f"{row}\n" for row in rows)


if __name__ == "__main__":
    sys.exit(write_or_check(TARGET, table, __doc__))
