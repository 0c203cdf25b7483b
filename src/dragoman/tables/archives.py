"""The records of web archives, one reader for all: WARC with its WET and WAT, packed (gzip, zstd) or not.

An archive is known by its first bytes, not by its name. One that is damaged or cut off gives all that can be read of
it: whatever cannot is a `DamagedPlace` in the order of the records, and reading goes on at the next record. What is a
damaged place:

- packed bytes that cannot be unpacked, or whose checksum is wrong: then the next gzip member that begins with a record
  is looked for (in a zstd file the rest is lost);
- a record that is not as long as it says, or bytes that are no record: then the next first line of one is looked
  for;
- the end of the file inside a record.

Memory: of no record more than MOST_BYTES are kept, packed or unpacked, whatever it claims to hold.
"""

from __future__ import annotations

import io
import re
import zlib
from base64 import b32encode
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any

from dragoman.tables.http_answers import parse_answer
from dragoman.tables.packing import DAMAGE, packing_of, unpacked

#: What is read of a record's content at most; longer ones are cut there.
MOST_BYTES = 1 << 23
_MOST_HEAD = 1 << 16
_CHUNK = 1 << 16
#: Packed bytes that are kept of the member at hand, to look for the next one in.
_RECENT = 1 << 20
#: Packed bytes that are enough to see what a member begins with.
_LOOK = 1 << 12
_MAGIC, _BEGINS = b"\x1f\x8b\x08", b"WARC/"
_LINE_ENDS = b"\r\n"
#: What a record begins with, wherever it stands: behind damage there may be no end of a line before it.
_FIRST_LINE, _LONGEST_LINE = re.compile(rb"WARC/\d\.\d{1,2}\r?\n"), 12


@dataclass(frozen=True)
class ArchiveRecord:
    """A record: what its header says, and its content; of an HTTP answer the decoded body, status and headers."""

    #: response, revisit, conversion, resource, metadata and so on, in small letters.
    kind: str
    url: str | None
    record_id: str | None
    date: str | None
    #: Where it begins in the file: its gzip member, if it is packed.
    offset: int
    content_type: str | None
    body: bytes
    status: int | None = None
    #: The headers of an HTTP answer, names in small letters.
    headers: Mapping[str, str] = field(default_factory=dict)
    #: True if there was more of it than MOST_BYTES.
    cut: bool = False


@dataclass(frozen=True)
class DamagedPlace:
    """Where an archive cannot be read, and why."""

    offset: int
    reason: str

    def __str__(self) -> str:
        return f"{self.reason} at byte {self.offset:,}"


def digest_of(body: bytes) -> str:
    """The digest of a body as WARC files have it."""
    return "sha1:" + b32encode(sha1(body, usedforsecurity=False).digest()).decode("ascii")


def is_archive(raw: Any) -> bool:
    """True if a buffered stream holds a web archive; nothing is taken from it.

    >>> import io
    >>> [is_archive(io.BufferedReader(io.BytesIO(data))) for data in (b"WARC/1.0\\r\\n", b"WARC and peace")]
    [True, False]
    """
    head = raw.peek(_CHUNK)
    packing = packing_of(head)
    if packing == ".gz":
        try:
            head = zlib.decompressobj(31).decompress(head, 16)
        except zlib.error:
            return False
    elif packing == ".zst":
        try:
            head = unpacked(io.BufferedReader(io.BytesIO(head)))[0].read(16)
        except (*DAMAGE, OSError):
            return False
    return bool(head.startswith((b"WARC/0.", b"WARC/1.", b"WARC/2.")))


def read_archive(raw: Any) -> Iterator[ArchiveRecord | DamagedPlace]:
    """The records of an archive in a buffered stream, in their order, and the places that could not be read."""
    stream, sound = _Unpacked(raw if hasattr(raw, "peek") else io.BufferedReader(raw)), True
    while True:
        try:
            if not _to_record(stream):
                return
        except _Torn as torn:
            yield DamagedPlace(torn.offset, torn.reason)
            continue
        except _Astray as astray:
            if sound:  # else it is the rest of a record that was told already
                yield DamagedPlace(stream.offset(astray.position), "no record")
            continue
        sound = True
        start, record = stream.position, None
        offset = stream.offset(start)
        try:
            record = _record(stream, offset)
            _past_record(stream)
        except _Torn as torn:
            if record is not None and (torn.cut_off or torn.begin != start):
                yield record  # it is whole: what is damaged comes behind it
                yield DamagedPlace(torn.offset, torn.reason)
                continue
            stream.back_to(start)
            sound = False
            yield DamagedPlace(offset, torn.reason)
            continue
        except (_Astray, ValueError) as error:
            stream.back_to(start)
            sound = False
            yield DamagedPlace(offset, str(error))
            continue
        yield record


