"""The judgement for people and programs: README.md, results.json and the pictures."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pictures
from tables import Results, tables, targets_table
from targets import Verdict


def write(results: Results, verdicts: Sequence[Verdict], folder: Path) -> None:
    """README.md, results.json and the pictures."""
    files = {
        "reliability.png": pictures.reliability(results["honesty"]),
        "risk-coverage.png": pictures.risk_coverage(results["honesty"]),
        "languages.png": pictures.languages(results["many"]["languages"]),
        "results.json": as_json(results),
        "README.md": _readme(results, verdicts).encode(),
    }
    save(folder, files)


def save(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the files, each whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        part = folder / f"{name}.{os.getpid()}.part"
        part.write_bytes(content)
        part.replace(folder / name)


def as_json(value: Any) -> bytes:
    """A file of JSON; None for what is no number."""
    return (json.dumps(_plain(value), indent=1, allow_nan=False) + "\n").encode()


def _plain(value: Any) -> Any:
    """Values of JSON's kinds, rounded; None for what is no number."""
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    return value


def _readme(results: Results, verdicts: Sequence[Verdict]) -> str:
    passed = sum(verdict.passed for verdict in verdicts if verdict.kind == "must")
    total = sum(verdict.kind == "must" for verdict in verdicts)
    model = results["model"]
    lines = [
        "# The URL model that ships, judged",
        "",
        f"Made by `python benchmarks/url_model/judge.py --data DIR`. Model `{model['digest'][:16]}`, "
        f"{model['languages']} languages, {model['size']:,} bytes. Judge halves only; thresholds are from the tuning "
        f"halves. Intervals are 95 %, {results['rounds']:,} resamples of whole sites. {passed} of {total} targets are "
        "reached. Further figures and the digests of the data are in [results.json](results.json).",
        "",
        targets_table(verdicts).to_markdown(),
    ]
    pictured = {"Calibration and risk, all languages": ("reliability", "risk-coverage"), "Languages": ("languages",)}
    for table in tables(results):
        lines += ["", table.to_markdown()]
        for name in pictured.get(table.title, ()):
            lines += ["", f"![{name}]({name}.png)"]
    lines += ["", "Data (SHA-256):", ""]
    lines += [f"- `{name}`: `{digest}`" for name, digest in results["data"].items()]
    return "\n".join(lines) + "\n"
