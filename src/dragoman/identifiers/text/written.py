"""A language with the script it is written in: `eng_Latn`, `srp_Cyrl`, `zho_Hant`, and Norwegian in its two forms."""

from __future__ import annotations

from collections.abc import Sequence

from dragoman.columns import ByteColumn
from dragoman.errors import UnknownLanguage
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.text.algorithms.text import Text, TextClass
from dragoman.identifiers.text.scripts import main_script
from dragoman.languages import alpha3
from dragoman.types import Language

#: Written forms that a model tells apart, and languages that are written in several scripts at once.
_FORMS = {"nb": "nob_Latn", "nn": "nno_Latn", "zh-Hans": "zho_Hans", "zh-Hant": "zho_Hant"}
_SCRIPTS = {"ja": "Jpan", "ko": "Kore"}


def written_forms(model: Classifier, texts: ByteColumn, languages: Sequence[Language | None]) -> list[str | None]:
    """The language that was told of each text and its script, as one tag: ISO 639-3, `_`, ISO 15924.

    Norwegian and Chinese are told in their written forms by a model that has them; None where no language was told.

    >>> from dragoman.identifiers.text.identify import open_method
    >>> written_forms(open_method(), ByteColumn.from_rows(["Guten Tag, mein Freund"]), ["de"])
    ['deu_Latn']
    """
    classes: list[TextClass | None] = [None] * len(texts)
    if isinstance(model, Text):
        several = {known.language for known in model.classes_ if known.tag in _FORMS}
        rows = [row for row, language in enumerate(languages) if language in several]
        for row, likeliest in zip(rows, model.written(texts.take(rows)) if rows else (), strict=True):
            classes[row] = likeliest
    forms: list[str | None] = []
    for text, language, likeliest in zip(texts, languages, classes, strict=True):
        if language is None:
            forms.append(None)
        elif likeliest is not None and likeliest.language == language and likeliest.tag in _FORMS:
            forms.append(_FORMS[likeliest.tag])
        else:
            script = _SCRIPTS.get(language) or main_script(text.decode("utf-8", "replace")) or "Zyyy"
            forms.append(f"{_code(language)}_{script}")
    return forms


def _code(language: Language) -> str:
    try:
        return alpha3(language)
    except UnknownLanguage:
        return language
