# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The kernel in Cython's pure-Python mode: one source that runs compiled, or slowly as it is.

Uncompiled it must be given memoryviews: elements of numpy arrays would overflow their small types.
"""

from __future__ import annotations

import cython


@cython.ccall
def score(
    data: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.longlong][::1],
    keys: cython.const[cython.ulonglong][::1],
    rows: cython.const[cython.int][::1],
    weights: cython.const[cython.float][:, ::1],
    out: cython.float[:, ::1],
) -> cython.void:
    """Add to out[i] the weights of every trigram of URL i that the table knows, in reading order."""
    i: cython.Py_ssize_t
    at: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    letters: cython.int
    lower: cython.uchar
    is_letter: cython.bint
    window: cython.ulonglong
    key: cython.ulonglong
    slot: cython.ulonglong
    urls: cython.Py_ssize_t = offsets.shape[0] - 1
    last: cython.ulonglong = keys.shape[0] - 1
    # Without a name and a type, constants above 63 bits would be Python objects, which nogil forbids.
    a: cython.ulonglong = 0x9E3779B97F4A7C15
    b: cython.ulonglong = 0xD6E8FEB86659FD93
    mask64: cython.ulonglong = 0xFFFFFFFFFFFFFFFF

    with cython.nogil:
        for i in range(urls):
            window = 0x5F
            letters = 0
            for at in range(offsets[i], offsets[i + 1] + 1):
                lower = (data[at] | 0x20) if at < offsets[i + 1] else 0
                is_letter = lower >= 97 and lower <= 122
                if not is_letter and letters == 0:
                    continue
                window = ((window << 8) | (lower if is_letter else 0x5F)) & 0xFFFFFF
                letters += is_letter
                if not is_letter or letters >= 2:
                    # The masks do nothing once compiled: they make Python's integers wrap as C's do.
                    key = (window * a) & mask64
                    key ^= key >> 32
                    key = (key * b) & mask64
                    key ^= key >> 29
                    slot = key & last
                    while keys[slot] != key and keys[slot] != 0:
                        slot = (slot + 1) & last
                    if keys[slot] == key:
                        row = rows[slot]
                        for k in range(5):
                            out[i, k] += weights[row, k]
                if not is_letter:
                    window = 0x5F
                    letters = 0
