"""The models that are there: those that ship, and the rules that need no file."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from dragoman.errors import UnknownName, UsageError
from dragoman.identifiers import model_file as store
from dragoman.identifiers.algorithms import ALGORITHMS
from dragoman.identifiers.classifier import Classifier

DEFAULT = "default"
SUFFIX = ".dragoman"

#: Rules that need no training and so no file.
_RULES = ("cctld", "cctld-plus")


def shipped() -> dict[str, Path]:
    """The model files that ship, by name."""
    # By path: importlib.resources takes longer to import than to list the folder, and models are real files anyway.
    folder = Path(__file__).resolve().parents[1] / "data" / "models"
    return {path.stem: path for path in sorted(folder.glob(f"*{SUFFIX}"))}


def names() -> tuple[str, ...]:
    """The names of the models that are there, the default first."""
    others = sorted({*shipped(), *_RULES} - {DEFAULT})
    return (DEFAULT, *others)


def is_path(name: str) -> bool:
    """True if a name is meant as a path: it has a separator, ends in `.dragoman`, or is a file and no known name.

    >>> is_path("cctld"), is_path("models/mine"), is_path("mine.dragoman")
    (False, True, True)
    """
    separators = [os.sep] + ([os.altsep] if os.altsep else [])
    if any(separator in name for separator in separators) or name.endswith(SUFFIX):
        return True
    return name not in names() and Path(name).is_file()


def open_model(name: str | os.PathLike[str] = DEFAULT) -> Classifier:
    """The model of a name or in a file; kept, so that asking again costs nothing.

    >>> open_model("cctld").predict(["http://a.fr/"])
    ['fr']
    """
    given = os.fspath(name)
    if given == DEFAULT:  # asked for with every page of a crawl: the folder is not looked through for it
        return _known(given)
    if is_path(given):
        return store.load(given)
    if given not in names():
        raise UnknownName("model", given, names())
    return _known(given)


def open_url_model(name: str | os.PathLike[str] | Classifier = DEFAULT) -> Classifier:
    """As `open_model`, for a model that is to read URLs; UsageError for one that reads texts.

    What is a model already is given back as it is.
    """
    if isinstance(name, Classifier):
        return name
    model = open_model(name)
    if model.reads != "urls":
        raise UsageError(
            f"The model '{os.fspath(name)}' reads {model.reads}, not URLs; for texts: dragoman page --method"
        )
    return model


@lru_cache(maxsize=8)
def _known(name: str) -> Classifier:
    if path := shipped().get(name):
        return store.load(path)
    from dragoman.identifiers.url.algorithms.cctld import (  # the model that ships does without
        CountryCode,
        CountryCodePlus,
    )

    return (CountryCode if name == CountryCode.algorithm else CountryCodePlus).ready()


def describe(name: str | os.PathLike[str] = DEFAULT) -> dict[str, Any]:
    """What is known about a model: values of JSON's kinds, the same keys for every model (None: does not apply)."""
    given = os.fspath(name)
    model = open_model(given)
    path = Path(given) if is_path(given) else shipped().get(given)
    content = path.read_bytes() if path else store.to_bytes(model)
    params = model.get_params()
    return {
        "name": given,
        "algorithm": model.algorithm,
        "about": ALGORITHMS.about(model.algorithm),
        "features": params.get("features"),
        "languages": list(model.languages_),
        "size": len(content) if path else 0,
        "digest": content[-store.DIGEST :].hex(),
        "file": None if path is None else path.name,
        "parameters": params,
        "temperature": model.temperature_,
        "notes": dict(model.notes_),
    }