class _Torn(Exception):
    """Packed bytes that cannot be unpacked, or the end of the file inside a record."""

    def __init__(self, reason: str, offset: int, begin: int, cut_off: bool = False) -> None:
        super().__init__(reason)
        #: `begin` is the place among the unpacked bytes where the torn member begins.
        self.reason, self.offset, self.begin, self.cut_off = reason, offset, begin, cut_off


class _Astray(Exception):
    """No record begins at this place of the unpacked bytes."""

    def __init__(self, position: int) -> None:
        super().__init__("a record that is not as long as it says")
        self.position = position


class _Unpacked:
    """The bytes of an archive in order, unpacked, from `position` on in `data`; and where they stand in the file."""

    def __init__(self, raw: Any) -> None:
        packing = packing_of(raw.peek(4))
        self.gzip, self.zstd = packing == ".gz", packing == ".zst"
        self.raw = unpacked(raw)[0] if self.zstd else raw
        self.data, self.position = bytearray(), 0
        #: Where members begin: (position among the unpacked bytes, offset in the file).
        self.members: deque[tuple[int, int]] = deque([(0, 0)])
        self.ended = False
        self._unpacker: Any = None
        #: True where the next bytes cannot be unpacked.
        self._broken = False
        #: Packed bytes: those that are not unpacked yet, and those of this member that are; and where the first stand.
        self._waiting, self._recent, self._at = b"", bytearray(), 0

    def offset(self, position: int) -> int:
        """Where a position is in the file: exactly, or the gzip member that it is in."""
        if not self.gzip:
            return position
        while len(self.members) > 1 and self.members[1][0] <= position:
            self.members.popleft()
        return self.members[0][1]

    def need(self, count: int) -> bool:
        """True if so many bytes are at hand, after reading on as far as there are some."""
        while len(self.data) < count:
            if not self._more():
                return False
        return True

    def skip(self, count: int) -> None:
        """Pass over bytes that are at hand."""
        del self.data[:count]
        self.position += count

    def back_to(self, start: int) -> None:
        """Go on right behind the beginning of a record that is none, if the file can be read twice; else from here."""
        behind = [pair for pair in self.members if pair[0] > start]
        if not self.raw.seekable() or self.zstd or (self.gzip and not behind):
            self.skip(int(self.position == start and bool(self.data)))
            return
        self.position, offset = behind[0] if self.gzip else (start + 1, start + 1)
        self.raw.seek(offset)
        self.data.clear()
        self.members = deque([(self.position, offset)])
        self._unpacker, self._waiting, self._at, self.ended = None, b"", offset, False
        self._broken = False
        self._recent.clear()

    def _more(self) -> bool:
        if self.ended:
            return False
        if self.gzip:
            return self._member()
        try:
            chunk = self.raw.read(_CHUNK)
        except (*DAMAGE, OSError) as error:
            if not self.zstd:
                raise
            self.ended = True
            raise self._torn("damaged or cut off") from error
        self.data += chunk
        self.ended = not chunk
        return bool(chunk)

    def _read(self) -> bool:
        chunk = self.raw.read(_CHUNK)
        self._waiting += chunk
        return bool(chunk)

    def _member(self) -> bool:
        """Some more bytes of this gzip member, or of the next."""
        while True:
            if not self._waiting and not self._read():
                self.ended = True
                if self._unpacker is not None:
                    raise self._torn("cut off", cut_off=True)
                return False
            if self._unpacker is None:
                self._waiting, zeros = self._waiting.lstrip(b"\0"), len(self._waiting)
                self._at += zeros - len(self._waiting)
                if not self._waiting:
                    continue
                self._unpacker = zlib.decompressobj(31)
                self._recent.clear()
                self.members.append((self.position + len(self.data), self._at))
            if self._broken:
                torn = self._torn("damaged")
                self._next_member()
                raise torn
            before = self._unpacker.copy()
            try:
                chunk = self._unpacker.decompress(self._waiting, _CHUNK)
            except zlib.error:
                self._broken = True
                if chunk := _up_to_damage(before, self._waiting):
                    self.data += chunk
                    return True
                continue
            rest = self._unpacker.unused_data if self._unpacker.eof else self._unpacker.unconsumed_tail
            used = len(self._waiting) - len(rest)
            self._recent += self._waiting[:used]
            del self._recent[:-_RECENT]
            self._at += used
            self._waiting = rest
            if self._unpacker.eof:
                self._unpacker = None
            if chunk:
                self.data += chunk
                return True

    def _torn(self, reason: str, cut_off: bool = False) -> _Torn:
        begin, offset = self.members[-1] if self.gzip else (self.position, self.position)
        return _Torn(reason, offset, begin, cut_off)

    def _next_member(self) -> None:
        """Drop what is at hand and go to the next gzip member that begins with a record, or to the end."""
        self._waiting, self._at = bytes(self._recent) + self._waiting, self._at - len(self._recent)
        self._recent.clear()
        self._unpacker, search = None, 1
        self._broken = False
        self.data.clear()
        while not self._begins(begin := self._waiting.find(_MAGIC, search)):
            if begin >= 0:
                search = begin + 1
                continue
            passed = max(0, len(self._waiting) - len(_MAGIC) + 1)
            self._waiting, self._at, search = self._waiting[passed:], self._at + passed, 0
            if not self._read():
                self.ended = True
                return
        self._waiting, self._at = self._waiting[begin:], self._at + begin

    def _begins(self, at: int) -> bool:
        """True if a member that begins with a record stands at this place of the packed bytes."""
        if at < 0:
            return False
        while len(self._waiting) - at < _LOOK and self._read():
            pass
        try:
            return zlib.decompressobj(31).decompress(self._waiting[at : at + _LOOK], len(_BEGINS)) == _BEGINS
        except zlib.error:
            return False


