"""What the tools that make a table of the package do with it: write it, or say whether it is up to date (`--check`)."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path


def write_or_check(target: Path, table: Callable[[], str], about: str | None) -> int:
    """Write the table; with `--check`, 1 where the file has another one."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        return 0 if target.read_text(encoding="utf-8") == table() else 1
    target.write_text(table(), encoding="utf-8")
    return 0
