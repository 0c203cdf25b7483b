"""What stands in a URL: its words, codes, scripts, known site and top-level domain.

- Where the path goes on with another address, as in web archives, that one is read.
- Words are runs of letters, two or more, in lower case; those of every site (`www`, `index`, `html`) and what is a
  code are none. At most 256 of host and path each are read.
- Identifiers behind the host (`youtu.be/dQw4w9WgXcQ`) are no words: runs of letters and digits in which capitals, small
  letters and digits change every two or three characters.
- The site is the longest suffix of the host, of at most five labels, that the table of sites has, or its first
  folder, if the table has that (`asahi.com/ajw`). What belongs to a platform (`blogspot.com`) is not read as words; a
  site of a family (`wikipedia.org`) has its language as first label; of a shortener (`spoti.fi`) the domain says
  nothing either.
- The domain is the last label or, where the table has them, the last two of three or more (`qc.ca`, `com.co`), if the
  first of those has at most four letters. What stands before a country's (`.ac.ke`) is no word, and what is registered
  below no code: `spa.gov.sa` is not Spanish.
- A word has the script of its first letter beyond Latin; Han with kana in it is Japanese.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from dragoman.identifiers.url.address import original, read_address
from dragoman.identifiers.url.parts.codes import CodeGrammar, FoundCode
from dragoman.identifiers.url.parts.keys import raw_bytes, text_key
from dragoman.identifiers.url.tokens import lower_case, runs_of_letters
from dragoman.kernels.parts import FAMILY, PLATFORM, SHORTENER, PartReader
from dragoman.kernels.parts_tables import small_value

STOP_WORDS = frozenset(
    {"www", "htm", "php", "asp", "jsp", "cgi", "html", "http", "aspx", "index", "https", "shtml", "xhtml"}
)
MOST_WORDS, SITE_LABELS, MOST_SCRIPTS = 256, 5, 8
#: Scripts by number that are told apart within a word.
HAN, KANA = 1, 2
_BEYOND_LATIN = 0x250
#: The letters of what stands before the top-level domain in a domain below which sites are registered.
REGISTRY_LETTERS = 4
#: Where a run of letters and digits changes its kind; from small letters to capitals, not the other way: `Haus`.
_CHANGE = re.compile(rb"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
_AT_END, _AT_START = re.compile(rb"[A-Za-z0-9]+\Z"), re.compile(rb"[A-Za-z0-9]+")
_NEARBY, _FEWEST_CHANGES = 64, 2
_FOLDER = re.compile(r"/[^/?#]+")
#: What stands before a country's domain where sites are registered.
REGISTRIES = frozenset(("ac", "co", "com", "edu", "go", "gob", "gouv", "gov", "mil", "ne", "net", "or", "org"))


@dataclass(frozen=True)
class UrlParts:
    """The parts of a web address: words in lower case, codes, numbers of scripts, the site and the domain, if known."""

    text: str
    host_words: tuple[str, ...]
    path_words: tuple[str, ...]
    codes: tuple[FoundCode, ...]
    scripts: tuple[int, ...]
    #: The known site and the number of its language.
    site: tuple[str, int] | None
    #: The top-level domain and its number.
    domain: tuple[str, int] | None


def read_parts(url: bytes, reader: PartReader) -> UrlParts | None:
    """The parts of a URL; None for what is no web address."""
    address = read_address(original(url))
    if address.kind != "web":
        return None
    host, text = address.host, address.host + address.rest
    raw = raw_bytes(text)
    suffix, known = _site(host, raw, reader)
    platform = len(host) - len(suffix) if known in (PLATFORM, SHORTENER) else len(host)
    domain_start = len(host) - len(address.labels[-1]) if len(address.labels) > 1 else len(host)
    suffix_start, domain = _registry(host, domain_start, reader)
    if known == SHORTENER:
        domain = None
    site_start = len(host) - len(suffix)
    codes = CodeGrammar(reader, text, raw, len(host), suffix_start, site_start).find(family=known == FAMILY)
    words: tuple[list[str], list[str]] = ([], [])
    scripts: list[int] = []
    for start, written in runs_of_letters(text):
        end, word = start + len(written), lower_case(written)
        if len(word) < 2 or word in STOP_WORDS or any(code.start <= start and end <= code.end for code in codes):
            continue
        of_path = start >= len(host)
        if of_path and _is_identifier(raw, start, len(host)):
            continue
        if not of_path and start >= domain_start and not domain and known != SHORTENER:
            number = small_value(reader.domains, text_key(word))
            domain = (word, number) if number >= 0 else None
        elif (of_path or start < min(platform, suffix_start)) and len(words[of_path]) < MOST_WORDS:
            words[of_path].append(word)
            script = _script([letter for letter in written if ord(letter) >= _BEYOND_LATIN], reader)
            if script and script not in scripts and len(scripts) < MOST_SCRIPTS:
                scripts.append(script)
    site = (suffix, known) if 0 <= known < reader.width else None
    if suffix and (folder := _FOLDER.match(text, len(host))):
        part = suffix + lower_case(folder[0])
        number = small_value(reader.sites, text_key(part))
        site = (part, number) if 0 <= number < reader.width else site
    return UrlParts(text, tuple(words[0]), tuple(words[1]), tuple(codes), tuple(scripts), site, domain)


def _is_identifier(raw: bytes, start: int, host_length: int) -> bool:
    """True if letters and digits around a place, up to 64 either way, were drawn and not written."""
    before = _AT_END.search(raw[max(host_length, start - _NEARBY) : start])
    behind = _AT_START.match(raw[start : start + _NEARBY])
    run = (before[0] if before else b"") + (behind[0] if behind else b"")
    changes = len(_CHANGE.findall(run))
    return changes >= _FEWEST_CHANGES and 2 * len(run) <= 5 * (changes + 1)


def _site(host: str, raw: bytes, reader: PartReader) -> tuple[str, int]:
    """The longest suffix of the host that is in the table of sites, and its value; or -1."""
    if len(host) > 4 and raw[:4].lower() == b"www.":
        host = host[4:]
    labels = host.split(".")[-SITE_LABELS:]
    for first in range(len(labels) - 1):
        suffix = ".".join(labels[first:])
        value = small_value(reader.sites, text_key(suffix))
        if value >= 0:
            return lower_case(suffix), value
    return "", -1


def _registry(host: str, domain_start: int, reader: PartReader) -> tuple[int, tuple[str, int] | None]:
    """Where the domain begins below which the host is registered, and that with its number, if the table has it."""
    start = host.rfind(".", 0, max(domain_start - 1, 0)) + 1
    if domain_start == len(host) or not 1 <= domain_start - 1 - start <= REGISTRY_LETTERS:
        return domain_start, None
    number = small_value(reader.domains, text_key(host[start:])) if start else -1
    if number >= 0:
        return start, (lower_case(host[start:]), number)
    of_country = len(host) - domain_start == 2 and lower_case(host[start : domain_start - 1]) in REGISTRIES
    return (start if of_country else domain_start), None


def _script(letters: list[str], reader: PartReader) -> int:
    first = _script_of(letters[0], reader) if letters else 0
    if first == HAN and any(_script_of(letter, reader) == KANA for letter in letters):
        return KANA
    return first


def _script_of(letter: str, reader: PartReader) -> int:
    point = ord(letter)
    for first, last, script in reader.script_runs.tolist():
        if first <= point <= last:
            return int(script)
    return 0
