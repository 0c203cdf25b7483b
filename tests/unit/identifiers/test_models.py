from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.errors import BadModel, UnknownName, UsageError
from dragoman.identifiers import model_file as store
from dragoman.identifiers import models as shelf
from dragoman.identifiers.url.algorithms.cctld import CountryCode


def test_the_default_is_always_there() -> None:
    assert shelf.names()[0] == "default"
    assert {"cctld", "cctld-plus"} <= set(shelf.names())
    assert shelf.open_model().languages_


@pytest.mark.parametrize("name", shelf.names())
def test_every_model_opens_and_describes_itself(name: str) -> None:
    about = shelf.describe(name)
    model = shelf.open_model(name)
    assert about["languages"] == list(model.languages_)
    assert len(about["digest"]) == 64
    assert set(about) == set(shelf.describe("cctld"))
    if model.reads == "urls":
        assert model.predict(["http://www.zeitung.de/"]) == ["de"]


def test_a_model_file_is_opened_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.dragoman"
    digest = store.save(CountryCode.ready(("de", "fr")), path)
    assert shelf.open_model(path).languages_ == ("de", "fr")
    about = shelf.describe(str(path))
    assert about["digest"] == digest
    assert about["size"] == path.stat().st_size
    monkeypatch.chdir(tmp_path)
    path.rename("mine")
    assert shelf.open_model("mine").languages_ == ("de", "fr")


def test_a_file_beside_us_does_not_hide_a_known_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cctld").write_text("not a model")
    assert shelf.open_model("cctld").algorithm == "cctld"


def test_the_model_that_ships_is_the_default_and_knows_its_quality() -> None:
    found = shelf.describe("default")
    assert found["file"] == "default.dragoman"
    assert found["size"] <= 25_000_000
    assert len(found["languages"]) >= 60
    assert set(found["notes"]["judged"]["languages"]) == set(found["languages"])


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"Unknown model 'cctdl'.*Did you mean 'cctld'"):
        shelf.open_model("cctdl")


def test_a_path_without_a_model_is_a_bad_model(tmp_path: Path) -> None:
    with pytest.raises(BadModel, match="Cannot read"):
        shelf.open_model(tmp_path / "none.dragoman")


def test_a_model_of_texts_is_not_opened_for_urls() -> None:
    assert shelf.open_url_model("cctld") is shelf.open_model("cctld")
    with pytest.raises(UsageError, match="'text' reads text, not URLs"):
        shelf.open_url_model("text")
