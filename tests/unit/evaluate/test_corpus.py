from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from tests.made_corpus import write_corpus, write_table

from dragoman.errors import BadTable
from dragoman.evaluate.corpus import USUAL, capped, load_corpus
from dragoman.languages import FIVE


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("corpus"), tests=("other", "crawl", "news", "directory"))


def test_test_sets_come_in_the_papers_order_and_others_after(folder: Path) -> None:
    assert tuple(load_corpus(folder, FIVE).tests) == (*USUAL, "other")


def test_a_test_set_of_another_kind_without_sites_is_left_out(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    columns = {"kind": ["phrase"], "url": ["http://example.org/hallo"], "lang": ["de"], "half": ["judge"]}
    write_table(tmp_path / "dev_sense.parquet", columns)
    assert tuple(load_corpus(tmp_path, FIVE).tests) == ("crawl",)


def test_no_site_gives_more_rows_than_the_cap(folder: Path) -> None:
    corpus = load_corpus(folder, FIVE, cap=2)
    assert max(Counter(corpus.train.sites.tolist()).values()) == 2
    assert len(corpus.train) < len(load_corpus(folder, FIVE, cap=30).train)


def test_a_cap_keeps_all_of_a_small_site_and_draws_from_a_large_one() -> None:
    sites = np.array([5] * 100 + [6] * 2)
    drawn = [capped(sites, 3, np.random.default_rng(seed)) for seed in range(2)]
    assert all(mask[:100].sum() == 3 and mask[100:].all() for mask in drawn)
    assert not np.array_equal(drawn[0], drawn[1])
    assert not len(capped(np.empty(0, np.int64), 3, np.random.default_rng(0)))


def test_a_share_is_drawn_by_the_seed(folder: Path) -> None:
    whole = load_corpus(folder, FIVE)
    parts = [load_corpus(folder, FIVE, share=0.5, seed=seed) for seed in (0, 0, 1)]
    assert {len(part.train) for part in parts} == {len(whole.train) // 2}
    first, again, other = ([*part.train.urls] for part in parts)
    assert first == again != other
    assert set(first) <= set(whole.train.urls)


def test_training_rows_are_of_the_languages_and_test_sets_keep_the_others(folder: Path) -> None:
    corpus = load_corpus(folder, ("it", "en"))
    assert set(corpus.train.truth.tolist()) == {0, 1}
    labels = pq.read_table(folder / "dev_crawl.parquet")["lang"].to_pylist()
    assert corpus.tests["crawl"].truth.tolist() == [{"it": 0, "en": 1}.get(label, -1) for label in labels]


def test_halves_unseen_sites_and_site_numbers_are_those_of_the_file(folder: Path) -> None:
    corpus = load_corpus(folder, FIVE)
    table, test = pq.read_table(folder / "dev_crawl.parquet"), corpus.tests["crawl"]
    assert test.judge.tolist() == [half == "judge" for half in table["half"].to_pylist()]
    assert test.unseen.tolist() == table["site_unseen"].to_pylist()
    assert np.isin(test.sites, corpus.train.sites).tolist() == [not unseen for unseen in test.unseen.tolist()]


def test_rows_that_are_taken_stay_together(folder: Path) -> None:
    test = load_corpus(folder, FIVE).tests["crawl"]
    part = test.take(np.array([5, 2]))
    assert [*part.urls] == [test.urls[5], test.urls[2]]
    assert part.truth.tolist() == test.truth[[5, 2]].tolist()
    assert part.judge.tolist() == test.judge[[5, 2]].tolist()


def test_digests_are_those_of_the_files(folder: Path) -> None:
    digests = load_corpus(folder, FIVE).digests
    assert set(digests) == {"train.parquet", *(f"dev_{name}.parquet" for name in (*USUAL, "other"))}
    assert digests["train.parquet"] == hashlib.sha256((folder / "train.parquet").read_bytes()).hexdigest()


def test_without_halves_everything_judges_and_without_marks_all_sites_count_as_seen(tmp_path: Path) -> None:
    columns = {"url": ["http://a.de/", "http://b.fr/"], "lang": ["de", "fr"], "site": ["a.de", "b.fr"]}
    for name in ("train", "dev_x"):
        write_table(tmp_path / f"{name}.parquet", columns)
    test = load_corpus(tmp_path, ("de", "fr")).tests["x"]
    assert test.judge.all()
    assert not test.unseen.any()


def test_a_folder_of_another_shape_is_refused_with_what_is_needed(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match=r"needs train\.parquet and at least one dev_<name>\.parquet"):
        load_corpus(tmp_path, FIVE)
    for name in ("train", "dev_x"):
        write_table(tmp_path / f"{name}.parquet", {"url": ["http://a.de/"], "lang": ["de"]})
    with pytest.raises(BadTable, match=r"no column 'site' \(found: url, lang\)"):
        load_corpus(tmp_path, FIVE)
