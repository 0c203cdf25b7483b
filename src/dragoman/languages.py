"""Codes, names, scripts and domains of languages: the one place that maps any code to ours.

A language is a BCP 47 tag (`de`, `yue`): ISO 639-1 where there is a code, else ISO 639-3. Region, script and
variant are accepted and dropped. Several codes for what most corpora label as one language are one tag here:
Norwegian is `no`, and the standard member of a macrolanguage is the macrolanguage (`cmn` is `zh`, `arb` is
`ar`). Members that are commonly labelled apart keep their tags (`yue`, `arz`, `ckb`).

The facts are in `data/languages.tsv`, read once, at the first question.

>>> normalise("pt_BR"), normalise("Norwegian"), normalise("日本語")
('pt', 'no', 'ja')
>>> parse_list("five, Portuguese")
('en', 'de', 'fr', 'es', 'it', 'pt')
>>> domain_languages("ch")
('de', 'fr', 'it', 'rm')
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from dragoman.errors import UnknownLanguage, UsageError
from dragoman.types import Language

FIVE: tuple[Language, ...] = ("en", "de", "fr", "es", "it")
"""The languages of the URL paper, in its order."""

ELEVEN: tuple[Language, ...] = ("da", "de", "en", "es", "fi", "fr", "it", "nl", "no", "pt", "sv")
"""The languages of the paper that labels short pages by the pages that link to them (Hayati, 2004)."""

PRESETS: Mapping[str, tuple[Language, ...]] = MappingProxyType({"five": FIVE, "eleven": ELEVEN})
"""Names that `parse_list` takes for several languages at once."""

EVERY = ("default", "all")
"""Names that it takes for all languages of the model at hand."""

PAPER_DOMAINS: Mapping[Language, frozenset[str]] = MappingProxyType(
    {
        "en": frozenset({"au", "ie", "nz", "us", "gov", "mil", "gb", "uk"}),
        "de": frozenset({"de", "at"}),
        "fr": frozenset({"fr", "tn", "dz", "mg"}),
        "es": frozenset({"es", "cl", "mx", "ar", "co", "pe", "ve"}),
        "it": frozenset({"it"}),
    }
)
"""The top-level domains of each language in the URL paper's ccTLD rule, to the letter."""

PAPER_DOMAINS_PLUS: Mapping[Language, frozenset[str]] = MappingProxyType(
    {**PAPER_DOMAINS, "en": PAPER_DOMAINS["en"] | {"com", "org"}}
)
"""The same for its ccTLD+ rule, which takes `com` and `org` for English."""

_LONGEST = 100  # no code or name comes near it; beyond it we do not look closer

_TAG = re.compile(
    r"(?P<language>[a-z]{2,3})"
    r"(?:-(?P<extended>[a-z]{3}))?"  # zh-yue says what yue says
    r"(?:-[a-z]{4})?"  # script
    r"(?:-(?:[a-z]{2}|[0-9]{3}))?"  # region
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*"  # variants
    r"(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*"  # extensions
    r"(?:-x(?:-[a-z0-9]{1,8})+)?"  # private use
)
_SEPARATORS = re.compile(r"[\s_-]+")
_NOT_COMPARED = re.compile("[\u0300-\u036f'\u2018\u2019\u02bb\u02bc]")  # accents and apostrophes
_LOCALE_TAIL = re.compile(r"[.@][a-z0-9.@-]*$")  # of a POSIX locale: encoding and modifier
_REMARK = re.compile(r"\s*\([^()]*\)$")


class _Row(NamedTuple):
    """One line of the table, as text: splitting waits until somebody asks."""

    tag: str
    alpha3: str
    codes: str
    names: str
    native: str
    scripts: str
    domains: str


