"""A package of somebody else that adds members to Dragoman's families: a folder to put on the path, no pip needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent


def made_package(folder: Path, name: str, source: str, entry_points: Mapping[str, Mapping[str, str]]) -> Path:
    """Write the module `name` and what an installer would note about it; the folder, to be put on PYTHONPATH.

    `entry_points` has the attribute of the module for each name in each group.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.py").write_text(dedent(source), encoding="utf-8")
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    lines = [
        f"[{group}]\n" + "".join(f"{member} = {name}:{attribute}\n" for member, attribute in members.items())
        for group, members in entry_points.items()
    ]
    (about / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder
