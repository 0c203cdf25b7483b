"""All witnesses of a page's language together: its text, what it declares, the HTTP header, and its URL.

    score(language) = log p(language | text) + sum over the other witnesses of log p(what it says | language)

A declaration (the first of `<html lang>`, META, the header and og:locale that names a language; the header once more if
it is not that one) is right with probability RIGHT, else it is English by half, because templates say so, and one of
twenty others else. So much less does `en` say than any other language. The URL says what the model of URLs makes of it,
and is believed with URL_RIGHT; else it is one of twenty languages. What the text says is believed the less, the shorter
it is: no language is less likely by it than 10 ** (-length / BELIEVED). A few sentences outvote them all; where there
is little text they decide.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.identifiers.answer import Answers, answer
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.identifiers.text.markup.declared import declared
from dragoman.types import Language, Page

#: How often declarations are right, and how often the model of URLs is.
RIGHT, URL_RIGHT = 0.9, 0.9
#: What a wrong declaration says: English, or one of the others; and a wrong URL: one of twenty.
_ENGLISH, _OTHER, _TWENTIETH = 0.5, 0.025, 0.05
#: Characters of text that make it ten times surer, and what it is never surer than.
BELIEVED, _SUREST = 12, 1e-9


class Witnesses(NamedTuple):
    """What speaks of a page's language beside its text."""

    declared: Language | None = None
    how: str | None = None
    header: Language | None = None
    url: str | None = None

    @classmethod
    def of(cls, page: Page) -> Witnesses:
        """Those of a page."""
        header, _ = declared([declaration for declaration in page.declarations if declaration[0] == "header"])
        return cls(page.declared, page.declared_how, header, page.url)


def fused_answer(answers: Answers, row: int, length: int, witnesses: Witnesses) -> dict[str, Any]:
    """The language by all witnesses of a page, its probability, and what each said; `answers` are those of the text,
    which has this length.

    `language` is None where no witness says anything.
    """
    assert answers.matrix is not None
    languages, text = answers.languages, answers.matrix[row].astype(np.float64)
    witnessed: dict[str, Any] = {}
    score = np.zeros(len(languages))
    if np.isfinite(text).all():
        best = int(text.argmax())
        witnessed["text"] = {"language": languages[best], "probability": round(float(text[best]), 6)}
        score += np.log(np.maximum(text, max(_SUREST, 10 ** -(length / BELIEVED))))
    if witnesses.declared:
        witnessed["declared"] = {"language": witnesses.declared, "where": witnesses.how}
        score += _declaration(languages, witnesses.declared)
    if witnesses.header and witnesses.how != "header":
        witnessed["header"] = {"language": witnesses.header}
        score += _declaration(languages, witnesses.header)
    if witnesses.url:
        answered = answer(open_url_model(DEFAULT), ByteColumn.from_rows([witnesses.url]), threshold=0.0, matrix=True)
        if answered.language[0] >= 0 and answered.matrix is not None:
            probability = round(float(answered.probability[0]), 6)
            witnessed["url"] = {"language": answered.languages[answered.language[0]], "probability": probability}
            believed = np.append(answered.matrix[0], 0.0)[_places(languages, answered.languages)]
            score += np.log(URL_RIGHT * believed + (1 - URL_RIGHT) * _TWENTIETH)
    if not witnessed:
        return {"language": None, "probability": None}
    share = np.exp(score - score.max())
    share /= share.sum()
    best = int(share.argmax())
    known = witnessed.keys() - {"declared", "header"} or score.max() > score.min()
    language = languages[best] if known else None
    return {"language": language, "probability": round(float(share[best]), 6) if known else None, **witnessed}


@lru_cache(maxsize=64)
def _places(languages: tuple[Language, ...], among: tuple[Language, ...]) -> NDArray[np.intp]:
    """Where each language stands among others; behind them if it does not."""
    return np.array([among.index(language) if language in among else len(among) for language in languages], np.intp)


@lru_cache(maxsize=1024)
def _declaration(languages: tuple[Language, ...], given: Language) -> NDArray[np.float64]:
    """What a declaration is likely to say in each language, as logarithms; nothing where it is none of them."""
    if given not in languages:
        return np.zeros(len(languages))
    wrong = np.log((1 - RIGHT) * (_ENGLISH if given == "en" else _OTHER))
    says = np.arange(len(languages)) == languages.index(given)
    return np.asarray(np.where(says, float(np.log(RIGHT)), float(wrong)))