@cache
def _rows() -> dict[Language, _Row]:
    # Imported here because it costs more than reading the table, and most programs start without a question.
    from importlib.resources import files

    text = files("dragoman.data").joinpath("languages.tsv").read_text(encoding="utf-8")
    lines = (line.split("\t") for line in text.split("\n") if line and line[0] != "#")
    return {fields[0]: _Row(*fields) for fields in lines}


@cache
def _codes() -> dict[str, Language]:
    index: dict[str, Language] = {}
    for row in _rows().values():
        for code in (row.tag, row.alpha3, *row.codes.split()):
            index[code] = row.tag
    return index


@cache
def _names() -> dict[str, Language]:
    return {_folded(name): row.tag for row in _rows().values() for name in _all_names(row)}


@cache
def _domains() -> dict[str, tuple[Language, ...]]:
    ranked: dict[str, list[tuple[int, Language]]] = {}
    for row in _rows().values():
        for entry in row.domains.split():
            domain, _, rank = entry.partition(":")
            ranked.setdefault(domain, []).append((int(rank or 1), row.tag))
    return {domain: tuple(tag for _, tag in sorted(places)) for domain, places in ranked.items()}


def _all_names(row: _Row) -> list[str]:
    return [name for name in f"{row.names};{row.native}".split(";") if name]


def _folded(name: str) -> str:
    """`name` as names are compared: no case, accents or apostrophes; one space for any separators."""
    if not name.isascii():
        name = unicodedata.normalize("NFKD", name.casefold())
    return _SEPARATORS.sub(" ", _NOT_COMPARED.sub("", name.casefold())).strip()


def _tag_of(text: str) -> Language | None:
    code = text.lower().replace("_", "-")
    return (
        _codes().get(code)
        or _names().get(_folded(text))  # before the subtags: Awa-Cuaiquer is not a variant of `awa`
        or _without_subtags(code)
        or _names().get(_folded(_REMARK.sub("", text)))  # Portuguese (Brazil)
    )


def _without_subtags(code: str) -> Language | None:
    """The tag for a code with region, script or variant, or for a POSIX locale (`de_DE.UTF-8`)."""
    match = _TAG.fullmatch(_LOCALE_TAIL.sub("", code))
    return _codes().get(match["extended"] or match["language"]) if match else None


def _row(language: str) -> _Row:
    row = _rows().get(language)
    return row if row is not None else _rows()[normalise(language)]


def _suggestions(given: str) -> list[str]:
    """What a misspelt `given` may have meant: a name, or a tag if it is as short as one."""
    names = [name for row in _rows().values() for name in row.names.split(";")]
    return names if len(given) > 3 else [*_rows(), *names]


def normalise(text: str) -> Language:
    """The tag for any code, alias, English or native name, in any case; UnknownLanguage if there is none.

    A code wins over a name that reads the same. Codes follow ISO 639, not Wikipedia's host names: `als` is
    Albanian, not Alemannic. The codes for no language (`und`, `mul`, `zxx`) are unknown languages.

    >>> [normalise(text) for text in ("de-AT", "zh-Hant", "iw", "nob", "Farsi", "français")]
    ['de', 'zh', 'he', 'no', 'fa', 'fr']
    """
    given = text.strip()
    if len(given) <= _LONGEST:
        tag = _tag_of(given)
        if tag is not None:
            return tag
    raise UnknownLanguage(given[:_LONGEST], _suggestions(given))


def find(text: str) -> Language | None:
    """The tag as `normalise` finds it, or None: for what pages say, where a search for what was meant costs too much.

    >>> find("de-AT"), find("xx"), find("")
    ('de', None, None)
    """
    given = text.strip()
    return _tag_of(given) if given and len(given) <= _LONGEST else None


