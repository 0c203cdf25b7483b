"""Finished pieces of a study, kept on disk: an interrupted run goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
            part = self._path(name).with_suffix(f".{os.getpid()}.part")
            try:
                with part.open("wb") as file:
                    np.savez(file, **make())  # type: ignore[arg-type]
                part.replace(self._path(name))
            finally:
                part.unlink(missing_ok=True)
        return self.get(name)
