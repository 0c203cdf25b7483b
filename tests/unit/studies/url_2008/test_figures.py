from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.made_corpus import write_corpus, write_table

from dragoman.columns import ByteColumn
from dragoman.errors import BadTable
from dragoman.evaluate.corpus import load_corpus
from dragoman.languages import FIVE
from dragoman.measures import Interval
from dragoman.studies.cells import Arrays, Cells
from dragoman.studies.claims import Verdict
from dragoman.studies.study import Request
from dragoman.studies.url_2008.figures import UrlFigures
from dragoman.studies.url_2008.findings import findings
from dragoman.studies.url_2008.plan import CCTLD_PLUS, NB_WORDS, SCALES, UrlCell, all_cells
from dragoman.studies.url_2008.preliminary import METHODS, MarkovChain
from dragoman.studies.url_2008.protocols import PROTOCOLS, Protocol, split
from dragoman.studies.url_2008.published import published_pairs
from dragoman.studies.url_2008.study import UrlStudy, read_texts
from dragoman.studies.url_2008.tables import counted
from dragoman.studies.url_2008.tallies import TOKENS, has_token, hyphens

PLAN = replace(SCALES["small"], rounds=30)


def share_wrong(cell: UrlCell) -> float:
    """How bad a pretended classifier is: the paper's findings, made true."""
    if cell.algorithm == "cctld-plus":
        return 0.5
    if cell.content == "content" and cell.features == "words":
        return 0.4
    if cell.features == "words" and cell.share < 1:
        return 0.3
    if cell.features == "trigrams":
        return 0.15
    if cell.features == "placed-words":
        return 0.0
    return 0.02 if cell.features == "words" else 0.35


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> UrlFigures:
    """A study whose scores are made up: the truth, with some rows answered wrongly."""
    folder = tmp_path_factory.mktemp("study")
    corpus = load_corpus(write_corpus(folder / "urls", per_language=60, tests=("crawl", "news")), FIVE)
    cells = Cells(folder, {})

    def pretended(cell: UrlCell, number: int) -> Arrays:
        rng = np.random.default_rng(number)
        found: Arrays = {"seconds": np.array(1.5)}
        for name, test in corpus.tests.items():
            wrong = rng.random(len(test)) < share_wrong(cell)
            answer = np.where(wrong, (test.truth + 1) % len(FIVE), test.truth)
            found[name] = np.where(answer[:, None] == np.arange(len(FIVE)), 1, -1).astype(np.float32)
        return found

    shares = len(PLAN.pool_sizes)
    leads = np.stack([np.linspace(0.7, 0.9, shares), np.linspace(0.8, 0.85, shares)])  # words, trigrams
    for name in PROTOCOLS:
        made = {"f": np.repeat(leads[:, None], 3, axis=1), "seen": np.array(0.5), "sizes": np.array([900, 100])}
        cells.compute(f"protocol/{name}", lambda made=made: made)  # type: ignore[misc]
    cells.compute("hyphens", lambda: {"means": np.array([0.1, 0.5, 0.1, 0.1, 0.1])})
    shares_of_tokens = {f"{kind}/{token}": np.array([0.6, value]) for kind, value in (("url", 0.99), ("content", 0.8))
                        for token in TOKENS}  # fmt: skip
    cells.compute("shares", lambda: shares_of_tokens)
    answers = {f"{method}/{name}": test.truth for method in METHODS for name, test in corpus.tests.items()}
    cells.compute("preliminary", lambda: answers)
    greedy = {"language": np.array(["de"]), "feature": np.array(["host code de"]), "f": np.array([0.8])}
    cells.compute("greedy", lambda: greedy)
    for number, cell in enumerate(all_cells(PLAN)):
        cells.compute(cell.name, lambda cell=cell, number=number: pretended(cell, number))  # type: ignore[misc]
    return UrlFigures(corpus, PLAN, cells, has_text=True)


def test_figures_are_of_the_judge_half_and_of_the_five_languages(figures: UrlFigures) -> None:
    test = figures.tests["crawl"]
    rows = figures.rows("crawl")
    assert not np.any(rows & figures.rows("crawl", "tune"))
    assert np.array_equal(rows, test.judge & (test.truth >= 0))
    assert np.array_equal(figures.rows("crawl", closed=False), test.judge)
    perfect = test.truth[:, None] == np.arange(5)
    assert figures.macro(perfect, "crawl") == 1.0
    spoilt = perfect ^ ~rows[:, None]
    assert figures.macro(spoilt, "crawl") == 1.0, "rows outside must not count"
    opened = figures.judgements(spoilt, "crawl", closed=False)
    assert all(one.negative_success < 1 for one in opened)


def test_the_best_single_classifier_and_the_pairs_are_chosen_on_the_tuning_halves(figures: UrlFigures) -> None:
    assert figures.best_single.features == "words"
    assert figures.best_single in figures.members
    assert len(figures.rules) == len(FIVE)
    names = {cell.classifier for cell in figures.members}
    assert all({rule.main, rule.helper} <= names for rule in figures.rules)
    assert figures.combined("crawl").shape == figures.answers(NB_WORDS, "crawl").shape


def test_the_papers_own_pairs_can_be_made_from_the_members(figures: UrlFigures) -> None:
    rules = published_pairs()
    assert set(rules) == set(FIVE)
    assert figures.combined("crawl", [rules[language] for language in FIVE]).shape[1] == len(FIVE)


