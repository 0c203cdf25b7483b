from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import cli
from dragoman.studies.crawling_2007 import plan
from dragoman.studies.crawling_2007.plan import CrawlingPlan, jobs
from dragoman.studies.crawling_2007.study import CrawlingStudy
from dragoman.studies.study import Request, run_study

TINY = CrawlingPlan("small", ((3000, 2),), model=False)


def test_the_study_needs_no_data_goes_on_where_it_stopped_and_comes_out_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(plan.SCALES, "small", TINY)
    request = Request("crawling-2007", tmp_path, tmp_path, "small", seed=0)
    found = run_study(CrawlingStudy, request, lambda finished, total, what: None).findings
    assert len(found) > 15
    assert all(one.claim and one.ruling.words and one.measured for one in found)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npz")}
    assert len(kept) == 2 * (len(jobs(TINY)) + 1)
    done = CliRunner().invoke(cli, ["papers", "crawling-2007", "--scale", "small", "-o", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.npz")} == kept
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    for statement in (one.claim for one in found):
        assert statement in text
    assert len(list((tmp_path / "figures").glob("figure-*.svg"))) == 7
