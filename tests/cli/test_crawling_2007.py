from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import cli
from dragoman.studies.crawling_2007 import plan
from dragoman.studies.crawling_2007.figures import Figures, Spread
from dragoman.studies.crawling_2007.findings import findings
from dragoman.studies.crawling_2007.plan import Plan
from dragoman.studies.crawling_2007.study import run_study

TINY = Plan("small", ((3000, 2),), model=False)


def test_the_study_needs_no_data_goes_on_where_it_stopped_and_comes_out_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(plan.SCALES, "small", TINY)
    study = run_study(tmp_path, "small", lambda done, total, what: None)
    figures = Figures(study)
    found = list(findings(figures))
    assert len(found) > 15
    assert all(one.claim and one.verdict and one.measured for one in found)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npz")}
    assert len(kept) == 2 * (len(study.jobs) + 1)
    done = CliRunner().invoke(cli, ["papers", "crawling-2007", "--scale", "small", "-o", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npz")} == kept
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    for statement in (one.claim for one in found):
        assert statement in text
    assert len(list((tmp_path / "figures").glob("figure-*.svg"))) == 7


def test_a_spread_is_told_in_percent() -> None:
    assert Spread.of([0.5, 0.5]).text() == "50.0"
    assert Spread.of([0.5, 0.6]).text() == "55.0 [50.0, 60.0]"
    assert Spread.of([0.5, float("nan")]).text() == "never reached"
