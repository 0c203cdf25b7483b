"""The compiled library, loaded once; each module of kernels declares the functions that it calls."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]

POINTER, COUNT, SMALL, UNSIGNED = ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32, ctypes.c_uint64
UNSIGNED_SMALL, SINGLE, DOUBLE = ctypes.c_uint32, ctypes.c_float, ctypes.c_double

_SUFFIX = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")


@cache
def _load() -> ctypes.CDLL:
    path = Path(__file__).with_name("native" + _SUFFIX)
    if not path.exists():
        raise ImportError(f"Dragoman's kernels are not built ({path.name} is missing): run 'pip install .' again")
    loaded = ctypes.CDLL(str(path))
    loaded.dragoman_start.restype, loaded.dragoman_start.argtypes = None, []
    loaded.dragoman_start()
    return loaded


def library(signatures: Mapping[str, tuple[Any, Sequence[Any]]]) -> ctypes.CDLL:
    """The library, in which these functions have been given their result and arguments: {name: (result, arguments)}."""
    loaded = _load()
    for name, (result, arguments) in signatures.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, list(arguments)
    return loaded


def at(array: NDArray[Any], dtype: type[np.generic]) -> int:
    """The address of a contiguous array of the right type; the guard between Python and C."""
    if array.dtype != dtype or not array.flags.c_contiguous:
        raise TypeError(f"a kernel needs a contiguous array of {dtype.__name__}, not {array.dtype}")
    buffer: Any = array
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(buffer))  # a fifth of the time of what works for all arrays
    except (TypeError, ValueError):  # one that is read only, or empty
        return array.ctypes.data


def rows_of(data: Bytes, offsets: Offsets) -> int:
    """The number of rows, after a check that no offset leads outside the data."""
    rows = len(offsets) - 1
    if rows < 0 or (rows and (offsets[0] < 0 or offsets[-1] > len(data) or np.any(np.diff(offsets) < 0))):
        raise ValueError("offsets must rise from 0 to at most the length of the data")
    return rows


def aligned(shape: tuple[int, int]) -> NDArray[np.int8]:
    """Zeros that begin with a line of the cache, so that a row of 64 is one line."""
    size = shape[0] * shape[1]
    room = np.zeros(size + 64, np.int8)
    start = -room.ctypes.data % 64
    return room[start : start + size].reshape(shape)


class Structure(ctypes.Structure):
    """A structure of C that `structure` declares. Arrays are checked when they are set, and live as long as it does."""

    #: The types of the fields that are addresses of arrays.
    kinds: ClassVar[Mapping[str, Any]]

    def __init__(self, **values: Any) -> None:
        super().__init__()
        self.arrays: dict[str, NDArray[Any]] = {}
        for name, value in values.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.kinds and isinstance(value, np.ndarray):
            self.arrays[name] = value
            value = at(value, self.kinds[name])
        super().__setattr__(name, value)


def structure(name: str, **fields: Any) -> type[Structure]:
    """A structure with these fields in this order: a type of ctypes is a number, one of numpy an array's address."""
    kinds = {each: kind for each, kind in fields.items() if isinstance(kind, np.dtype) or issubclass(kind, np.generic)}
    declared = [(each, POINTER if each in kinds else kind) for each, kind in fields.items()]
    return type(name, (Structure,), {"_fields_": declared, "kinds": kinds})
