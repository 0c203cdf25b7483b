"""`GET /v1/runs` and `GET /v1/runs/{name}`: the crawls and simulations of the folders given on the command line.

A name in a request chooses among the runs that are in these folders; it is never part of a path.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from dragoman.errors import DragomanError
from dragoman.serve.folders import find_runs, outline, read_run
from dragoman.serve.operations import OBJECT, Inputs, Operation, as_json
from dragoman.serve.problems import Problem
from dragoman.serve.service import service_of


async def list_runs(request: Request, query: Inputs) -> Response:
    """Each run with its kind, state (running, quiet, ended, unreadable), languages and pages; newest first."""
    service = service_of(request)
    return as_json(await service.rooms.files.run(_outlines, service.settings.folders))


async def tell_run(request: Request, query: Inputs) -> Response:
    """Figures, curves (at most 300 points each), servers by status, languages and reasons of one run."""
    service = service_of(request)
    return as_json(await service.rooms.files.run(_run, service.settings.folders, request.path_params["name"]))


def _outlines(folders: tuple[Path, ...]) -> dict[str, Any]:
    outlines = [outline(name, folder) for name, folder in find_runs(folders).items()]
    outlines.sort(key=lambda run: -run.get("changed", 0.0))
    return {"folders": len(folders), "runs": outlines}


def _run(folders: tuple[Path, ...], name: str) -> dict[str, Any]:
    folder = find_runs(folders).get(name)
    if folder is None:
        raise Problem(404, "There is no run of that name: GET /v1/runs lists them")
    try:
        return read_run(name, folder)
    except OSError as error:
        raise Problem(503, f"The folder of the run cannot be read: {error.strerror or error}") from error
    except DragomanError as error:
        raise Problem(503, str(error)) from error


OPERATIONS = (
    Operation("GET", "/v1/runs", list_runs, "The crawls and simulations of the given folders", OBJECT, tag="runs"),
    Operation("GET", "/v1/runs/{name}", tell_run, "One run with its curves", OBJECT, tag="runs"),
)
