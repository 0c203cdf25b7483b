from __future__ import annotations

import numpy as np

from dragoman.identifiers import quality

NOTES = {
    "training_rows": {"de": 5000, "th": 900, "zu": 37},
    "judged": {
        "crawl": {"accuracy": 0.9},
        "languages": {
            "de": {"n": 2408, "f": 0.98, "precision": 0.97, "recall": 0.96},
            "th": {"n": 59, "f": 0.338},
            "zu": {"n": 19, "f": 0.1},
        },
    },
}


def test_twenty_judged_urls_make_a_language_supported() -> None:
    assert [quality.status(NOTES, tag) for tag in ("de", "th", "zu", "xh")] == [
        "supported",
        "supported",
        "experimental",
        "experimental",
    ]
    assert quality.status({}, "de") is None


def test_a_supported_language_that_is_hardly_found_is_weak() -> None:
    assert [quality.weak(NOTES, tag) for tag in ("de", "th", "zu", "xh")] == [False, True, False, False]


def test_every_language_has_a_row_with_what_is_known() -> None:
    first, _, third = quality.rows(NOTES, ["de", "th", "xh"])
    assert first == {
        "language": "de",
        "status": "supported",
        "weak": False,
        "trained_on": 5000,
        "judged_on": 2408,
        "f": 0.98,
        "precision": 0.97,
        "recall": 0.96,
    }
    assert third["trained_on"] == third["judged_on"] == 0
    assert third["f"] is None
    assert quality.rows({}, ["de"]) == []


def test_figures_are_none_where_there_is_nothing_to_divide_by() -> None:
    found = quality.by_language(np.array([0, 0, 1, -1]), np.array([0, -1, 1, 1]), ("de", "fr", "it"))
    assert found["de"] == {"n": 2, "f": 0.667, "precision": 1.0, "recall": 0.5}
    assert found["fr"]["precision"] == 0.5
    assert found["it"] == {"n": 0, "f": None, "precision": None, "recall": None}
