"""Answers are counted by host: which languages a site has, in one pass over its URLs.

For a host h and a language l, share(h, l) = URLs of h answered l / URLs of h: every URL counts once, for its likeliest
language, or for none where there is no answer. The shares of a host and the part without an answer sum to 1.

The host is that of identifiers.url.address (escapes and punycode undone, no user, no port) in lower case. A leading
`www.` is left out where two labels or more remain, because `www.example.org` and `example.org` are one site to nearly
everybody. An IPv6 address is a host of its own, in brackets and in its shortest spelling (`[2001:db8::1]`). URLs
without a host that can be read (empty, `mailto:`, a path alone, brackets around something else) share the host None.

By folder, a URL counts for its host and the first folder of its path together (`example.org/catalan/`, as written),
or for the host alone where the path has no folder: sites often have one for each language.

What is equal: hosts with as many URLs come by name (code points), the host None last of them; of languages with as many
URLs of a host, the one that comes first among the model's languages is the host's.

Cost: a few passes of numpy over the bytes of the URLs; each different host of a piece is read once, in Python. Memory
grows with the number of different hosts and their languages, not with the number of URLs.

>>> sites = Sites(("de", "fr"))
>>> sites.add(heads(ByteColumn.of(["http://www.a.de/", "https://A.de/x"])), np.array([0, -1]))
>>> [(site.host, site.urls, site.language, site.share, site.unanswered) for site in sites]
[('a.de', 2, 'de', 0.5, 1)]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn, cut_out
from dragoman.errors import MissingExtra, need
from dragoman.identifiers.answer import Answers
from dragoman.identifiers.url.address import read_address, stretches
from dragoman.label.inputs import Inputs
from dragoman.label.judges import LanguageJudge
from dragoman.label.pipeline import Progress, RowCounts, counted_pieces
from dragoman.tables.formats import Format
from dragoman.tables.pieces import RowPiece
from dragoman.tables.rows import write_rows
from dragoman.types import Language
from dragoman.web.addresses import server_of

#: Shares below this are not listed, but for the first.
LEAST = 0.01
#: Hosts of earlier pieces that are remembered by how they were spelt.
_REMEMBERED = 1 << 18
#: Counts that wait before they are added up.
_WAITING = 1 << 20
#: The columns of the rows and their types, in the words of tables.rows.
COLUMNS = {
    "host": "string",
    "urls": "int64",
    "language": "string",
    "share": "float64",
    "shares": "json",
    "unanswered": "int64",
}
_SCHEMES = (b"http://", b"https://")
_USUAL_SCHEMES = ("http://", "https://")
#: Hosts that a server is named by just as people read them; the others go through read_address.
_USUAL = re.compile(r"(?:[a-z0-9_-]+\.)+[a-z0-9_-]+")
_FOLDER = re.compile(rb"/([^/\\?#\s]+)/")
_BLANK = 0x20


@dataclass(frozen=True)
class Site:
    """A host with the number of its URLs and its languages, the most frequent first."""

    host: str | None
    urls: int
    language: Language | None
    share: float
    shares: dict[Language, float]
    unanswered: int


@dataclass(frozen=True, eq=False)
class Heads:
    """The different beginnings of URLs, up to and with what ends the host, and which one each row has."""

    texts: list[bytes]
    codes: NDArray[np.int64]


def host_of(url: bytes) -> str | None:
    """The host as this module's text defines it.

    >>> host_of(b"HTTP://user@WWW.xn--mnchen-3ya.DE:80/x"), host_of(b"www.de"), host_of(b"mailto:a@b.de")
    ('münchen.de', 'www.de', None)
    """
    host, text = "", url.decode("latin-1")
    if text.startswith(_USUAL_SCHEMES) and text.isascii() and text.isprintable() and " " not in text:
        host = server_of(text)
    if not _USUAL.fullmatch(host) or "--" in host:  # xn-- begins punycode
        address = read_address(url)
        if not address.labels:
            return _ipv6(url)
        host = address.host.lower()
    short = host.removeprefix("www.")
    return (short if "." in short else host) or None


def folder_of(url: bytes) -> str | None:
    """The host, with the first folder of the path behind it if there is one.

    >>> folder_of(b"http://www.a.org/catalan/x"), folder_of(b"http://a.org/x?b=/c/"), folder_of(b"http://a.org")
    ('a.org/catalan/', 'a.org', 'a.org')
    """
    host, path = host_of(url), _FOLDER.match(url[stretches(url)[2]])
    if host is None or path is None:
        return host
    return f"{host}/{path[1].decode('utf-8', 'backslashreplace')}/"


def _ipv6(url: bytes) -> str | None:
    """The IPv6 address in brackets that is a URL's host, written the shortest way and without a zone, if it is one."""
    from ipaddress import AddressValueError, IPv6Address

    _, host, rest = stretches(url)
    address, bracket, port = url[host.start : rest.start].partition(b"]")
    if not bracket or not address.startswith(b"[") or (port and not re.fullmatch(rb":[0-9]*", port)):
        return None
    try:
        return f"[{IPv6Address(address[1:].partition(b'%')[0].decode('ascii')).compressed}]"
    except (AddressValueError, UnicodeDecodeError):
        return None


