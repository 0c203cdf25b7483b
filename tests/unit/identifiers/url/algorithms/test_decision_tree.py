from __future__ import annotations

import re

import numpy as np
import pytest

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.url.algorithms.custom_columns import SELECTION, CustomColumns
from dragoman.identifiers.url.algorithms.decision_tree import DecisionTree, walk
from dragoman.identifiers.url.custom_features import Dictionaries, word_keys

LANGUAGES = ("de", "en")


@pytest.fixture(scope="module")
def small() -> DecisionTree:
    """A tree over a dictionary of four words, grown on URLs that one word or one domain tells apart."""
    dictionaries = Dictionaries.from_words(
        LANGUAGES,
        {
            ("code", "de"): word_keys(["de"]),
            ("code", "en"): word_keys(["uk"]),
            ("spelling", "de"): word_keys(["haus", "wald"]),
            ("spelling", "en"): word_keys(["house", "wood"]),
        },
    )
    columns = CustomColumns.over(SELECTION, "counts", dictionaries)
    urls = ["http://a.de/x", "http://b.com/haus", "http://c.com/wald"] * 10
    urls += ["http://a.uk/x", "http://b.com/house", "http://c.com/yy"] * 10
    truth = np.repeat(np.array([0, 1], np.int64), 30)
    model = DecisionTree(smallest_leaf=1)
    model.languages_ = LANGUAGES
    return model.fit_counts(columns.counts(ByteColumn.from_rows(urls))[0], truth, columns)


def test_a_tree_reads_as_tests_and_answers(small: DecisionTree) -> None:
    assert list(small.lines("de")) == [
        "if spelling de > 0.5:",
        "  yes (100% are de)",
        "else:",
        "  if host code de > 0.5:",
        "    yes (100% are de)",
        "  else:",
        "    no (0% are de)",
    ]


def test_the_lines_of_a_tree_decide_as_its_scores_do(small: DecisionTree) -> None:
    urls = ["http://x.de/", "http://x.com/wald", "http://x.com/wood", "http://x.com/", "http://x.uk/haus"]
    for language in LANGUAGES:
        lines = list(small.lines(language))
        counts = small.columns_.counts(ByteColumn.from_rows(urls))[0]
        for row, yes in zip(counts.tolist(), small.scores(urls).restricted([language]).yes[:, 0], strict=True):
            assert follow(lines, dict(zip(small.columns_.names, row, strict=True))) == yes


def follow(lines: list[str], values: dict[str, float]) -> bool:
    """The answer of printed lines: a reader's way down."""
    at, depth = 0, 0
    while True:
        line = lines[at].strip()
        if line.startswith(("yes", "no")):
            return line.startswith("yes")
        match = re.fullmatch(r"if (.+) > ([-\d.e]+):", line)
        assert match
        at += 1
        if not values[match[1]] > float(match[2]):
            while lines[at] != "  " * depth + "else:":
                at += 1
            at += 1
        depth += 1


def test_every_line_of_a_tree_is_a_test_an_else_or_an_answer(small: DecisionTree) -> None:
    for language in LANGUAGES:
        for line in small.lines(language):
            assert re.fullmatch(rf" *(if .+ > \S+:|else:|(yes|no) \(\d+% are {language}\))", line)


def test_the_number_of_leaves_is_limited(small: DecisionTree) -> None:
    counts = np.random.default_rng(0).integers(0, 5, (400, len(small.columns_.names))).astype(np.float32)
    truth = np.random.default_rng(1).integers(0, 2, 400)
    for leaves in (2, 6, 20):
        model = DecisionTree(leaves=leaves, smallest_leaf=1)
        model.languages_ = LANGUAGES
        model.fit_counts(counts, truth, small.columns_)
        assert [sum(not line.strip().startswith(("if", "else")) for line in model.lines(tag)) for tag in LANGUAGES] == [
            leaves
        ] * 2


def test_walking_together_is_walking_alone(small: DecisionTree) -> None:
    counts = np.random.default_rng(5).integers(0, 3, (50, len(small.columns_.names))).astype(np.float32)
    for tree in small.trees_:
        together = walk(tree, counts)
        assert [int(walk(tree, counts[row : row + 1])[0]) for row in range(50)] == together.tolist()
        assert (tree["feature"][together] == -1).all()


def test_an_unknown_language_has_no_tree(small: DecisionTree) -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        list(small.lines("fr"))


@pytest.mark.parametrize("features", ["words", "trigrams"])
def test_other_features_are_refused_in_one_line(features: str) -> None:
    with pytest.raises(UsageError, match=rf"needs 'custom-selected' or 'custom' features, not '{features}'"):
        DecisionTree(features=features).fit(["http://a.de/", "http://b.com/"], ["de", "en"])


def test_with_little_data_a_tree_looks_at_the_domain_and_not_at_words_that_occur_once() -> None:
    urls = [f"http://{'q' * (3 + n // 2)}.{('za', 'vn')[n % 2]}/" for n in range(40)]
    model = DecisionTree().fit(urls, ["af", "vi"] * 20)
    assert next(iter(model.lines("vi"))) in ("if host code vi > 0.5:", "if host code af > 0.5:")
    assert model.predict(["http://zz.vn/", "http://zz.za/"]) == ["vi", "af"]
