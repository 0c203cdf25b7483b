"""What lies beside the code of a paper's study: its published figures, as printed, and how our study differs."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def published_figures(package: str) -> dict[str, Any]:
    """The published figures: `published.json` of the paper's folder.

    >>> published_figures("dragoman.studies.hayati_2004")["accuracy"]["base"]
    {'value': 0.868, 'where': '3.3'}
    """
    document: dict[str, Any] = json.loads(_text(package, "published.json"))
    return document


def departures(package: str) -> list[str]:
    """What our study does otherwise than the paper: the points of `departures.md`."""
    return [" ".join(point.split()) for point in _text(package, "departures.md").split("\n- ")[1:]]


def _text(package: str, name: str) -> str:
    return resources.files(package).joinpath(name).read_text("utf-8")
