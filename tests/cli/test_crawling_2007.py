"""`dragoman papers crawling-2007` on very small webs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import cli
from dragoman.studies.claims import Finding, Verdict
from dragoman.studies.crawling_2007 import plan
from dragoman.studies.crawling_2007.plan import CrawlingPlan, jobs
from dragoman.studies.crawling_2007.study import CrawlingStudy
from dragoman.studies.study import Request, run_study

pytest.importorskip("matplotlib")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[list[Finding], Path]]:
    folder: Path = tmp_path_factory.mktemp("crawling")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(plan.SCALES, "small", CrawlingPlan("small", ((12_000, 2),), (12_000, 1)))
        patch.setattr(plan, "SWEEP", {"first": (0.85,), "gated": (0.06,)})
        request = Request("crawling-2007", folder, folder, "small", 0)
        yield run_study(CrawlingStudy, request, lambda finished, total, what: None).findings, folder


def about(findings: list[Finding], words: str) -> Finding:
    (finding_about,) = [finding for finding in findings if words in finding.claim]
    return finding_about


def test_the_study_needs_no_data_goes_on_where_it_stopped_and_comes_out_the_same(
    outcome: tuple[list[Finding], Path],
) -> None:
    findings, folder = outcome
    made = {path: path.stat().st_mtime_ns for path in folder.rglob("*.npz")}
    swept = sum(job.swept for job in jobs())
    assert len(made) == 2 * (len(jobs()) + 1) + 2 * (swept + 1)
    again = CliRunner().invoke(cli, ["papers", "crawling-2007", "--scale", "small", "-o", str(folder)])
    assert again.exit_code == 0, again.output
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.npz")} == made
    text = (folder / "report.md").read_text(encoding="utf-8")
    for finding in findings:
        assert finding.claim in text
    assert len(list((folder / "figures").glob("figure-*.svg"))) == 7


def test_what_webs_were_fitted_to_is_built_in_and_never_confirmed(outcome: tuple[list[Finding], Path]) -> None:
    for words in ("nearly 10 %", "about 70 %", "Some 70 %", "linked directly", "country's domain"):
        assert about(outcome[0], words).verdict is Verdict.BUILT_IN, words


def test_every_claim_has_its_section_and_theirs_and_ours(outcome: tuple[list[Finding], Path]) -> None:
    for finding in outcome[0]:
        assert finding.section
        if finding.verdict not in (Verdict.QUESTION, Verdict.UNTESTABLE):
            assert finding.theirs, finding.claim
            assert finding.ours, finding.claim


def test_theirs_have_intervals_from_their_counts(outcome: tuple[list[Finding], Path]) -> None:
    """59 of 344: Wilson's interval is 13.5 to 21.5 %."""
    assert "17.2 [13.5, 21.5] %" in about(outcome[0], "charset in META").theirs


def test_the_report_prints_no_figure_of_hard_focused_as_theirs_and_has_figures_as_png(
    outcome: tuple[list[Finding], Path],
) -> None:
    page = (outcome[1] / "report.md").read_text(encoding="utf-8")
    assert "89.50" not in page
    assert {path.suffix for path in (outcome[1] / "figures").iterdir()} == {".svg", ".png"}
    for table in ("Tables 2 and 3", "Figure 1 in numbers", "Other seeds", "With the errors of Tables 2 and 3"):
        assert table in page
