"""Run folders as plain values: what `dragoman crawl` and `dragoman simulate` wrote, small enough to draw.

A crawl that is running is read from its `progress.json` (its SQLite file is locked); one from before that file existed,
from its catalogue. A simulation is read from `summary.json` and `curves.parquet`. Nothing is ever written.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from dragoman.crawl.live.state import progress
from dragoman.crawl.live.state.expected import CurvePoint
from dragoman.crawl.live.state.progress import coverages, thinned
from dragoman.errors import DragomanError, need

#: A crawl that wrote nothing for so many seconds is no longer said to be running.
QUIET = 60.0
#: Most points of a curve, most entries of a list, most runs that are listed, largest JSON file that is read.
POINTS, NAMES, RUNS, SIZE = 300, 40, 500, 16 << 20
#: Wanted pages that are shown of a crawl.
SAMPLE = 12
#: Columns of a simulation's curves.
CURVES = ("pages", "coverage", "harvest", "queue", "servers")


class BadRun(DragomanError):
    """A folder whose files are not those of a crawl or a simulation."""


def find_runs(given: Iterable[Path]) -> dict[str, Path]:
    """The runs by name: each folder that is one, and each folder directly inside that is one (links are not followed).

    A name that occurs again gets a number. Nothing that a browser says becomes a path: it can only choose a name.
    """
    runs: dict[str, Path] = {}
    for folder in given:
        inside = [folder] if kind(folder) else _children(folder)
        for run in inside:
            name, number = run.resolve().name or "run", 2
            while name in runs:
                name, number = f"{run.resolve().name}-{number}", number + 1
            runs[name] = run
            if len(runs) >= RUNS:
                return runs
    return runs


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(child for child in folder.iterdir() if child.is_dir() and not child.is_symlink() and kind(child))
    except OSError:
        return []


def kind(folder: Path) -> str | None:
    """ "crawl", "simulation" or None, by the files that are there."""
    if any((folder / name).exists() for name in ("crawl.sqlite", progress.NAME)):
        return "crawl"
    if (folder / "summary.json").exists() and (folder / "curves.parquet").exists():
        return "simulation"
    return None


def outline(name: str, folder: Path) -> dict[str, Any]:
    """A run in a list: its kind, state, languages and how far it is; "error" where its files cannot be read."""
    try:
        run = read_run(name, folder)
    except (DragomanError, OSError) as error:
        return {"name": name, "kind": kind(folder), "state": "unreadable", "error": str(error)}
    return {key: run[key] for key in ("name", "kind", "state", "changed", "wanted", "pages", "relevant")}


def read_run(name: str, folder: Path) -> dict[str, Any]:
    """Everything about one run; BadRun if its files do not say it."""
    if kind(folder) == "crawl":
        run = _crawl(folder) | {"found": _sample(folder)}
    elif kind(folder) == "simulation":
        run = _simulation(folder)
    else:
        raise BadRun(f"'{name}' holds no crawl and no simulation any more")
    return {"name": name} | run


def _crawl(folder: Path) -> dict[str, Any]:
    path = folder / progress.NAME
    if not path.exists():
        return _from_catalogue(folder)
    notes = _json(path)
    try:
        pages, relevant, waiting = (int(notes[key]) for key in ("pages", "relevant", "waiting"))
        curve = [
            [*(int(number) for number in point[:3]), *(float(number) for number in point[3:])]
            for point in notes["curve"]
        ]
        ended, changed = notes["ended"], float(notes["time"])
        state = "ended" if ended else "running" if time.time() - changed < QUIET else "quiet"
        guesses = {(bool(taken), bool(wanted)): int(count) for taken, wanted, count in notes["guesses"]}
        return {
            "kind": "crawl", "state": state, "changed": changed, "ended": ended, "seconds": float(notes["seconds"]),
            "wanted": [str(tag) for tag in notes["wanted"]], "strategy": str(notes["strategy"]),
            "tolerance": int(notes["tolerance"]), "pages": pages, "relevant": relevant, "bytes": int(notes["bytes"]),
            "waiting": waiting, "harvest": relevant / pages if pages else None,
            "coverage": coverages([[pages, relevant, waiting, float(notes["expected"])]])[-1],
            "url_model": _url_model(guesses),
            "curves": [_crawl_curve(str(notes["strategy"]), thinned(curve, POINTS))],
            "servers": dict(_counts(notes["servers"].items())), "languages": _counts(notes["languages"]),
            "reasons": _counts(notes["reasons"]), "answers": _counts(notes["answers"]),
            "largest": _counts(notes["largest"]),
        }  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise BadRun(f"'{folder.name}/{progress.NAME}' is not as a crawl writes it") from error


def _counts(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [[None if name is None else str(name), int(count)] for name, count in rows][:NAMES]


def _url_model(guesses: Mapping[tuple[bool, bool], int]) -> dict[str, float | None]:
    hits = guesses.get((True, True), 0)
    taken, wanted = hits + guesses.get((True, False), 0), hits + guesses.get((False, True), 0)
    return {"precision": hits / taken if taken else None, "recall": hits / wanted if wanted else None}


def _crawl_curve(strategy: str, curve: Sequence[Sequence[float]]) -> dict[str, Any]:
    """What is drawn of a crawl; its times are left out where an earlier version did not write them."""
    when = CurvePoint._fields.index("seconds")
    return {
        "name": strategy,
        "strategy": strategy,
        "pages": [point[0] for point in curve],
        "seconds": [point[when] for point in curve] if all(len(point) > when for point in curve) else [],
        "relevant": [point[1] for point in curve],
        "harvest": [point[1] / max(point[0], 1) for point in curve],
        "coverage": coverages(curve),
        "queue": [point[2] for point in curve],
    }


def _sample(folder: Path) -> list[dict[str, Any]]:
    """Some of the wanted pages that a crawl has fetched lately, as far as its catalogue is written."""
    parts = sorted((folder / "catalogue").glob("part-*.parquet"))
    return _found_in(parts[-1], parts[-1].stat().st_mtime) if parts else []


@lru_cache(maxsize=16)
def _found_in(part: Path, changed: float) -> list[dict[str, Any]]:
    columns = ["url", "language", "probability", "relevant", "reason"]
    try:
        rows = need("bulk", "pyarrow.parquet").read_table(part, columns=columns).to_pylist()
    except Exception:  # it is being written, or of another version: the figures do without it
        return []
    wanted = [row for row in rows if row["relevant"] and row["reason"] is None]
    keys = ("url", "language", "probability")
    return [{key: row[key] for key in keys} for row in wanted[-SAMPLE:]]


def _from_catalogue(folder: Path) -> dict[str, Any]:
    parts = sorted((folder / "catalogue").glob("part-*.parquet"))
    if not parts:
        raise BadRun(f"'{folder.name}' has no {progress.NAME} and no catalogue yet: start the crawl again, or wait")
    return _catalogue(tuple(parts), max(part.stat().st_mtime for part in parts))


@lru_cache(maxsize=16)
def _catalogue(parts: tuple[Path, ...], changed: float) -> dict[str, Any]:
    """A crawl of which only the catalogue tells; `changed` makes a longer catalogue another one."""
    parquet = need("bulk", "pyarrow.parquet")
    try:
        table = parquet.read_table(list(parts), columns=["reason", "relevant", "language", "server", "bytes"])
    except Exception as error:
        raise BadRun(f"The catalogue of '{parts[0].parent.parent.name}' cannot be read") from error
    rows = table.to_pydict()
    answers = Counter(reason or "page" for reason in rows["reason"])
    places = [row for row, reason in enumerate(rows["reason"]) if reason is None]
    curve, relevant = [], 0
    for pages, row in enumerate(places, 1):
        relevant += bool(rows["relevant"][row])
        curve.append([pages, relevant, 0, 0.0])
    curves = _crawl_curve("crawl", thinned(curve, POINTS)) | {"coverage": [], "queue": []}
    return {
        "kind": "crawl", "state": "ended", "changed": changed, "ended": "see the crawl's own report", "seconds": None,
        "wanted": sorted({rows["language"][row] for row in places if rows["relevant"][row]} - {None}),
        "strategy": None, "tolerance": None, "pages": len(places), "relevant": relevant,
        "bytes": sum(size or 0 for size in rows["bytes"]), "waiting": None,
        "harvest": relevant / len(places) if places else None, "coverage": None,
        "url_model": {"precision": None, "recall": None}, "curves": [curves], "servers": {},
        "languages": _counts(Counter(rows["language"][row] for row in places).most_common()),
        "reasons": [], "answers": _counts(answers.most_common()),
        "largest": _counts(Counter(rows["server"][row] for row in places).most_common(25)),
    }  # fmt: skip


def _simulation(folder: Path) -> dict[str, Any]:
    summary, path = folder / "summary.json", folder / "curves.parquet"
    written, changed = _json(summary), summary.stat().st_mtime
    try:
        runs = [_summary(run) for run in written["strategies"]][:NAMES]
        wanted = [str(tag) for tag in written.get("languages", [])]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadRun(f"'{folder.name}/summary.json' is not as a simulation writes it") from error
    return {
        "kind": "simulation", "changed": changed, "wanted": wanted, "url_score": written.get("url_score"),
        # While strategies are still to come, the summary is replaced after each and does not say how the web was.
        "state": "running" if "vertices" not in written and time.time() - changed < QUIET else "ended",
        "pages": max((run["pages"] for run in runs), default=0), "relevant": None, "vertices": written.get("vertices"),
        "strategies": runs, "curves": _curves(path, path.stat().st_mtime),
    }  # fmt: skip


def _summary(run: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "strategy": str(run["strategy"]), "tolerance": int(run["tolerance"]), "finished": bool(run["finished"]),
        "coverage": run["coverage"], "harvest": run["harvest"], "pages": int(run["pages"]),
        "max_queue": int(run["max_queue"]), "servers": int(run["servers"]), "harvest_at": dict(run["harvest_at"]),
        "reasons": _counts(sorted(run["reasons"].items(), key=lambda pair: -pair[1])),
    }  # fmt: skip


@lru_cache(maxsize=16)
def _curves(path: Path, changed: float) -> list[dict[str, Any]]:
    """The curves of a simulation, thinned; `changed` makes a file that was written again another one."""
    parquet = need("bulk", "pyarrow.parquet")
    try:
        rows = parquet.read_table(path, columns=["strategy", "tolerance", *CURVES]).to_pydict()
    except Exception as error:
        raise BadRun(f"'{path.parent.name}/{path.name}' cannot be read") from error
    places: dict[tuple[str, int], list[int]] = {}
    for number, key in enumerate(zip(rows["strategy"], rows["tolerance"], strict=True)):
        places.setdefault(key, []).append(number)
    several = Counter(strategy for strategy, _ in places)
    curves = []
    for (strategy, tolerance), mine in places.items():
        name = f"{strategy}, T {tolerance}" if several[strategy] > 1 else strategy
        shown = thinned(mine, POINTS)
        curves.append({"name": name, "strategy": strategy} | {key: [rows[key][row] for row in shown] for key in CURVES})
    return curves


def _json(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > SIZE:
            raise BadRun(f"'{path.parent.name}/{path.name}' is larger than any that a run writes")
        content = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadRun(f"'{path.parent.name}/{path.name}' is no JSON") from error
    if not isinstance(content, dict):
        raise BadRun(f"'{path.parent.name}/{path.name}' is not as a run writes it")
    return content
