"""How several judges, people or models, did on the same URLs, and how far they agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from dragoman import measures
from dragoman.languages import name
from dragoman.measures import Interval
from dragoman.types import Language

#: URLs of a language below which its recall says nothing.
ENOUGH = 5


def even_rows(labels: Sequence[Language], number: int, seed: int, evenly: bool = True) -> list[int]:
    """So many rows in random order: as many of each label as there are, the others giving more where one has too few.

    Not evenly: any rows.

    >>> labels = ["de", "de", "de", "fr"]
    >>> sorted(labels[row] for row in even_rows(labels, 2, seed=0))
    ['de', 'fr']
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(labels))
    if evenly:  # the first of every label, then the second of every label, and so on
        drawn = np.array(labels, object)[order]
        turns = np.zeros(len(labels), np.int64)
        for label in {*labels}:
            turns[drawn == label] = np.arange(np.count_nonzero(drawn == label))
        order = rng.permutation(order[np.argsort(turns, kind="stable")[:number]])
    return [int(row) for row in order[:number]]


def compare_judges(
    urls: Sequence[tuple[str, Language]],
    answers: Mapping[str, Sequence[Language | None]],
    choices: Sequence[Language],
    rounds: int = 1000,
) -> dict[str, Any]:
    """The figures of each judge with 95 % intervals from resampling URLs, F by language, agreement, and all answers.

    `urls` have their languages with them; an answer is one of the `choices`, or None, which is no to each of them.
    """
    columns: dict[Language | None, int] = {tag: column for column, tag in enumerate(choices)}
    truth = np.array([columns.get(language, -1) for _, language in urls], np.int64)
    yes = {
        judge: measures.one_hot(np.array([columns.get(tag, -1) for tag in tags], np.int64), len(choices))
        for judge, tags in answers.items()
    }
    judged = {judge: dict(zip(choices, measures.judge_all(truth, votes), strict=True)) for judge, votes in yes.items()}

    def figure(of: Callable[..., float], *parts: Any) -> Interval:
        return measures.bootstrap(lambda rows: of(*(part[rows] for part in parts)), len(truth), rounds)

    return {
        "choices": list(choices),
        "n": len(urls),
        "judges": {
            judge: {
                "accuracy": figure(measures.accuracy, truth, votes),
                "macro_f": figure(measures.macro_f, truth, votes),
                "recall": figure(measures.macro_recall, truth, votes),
                "right": int((measures.one_hot(truth, len(choices)) & votes).sum()),
                "languages": {
                    tag: {"n": n, "recall": measures.share_interval(round(judgement.recall * n), n)}
                    for tag, judgement in judged[judge].items()
                    if (n := judgement.positives) >= ENOUGH
                },
            }
            for judge, votes in yes.items()
        },
        "correlations": [
            {"judges": list(pair), "value": figure(measures.correlation, *(yes[judge] for judge in pair))}
            for pair in combinations(yes, 2)
        ],
        "languages": [
            {judge: by_language[tag].f for judge, by_language in judged.items()}
            | {"language": tag, "name": name(tag), "n": int((truth == columns[tag]).sum())}
            for tag in choices
        ],
        "urls": [
            {"url": url, "language": language, "answers": {judge: tags[row] for judge, tags in answers.items()}}
            for row, (url, language) in enumerate(urls)
        ],
    }
