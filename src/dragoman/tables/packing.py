"""gzip and zstd around any format but Parquet: seen in the first bytes when reading, in the name when writing."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import IO, Any

from dragoman.errors import need

#: What a packed file begins with, by the ending of its name.
MAGIC = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}
ENDINGS = frozenset(MAGIC)
#: What a damaged or cut-off file raises while it is unpacked.
DAMAGE = (EOFError, zlib.error, gzip.BadGzipFile)
#: gzip's usual level: its highest takes three times as long for one part in a hundred.
_LEVEL = 6
_BUFFER = 1 << 18


def packing_of(head: bytes) -> str | None:
    """The ending that a file with these first bytes should have, or None if it is not packed.

    >>> packing_of(b"\\x1f\\x8b\\x08\\x00"), packing_of(b"http")
    ('.gz', None)
    """
    return next((ending for ending, magic in MAGIC.items() if head.startswith(magic)), None)


def unpacked(raw: Any) -> tuple[Any, Callable[[], int]]:
    """(stream, place): the bytes of a buffered stream, unpacked if they are packed, and how far `raw` has been read."""
    packing = packing_of(raw.peek(4))
    if packing == ".gz":
        return io.BufferedReader(gzip.GzipFile(fileobj=raw), _BUFFER), raw.tell
    if packing == ".zst":
        return io.BufferedReader(_Zstd(raw), _BUFFER), raw.tell
    return raw, raw.tell


class _Zstd(io.RawIOBase):
    """A stream of zstd, unpacked; frames may follow each other. Damage is an EOFError, as gzip tells it."""

    def __init__(self, raw: Any) -> None:
        self.pa = need("bulk", "pyarrow")
        self.stream = self.pa.CompressedInputStream(self.pa.PythonFile(raw, mode="r"), "zstd")

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as there are bytes."""
        try:
            block = self.stream.read(len(buffer))
        except (OSError, self.pa.ArrowInvalid) as error:
            raise EOFError(str(error)) from error
        buffer[: len(block)] = block
        return len(block)


@contextmanager
def packed(plain: IO[bytes], name: str) -> Iterator[IO[bytes]]:
    """A stream that packs what is written to it, if the name ends so, and passes it on to `plain`."""
    packing = PurePath(name).suffix.lower()
    if packing == ".gz":
        # No name and no date inside: the same rows give the same bytes.
        with gzip.GzipFile("", "wb", _LEVEL, fileobj=plain, mtime=0) as stream:
            yield stream  # type: ignore[misc]
    elif packing == ".zst":
        pa = need("bulk", "pyarrow")
        with pa.CompressedOutputStream(pa.PythonFile(plain, mode="w"), "zstd") as stream:
            yield stream
    else:
        yield plain
