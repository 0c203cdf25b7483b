"""Damaged web archives: made by a seeded generator, read, and checked. Any failure ends with exit code 1.

    python benchmarks/archives/damage.py [--archives 500] [--seed 4]

Archives of answers (WARC) and of texts (WET), written by fastwarc, packed record by record, packed as a whole or not at
all, are cut off, and their bytes overwritten, left out, doubled and put in. Checked for each: no exception; a record
that is missing is told of (by a damaged place); and unless the archive is packed as a whole, where nothing behind the
damage can be found again, that not more is missing than what was touched and its neighbours. What is read of a record
that is packed by itself must be what was written; elsewhere nothing checks its bytes.
"""

from __future__ import annotations

import argparse
import gzip
import io
import random
import sys
import warnings
import zlib
from collections import Counter
from dataclasses import dataclass
from typing import Any

from dragoman.tables.archives import ArchiveRecord, DamagedPlace, read_archive

RECORDS = 20
WAYS = ("by record", "as a whole", "not at all")
HURTS = ("cut off", "overwritten", "left out", "doubled", "put in")


@dataclass(frozen=True)
class MadeArchive:
    """The bytes of an archive, where each record begins in them, and what each holds."""

    data: bytes
    starts: list[int]
    bodies: dict[str, bytes]


def made_archive(way: str, wet: bool, seed: int) -> MadeArchive:
    """An archive of RECORDS answers, or of texts, packed in one of WAYS; `starts` is empty if packed as a whole."""
    rng = random.Random(seed)
    parts, starts, bodies = list[bytes](), list[int](), dict[str, bytes]()
    for number in range(RECORDS):
        url = f"http://made.example/{seed}/{number}"
        words = " ".join("".join(rng.choices("abcdefghij", k=rng.randrange(2, 9))) for _ in range(rng.randrange(400)))
        bodies[url] = f"<p>{number} {words}".encode()
        record = _record(url, bodies[url], wet)
        starts.append(sum(map(len, parts)))
        parts.append(zlib.compress(record, 6, 31) if way == "by record" else record)
    data = b"".join(parts)
    return MadeArchive(gzip.compress(data), [], bodies) if way == "as a whole" else MadeArchive(data, starts, bodies)


def _record(url: str, body: bytes, wet: bool) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the package warns of its own older parts
        from fastwarc import warc
    record: Any = warc.WarcRecord()
    record.init_headers(record_type=warc.WarcRecordType.conversion if wet else warc.WarcRecordType.response)
    record.headers["WARC-Target-URI"] = url
    record.headers["Content-Type"] = "text/plain" if wet else "application/http; msgtype=response"
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    record.set_bytes_content(body if wet else http + body)
    out = io.BytesIO()
    record.write(out, checksum_data=True)
    return out.getvalue()


def hurt(data: bytes, how: str, rng: random.Random) -> tuple[bytes, int, int]:
    """(damaged bytes, first byte that was touched, how many)."""
    at, size = rng.randrange(len(data)), rng.choice([1, 3, 20, 300, 2000])
    noise = rng.randbytes(size)
    if how == "cut off":
        return data[:at], at, len(data) - at
    if how == "overwritten":
        return (data[:at] + noise + data[at + size :])[: len(data)], at, size
    if how == "left out":
        return data[:at] + data[at + size :], at, size
    return data[: at + size] + (data[at : at + size] if how == "doubled" else noise) + data[at + size :], at, size + 1


def problem(archive: MadeArchive, data: bytes, at: int, size: int) -> str | None:
    """What is wrong with what is read of a damaged archive."""
    parts = list(read_archive(io.BytesIO(data)))
    records = [part for part in parts if isinstance(part, ArchiveRecord)]
    damaged = any(isinstance(part, DamagedPlace) for part in parts)
    packed = data.startswith(b"\x1f\x8b")
    if packed and archive.starts and any(part.body != archive.bodies.get(str(part.url)) for part in records):
        return "a record is not what was written"
    missing = len(archive.bodies) - len({part.url for part in records})
    # what is left out from one record to the same place of another, or cut off between two, leaves a whole archive
    whole = len(data) < len(archive.data) and (not packed or data == archive.data[: len(data)])
    if missing and not damaged and not whole:
        return f"{missing} records are missing in silence"
    if not archive.starts:
        return None
    touched = [n for n, start in enumerate([*archive.starts, len(archive.data)]) if at - 1 <= start <= at + size]
    # the record before, and where bytes are repeated or left out the one behind
    return f"{missing} are missing, {len(touched)} were touched" if missing > len(touched) + 2 else None


def main() -> int:
    """Make, damage and read the archives."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--archives", type=int, default=500)
    options.add_argument("--seed", type=int, default=4)
    chosen = options.parse_args()
    return 1 if run(chosen.archives, chosen.seed) else 0


def run(archives: int, seed: int) -> int:
    """The number of archives that were not read as they should be."""
    counts, failures = Counter[str](), 0
    for number in range(archives):
        rng = random.Random(seed * 1_000_003 + number)
        way, how = rng.choice(WAYS), rng.choice(HURTS)
        archive = made_archive(way, rng.random() < 0.3, number)
        data, at, size = hurt(archive.data, how, rng)
        try:
            wrong = problem(archive, data, at, size)
        except Exception as error:  # whatever it is, it must not be
            wrong = f"{type(error).__name__}: {error}"
        counts[f"packed {way}, {how}"] += 1
        if wrong:
            failures += 1
            print(f"archive {number} (packed {way}, {how} at {at}, {size} bytes): {wrong}")
    for name, count in sorted(counts.items()):
        print(f"{count:6} {name}")
    print(f"{archives:,} archives, {failures} failures")
    return failures


if __name__ == "__main__":
    sys.exit(main())
