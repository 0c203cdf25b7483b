"""Finished pieces of a study, kept on disk: an interrupted run goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.files import new_file

Arrays = dict[str, NDArray[Any]]


class Cells:
    """Arrays by name in a folder of their own for each recipe, so that other data or settings never mix with these."""

    def __init__(self, folder: Path, recipe: Mapping[str, Any]) -> None:
        digest = hashlib.blake2b(json.dumps(recipe, sort_keys=True).encode(), digest_size=6).hexdigest()
        self.folder = folder / "cells" / digest
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "recipe.json").write_text(json.dumps(recipe, sort_keys=True, indent=1), encoding="utf-8")

    def _path(self, name: str) -> Path:
        return self.folder / (name.replace("/", "__") + ".npz")

    def has(self, name: str) -> bool:
        """True where the piece is finished."""
        return self._path(name).exists()

    def get(self, name: str) -> Arrays:
        """A finished piece."""
        with np.load(self._path(name), allow_pickle=False) as kept:
            return {key: kept[key] for key in kept.files}

    def compute(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """The piece, made now if it is not there; it appears whole or not at all."""
        if not self.has(name):
            with new_file(self._path(name)) as stream:
                np.savez(stream, **make())  # type: ignore[arg-type]
        return self.get(name)
