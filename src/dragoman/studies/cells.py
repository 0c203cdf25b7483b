"""Finished pieces of a study, kept on disk: an interrupted run goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.files import new_file

Arrays = dict[str, NDArray[Any]]

_PACKAGE = Path(__file__).resolve().parents[1]
#: What pieces are made with: sources, compiled kernels, shipped models and tables.
_MADE_WITH = {".py", ".c", ".h", ".so", ".dylib", ".dll", ".dragoman", ".tsv", ".json"}
#: Rooms and modules of a study that only read finished pieces: a change there leaves the pieces as they are.
_READING_ROOMS = {"cli", "integrations", "label", "report", "serve"}
_READING_MODULES = {"claims", "experiments", "findings", "page", "pictures", "quiz", "tables"}


@cache
def code_version(package: Path = _PACKAGE) -> str:
    """A digest of all the code that may change what a piece holds."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(path for path in package.rglob("*") if path.suffix in _MADE_WITH):
        room, *inner = path.relative_to(package).parts
        modules = {part.removesuffix(".py") for part in inner}
        if room in _READING_ROOMS or (room == "studies" and modules & _READING_MODULES):
            continue
        digest.update("/".join((room, *inner)).encode() + b"\0")
        digest.update(hashlib.blake2b(path.read_bytes()).digest())
    return digest.hexdigest()


class Cells:
    """Arrays by name in a folder of their own for each recipe and version of the code, so that pieces never mix."""

    def __init__(self, folder: Path, recipe: Mapping[str, Any]) -> None:
        text = json.dumps({**recipe, "code": code_version()}, sort_keys=True, indent=1)
        digest = hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
        self.folder = folder / "cells" / digest
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "recipe.json").write_text(text, encoding="utf-8")

    def _path(self, name: str) -> Path:
        return self.folder / (name.replace("/", "__") + ".npz")

    def has(self, name: str) -> bool:
        """True where the piece is finished."""
        return self._path(name).exists()

    def get(self, name: str) -> Arrays:
        """A finished piece."""
        with np.load(self._path(name), allow_pickle=False) as arrays:
            return {key: arrays[key] for key in arrays.files}

    def compute(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """The piece, made now if it is not there; it appears whole or not at all."""
        if not self.has(name):
            with new_file(self._path(name)) as stream:
                np.savez(stream, **make())  # type: ignore[arg-type]
        return self.get(name)
