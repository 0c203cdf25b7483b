"""What URLs say before they are fetched, as log-odds: a noisy score that is fair, or a model's own answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.kernels import synth_urls
from dragoman.measures import log_odds
from dragoman.types import Language

#: The part of the noise that all URLs of a server share: classifiers err by site, not by page.
SHARED = 0.5
_CHUNK = 100_000


def noisy_score(
    truth: NDArray[np.bool_], server: NDArray[np.int32], d_prime: float = 1.8, seed: int = 0, shared: float = SHARED
) -> NDArray[np.float32]:
    """A fixed score per URL as a URL classifier of known quality would give it, in log-odds.

    z = d' * y + sqrt(shared) * e_server + sqrt(1 - shared) * e_page with normal e; the log-odds of z are
    d' * z - d'^2 / 2. With d' 1.8 the best threshold has recall .82 and false positives .18. `truth` has to be known
    for URLs that were never fetched too, or their scores would give them away.

    >>> score = noisy_score(np.array([True, False] * 5000), np.arange(10000, dtype=np.int32))
    >>> bool(0.79 < (score[::2] > 0).mean() < 0.85), bool(0.15 < (score[1::2] > 0).mean() < 0.21)
    (True, True)
    """
    if not 0.0 < d_prime <= 20.0 or not 0.0 <= shared <= 1.0:
        raise UsageError(f"d-prime is {d_prime:g}; give a number above 0 and up to 20 (1.8 is a fair URL classifier)")
    z = synth_urls.noisy_scores(seed, server, truth, d_prime, shared)
    z *= np.float32(d_prime)
    z -= np.float32(d_prime * d_prime / 2)
    return z


def model_score(
    urls: ByteColumn,
    languages: Sequence[Language],
    model: str = DEFAULT,
    progress: Callable[[int, int], None] | None = None,
) -> NDArray[np.float32]:
    """The log-odds that a URL model gives to these languages; 0 where it has nothing to say.

    The model's probabilities are for its own mixture of languages; how common the wanted ones are on the web at hand
    is for the strategy to learn.
    """
    chosen = open_url_model(model)
    columns = [chosen.languages_.index(language) for language in languages if language in chosen.languages_]
    if not columns:
        raise UsageError(f"The model '{model}' knows none of the wanted languages: {', '.join(languages)}")
    score = np.zeros(len(urls), np.float32)
    for start in range(0, len(urls), _CHUNK):
        part = urls.slice(start, min(start + _CHUNK, len(urls)))
        wanted = chosen.probabilities(part)[:, columns].sum(axis=1, dtype=np.float64)
        score[start : start + len(part)] = log_odds(wanted)
        if progress is not None:
            progress(start + len(part), len(urls))
    return score
