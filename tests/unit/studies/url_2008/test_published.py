from __future__ import annotations

from collections import Counter

import pytest

from dragoman.errors import UnknownName
from dragoman.languages import FIVE
from dragoman.studies.url_2008.published import (
    PublishedCell,
    check,
    inconsistent_cells,
    precision_from,
    published_cell,
    published_cells,
    published_confusion,
    published_figure,
    published_macro_f,
    published_pairs,
    published_sizes,
)


def the(cell: PublishedCell | None) -> PublishedCell:
    assert cell is not None
    return cell


def place(cell: PublishedCell) -> tuple[int, str, str, str, str | None]:
    return (cell.table, cell.test_set, cell.language, cell.algorithm, cell.features)


def test_table_7_has_every_feature_set_and_algorithm() -> None:
    cells = published_cells(7)
    assert len(cells) == len({place(cell) for cell in cells}) == 3 * 5 * (3 * 3 + 1)
    assert published_cell(7, "crawl", "de", "decision-tree", "words") is None


@pytest.mark.parametrize(("table", "count"), [(2, 5), (4, 18), (7, 150), (8, 24), (9, 24), (10, 20)])
def test_every_table_of_results_is_complete(table: int, count: int) -> None:
    assert len(published_cells(table)) == count


def test_a_cell_is_found_by_its_place() -> None:
    cell = the(published_cell(7, "crawl", "it", "naive-bayes", "words"))
    assert (cell.precision, cell.recall, cell.negative, cell.f) == (0.95, 1.0, 0.94, 0.97)
    assert the(published_cell(10, "directory", "de", "max-entropy", "words", "urls-and-content")).f == 0.70
    assert the(published_cell(9, "average", "average", "best-pair")).f == 0.93


def test_cctld_plus_is_cctld_outside_english() -> None:
    assert the(published_cell(4, "crawl", "en", "cctld-plus")).recall == 0.87
    assert the(published_cell(4, "crawl", "de", "cctld-plus")).f == the(published_cell(4, "crawl", "de", "cctld")).f


@pytest.mark.parametrize(
    ("test_set", "cctld", "plus", "bayes", "pair"),
    [
        ("directory", 0.55, 0.66, 0.88, 0.90),
        ("search", 0.79, 0.81, 0.96, 0.96),
        ("crawl", 0.45, 0.57, 0.90, 0.91),
    ],
)
def test_macro_averages_of_the_cells_are_the_published_ones(
    test_set: str, cctld: float, plus: float, bayes: float, pair: float
) -> None:
    def mean(table: int, algorithm: str, features: str | None = None) -> float:
        value = published_macro_f(table, test_set, algorithm, features)
        assert value is not None
        return round(value, 2)

    assert (mean(4, "cctld"), mean(4, "cctld-plus")) == (cctld, plus)
    assert (mean(7, "naive-bayes", "words"), mean(9, "best-pair")) == (bayes, pair)


def test_a_macro_average_with_a_lost_cell_is_none() -> None:
    assert published_macro_f(7, "search", "relative-entropy", "words") is None


def test_the_four_known_misprints_are_found() -> None:
    found = {place(cell) for cell in inconsistent_cells()}
    assert {
        (4, "search", "en", "cctld", None),
        (7, "directory", "fr", "decision-tree", "custom"),
        (7, "directory", "it", "relative-entropy", "custom"),
        (7, "search", "fr", "max-entropy", "custom"),
    } <= found


def test_the_other_inconsistent_cells_are_these() -> None:
    checked = {place(cell): check(cell) for cell in inconsistent_cells()}
    cut = {key for key, result in checked.items() if result.truncation_explains}
    assert cut == {(4, s, x, "cctld", None) for s in ("directory", "crawl") for x in ("fr", "es")}
    assert len(checked) == 11
    assert {
        (4, "search", "it", "cctld", None),
        (7, "crawl", "fr", "naive-bayes", "trigrams"),
        (7, "crawl", "it", "relative-entropy", "custom"),
    } <= set(checked)


def test_the_check_says_which_number_is_off_and_by_how_much() -> None:
    english = check(the(published_cell(4, "search", "en", "cctld")))
    assert english.f_is_off
    assert not english.precision_is_off
    assert english.f_recomputed == pytest.approx(0.682, abs=0.001)
    tree = check(the(published_cell(7, "directory", "fr", "decision-tree", "custom")))
    assert tree.precision_is_off
    assert tree.precision_range is not None
    assert tree.precision_range[1] < 0.5


def test_rounding_alone_never_makes_a_cell_inconsistent() -> None:
    for recall in range(1, 1000, 7):
        for negative in range(0, 1001, 13):
            r, n = recall / 1000, negative / 1000
            p = precision_from(r, n)
            cell = PublishedCell(7, "crawl", "en", "x", None, round(p, 2), round(r, 2), round(n, 2))
            assert not check(cell).precision_is_off


def test_accepting_everything_gives_two_thirds() -> None:
    assert precision_from(1.0, 0.0) == 0.5


def test_a_lost_cell_has_no_numbers_and_says_why() -> None:
    lost = [cell for cell in published_cells(7) if cell.f is None]
    assert len(lost) == 9
    assert all(cell.note and cell.stored for cell in lost)
    assert not check(lost[-1]).inconsistent


def test_sizes_add_up_as_the_paper_says() -> None:
    totals = Counter[str]()
    for (test_set, _), (_, test) in published_sizes().items():
        totals[test_set] += test
    assert totals == {"directory": 24647, "search": 4982, "crawl": 1260}


def test_the_diagonal_of_a_confusion_matrix_is_the_recall() -> None:
    for table, algorithm, source, features in (
        (3, "human", 2, None),
        (5, "cctld", 4, None),
        (5, "cctld-plus", 4, None),
        (6, "naive-bayes", 7, "words"),
    ):
        matrix = published_confusion(table, algorithm)
        for language in FIVE:
            recall = the(published_cell(source, "crawl", language, algorithm, features)).recall
            assert recall is not None
            assert matrix[language][language] == round(100 * recall)


def test_figures_of_the_text_and_pairs() -> None:
    assert published_figure("correlation-judges").value == 0.77
    assert published_figure("seen-domains-crawl-1").value == 0.18
    assert published_figure("test-urls-search").note
    pairs = published_pairs()
    assert set(pairs) == set(FIVE)
    assert pairs["es"].how == "and"
    assert pairs["it"].helper == "relative-entropy:words"


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="human-recall"):
        published_figure("human-recal")
    with pytest.raises(UnknownName, match="Known: 10, 2, 4"):
        published_cells(3)
    with pytest.raises(UnknownName, match="3, 5, 6"):
        published_confusion(7, "human")
    with pytest.raises(UnknownName, match="cctld-plus"):
        published_confusion(5, "cctld+")
