"""Model files: a header in JSON, then arrays, then a digest of everything before it. Never pickle.

    offset  bytes  what
    0       8      magic, b"DRAGOMAN"
    8       4      version of this format, little-endian unsigned (now 1)
    12      4      length of the header, little-endian unsigned
    16      ...    header: UTF-8 JSON with algorithm, params, languages, temperature, notes, state, and `arrays`:
                   for each its name, dtype (little-endian), shape and offset behind the start of the arrays
    ...     ...    the arrays, row by row, from the next multiple of 64 on and each at a multiple of 64 (zeros between)
    end-32  32     BLAKE2b (32 bytes) of all bytes before it

Loading checks magic, version, digest, then every size; a file that fails is refused as a whole. The same model gives
the same bytes: keys of the header are sorted and there is no date in it.

A file is read once, into one buffer at a multiple of 64 in memory; arrays are views of it that cannot be written to.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import BadModel, UsageError, shorten
from dragoman.files import new_file
from dragoman.identifiers.algorithms import ALGORITHMS, make
from dragoman.identifiers.classifier import Classifier

MAGIC, VERSION, DIGEST = b"DRAGOMAN", 1, 32
_START = struct.Struct("<8sII")
_DTYPES = ("<f4", "<f8", "<i4", "<i8", "<u2", "<u4", "<u8", "|i1", "|u1")
_LINE = 64  # bytes of a cache line: a row of weights that begins on one is fetched with the fewest

Content = bytes | bytearray | memoryview


def to_bytes(model: Classifier) -> bytes:
    """The file's content."""
    state, arrays = model.state()
    rows: list[dict[str, Any]] = []
    body = bytearray()
    for name, array in sorted(arrays.items()):
        little = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        if little.dtype.str not in _DTYPES:
            kinds = ", ".join(str(np.dtype(one)) for one in _DTYPES)
            raise UsageError(f"'{model.algorithm}' has an array of {array.dtype}, '{name}'; files keep {kinds}")
        rows.append({"name": name, "dtype": little.dtype.str, "shape": list(array.shape), "offset": len(body)})
        body.extend(little.tobytes())
        body.extend(bytes(_aligned(len(body)) - len(body)))
    header = {
        "algorithm": model.algorithm,
        "params": model.get_params(),
        "languages": list(model.languages_),
        "temperature": model.temperature_,
        "notes": dict(model.notes_),
        "state": state,
        "arrays": rows,
    }
    text = json.dumps(header, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    start = _START.pack(MAGIC, VERSION, len(text)) + text
    content = start + bytes(_aligned(len(start)) - len(start)) + bytes(body)
    return content + hashlib.blake2b(content, digest_size=DIGEST).digest()


def _aligned(offset: int) -> int:
    return -(-offset // _LINE) * _LINE


def save(model: Classifier, path: str | os.PathLike[str]) -> str:
    """Write the model and return its digest; a file that is there already is replaced whole or not at all."""
    content = to_bytes(model)
    with new_file(path) as stream:
        stream.write(content)
    return content[-DIGEST:].hex()


def load(path: str | os.PathLike[str]) -> Classifier:
    """The model in a file, checked."""
    try:
        buffer = _read(path)
    except OSError as error:
        raise BadModel(f"Cannot read the model '{path}': {error.strerror or error}") from error
    try:
        return _restored(buffer)
    except BadModel as error:
        raise BadModel(f"'{path}' {error}") from None


def from_bytes(content: Content) -> Classifier:
    """The model in the content of a file, checked."""
    return _restored(_copied(content))


def _buffer(size: int) -> NDArray[np.uint8]:
    """Memory for a file, at a multiple of 64, so that arrays lie in memory as they lie in the file."""
    room = np.empty(size + _LINE, np.uint8)
    start = -int(room.__array_interface__["data"][0]) % _LINE
    return room[start : start + size]


def _copied(content: Content) -> NDArray[np.uint8]:
    buffer = _buffer(len(content))
    buffer[:] = np.frombuffer(content, np.uint8)
    return buffer


def _read(path: str | os.PathLike[str]) -> NDArray[np.uint8]:
    # Read, not mapped: a file that is written over or cut while the model is in use must not change what was checked.
    with Path(path).open("rb", buffering=0) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode):  # a pipe does not know its size
            return _copied(file.readall())
        buffer, done = _buffer(about.st_size), 0
        while got := file.readinto(buffer[done:].data):
            done += got
    return buffer[:done]


def _restored(buffer: NDArray[np.uint8]) -> Classifier:
    content = buffer.data.toreadonly()
    header = read_header(content)
    ALGORITHMS[header["algorithm"]]  # one of another package that cannot be used says so itself
    try:
        start = _aligned(_START.size + _START.unpack_from(content)[2])
        arrays = {row["name"]: _array(content, start, row) for row in header["arrays"]}
        model = make(header["algorithm"], **header["params"])
        model.languages_ = tuple(header["languages"])
        model.temperature_ = float(header["temperature"])
        model.notes_ = header["notes"]
        notes = model.notes_
        model.restore(header["state"], arrays)
        model.notes_ = notes
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, UsageError) as error:
        raise BadModel(f"is not complete: {type(error).__name__} {shorten(str(error))}") from error
    return model


def read_header(content: Content) -> dict[str, Any]:
    """The header, after a check of magic, version, sizes and digest."""
    content = memoryview(content)  # its slices copy nothing
    if content[:8] != MAGIC:
        raise BadModel("is not a Dragoman model: it does not begin with DRAGOMAN")
    if len(content) < _START.size + DIGEST:
        raise BadModel(f"is cut off: {len(content)} bytes are fewer than any model has")
    _, version, length = _START.unpack_from(content)
    if version != VERSION:
        raise BadModel(
            f"has format version {version}; this Dragoman reads version {VERSION}: update it, or train again"
        )
    if hashlib.blake2b(content[:-DIGEST], digest_size=DIGEST).digest() != content[-DIGEST:]:
        raise BadModel("is damaged: its digest does not fit its content (cut off or altered); get or train it again")
    try:
        header = json.loads(bytes(content[_START.size : _START.size + length]))
    except (ValueError, RecursionError) as error:
        raise BadModel("is damaged: its header is not JSON") from error
    if not isinstance(header, dict) or not isinstance(name := header.get("algorithm"), str):
        raise BadModel("is damaged: its header names no algorithm")
    if name not in ALGORITHMS:
        raise BadModel(
            f"needs an algorithm that this Dragoman does not have: '{shorten(name)}'; "
            f"install the package that adds it, or train again"
        )
    return header


def algorithm_of(path: Path) -> str:
    """The algorithm of a model file, from its header alone: checking the whole file waits until it is used."""
    with path.open("rb") as file:
        _, _, length = _START.unpack(file.read(_START.size))
        return str(json.loads(file.read(length))["algorithm"])


def _array(content: memoryview, start: int, row: dict[str, Any]) -> NDArray[Any]:
    if row["dtype"] not in _DTYPES:
        raise BadModel(f"has an array of type {row['dtype']}, which no model has")
    if row["offset"] % _LINE:
        raise BadModel(f"is damaged: array '{row['name']}' does not begin at a multiple of {_LINE}")
    count = int(np.prod(row["shape"], dtype=np.int64))
    size = count * np.dtype(row["dtype"]).itemsize
    if count < 0 or row["offset"] < 0 or start + row["offset"] + size > len(content) - DIGEST:
        raise BadModel(f"is damaged: array '{row['name']}' reaches beyond the end")
    return np.frombuffer(content, row["dtype"], count, start + row["offset"]).reshape(row["shape"])
