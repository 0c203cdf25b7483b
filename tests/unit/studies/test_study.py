"""The frame, with the smallest study that there can be."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from dragoman.report.html import ReportPage, Section
from dragoman.report.tables import Column, Table
from dragoman.studies.cells import Arrays
from dragoman.studies.claims import Finding, whether
from dragoman.studies.study import Outcome, Piece, Progress, Request, Study, run_study


class CoinStudy(Study[int]):
    scales: ClassVar = {"small": 2, "full": 20}
    made: ClassVar[list[str]] = []

    def load(self, progress: Progress) -> None:
        progress(0, 1, "reading the coin")

    def pieces(self) -> Sequence[Piece]:
        return [Piece(f"throw/{number}", partial(self._throw, number)) for number in range(self.plan)]

    def _throw(self, number: int) -> Arrays:
        if number == 1 and "stop" in self.made:
            self.made.remove("stop")
            raise KeyboardInterrupt
        self.made.append(f"throw/{number}")
        return {"heads": np.random.default_rng([self.seed, number]).integers(0, 2, 100)}

    def report(self) -> tuple[list[Finding], ReportPage]:
        share = float(np.mean([self.cells.get(piece.name)["heads"] for piece in self.pieces()]))
        page = ReportPage("Coins", [Section("Heads", [f"{share:.3f}"])], footer=self.footer)
        return [Finding("A coin is fair.", whether(abs(share - 0.5) < 0.2), section="1")], page

    def timings(self) -> Table:
        return Table("Times", [Column("throws", "count")], [[self.plan]])


@pytest.fixture(autouse=True)
def _nothing_made() -> None:
    CoinStudy.made.clear()


def run(folder: Path, told: list[str], seed: int = 0, scale: str = "small") -> Outcome:
    request = Request("coin", folder / "none", folder, scale, seed)
    return run_study(CoinStudy, request, lambda finished, total, what: told.append(f"{finished}/{total} {what}"))


def test_pieces_are_made_in_order_told_and_read_by_the_report(tmp_path: Path) -> None:
    told: list[str] = []
    outcome = run(tmp_path, told)
    assert told == ["0/1 reading the coin", "0/2 throw/0", "1/2 throw/1", "2/2 writing the report"]
    names = ["report.html", "report.md", "claims-by-verdict.csv", "timings.csv"]
    assert [path.name for path in outcome.written] == names
    assert [finding.claim for finding in outcome.findings] == ["A coin is fair."]
    assert "Made by `dragoman papers coin --scale small --seed 0 -o OUT`." in (tmp_path / "report.md").read_text()


def test_a_report_ends_with_its_claims_by_verdict(tmp_path: Path) -> None:
    run(tmp_path, [])
    closing = (tmp_path / "report.md").read_text().rpartition("## ")[2]
    assert closing.startswith("Claims by verdict\n")
    assert "| confirmed | 1 | 1 | A coin is fair. |" in closing


def test_an_interrupted_run_goes_on_where_it_stopped_and_comes_out_the_same(tmp_path: Path) -> None:
    CoinStudy.made.append("stop")
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "one", [])
    assert not (tmp_path / "one" / "report.md").exists()
    run(tmp_path / "one", [])
    assert CoinStudy.made == ["throw/0", "throw/1"]
    run(tmp_path / "other", [])
    reports = [(tmp_path / name / "report.html").read_bytes() for name in ("one", "other")]
    assert reports[0] == reports[1]


def test_another_seed_or_scale_makes_its_own_pieces(tmp_path: Path) -> None:
    run(tmp_path, [])
    run(tmp_path, [], seed=1)
    run(tmp_path, [], scale="full")
    assert len(CoinStudy.made) == 2 + 2 + 20
