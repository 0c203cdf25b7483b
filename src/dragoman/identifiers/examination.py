"""What every classifier promises, looked at after training: a new one that breaks it is told so before it is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import DragomanError
from dragoman.identifiers import model_file as store
from dragoman.identifiers.classifier import Classifier
from dragoman.types import Scores

#: Rows on which a classifier is examined; the plain path may be slow.
_ROWS = 8


def contract_problem(model: Classifier, rows: ByteColumn) -> str | None:
    """What a trained classifier does that none may do, in words; None where all is well.

    The contract tests of Dragoman ask more of its own.
    """
    if len(set(model.languages_)) < 2:
        return f"after `fit`, languages_ is {model.languages_!r}: two languages or more are needed"
    sample = rows.slice(0, min(_ROWS, len(rows)))
    scores: Any = model.scores(sample)
    if not isinstance(scores, Scores):
        return f"`scores` gives {type(scores).__name__}, not Scores"
    shape = (len(sample), len(model.languages_))
    if scores.matrix.shape != shape or scores.matrix.dtype != np.float32:
        return f"`scores` gives {_kind(scores.matrix)}, not {_kind(np.empty(shape, np.float32))}"
    plain = np.array([model.plain_scores(row) for row in sample], np.float32)
    if plain.shape != shape or not np.array_equal(plain, scores.matrix, equal_nan=True):
        return "`scores` differs from `plain_scores`"
    try:
        again = store.from_bytes(store.to_bytes(model)).scores(sample).matrix
    except DragomanError as error:
        return f"a file of it cannot be read again: {error}"
    if not np.array_equal(again, scores.matrix, equal_nan=True):
        return "read again from a file, it has other scores: what it learnt must be in names that end in `_`"
    return None


def _kind(matrix: NDArray[Any]) -> str:
    return f"{matrix.dtype} of shape {matrix.shape}"