def parse_list(text: str, all_languages: Iterable[Language] = ()) -> tuple[Language, ...]:
    """The tags of a comma-separated list, in its order, each once.

    The presets `five` and `eleven` stand for their languages, `default` and `all` for `all_languages`: give a model's
    languages there. Its own tags are taken as they are, so labels that no table knows can be chosen too.

    >>> parse_list("en,de, French")
    ('en', 'de', 'fr')
    >>> parse_list("it,default", all_languages=("de", "it", "xx-own"))
    ('it', 'de', 'xx-own')
    """
    tags: dict[Language, None] = {}
    own = tuple(all_languages)
    for item in (part.strip() for part in text.split(",")):
        if item in own:
            tags[item] = None
        elif item.lower() in EVERY:
            if not own:
                raise UsageError(f"'{item}' stands for the languages of a model, and there is none here: list them")
            tags.update(dict.fromkeys(own))
        elif item:
            tags.update(dict.fromkeys(PRESETS.get(item.lower()) or (normalise(item),)))
    if not tags:
        raise UnknownLanguage(text.strip()[:_LONGEST], known())
    return tuple(tags)


def name(tag: str) -> str:
    """The usual English name: `German`."""
    return _row(tag).names.partition(";")[0]


def native_name(tag: str) -> str:
    """What its speakers call it: `Deutsch`; the English name where the table has no other."""
    return _row(tag).native.partition(";")[0] or name(tag)


def alpha3(tag: str) -> str:
    """The ISO 639-3 code: `deu`."""
    return _row(tag).alpha3


def scripts(tag: str) -> tuple[str, ...]:
    """The ISO 15924 codes of the scripts it is written in, the usual one first: `('Cyrl', 'Latn')`."""
    return tuple(_row(tag).scripts.split())


def country_domains(tag: str, *, shared: bool = False) -> frozenset[str]:
    """The top-level domains of countries and communities whose main language it is.

    With `shared`, also those where it is one of several and not the main one: `ch` for French.
    Domains outside ASCII are given as they stand in a URL (`xn--p1ai`). No domain is main for two languages.
    """
    tag = _row(tag).tag
    return frozenset(d for d, tags in _domains().items() if tag == tags[0] or (shared and tag in tags))


def domain_languages(tld: str) -> tuple[Language, ...]:
    """The languages of a top-level domain, the main one first; empty if it says nothing (`com`, `eu`).

    This is about the country: `tv` and `io` give their islands' languages, whatever the world uses them for.
    """
    domain = tld.strip().strip(".").lower()
    if not domain.isascii():
        try:
            domain = domain.encode("idna").decode("ascii")
        except UnicodeError:
            return ()
    return _domains().get(domain, ())


def known() -> tuple[Language, ...]:
    """All tags, sorted."""
    return tuple(_rows())


#: Languages that GlotLID, OpenLID and NLLB have under the code of their main variety, not under that of the group.
_MAIN_VARIETIES = {
    "ar": "arb", "az": "azj", "ay": "ayr", "et": "ekk", "fa": "pes", "gn": "gug", "ku": "kmr", "lv": "lvs", "mg": "plt",
    "mn": "khk", "ms": "zsm", "ne": "npi", "no": "nob", "om": "gaz", "or": "ory", "ps": "pbt", "qu": "quy", "sq": "als",
    "sw": "swh", "uz": "uzn", "yi": "ydd", "zh": "cmn",
}  # fmt: skip
_SCRIPTS_OF_LABELS = {"Hans": "Hani", "Hant": "Hani", "Kore": "Hang"}


def glotlid_label(tag: str, script: str | None = None) -> str:
    """The label that GlotLID has for a language, in its usual script or in the one that is given.

    >>> glotlid_label("en"), glotlid_label("zh"), glotlid_label("sr", "Latn"), glotlid_label("no")
    ('eng_Latn', 'cmn_Hani', 'srp_Latn', 'nob_Latn')
    """
    row = _row(tag)
    usual = row.scripts.partition(" ")[0]
    used = script if script in row.scripts.split() else usual
    return f"{_MAIN_VARIETIES.get(row.tag, row.alpha3)}_{_SCRIPTS_OF_LABELS.get(used, used)}"
