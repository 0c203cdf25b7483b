"""Any identifier on any labelled table, and on the tests that have a name."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

_PLACE = Path(__file__).parents[2] / "benchmarks" / "page_identifiers" / "judge.py"
#: By its place: the judge of URL models has the same name.
_SPEC = spec_from_file_location("page_identifiers_judge", _PLACE)
assert _SPEC is not None
assert _SPEC.loader is not None
judge = module_from_spec(_SPEC)
_SPEC.loader.exec_module(judge)


def test_a_test_is_found_by_its_name_where_somebody_has_it(tmp_path: Path) -> None:
    assert judge.place_of("flores", tmp_path) is None
    (tmp_path / "flores200_dataset" / "devtest").mkdir(parents=True)
    (tmp_path / "flores200_dataset" / "devtest" / "deu_Latn.devtest").write_text("Das ist ein Haus.\n")
    place = judge.place_of("flores", tmp_path)
    assert place is not None
    assert judge.labelled(place, None, 5) == [judge.Labelled("Das ist ein Haus.", "de")]
    assert judge.place_of("mine.tsv", tmp_path) == Path("mine.tsv")


@pytest.mark.parametrize("head", ["text\tlang", "sentence\tiso639-3", "content\tlabel"])
def test_columns_are_understood_as_publishers_call_them(tmp_path: Path, head: str) -> None:
    (tmp_path / "commonlid.tsv").write_text(f"{head}\nDas ist ein Haus.\tdeu\n")
    place = judge.place_of("commonlid", tmp_path)
    assert place is not None
    assert judge.labelled(place, None, 5) == [judge.Labelled("Das ist ein Haus.", "de")]


def test_a_test_that_is_not_there_is_told_and_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["judge.py", "wili", "--tests", str(tmp_path), "--methods", "text"])
    assert judge.main() == 0
    assert "wili: not there" in capsys.readouterr().err
