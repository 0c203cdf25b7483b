"""The sharpness of each context, chosen so that the worst of several sets is judged best."""

from __future__ import annotations

import numpy as np
from context_calibration import refined_sharpness

from dragoman.identifiers.url.parts.classifier import coarse_contexts
from dragoman.kernels.parts import CONTEXTS
from dragoman.measures import expected_calibration_error


def test_overconfident_contexts_become_modest_and_others_stay() -> None:
    rng = np.random.default_rng(3)
    contexts = np.repeat(np.array([2, 14], np.uint8), 4_000)
    matrix = rng.normal(0, 3, (8_000, 4)).astype(np.float32)
    true_factor = np.where(contexts == 2, 1.0, 0.5)
    chances = np.exp(matrix * true_factor[:, None])
    chances /= chances.sum(axis=1, keepdims=True)
    truth = (rng.random(8_000)[:, None] > chances.cumsum(axis=1)).sum(axis=1).clip(max=3)
    right = matrix.argmax(axis=1) == truth
    sets = np.where(contexts == 2, "home pages", "articles")
    found = refined_sharpness(np.ones(CONTEXTS, np.float32), matrix, contexts, right, sets)
    assert 0.4 < found[14] < 0.65
    assert 0.85 < found[2] < 1.15
    of = np.arange(CONTEXTS, dtype=np.uint8)
    assert set(found[coarse_contexts(of) == coarse_contexts(of)[14]].tolist()) == {found[14]}
    stated = 1 / np.exp((matrix - matrix.max(axis=1, keepdims=True)) * found[contexts][:, None]).sum(axis=1)
    assert expected_calibration_error(stated, right) < 0.03


def test_rows_without_evidence_change_nothing() -> None:
    matrix = np.full((5, 3), np.nan, np.float32)
    start = np.linspace(0.5, 1.5, CONTEXTS).astype(np.float32)
    some = np.concatenate([matrix, np.eye(3, dtype=np.float32)])
    found = refined_sharpness(
        start, some, np.zeros(8, np.uint8), np.array([False] * 5 + [True] * 3), np.array(["a"] * 8)
    )
    assert found[8:].tolist() == start[8:].tolist()


def test_home_pages_that_promise_too_much_do_not_make_up_for_articles_that_promise_too_little() -> None:
    rng = np.random.default_rng(5)
    contexts = np.repeat(np.array([2, 26], np.uint8), 6_000)
    matrix = rng.normal(0, 2, (12_000, 5)).astype(np.float32)
    chances = np.exp(matrix * np.where(contexts == 2, 0.6, 1.5)[:, None])
    chances /= chances.sum(axis=1, keepdims=True)
    truth = (rng.random(12_000)[:, None] > chances.cumsum(axis=1)).sum(axis=1).clip(max=4)
    start = np.ones(CONTEXTS, np.float32)
    found = refined_sharpness(start, matrix, contexts, matrix.argmax(axis=1) == truth, np.full(12_000, "one set"))
    assert 0.5 < found[2] < 0.7
    assert 1.3 < found[26] < 1.7
