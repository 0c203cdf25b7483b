"""The kernel in plain Python: the definition the compiled candidates must equal, float32 for float32."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray
from workload import mix

TOKEN = re.compile(rb"[A-Za-z]+")


def score(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    keys: NDArray[np.uint64],
    rows: NDArray[np.int32],
    weights: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """Add to out[i] the weights of every trigram of URL i that the table knows, in reading order."""
    key_at, row_at = keys.data, rows.data  # memoryviews: indexing gives Python's own integers
    last = len(keys) - 1
    for i in range(len(offsets) - 1):
        url = data[offsets[i] : offsets[i + 1]].tobytes()
        for token in TOKEN.findall(url):
            marked = b"_" + token.lower() + b"_"
            for start in range(len(marked) - 2):
                key = mix(int.from_bytes(marked[start : start + 3], "big"))
                slot = key & last
                while key_at[slot] != key and key_at[slot] != 0:
                    slot = (slot + 1) & last
                if key_at[slot] == key:
                    out[i] += weights[row_at[slot]]
