"""The published figures of a paper, as printed: `published.json` in its folder."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def published_figures(package: str) -> dict[str, Any]:
    """What the paper's folder has.

    >>> published_figures("dragoman.studies.hayati_2004")["accuracy"]["base"]
    {'value': 0.868, 'where': '3.3'}
    """
    document: dict[str, Any] = json.loads(resources.files(package).joinpath("published.json").read_text("utf-8"))
    return document
