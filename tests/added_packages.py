"""Other people's packages that add to a family, as an installer would leave them: a module and its entry points."""

from __future__ import annotations

import os
from pathlib import Path


def added_package(folder: Path, package: str, source: str, group: str, **points: str) -> dict[str, str]:
    """The environment of a process that sees the package: a module of that name, and {name: attribute} in a group."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{package}.py").write_text(source, encoding="utf-8")
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"{name.replace('_', '-')} = {package}:{attribute}" for name, attribute in points.items()]
    (about / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines, ""]), encoding="utf-8")
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
