"""The kernel of kernel.c, loaded with ctypes, which lets other threads run during the call."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Not pathlib: importing it would take several times as long as all the rest of this module.
_score = ctypes.CDLL(os.path.join(os.path.dirname(__file__), "kernel_c.so")).score  # noqa: PTH118, PTH120
_score.restype = None
_score.argtypes = [ctypes.c_int64, *[ctypes.c_void_p] * 2, ctypes.c_uint64, *[ctypes.c_void_p] * 4]


def _pointer(array: NDArray[Any], dtype: type[np.generic], dimensions: int) -> int:
    if array.dtype != dtype or array.ndim != dimensions or not array.flags.c_contiguous:
        raise ValueError(f"a contiguous {dimensions}-d {dtype.__name__} array is needed, not {array.dtype}")
    return int(array.ctypes.data)


def prepare(
    keys: NDArray[np.uint64], rows: NDArray[np.int32], weights: NDArray[np.float32]
) -> Callable[[NDArray[np.uint8], NDArray[np.int64], NDArray[np.float32]], None]:
    """The kernel for one table: the table is checked here, once, and only the batch at every call."""
    table = _pointer(keys, np.uint64, 1), _pointer(rows, np.int32, 1), _pointer(weights, np.float32, 2)
    last = len(keys) - 1
    if len(rows) != len(keys) or len(keys) & last or weights.shape[1] != 5:
        raise ValueError("the sizes of the table's arrays do not fit together")

    def score_batch(
        data: NDArray[np.uint8],
        offsets: NDArray[np.int64],
        out: NDArray[np.float32],
        _alive: tuple[Any, ...] = (keys, rows, weights),  # the pointers hold no reference
    ) -> None:
        batch = _pointer(data, np.uint8, 1), _pointer(offsets, np.int64, 1)
        sums = _pointer(out, np.float32, 2)
        if out.shape != (len(offsets) - 1, 5):
            raise ValueError("one row of 5 sums is needed for each URL")
        if offsets[0] < 0 or offsets[-1] > len(data) or (offsets[1:] < offsets[:-1]).any():
            raise ValueError("the offsets must rise and stay inside the bytes")
        _score(len(offsets) - 1, *batch, last, *table, sums)

    return score_batch


def score(
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    keys: NDArray[np.uint64],
    rows: NDArray[np.int32],
    weights: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """Add to out[i] the weights of every trigram of URL i that the table knows, in reading order."""
    prepare(keys, rows, weights)(data, offsets, out)
