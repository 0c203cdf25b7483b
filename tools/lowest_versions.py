"""constraints-lowest.txt: the lowest version of every package that an installation of Dragoman may have.

    python tools/lowest_versions.py [--check]

Read from the lower bounds in pyproject.toml, of the core and of every extra but those for working on Dragoman itself.
`make test-lowest` runs the tests with exactly these: a bound that is too low fails there, not at somebody's desk.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "constraints-lowest.txt"
#: Extras whose packages nobody needs who only uses Dragoman, and identifiers that it is compared with.
LEFT_OUT = {"dev", "test", "docs", "peers"}
#: A requirement: name, then bounds; extras of other packages and markers do not matter here.
REQUIREMENT = re.compile(r"(?P<name>[A-Za-z0-9._-]+)(\[[^]]*\])?\s*(?P<bounds>[^;]*)")
HEAD = "# Made by tools/lowest_versions.py from the lower bounds in pyproject.toml.\n"


def lowest(project: Path = ROOT / "pyproject.toml") -> dict[str, str]:
    """The lower bound of every package; of several, the highest."""
    content = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
    extras = content["optional-dependencies"]
    wanted = [*content["dependencies"], *(one for name in extras if name not in LEFT_OUT for one in extras[name])]
    bounds: dict[str, str] = {}
    for requirement in wanted:
        match = REQUIREMENT.match(requirement)
        if match is None or match["name"] == content["name"]:
            continue
        name, least = match["name"].lower(), re.search(r">=\s*([0-9.]+)", match["bounds"])
        if least is None:
            raise SystemExit(f"'{requirement}' has no lower bound")
        bounds[name] = max(bounds.get(name, "0"), least[1], key=_numbers)
    return bounds


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def main() -> int:
    """Write the file, or say that it is out of date."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where the file is out of date")
    content = HEAD + "".join(f"{name}=={version}\n" for name, version in sorted(lowest().items()))
    if not parser.parse_args().check:
        FILE.write_text(content, encoding="utf-8")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != content:
        print(f"out of date: {FILE.name}; run python tools/lowest_versions.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
