"""`GET /v1/runs` and `GET /v1/runs/{name}`: the crawls and simulations of the folders given on the command line.

The folders are `app.state.folders`, a tuple of paths (`dragoman serve --folder DIR`). A name in a request chooses among
the runs that were found there; it is never part of a path.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, HTTPException, Request, Response

from dragoman.errors import DragomanError
from dragoman.serve.folders import find_runs, outline, read_run
from dragoman.serve.work import from_files

router = APIRouter(tags=["runs"])


@router.get("/v1/runs", summary="The crawls and simulations of the given folders", response_model=dict[str, Any])
async def runs(request: Request) -> Response:
    """Each run with its kind, state (running, quiet, ended, unreadable), languages and pages; newest first."""
    return await from_files(request, _runs, tuple(request.app.state.folders))


@router.get(
    "/v1/runs/{name}",
    summary="One run with its curves",
    response_model=dict[str, Any],
    responses={404: {"description": "No such run"}},
)
async def run(name: str, request: Request) -> Response:
    """Figures, curves (at most 300 points each), servers by status, languages and reasons of one run."""
    return await from_files(request, _run, tuple(request.app.state.folders), name)


def _runs(given: tuple[Path, ...]) -> dict[str, Any]:
    found = [outline(name, folder) for name, folder in find_runs(given).items()]
    found.sort(key=lambda run: -run.get("changed", 0.0))
    return {"folders": len(given), "runs": found}


def _run(given: tuple[Path, ...], name: str) -> dict[str, Any]:
    folder = find_runs(given).get(name)
    if folder is None:
        raise HTTPException(404, "There is no run of that name: GET /v1/runs lists them")
    try:
        return read_run(name, folder)
    except OSError as error:
        raise HTTPException(503, f"The folder of the run cannot be read: {error.strerror or error}") from error
    except DragomanError as error:
        raise HTTPException(503, str(error)) from error
