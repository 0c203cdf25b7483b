"""The examples in docstrings are true: the reference pages show them."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import dragoman
from dragoman.errors import MissingExtra

ROOMS = sorted({one.name for one in pkgutil.iter_modules(dragoman.__path__)} - {"__main__"})


def modules(room: str) -> list[str]:
    found = importlib.import_module(f"dragoman.{room}")
    inside = pkgutil.walk_packages(getattr(found, "__path__", []), f"{found.__name__}.")
    return [found.__name__, *sorted(one.name for one in inside)]


@pytest.mark.parametrize("room", ROOMS)
def test_examples_in_docstrings_are_true(room: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    for name in modules(room):
        try:
            module = importlib.import_module(name)
        except (MissingExtra, ImportError):  # an extra that the tests do not install
            continue
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
        for test in doctest.DocTestFinder(exclude_empty=True).find(module):
            runner.run(test, out=told.append)
    assert not told, "".join(told)


def test_there_are_examples_to_run() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    names = [*modules("languages"), *modules("identifiers")]
    assert sum(len(test.examples) for name in names for test in finder.find(importlib.import_module(name))) > 30
