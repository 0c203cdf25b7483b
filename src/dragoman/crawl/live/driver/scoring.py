"""What URLs say before they are fetched: a score for the wanted languages, and the likeliest language."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.columns import ByteColumn
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.measures import log_odds
from dragoman.types import Language


class UrlScorer:
    """Log-odds of the wanted languages and the likeliest language of each URL, by a URL model.

    >>> score, guess = UrlScorer(["de"])(["http://www.beispiel.de/nachrichten/"])[0]
    >>> score > 0, guess
    (True, 'de')
    """

    def __init__(self, languages: Sequence[Language], model: str = DEFAULT) -> None:
        self.model = open_url_model(model)
        names = tuple(self.model.languages_)
        self._names = names
        self._columns = [names.index(one) for one in languages if one in names]

    def __call__(self, urls: Sequence[str]) -> list[tuple[float, Language | None]]:
        """(score, guess) per URL; 0 and None where the model has nothing to say."""
        if not urls:
            return []
        chances = self.model.probabilities(ByteColumn.from_rows(urls))
        silent = np.isnan(chances[:, 0])
        wanted = chances[:, self._columns].sum(axis=1, dtype=np.float64)
        odds = log_odds(wanted).astype(np.float32) if self._columns else np.zeros(len(urls), np.float32)
        best = np.argmax(np.where(silent[:, None], 0.0, chances), axis=1)
        return [
            (float(score), None if quiet else self._names[column])
            for score, quiet, column in zip(odds.tolist(), silent.tolist(), best.tolist(), strict=True)
        ]
