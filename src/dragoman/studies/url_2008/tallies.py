"""What the paper counts in its URLs: tokens that are a country's code (section 7) and hyphens (section 3.1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.evaluate.corpus import Corpus
from dragoman.identifiers.hashing import word_key
from dragoman.identifiers.url.features import feature_set
from dragoman.studies.cells import Arrays
from dragoman.studies.url_2008.training import Trainer

#: Country codes that are also words or abbreviations.
TOKENS = {"it": "it", "de": "de", "es": "es", "fr": "fr"}


def has_token(rows: ByteColumn, token: str) -> NDArray[np.bool_]:
    """Which rows have the token, anywhere."""
    indptr, keys, _ = feature_set("words").keys(rows)
    row = np.repeat(np.arange(len(rows)), np.diff(indptr))
    return np.bincount(row[keys == np.uint64(word_key(token))], minlength=len(rows)) > 0


def token_shares(trainer: Trainer) -> Arrays:
    """By token: its share of the language's URLs, and how likely the language is given it, by what is trained on.

    As the paper's footnote has it, for as many URLs of the language as of all others, which are even here.
    """
    sample = trainer.content_sample()
    languages = trainer.corpus.languages
    shares: Arrays = {}
    for name, rows in (("url", sample.urls), ("content", trainer.with_text(sample) if trainer.texts else sample.urls)):
        for token, language in TOKENS.items():
            own = sample.truth == languages.index(language)
            with_token = has_token(rows, token)
            inside, outside = float(with_token[own].mean()), float(with_token[~own].mean())
            shares[f"{name}/{token}"] = np.array([inside, inside / (inside + outside) if inside else 0.0])
    return shares


def hyphens(corpus: Corpus) -> Arrays:
    """Hyphens per training URL of each language."""
    counts = np.array([url.count(b"-") for url in corpus.train.urls], np.float64)
    means = [counts[corpus.train.truth == column].mean() for column in range(len(corpus.languages))]
    return {"means": np.array(means)}
