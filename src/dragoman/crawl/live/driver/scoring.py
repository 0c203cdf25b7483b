"""What URLs say before they are fetched: a score for the wanted languages, and the likeliest language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.identifiers.url.identify import Model
from dragoman.languages import find
from dragoman.measures import log_odds
from dragoman.types import Language

#: The most that an anchor text says, in log-odds, what one says that names a language, and the letters that it takes.
LOUDEST, NAMED, FEWEST = 4.0, 4.0, 6


class AnchorScorer:
    """Log-odds of the wanted languages by the texts of links: a language's name, or a text in some language.

    >>> from dragoman.identifiers.text.identify import open_method
    >>> names, text, short = AnchorScorer(["de"], open_method())(["Deutsch", "Haus und Garten im Herbst", "12"])
    >>> names, text > 1, short
    (4.0, True, 0.0)
    """

    def __init__(self, languages: Sequence[Language], method: Any) -> None:
        self._wanted, self._method = frozenset(languages), method
        names = tuple(method.languages_)
        self._columns = [names.index(language) for language in languages if language in names]

    def __call__(self, texts: Sequence[str]) -> list[float]:
        """What each says; 0 where it says nothing."""
        scores = [0.0] * len(texts)
        rows = []
        for row, text in enumerate(texts):
            language = find(text) if 2 < len(text) < 40 else None
            if language is not None:
                scores[row] = NAMED if language in self._wanted else -NAMED
            elif self._columns and sum(map(str.isalpha, text[: 4 * FEWEST])) >= FEWEST:
                rows.append(row)
        if rows:
            chances = self._method.probabilities(ByteColumn.from_rows([texts[row][:200] for row in rows]))
            odds = np.clip(log_odds(chances[:, self._columns].sum(axis=1, dtype=np.float64)), -LOUDEST, LOUDEST)
            for row, score in zip(rows, np.nan_to_num(odds).tolist(), strict=True):
                scores[row] = score
        return scores


class UrlScorer:
    """Log-odds of the wanted languages and the likeliest language of each URL, by a URL model.

    >>> score, guess = UrlScorer(["de"])(["http://www.beispiel.de/nachrichten/"])[0]
    >>> score > 0, guess
    (True, 'de')
    """

    def __init__(self, languages: Sequence[Language], model: Model = DEFAULT) -> None:
        self.model = open_url_model(model)
        names = tuple(self.model.languages_)
        self.names = names
        self._columns = [names.index(tag) for tag in languages if tag in names]

    def __call__(self, urls: Sequence[str]) -> list[tuple[float, Language | None]]:
        """(score, guess) per URL; 0 and None where the model has nothing to say."""
        if not urls:
            return []
        odds, best = self.columns(ByteColumn.from_rows(urls))
        return [
            (score, None if column < 0 else self.names[column])
            for score, column in zip(odds.tolist(), best.tolist(), strict=True)
        ]

    def columns(self, urls: ByteColumn) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        """The scores of many URLs, and their languages as places in `names`; -1 where the model has nothing to say."""
        chances = self.model.probabilities(urls)
        silent = np.isnan(chances[:, 0])
        wanted = chances[:, self._columns].sum(axis=1, dtype=np.float64)
        odds = log_odds(wanted).astype(np.float32) if self._columns else np.zeros(len(urls), np.float32)
        return odds, np.where(silent, -1, np.argmax(np.where(silent[:, None], 0.0, chances), axis=1))