def heads(urls: ByteColumn, folders: bool = False) -> Heads:
    """The beginnings of URLs that `host_of` needs, or `folder_of`; no Python object is made per URL.

    Where the place of the host is not plain to see (no `http://`, many slashes, other schemes), all of the URL is kept.
    """
    start, end = urls.offsets[:-1], urls.offsets[1:]
    data = urls.data
    host = _host_starts(data, start, end)
    low, high = (int(urls.offsets[0]), int(urls.offsets[-1])) if len(urls) else (0, 0)
    part = data[low:high]
    enders = np.flatnonzero((part == ord("/")) | (part == ord("?")) | (part == ord("#")) | (part == ord("\\"))) + low
    enders = np.append(enders, high)
    stop = np.minimum(enders[np.searchsorted(enders, host)] + 1, end)
    host_stop = stop.copy()
    if folders and len(urls):
        behind = enders[np.minimum(np.searchsorted(enders, stop), len(enders) - 1)]
        inside = np.flatnonzero((behind < end) & (behind >= stop))
        stop[inside] = behind[inside] + 1
    # One byte is the ender alone: an empty host. A colon before it: a scheme that is not one of the two.
    odd = host_stop - host <= 1
    rest = np.flatnonzero((host == start) & ~odd)
    odd[rest] = (data[host_stop[rest] - 2] == ord(":")) | (data[start[rest]] <= _BLANK)
    return _numbered(data, start, np.where(odd, end, stop))


