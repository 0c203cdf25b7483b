"""WeighedParts: the classifier over the parts of a URL; its training, its file, its answers and explanations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.calibration import best_temperature, softmax
from dragoman.identifiers.classifier import Arrays, Classifier, Labels, batch, encode_labels
from dragoman.identifiers.url.parts.domains import ANY_LANGUAGE
from dragoman.identifiers.url.parts.keys import HOST_LENGTHS, PATH_LENGTHS
from dragoman.identifiers.url.parts.material import STRENGTHS, Material, material_from_urls, weighed_meanings
from dragoman.identifiers.url.parts.training import RowWeights, TrainingSettings, train
from dragoman.identifiers.url.parts.weighing import Weighing, context_of
from dragoman.kernels.library import aligned
from dragoman.kernels.parts import COMMON, CONTEXTS, MOST_LANGUAGES, PartReader, PartTables, SparseRows
from dragoman.kernels.parts_tables import PackedWords, RowIndex, small_entries, small_slots
from dragoman.types import Contribution, Language, Scores

#: URLs from which on a language counts by its number.
_ENOUGH = 1000
#: Labelled URLs that a context needs for a sharpness of its own.
_ENOUGH_TO_CALIBRATE = 300
#: The lengths of n-grams as a model's file notes them: weights mean nothing for others.
_GRAMS = {"host": list(HOST_LENGTHS), "path": list(PATH_LENGTHS), "multiplications": 1}
_BY_CODE = ("code_language", "code_country", "code_wordlike", "code_meaning")
#: Codes that state a language count so much more than in training, where labels are of sites and not of pages.
_SURER = {
    "first": 1e14,
    "front": 1e7,
    "doubtful": 0.2,
    "locale": 5e6,
    "value": 1e5,
    "name": 1e14,
    "mark": 5e4,
    "later": 25.0,
}
#: The context of a home page of a generic domain without a code.
HOME = context_of(0, ANY_LANGUAGE, False)
#: After so many contexts paths have more words.
DOMAIN_CONTEXTS = context_of(1, 0, False)
#: From it on paths have two words.
_TWO_WORDS = context_of(2, 0, False)
_SMALL = ("names", "query_keys", "sites", "domains")


class WeighedParts(Classifier):
    """Host, path, top-level domain, codes, scripts and known sites, summed apart and weighed by context.

    The definition is `parts.weighing`, how a URL is read `parts.reading` and `parts.codes`, training `parts.training`.
    Scoring: one pass from bytes to answers.
    """

    algorithm: ClassVar[str] = "parts"
    #: Its scores are compared with each other, never with zero.
    readings: ClassVar[tuple[str, ...]] = ("best",)
    chooses: ClassVar[bool] = True

    def __init__(
        self,
        epochs: int = 3,
        rate: float = 0.7,
        balance: float = 0.6,
        word_rate: float = 0.3,
        word_kept: float = 0.6,
        site_kept: float = 0.3,
        host_dropped: float = 0.25,
        domain_dropped: float = 0.3,
        host_bits: int = 20,
        path_bits: int = 20,
        host_kept: int = 49_152,
        path_kept: int = 245_760,
        runs: int = 1,
        seed: int = 0,
    ) -> None:
        self.epochs = epochs
        self.rate = rate
        self.balance = balance
        self.word_rate = word_rate
        self.word_kept = word_kept
        self.site_kept = site_kept
        self.host_dropped = host_dropped
        self.domain_dropped = domain_dropped
        self.host_bits = host_bits
        self.path_bits = path_bits
        self.host_kept = host_kept
        self.path_kept = path_kept
        self.runs = runs
        self.seed = seed

    def fit(
        self,
        inputs: Any,
        labels: Labels,
        material: Material | None = None,
        counted: RowWeights | None = None,
        report: Any = lambda line: None,
    ) -> Self:
        """Learn; `counted` says how much each row counts (without it rare languages count for more).

        Without `material` words and domains come from the URLs themselves, and codes and names are those that ship.
        """
        if not 6 <= min(self.host_bits, self.path_bits) <= max(self.host_bits, self.path_bits) <= 24:
            raise UsageError("'parts' needs tables of 6 to 24 bits (host_bits, path_bits)")
        if min(self.host_kept, self.path_kept) < 1:
            raise UsageError("'parts' keeps one row of n-grams or more (host_kept, path_kept)")
        urls = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(urls), material.languages if material else None)
        if len(self.languages_) > MOST_LANGUAGES:
            raise UsageError(f"'parts' tells at most {MOST_LANGUAGES} languages apart, not {len(self.languages_)}")
        rows = np.flatnonzero(truth >= 0)
        urls, truth = urls.take(rows), truth[rows]
        if material is None:
            material = material_from_urls(urls, truth, self.languages_)
        counted = self._counted(truth) if counted is None else counted.take(rows)
        settings = TrainingSettings(
            self.epochs, self.rate, self.word_rate, self.word_kept, self.site_kept, self.host_dropped,
            self.domain_dropped, self.host_bits, self.path_bits, self.seed, self.runs,
            self.host_kept, self.path_kept,
        )  # fmt: skip
        self.tables_ = train(material, urls, truth.astype(np.int32), counted, settings, report)
        self.shares_ = material.meanings()
        self.strengths_ = {
            position: float(value) * _SURER.get(position, 1.0) for position, value in material.strengths.items()
        }
        meanings = weighed_meanings(self.shares_, self.strengths_)
        self.tables_ = replace(self.tables_, meanings=meanings)
        self.sharpness_ = np.ones(CONTEXTS, np.float32)
        self.notes_ = {}
        return self

    def _counted(self, truth: NDArray[np.int64]) -> RowWeights:
        counts = np.bincount(truth, minlength=len(self.languages_)).astype(np.float64)
        importance = np.maximum(counts, _ENOUGH) ** -self.balance
        importance *= counts.sum() / (importance * counts).sum()
        ones = np.ones(len(truth), np.float32)
        return RowWeights(np.asarray(importance[truth], np.float32), ones, 0 * ones)

    def calibrate(self, inputs: Any, truth: NDArray[np.int64]) -> None:
        """Choose how sharp scores are in each context, by the log loss on labelled URLs (-1: no language of these).

        Contexts are taken together by paths of 0, 1 or 2, and more words; those with few URLs have the common one.
        """
        scores, contexts = self.scores_and_contexts(batch(inputs))
        common = 1 / best_temperature(scores, truth)
        coarse = coarse_contexts(contexts)
        sharpness = np.full(CONTEXTS, common, np.float32)
        groups = coarse_contexts(np.arange(CONTEXTS, dtype=np.uint8))
        for group in np.unique(coarse).tolist():
            rows = np.flatnonzero((coarse == group) & (truth >= 0))
            if len(rows) >= _ENOUGH_TO_CALIBRATE:
                part = Scores(self.languages_, scores.matrix[rows])
                sharpness[groups == group] = 1 / best_temperature(part, truth[rows])
        self.sharpness_, self.temperature_ = sharpness, 1.0

    def lean(
        self, sizes: NDArray[np.float64], most: float, on_generic: NDArray[np.float64], at_home: NDArray[np.float64]
    ) -> None:
        """Add the logs of the languages' sizes to the scores; `on_generic` are those for two words and more under
        generic domains, `at_home` those for home pages there, which say least.

        Training makes small languages count for more. Under the domain of a country, and beside one word, sizes above
        `most` count as that: a large language is likelier than a small relative, but words of English stand under the
        domains of all countries and alone (`/blog`, `/feed`) on sites of all languages.
        """
        bias = self.tables_.bias.copy()
        for context in range(CONTEXTS):
            english_as_it_is = context % DOMAIN_CONTEXTS == HOME and context >= _TWO_WORDS
            with_words = on_generic if english_as_it_is else np.minimum(sizes, most)
            prior = np.log(at_home if context == HOME else sizes if context % 2 else with_words)
            bias[context] += (prior - prior.mean()).astype(np.float32)
        self.tables_ = replace(self.tables_, bias=bias)

    def scores(self, inputs: Any) -> Scores:
        """All scores of every URL; NaN where nothing stands in it."""
        return self.scores_and_contexts(batch(inputs))[0]

    def scores_and_contexts(self, urls: ByteColumn) -> tuple[Scores, NDArray[np.uint8]]:
        """The scores of every URL, and the number of its context."""
        matrix, contexts = self.tables_.scores(urls.data, urls.offsets)
        return Scores(self.languages_, matrix), contexts

    def probabilities(self, inputs: Any) -> NDArray[np.float32]:
        """Each URL's probabilities over all languages; NaN rows where nothing stands in it."""
        scores, contexts = self.scores_and_contexts(batch(inputs))
        return softmax(scores.matrix * (self.sharpness_[contexts] / np.float32(self.temperature_))[:, None])

    def best(
        self, rows: ByteColumn, chosen: tuple[Language, ...] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(language, probability) of every URL, without making the matrix of scores: the bulk path."""
        columns = None
        if chosen is not None:
            columns = np.array([self.languages_.index(tag) for tag in chosen], np.int32)
        return self.tables_.best(rows.data, rows.offsets, self.sharpness_, self.temperature_, columns)

    def question(self, rows: ByteColumn, language: Language) -> tuple[NDArray[np.bool_], NDArray[np.float32]]:
        """(likeliest, probability) of one language for every URL, as fast as `best`."""
        column, probability = self.best(rows, (language,))
        return column == 0, probability

    def plain_scores(self, row: bytes) -> list[float]:
        """The definition of `parts.weighing`, for one URL."""
        return [float(score) for score in Weighing(row, self.tables_).scores()]

    def explain(self, row: bytes) -> list[Contribution]:
        """What each word, code, site and domain said, and the bias as `(prior)`; a language's weights sum to its score.

        A word says what it says itself or, where it is not known, what its n-grams say.
        """
        parts = Weighing(row, self.tables_).contributions()
        contributions = [Contribution(name, self.languages_[language], weight) for name, language, weight in parts]
        return sorted(contributions, key=lambda contribution: -abs(contribution.weight))

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """The tables; of n-grams the rows that say something."""
        tables, reader = self.tables_, self.tables_.reader
        arrays: Arrays = {name: getattr(reader, name) for name in (*_BY_CODE, "shares", "script_runs")}
        arrays |= {name: small_entries(getattr(reader, name)) for name in _SMALL}
        arrays |= tables.words.to_arrays()
        arrays |= {"host-said": tables.host_index.to_bytes(), "path-said": tables.path_index.to_bytes()}
        arrays |= {"host-rows": tables.host_rows, "path-rows": tables.path_rows}
        arrays["host-languages"] = tables.host_languages
        for name, sparse in (("script", tables.scripts), ("meaning", self.shares_)):
            arrays |= {f"{name}-starts": sparse.starts, f"{name}-languages": sparse.languages}
            arrays[f"{name}-weights"] = sparse.weights
        arrays |= {"domain-rows": tables.domains, "domain-kinds": tables.domain_kinds}
        arrays |= {"gates": tables.gates, "bias": tables.bias, "sharpness": self.sharpness_}
        arrays["site-weights"] = tables.site_weights
        arrays["code_meaning"] = reader.code_meaning.astype(np.int32)
        header = {
            "grams": _GRAMS,
            "steps": list(tables.steps),
            "strengths": self.strengths_,
            "shapes": {name: list(array.shape) for name, array in arrays.items()},
        }
        return header, arrays

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """The tables again."""
        if header["shapes"] != {name: list(array.shape) for name, array in arrays.items()}:
            raise ValueError("arrays of other shapes than those that were learnt")
        if header["grams"] != _GRAMS or set(header["strengths"]) != set(STRENGTHS):
            raise ValueError("reads URLs in another way than this version of Dragoman does: train it again")
        tables: dict[str, Any] = {name: arrays[name] for name in (*_BY_CODE, "shares", "script_runs")}
        tables["code_meaning"] = arrays["code_meaning"].astype(np.int16)
        for name in _SMALL:
            tables[name] = small_slots(arrays[name], (arrays[name] & 0xFFFF).astype(np.uint16))
        reader = PartReader(width=len(self.languages_), **tables)
        scripts, self.shares_ = (
            SparseRows(*(arrays[f"{name}-{part}"] for part in ("starts", "languages", "weights")))
            for name in ("script", "meaning")
        )
        self.strengths_ = dict(header["strengths"])
        host = aligned((len(arrays["host-rows"]), COMMON))
        host[:] = arrays["host-rows"]
        first, second, third = (float(step) for step in header["steps"])
        self.tables_ = PartTables(
            reader, PackedWords.of_arrays(arrays),
            RowIndex.of_bytes(arrays["host-said"]), host, arrays["host-languages"],
            RowIndex.of_bytes(arrays["path-said"]), arrays["path-rows"],
            (first, second, third), arrays["domain-rows"], arrays["domain-kinds"],
            scripts, weighed_meanings(self.shares_, self.strengths_), arrays["gates"], arrays["bias"],
            arrays["site-weights"],
        )  # fmt: skip
        self.sharpness_ = arrays["sharpness"]
        return self


def coarse_contexts(contexts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Contexts taken together by paths of 0, 1 or 2, and more words."""
    words = contexts // 6
    return np.asarray(np.where(words == 0, 0, np.where(words <= 2, 1, 2)) * 6 + contexts % 6, np.uint8)
