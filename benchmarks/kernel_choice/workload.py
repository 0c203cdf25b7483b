"""The made-up URLs and the weight table that every candidate works on, the same for the same seed."""

from __future__ import annotations

import random
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

CLASSES = 5
KEYS = 50_000
MASK64 = (1 << 64) - 1


@dataclass(frozen=True)
class Workload:
    """A batch of URLs laid end to end, and an open-addressing table of weights."""

    data: NDArray[np.uint8]  # all URLs, end to end
    offsets: NDArray[np.int64]  # URL i is data[offsets[i]:offsets[i + 1]]
    keys: NDArray[np.uint64]  # the mixed key in each slot; 0 marks an empty slot
    rows: NDArray[np.int32]  # the row of `weights` that belongs to each slot
    weights: NDArray[np.float32]  # (KEYS, CLASSES)

    def arguments(self, urls: int | None = None) -> tuple[NDArray[Any], ...]:
        """The six arrays a kernel takes, for the first `urls` URLs, with a fresh matrix for the sums."""
        count = len(self.offsets) - 1 if urls is None else urls
        out = np.zeros((count, CLASSES), dtype=np.float32)
        return self.data, self.offsets[: count + 1], self.keys, self.rows, self.weights, out


def mix(trigram: int) -> int:
    """The 64-bit key of a packed trigram: one-to-one, so only 0 becomes 0 and 0 can mark an empty slot."""
    key = (trigram * 0x9E3779B97F4A7C15) & MASK64
    key ^= key >> 32
    key = (key * 0xD6E8FEB86659FD93) & MASK64
    return key ^ (key >> 29)


def make(urls: int, seed: int = 1) -> Workload:
    """A workload of `urls` URLs of about 60 bytes."""
    draw = random.Random(seed)
    data, offsets = _urls(draw, urls)
    keys, rows = _table(draw)
    weights = np.random.default_rng(seed).normal(size=(KEYS, CLASSES)).astype(np.float32)
    return Workload(data, offsets, keys, rows, weights)


def _urls(draw: random.Random, count: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    syllables = [a + b + c for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("", "n", "r", "s")]
    words = ["".join(draw.choices(syllables, k=draw.randint(1, 4))) for _ in range(5_000)]
    words += [word.capitalize() for word in words[:500]]
    urls = []
    for _ in range(count):
        host = "-".join(draw.choices(words, k=draw.randint(1, 2)))
        path = draw.choice("/-_").join(draw.choices(words, k=draw.randint(1, 5)))
        number = draw.randrange(100_000)
        urls.append(f"https://www.{host}.{draw.choice(('com', 'de', 'fr', 'it'))}/{path}/{number}.html".encode())
    offsets = np.zeros(count + 1, dtype=np.int64)
    np.cumsum([len(url) for url in urls], out=offsets[1:])
    return np.frombuffer(b"".join(urls), dtype=np.uint8), offsets


def _table(draw: random.Random) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    # Letters allow only 18,954 trigrams. The table knows 15,000 of them, so that some lookups fail; the
    # other keys stand for the features of a real model that share its table (whole words, top-level domains).
    middle = ascii_lowercase
    trigrams = [a + b + c for a in "_" + middle for b in middle for c in middle + "_"]
    known = [mix(int.from_bytes(t.encode(), "big")) for t in draw.sample(trigrams, 15_000)]
    filled = dict.fromkeys(known)
    while len(filled) < KEYS:
        filled[draw.randrange(1, MASK64)] = None
    order = list(filled)
    draw.shuffle(order)

    capacity = 1 << (2 * KEYS - 1).bit_length()
    keys, rows = [0] * capacity, [0] * capacity
    for row, key in enumerate(order):
        slot = key & (capacity - 1)
        while keys[slot]:
            slot = (slot + 1) & (capacity - 1)
        keys[slot], rows[slot] = key, row
    return np.array(keys, dtype=np.uint64), np.array(rows, dtype=np.int32)
