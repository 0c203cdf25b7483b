"""What URLs say before they are fetched: a score for the wanted languages, and the likeliest language."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dragoman.columns import ByteColumn
from dragoman.crawl.url_scores import SUREST
from dragoman.identifiers.models import DEFAULT, open_url_model
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
        found = np.clip(chances[:, self._columns].sum(axis=1, dtype=np.float64), SUREST, 1.0 - SUREST)
        with np.errstate(invalid="ignore"):
            odds = np.log(found / (1.0 - found)) if self._columns else np.zeros(len(urls))
        odds = np.where(silent, 0.0, odds).astype(np.float32)
        best = np.argmax(np.where(silent[:, None], 0.0, chances), axis=1)
        return [
            (float(score), None if quiet else self._names[column])
            for score, quiet, column in zip(odds.tolist(), silent.tolist(), best.tolist(), strict=True)
        ]
