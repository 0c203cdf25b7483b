"""A page's bytes become a Page: its text, and what it says about itself and about other pages.

Nothing in a page raises: what cannot be understood is left out. What a page is taken for:

1. by the content type, if it says HTML, XHTML or plain text;
2. else by a look at its first bytes: many control characters or the signature of an image, an archive or a PDF make it
   `binary` (no text); a tag that HTML has makes it `html`; else it is `text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

from dragoman.identifiers.text.charset import Decoded, decode
from dragoman.identifiers.text.markup.declared import declared
from dragoman.identifiers.text.markup.elements import NAMES
from dragoman.identifiers.text.markup.references import unreference
from dragoman.identifiers.text.markup.stretches import stretches_of
from dragoman.identifiers.text.markup.visible import Markup, Tag, one_to_one, read_markup
from dragoman.languages import find
from dragoman.types import Link, Page

#: The first tags and links of a page are looked at, up to so many: a page of 100 MB may have millions of them.
MOST_TAGS, MOST_LINKS = 100_000, 10_000

_LOOK = 1 << 16
_INLINE = "b big em font i img input label s small span strong sub sup svg tt u wbr"
_TAG = re.compile(
    rf"<(?:!doctype\s+html|!--|\?xml|/?(?:{'|'.join({*NAMES, *_INLINE.split()})})(?=[\s/>]))", re.IGNORECASE | re.ASCII
)
_SIGNATURES = (b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"\x1f\x8b", b"\x7fELF", b"OggS", b"ID3")
_CONTROL = bytes(set(range(32)) - set(b"\t\n\f\r\x0e\x0f\x1b"))
_REFRESH = re.compile(r"\s*[\d.]+\s*[;,\s]\s*(?:url\s*=\s*)?['\"]?\s*([^'\"]+)", re.IGNORECASE)
_SPACES = re.compile(r"[ \t\n\f\r]+")
_DROPPED = str.maketrans("", "", "\t\n\r")
_OUTSIDE = "".join(map(chr, range(33)))
_WHOLE = re.compile("https?://", re.IGNORECASE)
#: Elements that say something about a page.
_TELLING = frozenset(("a", "area", "html", "title", "base", "frame", "iframe", "link", "meta"))
_OTHER_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
#: A relative address that only has to be put behind its folder, and the folder of an address (and its path).
_PLAIN = re.compile(r"[\w%~-](?:[\w%~.+,=&@!$*-]|/(?=[\w%~?#-]|$))*(?:\?[^#\[\]]+)?(?:#.+)?", re.ASCII)
_FOLDER = re.compile(r"https?://[^/?#;\[\]]+(/(?:[^?#;]*/)?)")


def read_page(
    data: bytes | str,
    content_type: str | None = None,
    url: str | None = None,
    content_language: str | None = None,
    strict: bool = False,
) -> Page:
    """The page in these bytes, or in this text if it is decoded already.

    `content_type` and `content_language` are the values of the HTTP header, `url` is where the page came from; `strict`
    is that of dragoman.identifiers.text.charset.decode.

    >>> page = read_page(b"<html lang=de><title>Gru&szlig;</title><p>Hallo <a href=/welt>Welt</a>", url="http://a.de/b")
    >>> page.text, page.title, page.declared, page.links[0].url
    ('Hallo Welt', 'Gruß', 'de', 'http://a.de/welt')
    """
    if not isinstance(data, bytes | str):
        raise TypeError(f"A page is given as bytes or str, not {type(data).__name__}")
    if isinstance(data, bytes) and is_binary(data):
        return Page("binary", "", "", one_to_one(0), url=url)
    decoded = decode(data, content_type, strict) if isinstance(data, bytes) else None
    source = decoded.text if decoded else str(data)
    if _named(content_type) == "text" or (not _named(content_type) and not _TAG.search(source, 0, _LOOK)):
        declarations = tuple(_from_header(content_language))
        return _page("text", source, source, declarations, decoded, url)
    xml = "xml" in (content_type or "").lower() or source[:64].lstrip().startswith("<?xml")
    return _html(read_markup(source, xml=xml), decoded, url, content_language)


def is_binary(data: bytes) -> bool:
    """True for what is no text: a known signature, or more than one control character in 16.

    >>> is_binary(b"\\x89PNG\\r\\n"), is_binary(b"a < b"), is_binary("\\ufeffUTF-16".encode("utf-16-le"))
    (True, False, False)
    """
    head = data[:4096]
    if head.startswith(_SIGNATURES):
        return True
    controls = len(head) - len(head.translate(None, _CONTROL))
    return controls > len(head) // 16 and not decode(head).charset.startswith("utf-16")


def _named(content_type: str | None) -> str | None:
    given = (content_type or "").lower()
    if "html" in given:
        return "html"
    return "text" if given.strip().startswith("text/plain") else None


def _page(kind: str, source: str, text: str, declarations: tuple[tuple[str, str], ...], decoded: Decoded | None,
          url: str | None) -> Page:  # fmt: skip
    language, how = declared(declarations)
    return Page(kind, source, text, one_to_one(len(text)), None, decoded.charset if decoded else None,
                decoded.how if decoded else None, language, how, declarations, url, url)  # fmt: skip


def _from_header(content_language: str | None) -> Iterable[tuple[str, str]]:
    return [("header", content_language)] if content_language else []


def resolve(base: str | None, given: str) -> str | None:
    """The address that a link leads to, or None if it leads nowhere on the web: other schemes, this page, nonsense.

    >>> resolve("http://a.de/b/c", " ../d\\n"), resolve("http://a.de/", "mailto:x@a.de"), resolve(None, "e.html")
    ('http://a.de/d', None, 'e.html')
    """
    address = given.strip(_OUTSIDE).translate(_DROPPED)
    if "\\" in address:
        address = with_slashes(address)
    if not address or address[0] == "#":
        return None
    if base and _PLAIN.fullmatch(address) and (folder := _folder(base)):
        return folder + address  # most links: urljoin takes twenty times as long
    try:
        whole = address if not base or _WHOLE.match(address) else urljoin(base, address)
        scheme = urlsplit(whole).scheme
    except ValueError:  # http://[ and the like
        return None
    return whole if scheme in ("http", "https", "") else None


def with_slashes(address: str) -> str:
    r"""An address as browsers read one that was written with the backslashes of file names.

    >>> with_slashes("\\\\a.de\\b?c=\\d"), with_slashes("data:a\\b")
    ('//a.de/b?c=\\d', 'data:a\\b')
    """
    if "\\" not in address or _OTHER_SCHEME.match(address):
        return address
    end = min((at for mark in "?#" if (at := address.find(mark)) >= 0), default=len(address))
    return address[:end].replace("\\", "/") + address[end:]


def refresh_of(value: str) -> str | None:
    """Where META refresh, or the header of that name, leads; None if it stays.

    >>> refresh_of("5; URL='weiter.html'"), refresh_of("30")
    ('weiter.html', None)
    """
    match = _REFRESH.match(value[:10_000])
    return match[1].strip() if match else None


@lru_cache(maxsize=64)
def _folder(base: str) -> str | None:
    """What stands in front of the names in a folder of the web; None where urljoin would mend something."""
    match = _FOLDER.match(base)
    return match[0] if match and "/." not in base and ";" not in base and "//" not in match[1] else None


def _html(markup: Markup, decoded: Decoded | None, url: str | None, content_language: str | None) -> Page:
    facts = _Facts(markup, url)
    for tag in markup.tags(MOST_TAGS, _TELLING):
        facts.take(tag)
    facts.close(len(markup.text))
    anchors = sorted(facts.anchors[:MOST_LINKS], key=lambda anchor: anchor[0].start)  # they were noted where they ended
    declarations = (*facts.declarations, *_from_header(content_language))
    language, how = declared(declarations)
    return Page(
        "html",
        markup.source,
        markup.text,
        markup.map,
        facts.title,
        decoded.charset if decoded else None,
        decoded.how if decoded else None,
        language,
        how,
        declarations,
        url,
        facts.base,
        tuple(link for tag, start, end in anchors if (link := facts.link(tag, start, end))),
        facts.alternates(),
        tuple(address for given in facts.frames[:MOST_LINKS] if (address := resolve(facts.base, given))),
        resolve(facts.base, facts.refresh) if facts.refresh else None,
        frozenset(facts.robots),
        stretches_of(markup),
    )


class _Facts:
    """What the tags of a page say, collected in their order."""

    def __init__(self, markup: Markup, url: str | None) -> None:
        self.markup, self.url, self.base = markup, url, url
        self.title: str | None = None
        self.declarations: list[tuple[str, str]] = []
        self.anchors: list[tuple[Tag, int, int]] = []
        self.open: Tag | None = None
        self.frames: list[str] = []
        self.others: list[Tag] = []
        self.refresh: str | None = None
        self.robots: set[str] = set()
        self.based = False
        self.resolved: dict[str, str | None] = {}

    def take(self, tag: Tag) -> None:
        """One more tag."""
        name, values = tag.name, tag.attributes
        if name == "a":
            self.close(tag.text_offset)  # anchors do not nest: a new one ends the one before
            self.open = None if tag.ends or "href" not in values else tag
        elif tag.ends:
            return
        elif name == "area" and "href" in values:
            self.anchors.append((tag, tag.text_offset, tag.text_offset))
        elif name == "html":
            if given := values.get("lang") or values.get("xml:lang"):
                self.declarations.append(("html", given))
        elif name == "title" and self.title is None:
            content = self.markup.source[tag.end : tag.content_end]
            self.title = _SPACES.sub(" ", unreference(content)).strip() or None
        elif name == "base" and not self.based and "href" in values:
            self.base, self.based = resolve(self.url, values["href"]) or self.url, True
        elif name in ("frame", "iframe") and "src" in values:
            self.frames.append(values["src"])
        elif name == "link":
            self.others.append(tag)
        elif name == "meta":
            self.meta(values.get("name", ""), values.get("property", ""), values.get("http-equiv", ""),
                      values.get("content", ""))  # fmt: skip

    def meta(self, name: str, about: str, header: str, content: str) -> None:
        """A META element."""
        header, about, name = header.strip().lower(), about.strip().lower(), name.strip().lower()
        if header == "content-language" and content:
            self.declarations.append(("meta", content))
        elif header == "refresh" and self.refresh is None:
            self.refresh = refresh_of(content)
        elif "og:locale" in (about, name) and content:
            self.declarations.append(("og:locale", content))
        elif name == "robots":
            self.robots |= {word.strip().lower() for word in content[:1000].split(",") if word.strip()}

    def close(self, end: int) -> None:
        """The open anchor ends here."""
        if self.open:
            self.anchors.append((self.open, self.open.text_offset, end))
        self.open = None

    def link(self, tag: Tag, start: int, end: int) -> Link | None:
        """The link of an anchor."""
        values = tag.attributes
        given = values["href"]
        if given not in self.resolved:  # menus say the same over and over
            self.resolved[given] = resolve(self.base, given)
        if not (address := self.resolved[given]):
            return None
        text = self.markup.text[start:end]
        start += len(text) - len(text.lstrip())
        text = text.strip()
        language = find(values["hreflang"]) if "hreflang" in values else None
        shown = _SPACES.sub(" ", text) or values.get("alt", "").strip()
        return Link(
            address,
            shown,
            start,
            start + len(text),
            _words(values["rel"]) if "rel" in values else (),
            language,
            values.get("title", "").strip(),
        )

    def alternates(self) -> tuple[tuple[str, str], ...]:
        """The page in other languages, by `<link rel=alternate hreflang=...>`."""
        pairs = []
        for tag in self.others[:MOST_LINKS]:
            given, href = tag.attributes.get("hreflang"), tag.attributes.get("href")
            if given and href and "alternate" in _words(tag.attributes.get("rel", "")):
                address = resolve(self.base, href)
                pairs += [(given.strip(), address)] if address else []
        return tuple(pairs)


def _words(value: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value.lower().split()))
