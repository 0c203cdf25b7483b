"""`dragoman papers hmm-2004` on made-up text: the whole way from files to the report."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from tests.made_text import write_texts

from dragoman.cli.main import cli
from dragoman.identifiers.text.algorithms.hmm.symbols import Alphabet
from dragoman.languages import FIVE
from dragoman.studies.hmm_2004 import draws, plan, study
from dragoman.studies.hmm_2004.draws import AVERAGES, cut, drawn_length
from dragoman.studies.hmm_2004.figures import published, published_confusion
from dragoman.studies.hmm_2004.plan import CHANGES, METHODS, SCALES, HmmPlan, all_cells
from dragoman.studies.hmm_2004.tracking import PARTS, compose
from dragoman.studies.text_draws import LENGTHS, load_texts

TINY = HmmPlan("small", draws=1, per_language=4, documents=1, states=(1, 3))


def run(*args: str | Path) -> Result:
    return CliRunner().invoke(cli, ["papers", "hmm-2004", *map(str, args)])


@pytest.mark.slow
def test_the_study_writes_its_report_and_goes_on_from_its_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(plan.SCALES, "small", TINY)
    monkeypatch.setattr(study, "CHARACTERS", 1_000)
    data, out = write_texts(tmp_path / "text"), tmp_path / "out"
    args = ("--data", data, "--scale", "small", "-o", out)
    result = run(*args)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.splitlines() == [str(out / "report.html"), str(out / "report.md")]
    page = (out / "report.md").read_text(encoding="utf-8")
    for needle in ("theirs", "Table 1.", "Table 2.", "Table 4.", "Table 5", "hybrid", "penalty", "Baum-Welch"):
        assert needle in page, needle
    assert not re.search(r"\bnan\b", page)
    assert str(tmp_path) not in page
    pieces = list(out.rglob("*.npz"))
    assert len(pieces) == len(all_cells(TINY)) + len(PARTS) + TINY.draws
    pieces[0].unlink()
    assert run(*args).exit_code == 0
    assert (out / "report.md").read_text(encoding="utf-8") == page


def test_cells_have_names_of_their_own() -> None:
    for one in SCALES.values():
        cells = all_cells(one)
        assert len({cell.name for cell in cells}) == len(cells)
        assert {*CHANGES.values(), *METHODS.values()} <= set(cells)


def test_lengths_are_drawn_with_the_papers_averages() -> None:
    rng = np.random.default_rng(0)
    for lengths in LENGTHS:
        found = [drawn_length(lengths, rng) for _ in range(4000)]
        assert lengths[0] <= min(found) <= max(found) <= lengths[1]
        assert np.mean(found) == pytest.approx(AVERAGES[lengths], abs=3)


def test_training_text_has_the_wanted_size_in_every_language(tmp_path: Path) -> None:
    texts = load_texts(write_texts(tmp_path), FIVE)
    for domain in ("pages", "sentences"):
        drawn = draws.training(texts, 0, 2_000, domain)
        for language in FIVE:
            own = [text for text, label in zip(drawn.texts, drawn.labels, strict=True) if label == language]
            assert sum(len(text) + 1 for text in own) == pytest.approx(2_000, abs=2)
    assert draws.training(texts, 0, 2_000) == draws.training(texts, 0, 2_000)
    assert draws.training(texts, 0, 2_000) != draws.training(texts, 1, 2_000)


def test_capitals_and_marks_are_symbols_of_their_own_where_asked(tmp_path: Path) -> None:
    texts = load_texts(write_texts(tmp_path), FIVE)
    clean, case, marks = (draws.training(texts, 0, 2_000, writing=name) for name in draws.WRITINGS)
    alphabets = [Alphabet.of(drawn.texts).size for drawn in (clean, case, marks)]
    assert alphabets[0] == 60
    assert alphabets[1] > alphabets[0]
    assert any("а" <= letter <= "щ" for text in case.texts for letter in text), "capitals have stand-ins"
    assert not any(letter.isupper() for text in case.texts for letter in text)


def test_documents_change_their_language_at_every_part(tmp_path: Path) -> None:
    texts = load_texts(write_texts(tmp_path), FIVE)
    for one in compose(texts, 0, "judge", 3):
        assert len(one.spans) == 10
        assert all(a.language != b.language for a, b in pairwise(one.spans))
        assert one.spans[-1].end == len(one.text)


def test_a_text_is_cut_at_the_nearest_end_of_a_word() -> None:
    assert cut("aaa bbb ccc", 7) == "aaa bbb"
    assert cut("aaaaaaaaaa", 3) == "aaaaaaaaaa"


def test_the_published_rates_are_means_of_languages() -> None:
    matrix = published_confusion(5, "hmm/1")
    assert np.mean([matrix[language][language] for language in FIVE]) == pytest.approx(95, abs=0.5)
    assert published(4)["rates"]["all"]["hmm/1"]["20-100"] == 0.95


def test_what_is_missing_is_told_in_one_line(tmp_path: Path) -> None:
    result = run("--data", tmp_path, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
