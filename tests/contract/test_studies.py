"""Every registered study against the rules of the family."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.added_packages import added_package

from dragoman.registry import subclass_problem
from dragoman.studies import STUDIES
from dragoman.studies.published import published_figures
from dragoman.studies.study import Study


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_has_both_scales_its_paper_and_a_line_about_it(name: str) -> None:
    study = STUDIES[name]
    assert subclass_problem(study, Study) is None
    assert {"full", "small"} <= set(study.scales)
    assert all(plan.name == scale for scale, plan in study.scales.items())
    assert STUDIES.about(name)
    assert study.__doc__


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_has_the_published_figures_in_its_folder(name: str) -> None:
    package = STUDIES[name].__module__.rpartition(".")[0]
    document = published_figures(package)
    assert document["format"] == "dragoman-published/1"
    assert document["paper"]["title"]
    assert document["paper"]["authors"]


MINE = '''
import numpy as np
from dragoman.report.html import ReportPage, Section
from dragoman.studies.claims import Finding, whether
from dragoman.studies.study import Piece, Study


class CoinStudy(Study):
    """A paper about coins."""

    scales = {"small": 2, "full": 3}

    def pieces(self):
        return [Piece(f"throw/{n}", lambda: {"heads": np.arange(10) % 2}) for n in range(self.plan)]

    def report(self):
        share = np.mean([self.cells.get(piece.name)["heads"] for piece in self.pieces()])
        page = ReportPage("Coins", [Section("Heads", [str(share)])], footer=self.footer)
        return [Finding("A coin is fair.", whether(share == 0.5), section="1", theirs=".5", ours=f"{share:.2f}")], page


class OneScale(CoinStudy):
    scales = {"small": 2}


class NoStudy:
    pass
'''


def papers(environment: dict[str, str], *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dragoman", "papers", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)


def test_a_study_of_another_package_is_listed_and_run(tmp_path: Path) -> None:
    environment = added_package(tmp_path / "mine", "coins", MINE, "dragoman.studies", coins_2026="CoinStudy")
    assert "coins-2026     A paper about coins." in papers(environment).stdout
    out = tmp_path / "out"
    finished = papers(environment, "coins-2026", "--scale", "small", "-o", out)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines() == [str(out / "report.html"), str(out / "report.md")]
    assert finished.stderr.splitlines()[1:] == [
        "Claims by verdict",
        "",
        "Verdict       Section  Claim            Theirs  Ours",
        "---------  -  -------  ---------------  ------  ----",
        "confirmed  1  1        A coin is fair.  .5      0.50",
        "",
        "1 claim: 1 confirmed.",
    ]


@pytest.mark.parametrize(
    ("attribute", "problem"),
    [("NoStudy", "NoStudy is no subclass of Study"), ("OneScale", "OneScale has no plan for the scale full")],
)
def test_a_study_that_cannot_be_run_is_refused_in_one_line(tmp_path: Path, attribute: str, problem: str) -> None:
    environment = added_package(tmp_path / "mine", "coins", MINE, "dragoman.studies", coins_2026=attribute)
    refused = papers(environment, "coins-2026", "-o", tmp_path / "out")
    assert refused.returncode != 0
    assert problem in refused.stderr
    assert refused.stderr.count("\n") == 1