def _up_to_damage(unpacker: Any, packed: bytes) -> bytes:
    """What can be unpacked before the damage: byte by byte, since a call that fails gives nothing."""
    chunks = []
    try:
        for at in range(len(packed)):
            chunks.append(unpacker.decompress(packed[at : at + 1]))
    except zlib.error:
        pass
    return b"".join(chunks)


def _to_record(stream: _Unpacked) -> bool:
    """Pass over line ends to the next record; False at the end. _Astray, behind what is none, where there is none."""
    while stream.need(1) and stream.data[0] in _LINE_ENDS:
        stream.skip(1)
    if not stream.data:
        return False
    if stream.need(len(_BEGINS)) and stream.data.startswith(_BEGINS):
        return True
    begin = stream.position
    while not (match := _FIRST_LINE.search(stream.data)):
        stream.skip(max(0, len(stream.data) - _LONGEST_LINE))
        if not stream.need(len(stream.data) + 1):
            break
    stream.skip(match.start() if match else len(stream.data))
    raise _Astray(begin)


def _record(stream: _Unpacked, offset: int) -> ArchiveRecord:
    """The record that begins here; ValueError for a header that is none."""
    fields = _head(stream)
    try:
        length = int(fields["content-length"])
        kind = fields["warc-type"].lower()
    except (KeyError, ValueError):
        raise ValueError("a record without its type or length") from None
    if length < 0:
        raise ValueError("a record without its type or length")
    size = min(length, MOST_BYTES)
    if not stream.need(size):
        raise _Torn("cut off", offset, stream.position)
    block = bytes(stream.data[:size])
    stream.skip(size)
    left = length - size
    while left:
        if not stream.need(1):
            raise _Torn("cut off", offset, stream.position)
        step = min(left, len(stream.data))
        stream.skip(step)
        left -= step
    url = fields.get("warc-target-uri", "").strip("<> ") or None
    about = (kind, url, fields.get("warc-record-id", "").strip("<> ") or None, fields.get("warc-date"), offset)
    content_type = fields.get("content-type")
    if kind in ("response", "revisit") and (content_type is None or content_type.startswith("application/http")):
        answer = parse_answer(block, MOST_BYTES)
        if answer is not None:
            headers = answer.headers
            cut = answer.cut or size < length
            return ArchiveRecord(*about, headers.get("content-type"), answer.body, answer.status, headers, cut)
    return ArchiveRecord(*about, content_type, block, cut=size < length)


def _head(stream: _Unpacked) -> dict[str, str]:
    """The fields of a record's header, names in small letters; what is behind it comes next."""
    looked = 0
    while True:
        ends = [(stream.data.find(mark, looked), len(mark)) for mark in (b"\r\n\r\n", b"\n\n")]
        end, width = min(((at, width) for at, width in ends if at >= 0), default=(-1, 0))
        if end >= 0:
            break
        looked = max(0, len(stream.data) - 3)
        if looked > _MOST_HEAD:
            raise ValueError("a record whose header has no end")
        if not stream.need(len(stream.data) + 1):
            raise _Torn("cut off", stream.offset(stream.position), stream.position)
    lines = bytes(stream.data[:end]).decode("utf-8", "replace").splitlines()
    stream.skip(end + width)
    fields: dict[str, str] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon and not line.startswith((" ", "\t")):
            raise ValueError("a record whose header is none")
        fields.setdefault(name.strip().lower(), value.strip())
    return fields


def _past_record(stream: _Unpacked) -> None:
    """Pass over the two line ends behind a record; _Astray if they are not there, and neither a record nor the end."""
    ends = 0
    while stream.need(1) and stream.data[0] in _LINE_ENDS:
        ends += stream.data[0] == _LINE_ENDS[-1]
        stream.skip(1)
    if ends < 2 and stream.need(len(_BEGINS)) and not stream.data.startswith(_BEGINS):
        raise _Astray(stream.position)
