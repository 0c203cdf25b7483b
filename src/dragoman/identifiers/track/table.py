"""The lexicon's table: for each key (a word or an n-gram) its costs in the languages that have it.

    bucket = (key >> 32) * buckets >> 32, print = key & 65535
    starts[bucket] .. starts[bucket + 1]     the bucket's keys: prints[i], and counts[i] languages each
    firsts[bucket]                           where the entries of its first key begin; those of the others follow
    tags[e], values[e], backs[e]             an entry: the number of a language, a cost, a back-off (0 for words)

A key costs about 4 bytes and 3 for each language that has it. A key that is not there is taken for one that is in one
of about 8,000 cases: 16 bits are compared with the eight keys of a bucket.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from dragoman.identifiers.hashing import characters_key
from dragoman.kernels.track import LexiconTable

#: Far from the start of words: starts that differ in a letter only would meet.
_GRAM_START = 0x9E3779B97F4A7C15
PER_BUCKET = 8


def gram_key(gram: str) -> int:
    """The key of an n-gram: from its last character to its first, so that the longer one continues the shorter."""
    return characters_key(reversed(gram), _GRAM_START)


def build(costs: Mapping[int, Mapping[int, tuple[int, int]]], order: int) -> LexiconTable:
    """The table of {key: {language: (cost, back-off)}}, each from 0 to 255."""
    buckets = max(1, -(-len(costs) // PER_BUCKET))
    keys = np.array(sorted(costs), np.uint64)
    bucket = ((keys >> np.uint64(32)) * np.uint64(buckets) >> np.uint64(32)).astype(np.int64)
    # two keys of a bucket with the same print cannot be told apart: the first stays
    print_ = (keys & np.uint64(0xFFFF)).astype(np.uint16)
    seen: set[tuple[int, int]] = set()
    first_of_print = np.ones(len(keys), bool)
    for number, pair in enumerate(zip(bucket.tolist(), print_.tolist(), strict=True)):
        first_of_print[number] = pair not in seen
        seen.add(pair)
    keys, bucket, print_ = keys[first_of_print], bucket[first_of_print], print_[first_of_print]
    rows = [sorted(costs[key].items()) for key in keys.tolist()]
    counts = np.array([len(row) for row in rows], np.uint8)
    behind = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    starts = np.searchsorted(bucket, np.arange(buckets + 1)).astype(np.uint32)
    return LexiconTable(
        starts=starts,
        firsts=behind[starts[:-1]].astype(np.uint32),
        prints=print_,
        counts=counts,
        tags=np.array([tag for row in rows for tag, _ in row], np.uint8),
        values=np.array([value for row in rows for _, (value, _) in row], np.uint8),
        backs=np.array([back for row in rows for _, (_, back) in row], np.uint8),
        order=order,
    )


def restricted(table: LexiconTable, columns: NDArray[np.int32]) -> LexiconTable:
    """The table with the entries of some languages only, numbered anew: `columns` has each language's number, or -1.

    Looking up a common n-gram among a hundred languages and leaving out ninety takes ten times as long, and a table
    that fits into the processor's cache is faster by half.
    """
    chosen = columns[table.tags] >= 0
    behind = np.concatenate([[0], np.cumsum(table.counts, dtype=np.int64)])
    before = np.concatenate([[0], np.cumsum(chosen, dtype=np.int64)])[behind]
    counts = np.diff(before).astype(np.uint8)
    keys = np.concatenate([[0], np.cumsum(counts > 0, dtype=np.int64)])  # those that none of them has go, too
    return LexiconTable(
        starts=keys[table.starts].astype(np.uint32),
        firsts=before[table.starts[:-1]].astype(np.uint32),
        prints=table.prints[counts > 0],
        counts=counts[counts > 0],
        tags=columns[table.tags[chosen]].astype(np.uint8),
        values=table.values[chosen],
        backs=table.backs[chosen],
        order=table.order,
    )


def check(table: LexiconTable, languages: int) -> None:
    """ValueError unless every number of the table leads somewhere inside it."""
    starts = table.starts.astype(np.int64)
    behind = np.concatenate([[0], np.cumsum(table.counts, dtype=np.int64)])
    fits = (
        len(starts) == len(table.firsts) + 1
        and len(table.firsts) > 0
        and starts[0] == 0
        and starts[-1] == len(table.prints) == len(table.counts)
        and not np.any(np.diff(starts) < 0)
        and np.array_equal(behind[starts[:-1]], table.firsts)
        and behind[-1] == len(table.tags) == len(table.values) == len(table.backs)
        and not np.any(table.tags >= languages)
        and 1 <= table.order <= 8
    )
    if not fits:
        raise ValueError("parts that do not fit each other")


def entries(table: LexiconTable, key: int) -> list[tuple[int, int, int]]:
    """The (language, cost, back-off) of a key, by the definition at the top of this module."""
    bucket = (key >> 32) * len(table.firsts) >> 32
    first = int(table.firsts[bucket])
    for slot in range(int(table.starts[bucket]), int(table.starts[bucket + 1])):
        number = int(table.counts[slot])
        if int(table.prints[slot]) == key & 0xFFFF:
            part = slice(first, first + number)
            columns = (table.tags[part], table.values[part], table.backs[part])
            return list(zip(*(column.tolist() for column in columns), strict=True))
        first += number
    return []


def arrays_of(table: LexiconTable) -> dict[str, NDArray[np.generic]]:
    """The arrays as a model file keeps them; prints are bytes there, the lower first."""
    return {
        "starts": table.starts,
        "firsts": table.firsts,
        "prints": np.frombuffer(table.prints.astype("<u2").tobytes(), np.uint8),
        "counts": table.counts,
        "tags": table.tags,
        "values": table.values,
        "backs": table.backs,
    }
