"""`GET /v1/runs` and `GET /v1/runs/{name}`: the crawls and simulations of the folders given on the command line.

The folders are `app.state.folders`, a tuple of paths (`dragoman serve --folder DIR`). A name in a request chooses among
the runs that were found there; it is never part of a path.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request

from dragoman.errors import DragomanError
from dragoman.serve.folders import find_runs, outline, read_run

router = APIRouter(tags=["runs"])


@router.get("/v1/runs", summary="The crawls and simulations of the given folders")
def runs(request: Request) -> dict[str, Any]:
    """Each run with its kind, state (running, quiet, ended, unreadable), languages and pages; newest first."""
    given = tuple(getattr(request.app.state, "folders", ()))
    found = [outline(name, folder) for name, folder in find_runs(given).items()]
    found.sort(key=lambda run: -run.get("changed", 0.0))
    return {"folders": len(given), "runs": found}


@router.get("/v1/runs/{name}", summary="One run with its curves", responses={404: {"description": "No such run"}})
def run(name: str, request: Request) -> dict[str, Any]:
    """Figures, curves (at most 300 points each), servers by status, languages and reasons of one run."""
    folder = find_runs(tuple(getattr(request.app.state, "folders", ()))).get(name)
    if folder is None:
        raise HTTPException(404, "There is no run of that name: GET /v1/runs lists them")
    try:
        return read_run(name, folder)
    except OSError as error:
        raise HTTPException(503, f"The folder of the run cannot be read: {error.strerror or error}") from error
    except DragomanError as error:
        raise HTTPException(503, str(error)) from error
