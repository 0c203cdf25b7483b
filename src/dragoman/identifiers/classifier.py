"""Classifier: what every algorithm is. One writes `fit`, `plain_scores` and a fast `scores`; the rest is derived."""

from __future__ import annotations

import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import BadTable, UsageError
from dragoman.identifiers.calibration import probabilities
from dragoman.types import Contribution, Language, Scores

Arrays = dict[str, NDArray[Any]]
Labels = Sequence[str | None] | NDArray[Any] | Any

#: What the rows of a classifier can be: URLs, or the text of pages (dragoman.identifiers.text).
INPUTS = ("urls", "text")


class Classifier(ABC):
    """Languages of URLs or texts. Constructors only store; `fit` learns; learnt names end in `_`, as in scikit-learn.

    A complete one, which `dragoman train` can train and any command can use:

    >>> class Longest(Classifier):
    ...     algorithm = "longest"
    ...
    ...     def fit(self, inputs, labels):
    ...         rows = batch(inputs)
    ...         self.languages_, truth = encode_labels(labels, len(rows))
    ...         sizes = np.diff(rows.offsets)
    ...         self.sizes_ = np.array([sizes[truth == n].mean() for n in range(len(self.languages_))])
    ...         return self
    ...
    ...     def plain_scores(self, row):
    ...         return [-abs(len(row) - size) for size in self.sizes_]
    >>> Longest().fit(["a.de", "a.de/bcdef"], ["de", "en"]).predict(["b.it", "b.it/xyzuvw"])
    ['de', 'en']
    """

    #: The name in the registry, on the command line and in model files.
    algorithm: ClassVar[str]
    #: What its rows are: one of INPUTS.
    reads: ClassVar[str] = "urls"

    languages_: tuple[Language, ...] = ()
    #: What its scores may be read as: a yes or no for each language (`binary`), the likeliest language (`best`).
    readings: ClassVar[tuple[str, ...]] = ("binary", "best")
    #: True if `best` can choose among some languages.
    chooses: ClassVar[bool] = False

    #: Scores divided by it go through a softmax to become probabilities (dragoman.identifiers.calibration).
    temperature_: float = 1.0
    #: What is known about how the model was made and how good it is; kept in its file.
    notes_: Mapping[str, Any] = MappingProxyType({})

    @abstractmethod
    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Learn from rows and their languages."""

    @abstractmethod
    def plain_scores(self, row: bytes) -> list[float]:
        """The scores of one row, a column per language, by the plain definition; NaN where there is nothing to score.

        Each is a number of single precision, and `scores` must equal it to the last bit.
        """

    def scores(self, inputs: Any) -> Scores:
        """One score per row and language: here row by row, in a subclass the fast path."""
        rows = batch(inputs)
        matrix = np.array([self.plain_scores(row) for row in rows], np.float32)
        return Scores(self.languages_, matrix.reshape(len(rows), len(self.languages_)))

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """What has been learnt, as values for a JSON header and as arrays: here all that has a name with `_` behind.

        A subclass whose learnt values are of other kinds writes its own, and `restore`.
        """
        learnt = {name: value for name, value in vars(self).items() if name.endswith("_") and name not in _IN_ANY_FILE}
        arrays = {name: value for name, value in learnt.items() if isinstance(value, np.ndarray)}
        values = {name: value for name, value in learnt.items() if name not in arrays}
        for name, value in values.items():
            if not _is_json(value):
                raise UsageError(
                    f"'{self.algorithm}' cannot be kept in a file: {name} is neither an array nor a value that JSON "
                    f"has, but {type(value).__name__}; learn such values only, or write `state` and `restore`"
                )
        return {"learnt": values, "shapes": {name: list(array.shape) for name, array in arrays.items()}}, arrays

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Take over what `state` gave."""
        if header["shapes"] != {name: list(array.shape) for name, array in arrays.items()}:
            raise ValueError("arrays of other shapes than those that were learnt")
        vars(self).update(header["learnt"])
        vars(self).update(arrays)
        return self

    def probabilities(self, inputs: Any) -> NDArray[np.float32]:
        """Each row's probabilities over all languages; a row of NaN where there is nothing to score."""
        return probabilities(self.scores(inputs), self.temperature_)

    def best(
        self, rows: ByteColumn, chosen: tuple[Language, ...] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(language, probability) of every row: the likeliest column, or -1 and NaN where there is nothing to judge by.

        Derived from the scores; a model made for bulk gives the same without making their matrix, and, if it `chooses`,
        also among some languages: then the answer is the place in `chosen`.
        """
        if chosen is not None:
            raise UsageError(f"'{self.algorithm}' does not choose among some languages in bulk")
        scores = self.scores(rows)
        matrix = self.probabilities(rows)
        silent = (scores.best < 0) | np.isnan(matrix).any(axis=1)
        column = np.where(silent, -1, scores.best).astype(np.int32)
        certain = matrix[np.arange(len(column)), np.maximum(column, 0)] if len(column) else np.empty(0, np.float32)
        return column, np.where(silent, np.float32(np.nan), certain).astype(np.float32)

    def question(self, rows: ByteColumn, language: Language) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """(likeliest, probability) of one language for every row: whether it is the likeliest of all, and its
        probability among all; False and NaN where there is nothing to judge by."""
        column, _ = self.best(rows)
        probability = np.where(column >= 0, self.probabilities(rows)[:, self.languages_.index(language)], np.nan)
        return column == self.languages_.index(language), probability.astype(np.float32)

    def outcomes(self, rows: ByteColumn) -> list[str | None]:
        """Why each row got no language, of rows that got none; None where a model cannot tell."""
        return [None] * len(rows)

    def explain(self, row: bytes) -> list[Contribution]:
        """Which part of the row said what; the weights of a language sum to its score."""
        raise UsageError(f"'{self.algorithm}' cannot explain its answers; the linear models can")

    def predict(self, inputs: Any) -> list[Language | None]:
        """The likeliest language of each row; None where there is nothing to score."""
        return [self.languages_[column] if column >= 0 else None for column in self.scores(inputs).best.tolist()]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The constructor's arguments, so that scikit-learn can clone."""
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Self:
        """Change the constructor's arguments."""
        for name, value in params.items():
            if name not in self.get_params():
                raise UsageError(f"'{self.algorithm}' has no parameter '{name}': {', '.join(self.get_params())}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self.get_params().items())})"


#: What a model file keeps of every algorithm, beside its state.
_IN_ANY_FILE = frozenset({"languages_", "temperature_", "notes_"})


def _is_json(value: Any) -> bool:
    """True for what comes back from JSON as it was: no tuples, no keys that are numbers."""
    try:
        return bool(json.loads(json.dumps(value)) == value)
    except (TypeError, ValueError):
        return False


def encode_labels(
    labels: Labels, rows: int, languages: Iterable[Language] | None = None
) -> tuple[tuple[Language, ...], NDArray[np.int64]]:
    """(languages, truth): the languages in the given or else alphabetical order, and each row's column or -1.

    At least two languages must have a row: with one there is nothing to tell apart.
    """
    column = np.asarray(labels.to_pylist() if hasattr(labels, "to_pylist") else labels, dtype=object)
    if len(column) != rows:
        raise BadTable(f"{rows:,} URLs but {len(column):,} labels: give one label per URL")
    texts = np.array(["" if label is None or label != label else str(label) for label in column], dtype=str)
    names, inverse = np.unique(texts, return_inverse=True)
    wanted = tuple(languages) if languages is not None else tuple(str(name) for name in names if name)
    index = {name: number for number, name in enumerate(wanted)}
    truth = np.array([index.get(str(name), -1) for name in names], np.int64)[inverse] if rows else np.empty(0, np.int64)
    present = [name for number, name in enumerate(wanted) if np.any(truth == number)]
    if len(present) < 2:
        labelled = f"only '{present[0]}'" if present else "no labelled URL"
        raise BadTable(f"Training needs URLs of two languages or more; found {labelled} in {rows:,} rows")
    if languages is not None and len(present) < len(wanted):
        missing = sorted(set(wanted) - set(present))
        raise BadTable(f"No URL is labelled {', '.join(missing)}; leave it out of the languages or add some")
    return wanted, truth


def joined_states(members: Iterable[Classifier]) -> tuple[list[dict[str, Any]], Arrays]:
    """The states of several classifiers side by side: a header for each, and arrays named `0/...`, `1/...`."""
    headers: list[dict[str, Any]] = []
    arrays: Arrays = {}
    for number, member in enumerate(members):
        header, own = member.state()
        headers.append(header)
        arrays |= {f"{number}/{name}": array for name, array in own.items()}
    return headers, arrays


def restored_member(
    member: Classifier, languages: tuple[Language, ...], number: int, header: Any, arrays: Mapping[str, NDArray[Any]]
) -> Classifier:
    """The classifier of this number among those that `joined_states` put side by side."""
    member.languages_, prefix = languages, f"{number}/"
    own = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
    return member.restore(header, own)


def rows_by_language(truth: NDArray[np.int64], width: int) -> list[NDArray[np.int64]]:
    """The rows of each language, in order."""
    order = np.argsort(truth, kind="stable")
    bounds = np.searchsorted(truth[order], np.arange(width + 1))
    return [order[start:end] for start, end in pairwise(bounds)]


def balanced_rows(groups: Sequence[NDArray[np.int64]], column: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Rows for "is it this language?": as many positives as negatives, the larger side subsampled (section 4.1).

    The paper's languages have equally many URLs each, so its random negatives are an even mixture of the others.
    Ours are uneven (three quarters are English): the negatives are drawn evenly, each language giving its share or
    all it has. On the tuning halves this is worth 1 to 2 points of F over drawing from the rows at random.
    """
    positive = groups[column]
    others = [rows for other, rows in enumerate(groups) if other != column and len(rows)]
    negatives, left = [], len(positive)
    for given, rows in enumerate(sorted(others, key=len)):
        share = min(len(rows), -(-left // (len(others) - given)))
        negatives.append(rows if share == len(rows) else rng.choice(rows, share, replace=False))
        left -= share
    negative = np.sort(np.concatenate(negatives)) if negatives else np.empty(0, np.int64)
    if len(positive) > len(negative):
        positive = np.sort(rng.choice(positive, len(negative), replace=False))
    return np.concatenate([positive, negative])


def batch(inputs: Any) -> ByteColumn:
    """The inputs as a batch."""
    return ByteColumn.of(inputs)