def test_an_interval_holds_its_value_and_a_difference_to_itself_is_nothing(figures: UrlFigures) -> None:
    said = figures.answers(CCTLD_PLUS, "crawl")
    found = figures.interval(said, "crawl")
    assert found.low <= found.value <= found.high
    assert found.value == pytest.approx(figures.macro(said, "crawl"))
    same = figures.interval(said, "crawl", said)
    assert (same.low, same.value, same.high) == (0, 0, 0)


def test_more_training_sees_more_sites(figures: UrlFigures) -> None:
    shares = list(figures.seen_share("crawl").values())
    assert shares == sorted(shares)
    test = figures.tests["crawl"]
    assert shares[-1] == pytest.approx(float((~test.unseen)[figures.rows("crawl")].mean()))


def test_curves_have_a_point_per_size(figures: UrlFigures) -> None:
    points = figures.curve("words", "naive-bayes", "crawl")
    assert list(points) == [*PLAN.sizes, 1.0]
    assert np.mean(points[PLAN.sizes[0]]) < np.mean(points[1.0])


def test_findings_follow_from_the_figures(figures: UrlFigures) -> None:
    by_claim = {one.claim: one for one in findings(figures)}
    for start in ("Machine learning", "Words beat", "Training on content", "Trigrams beat", "Hyphens", "The reason"):
        (found,) = (one for claim, one in by_claim.items() if claim.startswith(start))
        assert found.verdict is Verdict.CONFIRMED, start
    for one in findings(figures):
        assert one.section
        assert one.theirs or one.verdict is not Verdict.CONFIRMED
        assert one.measured
        assert one.evidence
        for label, by_test in one.evidence:
            assert label
            assert isinstance(by_test, dict)
            assert set(by_test) <= {"crawl", "news"}


def test_urls_that_do_not_suffice_are_refused_with_what_is_missing(tmp_path: Path) -> None:
    def refused(folder: Path, match: str, scale: str = "small") -> None:
        with pytest.raises(BadTable, match=match):
            UrlStudy(Request("url-2008", folder, tmp_path / "out", scale, seed=0), lambda *_: None)

    refused(write_corpus(tmp_path / "a", tests=("news",)), r"has dev_news\.parquet; the study needs dev_crawl\.parquet")
    refused(write_corpus(tmp_path / "b", per_language=400), r"of which a sample of 1 % lacks a language")
    columns = {"url": ["http://a.de/"], "lang": ["de"], "site": ["a.de"]}
    (tmp_path / "c").mkdir()
    for name in ("train", "dev_crawl"):
        write_table(tmp_path / "c" / f"{name}.parquet", columns)
    refused(tmp_path / "c", r"train\.parquet \(1 URLs drawn\) has no URL labelled en, fr, es, it", "full")


def test_text_is_used_only_where_every_language_has_some(tmp_path: Path) -> None:
    path = write_table(tmp_path / "text.parquet", {"text": ["ein Text", "a text"], "lang": ["de", "en"]})
    assert read_texts(path, ("en", "de")) == {"en": ["a text"], "de": ["ein Text"]}
    assert read_texts(path, ("en", "fr")) == {}
    assert read_texts(tmp_path / "none.parquet", ("en",)) == {}


def test_the_papers_pool_is_even_and_split_by_url_and_ours_by_site(figures: UrlFigures) -> None:
    pool = figures.corpus.train
    train, test = split(pool, Protocol(), len(FIVE), seed=0)
    assert not set(train) & set(test)
    sizes = np.bincount(pool.truth[np.concatenate([train, test])])
    assert len(set(sizes.tolist())) == 1
    apart, held = split(pool, Protocol(by_site=True, even=False, cap=1), len(FIVE), seed=0)
    assert not set(pool.sites[apart]) & set(pool.sites[held])
    assert max(np.bincount(pool.sites[np.concatenate([apart, held])])) == 1


def test_a_markov_chain_is_its_formula() -> None:
    chain = MarkovChain(["ab", "ac"], [0, 1], 2)
    # Trigrams _ab, ab_ and _ac, ac_; the characters behind two others are b, c and _.
    seen, unseen = (1 + 0.1) / (1 + 0.3), 0.1 / (1 + 0.3)
    never = 0.1 / 0.3
    assert chain.log_probabilities("ab").tolist() == pytest.approx([2 * np.log(seen), np.log(unseen) + np.log(never)])
    assert (chain.answer("ab"), chain.answer("ac"), chain.answer("")) == (0, 1, -1)


def test_tokens_and_hyphens_are_counted(figures: UrlFigures) -> None:
    rows = ByteColumn.from_rows(["http://a.it/x-y", "http://it.a.com/", "http://item.com/"])
    assert has_token(rows, "it").tolist() == [True, True, False]
    assert hyphens(figures.corpus)["means"].shape == (len(FIVE),)


def test_their_shares_have_intervals_from_the_printed_counts() -> None:
    recall, negative = counted("crawl", "es", 0.95, 0.80)  # 18 of 19 Spanish URLs, and 1,241 others
    assert isinstance(recall, Interval)
    assert isinstance(negative, Interval)
    assert recall.low < 0.8 < 0.95 < recall.high
    assert negative.high - negative.low < 0.05
    assert counted("nowhere", "es", 0.95, None) == (0.95, None)