def _host_starts(data: NDArray[np.uint8], start: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where the host begins behind `http://` or `https://`, in any case of letters; else where the URL begins."""
    host_start = start.copy()
    for scheme in _SCHEMES:
        rows = np.flatnonzero(end - start > len(scheme))
        for offset, byte in enumerate(scheme):
            here = data[start[rows] + offset]
            rows = rows[(here | _BLANK if chr(byte).isalpha() else here) == byte]
        host_start[rows] += len(scheme)
    return host_start


def _numbered(data: NDArray[np.uint8], start: NDArray[np.int64], stop: NDArray[np.int64]) -> Heads:
    lengths = stop - start
    heads = cut_out(data, start, lengths)
    try:
        pa = need("bulk", "pyarrow")
    except MissingExtra:
        numbers: dict[bytes, int] = {}
        codes = [numbers.setdefault(head, len(numbers)) for head in heads]
        return Heads(list(numbers), np.array(codes, np.int64))
    buffers = [None, pa.py_buffer(heads.offsets), pa.py_buffer(heads.data)]
    coded = pa.Array.from_buffers(pa.large_binary(), len(lengths), buffers).dictionary_encode()
    return Heads(coded.dictionary.to_pylist(), coded.indices.to_numpy(zero_copy_only=False).astype(np.int64))


class Sites:
    """Counts of answers by host and language; `named` gives the name of what is counted."""

    def __init__(self, languages: tuple[Language, ...], named: Callable[[bytes], str | None] = host_of) -> None:
        self.languages = languages
        self.named = named
        self.numbers: dict[str | None, int] = {}
        self.spelt: dict[bytes, int] = {}
        self.keys = np.empty(0, np.int64)  # host * (languages + 1) + language + 1, rising
        self.counts = np.empty(0, np.int64)
        self.waiting: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, beginnings: Heads, language: NDArray[Any]) -> None:
        """Count some URLs: their beginnings, and the number of each one's language (-1: none)."""
        if not len(language):
            return
        hosts = np.array([self._number(head) for head in beginnings.texts], np.int64)
        keys = hosts[beginnings.codes] * (len(self.languages) + 1) + language + 1
        self.waiting.append(np.unique(keys, return_counts=True))
        if sum(len(part) for part, _ in self.waiting) > max(_WAITING, len(self.keys)):
            self._merge()

    def _number(self, head: bytes) -> int:
        number = self.spelt.get(head)
        if number is None:
            host = self.named(head)
            number = self.numbers.setdefault(host, len(self.numbers))
            # Long ones are no hosts, or do not come again.
            if len(head) < 100:
                if len(self.spelt) >= _REMEMBERED:
                    self.spelt.clear()
                self.spelt[head] = number
        return number

    def _merge(self) -> None:
        merged = np.concatenate([self.keys, *(keys for keys, _ in self.waiting)])
        counts = np.concatenate([self.counts, *(counts for _, counts in self.waiting)])
        self.waiting = []
        order = np.argsort(merged, kind="stable")
        merged, counts = merged[order], counts[order]
        first = np.flatnonzero(np.append(True, merged[1:] != merged[:-1])) if len(merged) else np.empty(0, np.int64)
        self.keys = merged[first]
        self.counts = np.add.reduceat(counts, first) if len(first) else counts

    def __iter__(self) -> Iterator[Site]:
        """The sites, those with the most URLs first; equal ones by name, and the host None last of them."""
        self._merge()
        names = list(self.numbers)
        width = len(self.languages) + 1
        host, language = self.keys // width, self.keys % width - 1
        totals = np.bincount(host, self.counts, len(names)).astype(np.int64)
        # By host, then the missing answers, then falling counts, then the order of the languages.
        order = np.lexsort((language, -self.counts, language >= 0, host))
        languages, counts = language[order].tolist(), self.counts[order].tolist()
        bounds = np.searchsorted(host[order], np.arange(len(names) + 1)).tolist()
        urls = totals.tolist()
        for number in sorted(range(len(names)), key=lambda n: (-urls[n], names[n] is None, names[n] or "")):
            part = slice(bounds[number], bounds[number + 1])
            yield self._site(names[number], urls[number], languages[part], counts[part])

    def _site(self, host: str | None, urls: int, language: list[int], counts: list[int]) -> Site:
        unanswered = counts[0] if language[0] < 0 else 0
        shares = [
            (self.languages[code], count / urls) for code, count in zip(language, counts, strict=True) if code >= 0
        ]
        listed = {tag: round(share, 4) for rank, (tag, share) in enumerate(shares) if not rank or share >= LEAST}
        best, share = next(iter(listed.items()), (None, 0.0))
        return Site(host, urls, best, share, listed, unanswered)


def count_sites(
    judge: LanguageJudge,
    inputs: Inputs,
    column: str,
    threads: int = 1,
    progress: Progress = lambda fraction, rows: None,
    folders: bool = False,
) -> tuple[Iterable[Site], RowCounts]:
    """Read and judge all rows and count them by host (and folder); the sites, and what happened on the way."""

    def work(piece: RowPiece) -> tuple[Heads, Answers]:
        urls = piece.byte_column
        return heads(urls, folders), judge.answers(urls)

    sites: Sites | None = None
    counts, pieces = counted_pieces(work, inputs, column, threads, progress)
    for _, (beginnings, answers) in pieces:
        sites = sites or Sites(answers.languages, folder_of if folders else host_of)
        sites.add(beginnings, answers.language)
    return sites or (), counts


def write_sites(sites: Iterable[Site], written: Format, stream: IO[bytes]) -> None:
    """Write a row per site, those with the most URLs first."""
    write_rows(written, stream, COLUMNS, (tuple(vars(site).values()) for site in sites))
