"""The figures that the paper's text gives for its strategies (data/published/crawling_2007.json)."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def published() -> dict[str, Any]:
    """What sections 5.2 and 5.3 say in numbers.

    >>> published()["hard_focused_missed"], published()["first_phase_harvest"]
    (0.1, 0.7)
    """
    text = files("dragoman.data.published").joinpath("crawling_2007.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["strategies"]
    return found
