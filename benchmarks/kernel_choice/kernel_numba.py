"""The kernel for numba: compiled in the user's process at the first call, then read from numba's cache."""

from __future__ import annotations

import numba
import numpy as np

# numba turns uint64 mixed with signed integers into float64, so every constant needs its type.
_A, _B = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
_8, _29, _32, _1, _0 = np.uint64(8), np.uint64(29), np.uint64(32), np.uint64(1), np.uint64(0)
_MARK, _WINDOW = np.uint64(ord("_")), np.uint64(0xFFFFFF)


@numba.njit(cache=True, nogil=True)
def score(data, offsets, keys, rows, weights, out):  # type: ignore[no-untyped-def]
    """Add to out[i] the weights of every trigram of URL i that the table knows, in reading order."""
    last = np.uint64(len(keys) - 1)
    for i in range(len(offsets) - 1):
        window = _MARK
        letters = 0
        for at in range(offsets[i], offsets[i + 1] + 1):
            lower = data[at] | 0x20 if at < offsets[i + 1] else 0
            is_letter = 97 <= lower <= 122
            if not is_letter and letters == 0:
                continue
            window = ((window << _8) | (np.uint64(lower) if is_letter else _MARK)) & _WINDOW
            letters += is_letter
            if not is_letter or letters >= 2:
                key = window * _A
                key ^= key >> _32
                key *= _B
                key ^= key >> _29
                slot = key & last
                while keys[slot] != key and keys[slot] != _0:
                    slot = (slot + _1) & last
                if keys[slot] == key:
                    row = rows[slot]
                    for k in range(5):
                        out[i, k] += weights[row, k]
            if not is_letter:
                window = _MARK
                letters = 0
