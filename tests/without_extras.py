"""The tests where no extra is installed: `pytest -p tests.without_extras`, as `make test-core` has it.

What needs an optional package is skipped and says which: a module that cannot be imported, a test that ends in a
missing package, or in a command's answer that an extra is missing. tests/test_core.py is what must work all the same:
there nothing is skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

#: Folders whose conftest needs a package: a conftest cannot be skipped, only passed by.
FOLDERS = {"serve": "starlette", "browser": "playwright"}
#: How a missing package is told: by Python, by pytest, and by Dragoman.
MISSING = re.compile(r"No module named '(\w+)|could not import '(\w+)|This needs '([\w-]+)', which is not installed")
CORE = Path(__file__).with_name("test_core.py")

#: How many tests and modules were skipped for want of each package.
wanting: Counter[str] = Counter()


def missing_package(text: str) -> str | None:
    """The package that a failure tells of; None if it tells of none, or of one that is there."""
    names = [next(filter(None, groups)) for groups in MISSING.findall(text)]
    return next((name for name in names if name != "dragoman" and not _installed(name)), None)


def _installed(name: str) -> bool:
    return find_spec(name) is not None


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    package = FOLDERS.get(collection_path.name)
    if package is None or collection_path.parent != CORE.parent or _installed(package):
        return None
    wanting[package] += 1
    return True


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if report.outcome == "failed":
        _skip(report, collector.path)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.outcome == "failed":
        _skip(report, item.path)
    elif report.skipped and item.path == CORE:
        report.outcome = "failed"
    return report


def _skip(report: Any, path: Path) -> None:
    package = missing_package(f"{report.longreprtext}\n{''.join(text for _, text in report.sections)}")
    if package and path != CORE:
        wanting[package] += 1
        report.outcome, report.longrepr = "skipped", (str(path), 0, f"needs {package}")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    listed = ", ".join(f"{package} ({count})" for package, count in wanting.most_common())
    terminalreporter.write_line(f"skipped for want of a package: {listed or 'nothing'}")
