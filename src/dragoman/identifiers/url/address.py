"""The parts of a URL, from any bytes: the plain definition of what the compiled kernels read.

What counts as what:

- White space and control characters around the URL are cut off. Nothing left: `empty`.
- `http:`, `https:` and `ftp:` lead to a host, with any number of slashes between; so do a leading `//` and no scheme
  at all (`example.org/path`, `localhost:8080`). Other schemes (`mailto:`, `javascript:`, `file://`) are `other scheme`.
- What begins with `/`, `?`, `#`, `./` or `../` is a relative reference: it has no host, and all of it is path.
- The host ends at the first `/`, `\\`, `?` or `#`. User information and port are dropped. An IPv6 address has no words.
  A host with white space or one of `<>"{}|^`` ` `` in it is `not a URL`.
- Percent-escapes are undone once, after the parts are found, so `%2F` never makes a new part. The bytes are read as
  UTF-8; a byte that is not part of valid UTF-8 stands for its Latin-1 character, as old sites meant it (`fran%E7ais`).
- Labels that begin with `xn--` are decoded from punycode where they are valid and at most 63 characters long.
- The top-level domain is the last label of a host with two labels or more.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

WEB_SCHEMES = frozenset({b"http", b"https", b"ftp"})
LABEL_LIMIT = 63

_SCHEME = re.compile(rb"([A-Za-z][A-Za-z0-9+.\-]*):")
_RELATIVE = re.compile(rb"[/\\?#]|\.(?:[./\\]|$)")
_SLASHES = re.compile(rb"[/\\]{2}")
_HOST_END = re.compile(rb"[/\\?#]")
_PORT = re.compile(rb":[0-9]*$")
_NEVER_IN_HOSTS = re.compile(rb"""[\x00-\x20<>"{}|^`]""")
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_BLANK = bytes(range(0x21))
_COPIED = re.compile(rb"[^?#]*?/(https?:/)", re.IGNORECASE)


@dataclass(frozen=True)
class Address:
    """A URL taken apart. `labels` are the decoded parts of the host; `rest` is path, query and fragment, decoded."""

    kind: str
    labels: tuple[str, ...] = ()
    rest: str = ""

    @property
    def host(self) -> str:
        """The decoded host."""
        return ".".join(self.labels)

    @property
    def tld(self) -> str | None:
        """The last label of a host with two labels or more."""
        return self.labels[-1] if len(self.labels) > 1 else None


def read_address(url: bytes) -> Address:
    """The parts of any bytes, as the module's text defines them.

    >>> read_address(b"http://user@www.xn--mnchen-3ya.de:80/caf%C3%A9?x=1")
    Address(kind='web', labels=('www', 'münchen', 'de'), rest='/café?x=1')
    >>> read_address(b"mailto:someone@example.org")
    Address(kind='other scheme', labels=(), rest='')
    """
    kind, host, rest = stretches(url)
    labels = decode(url[host]).rstrip(".").split(".")
    return Address(kind, tuple(map(decode_label, labels)) if labels != [""] else (), decode(url[rest]))


def stretches(url: bytes) -> tuple[str, slice, slice]:
    """(kind, host, rest): what a URL is, and where its host and what follows stand in its bytes, as they are written.

    >>> url = b"http://user@www.example.org:80/a?b"
    >>> [url[part] for part in stretches(url)[1:]]
    [b'www.example.org', b'/a?b']
    """
    nowhere = slice(0, 0)
    end = len(url.rstrip(_BLANK))
    start = end - len(url[:end].lstrip(_BLANK))
    if start == end:
        return "empty", nowhere, nowhere
    begin = start
    if scheme := _SCHEME.match(url, start, end):
        name = scheme[1].lower()
        if name in WEB_SCHEMES:
            begin = _after_slashes(url, scheme.end(), end)
        elif url.startswith(b"//", scheme.end(), end) or not (b"." in name or name == b"localhost"):
            return "other scheme", nowhere, nowhere
    elif _SLASHES.match(url, start, end):
        begin = _after_slashes(url, start, end)
    elif _RELATIVE.match(url[start:end]):
        return "web", nowhere, slice(start, end)
    host_end = _HOST_END.search(url, begin, end)
    cut = host_end.start() if host_end else end
    first = max(begin, url.rfind(b"@", begin, cut) + 1)
    if _NEVER_IN_HOSTS.search(url, first, cut):
        return "not a URL", nowhere, nowhere
    last = first if url.startswith(b"[", first, cut) else first + len(_PORT.sub(b"", url[first:cut]))
    return "web", slice(first, last), slice(cut, end)


def original(url: bytes) -> bytes:
    """The address that a path goes on with, as in web archives and proxies; else the URL itself.

    >>> original(b"https://web.archive.org/web/2016/http://beispiel.de/neu"), original(b"http://a.fr/?u=/http://b.de/")
    (b'http://beispiel.de/neu', b'http://a.fr/?u=/http://b.de/')
    """
    _, host, rest = stretches(url)
    copied = _COPIED.match(url, rest.start) if host.start < host.stop else None
    inner = url[copied.start(1) :] if copied else b""
    return inner if (within := stretches(inner)[1]).start < within.stop else url


def _after_slashes(url: bytes, start: int, end: int) -> int:
    return end - len(url[start:end].lstrip(b"/\\"))


def decode(raw: bytes) -> str:
    """Text with escapes and UTF-8 undone.

    >>> decode(b"fran%C3%A7ais"), decode(b"fran%E7ais"), decode(b"100%")
    ('français', 'français', '100%')
    """
    return _ESCAPE.sub(lambda match: bytes([int(match[1], 16)]), raw).decode("utf-8", "dragoman-latin-1")


def _latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("dragoman-latin-1", _latin_1)


def decode_label(label: str) -> str:
    """A host's label with punycode undone, or as it was where it is not valid punycode (RFC 3492)."""
    if not label.lower().startswith("xn--") or not 4 < len(label) <= LABEL_LIMIT or not label.isascii():
        return label
    basic, _, digits = label[4:].rpartition("-")
    out = [ord(letter) for letter in basic]
    code, i, bias, at = 128, 0, 72, 0
    while at < len(digits):
        before, weight, k = i, 1, 36
        while True:
            if at >= len(digits) or (digit := _digit(digits[at])) is None:
                return label
            at += 1
            i += digit * weight
            threshold = min(max(k - bias, 1), 26)
            if digit < threshold:
                break
            weight *= 36 - threshold
            if i > 0xFFFFFFFF or weight > 0xFFFFFFFF:
                return label
            k += 36
        count = len(out) + 1
        delta = (i - before) // (700 if before == 0 else 2)
        delta += delta // count
        k = 0
        while delta > 455:
            delta //= 35
            k += 36
        bias = k + 36 * delta // (delta + 38)
        code += i // count
        i %= count
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            return label
        out.insert(i, code)
        i += 1
    return "".join(map(chr, out))


def _digit(character: str) -> int | None:
    if "0" <= character <= "9":
        return ord(character) - ord("0") + 26
    low = character.lower()
    return ord(low) - ord("a") if "a" <= low <= "z" else None
