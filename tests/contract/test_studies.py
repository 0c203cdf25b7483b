"""Every registered study against the rules of the family."""

from __future__ import annotations

import pytest

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
