"""The frame of a study: what is asked for, the pieces that are made and kept, and the report that is written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from dragoman.files import write_whole
from dragoman.report.html import ReportPage, Section
from dragoman.report.tables import Table
from dragoman.studies.cells import Arrays, Cells
from dragoman.studies.claims import Finding, verdict_table

#: `progress(finished, total, what)` is told about every piece.
Progress = Callable[[int, int, str], None]
PlanOfStudy = TypeVar("PlanOfStudy")


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line. A study takes what it needs and leaves the rest."""

    name: str
    data: Path
    output: Path
    scale: str
    seed: int
    text: Path | None = None
    urls: Path | None = None


class Piece(NamedTuple):
    """A part of a study that is made once and kept under its name."""

    name: str
    make: Callable[[], Arrays]


class Study(ABC, Generic[PlanOfStudy]):
    """A paper's study: what it reads, the pieces it is made of, what it finds, and its page."""

    #: Plans by scale: `full` and `small`.
    scales: ClassVar[Mapping[str, Any]]
    #: What --data is, for people; empty where a study needs none. (Ours have it in the registry.)
    reads: ClassVar[str] = ""
    #: What was read: digests by file name.
    digests: Mapping[str, str]

    def __init__(self, request: Request, progress: Progress) -> None:
        self.request = request
        self.seed = request.seed
        self.plan: PlanOfStudy = self.scales[request.scale]
        self.digests = {}
        self.load(progress)
        recipe = {"plan": repr(self.plan), "seed": request.seed, "data": dict(self.digests)}
        self.cells = Cells(request.output, recipe | self.recipe())

    def load(self, progress: Progress) -> None:
        """Read what --data holds and say what it was in `digests`; a study that makes its own data has nothing to."""

    def recipe(self) -> dict[str, Any]:
        """What else decides the pieces, beside plan, seed, data and code."""
        return {}

    @abstractmethod
    def pieces(self) -> Sequence[Piece]:
        """Everything that is to be made, in order; those made already are passed over."""

    @abstractmethod
    def report(self) -> tuple[list[Finding], ReportPage]:
        """What came of the paper's claims, and the page, theirs beside ours: both from the finished pieces."""

    def timings(self) -> Table | None:
        """How long trainings took; no part of the report, whose bytes do not depend on the machine."""
        return None

    @property
    def footer(self) -> str:
        """How the report was made, without the places of this machine, and from what."""
        data = " --data DIR" if self.digests else ""
        asked = self.request
        made = f"dragoman papers {asked.name}{data} --scale {asked.scale} --seed {asked.seed} -o OUT"
        files = "; ".join(f"`{name}` sha256 `{digest}`" for name, digest in sorted(self.digests.items()))
        return f"Made by `{made}`." + (f" Data: {files}." if files else "")


class Outcome(NamedTuple):
    """A finished run: the written files, the report first, and what was found."""

    written: list[Path]
    findings: list[Finding]


def run_study(kind: type[Study[Any]], request: Request, progress: Progress) -> Outcome:
    """Make what is not there yet and write the report, closed by the claims by verdict, into the output folder."""
    study = kind(request, progress)
    pieces = study.pieces()
    for number, piece in enumerate(pieces):
        progress(number, len(pieces), piece.name)
        study.cells.compute(piece.name, piece.make)
    progress(len(pieces), len(pieces), "writing the report")
    findings, page = study.report()
    closing = Section("Claims by verdict", [verdict_table(findings)])
    written = replace(page, sections=[*page.sections, closing]).save(request.output)
    if timings := study.timings():
        written.append(write_whole(request.output / "timings.csv", timings.to_csv()))
    return Outcome(written, findings)
