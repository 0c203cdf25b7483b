"""Blocks for datatrove: languages by URL, before text is extracted, and by text, under the labels that others use.

`UrlLanguageFilter` keeps the documents whose URL speaks for the languages that are wanted: put it behind a reader that
knows the URL but before the text is extracted, and what is thrown away costs no extraction. `UrlLanguageLabeller` notes
the same and throws nothing away. `TextLanguageLabeller` tells the language of the text, as `en` or as GlotLID's
`eng_Latn`, in the metadata where datatrove's own language filter has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from dragoman.errors import UsageError, need
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.identifiers.text.identify import identify_text, open_method
from dragoman.identifiers.url.identify import identify
from dragoman.languages import glotlid_label, parse_list, scripts

_BASE: Any = need("datatrove", "datatrove.pipeline.filters.base_filter").BaseFilter
_STEP: Any = need("datatrove", "datatrove.pipeline.base").PipelineStep
_SETS = ("bcp47", "glotlid")


def _note_urls(docs: list[Any], key: str, model: str, threshold: float | None) -> None:
    """Note what each document's URL says in its metadata."""
    answers = identify([doc.metadata.get(key) for doc in docs], model, threshold=threshold)
    for doc, answer in zip(docs, answers, strict=True):
        doc.metadata["url_language"], doc.metadata["url_language_probability"] = answer.language, answer.probability


class UrlLanguageFilter(_BASE):  # type: ignore[misc]
    """Keeps documents in one of `languages` by their URL (`doc.metadata[key]`), judged a batch at a time.

    Notes `url_language` and `url_language_probability` in the metadata. A document without a URL, or whose URL tells
    nothing, is kept if `unknown` says so. `threshold` is that of `dragoman.identify`.
    """

    name = "Dragoman: language by URL"

    def __init__(
        self,
        languages: str | list[str],
        threshold: float | None = None,
        model: str = DEFAULT,
        unknown: bool = False,
        key: str = "url",
        exclusion_writer: Any = None,
        batch_size: int = 1000,
    ) -> None:
        super().__init__(exclusion_writer, batch_size)
        self.languages = set(parse_list(languages if isinstance(languages, str) else ",".join(languages)))
        self.threshold, self.model, self.unknown, self.key = threshold, model, unknown, key
        open_url_model(model)  # a mistake is told now; the name, not the model, is what travels to the workers

    def filter_batch(self, batch: list[Any]) -> list[bool | tuple[bool, str]]:
        """For each document whether it stays, or (False, why not)."""
        _note_urls(batch, self.key, self.model, self.threshold)
        verdicts: list[bool | tuple[bool, str]] = []
        for doc in batch:
            language = doc.metadata["url_language"]
            if language is None:
                verdicts.append(self.unknown or (False, "no_language"))
            else:
                verdicts.append(language in self.languages or (False, "other_language"))
        return verdicts

    def filter(self, doc: Any) -> bool | tuple[bool, str]:
        """The same for one document."""
        return self.filter_batch([doc])[0]


class UrlLanguageLabeller(_STEP):  # type: ignore[misc]
    """Notes `url_language` and `url_language_probability` in the metadata of every document, and keeps all of them."""

    type = "Dragoman"
    name = "Dragoman: label by URL"

    def __init__(
        self, threshold: float | None = None, model: str = DEFAULT, key: str = "url", batch_size: int = 1000
    ) -> None:
        super().__init__()
        self.threshold, self.model, self.key, self.batch_size = threshold, model, key, batch_size
        open_url_model(model)

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """The documents, as they come."""
        documents = iter(data)
        while batch := list(islice(documents, self.batch_size)):
            with self.track_time(unit="batch"):
                _note_urls(batch, self.key, self.model, self.threshold)
            for doc in batch:
                self.stat_update(f"url_language_{doc.metadata['url_language']}")
            yield from batch


class TextLanguageLabeller(_STEP):  # type: ignore[misc]
    """Notes `language`, `language_score` and `language_script` of every document's text, and keeps all of them.

    With `labels="glotlid"` the language is a label such as `eng_Latn`, as GlotLID, OpenLID and NLLB have it; else a BCP
    47 tag. `method` and `threshold` are those of `dragoman.identify_text`; below the threshold the language is None.
    """

    type = "Dragoman"
    name = "Dragoman: label by text"

    def __init__(self, labels: str = "bcp47", method: str = DEFAULT, threshold: float | None = None) -> None:
        super().__init__()
        if labels not in _SETS:
            raise UsageError(f"labels is '{labels}'; give one of {', '.join(_SETS)}")
        self.labels, self.method, self.threshold = labels, method, threshold
        open_method(method)

    def run(self, data: Any, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """The documents, as they come."""
        for doc in data:
            with self.track_time():
                self.label(doc)
            self.stat_update(f"language_{doc.metadata['language']}")
            yield doc

    def label(self, doc: Any) -> None:
        """Note the language of one document."""
        answer = identify_text(doc.text, self.method, threshold=self.threshold)
        script = None if answer.language is None else script_of(doc.text, scripts(answer.language))
        language = answer.language
        if language is not None and self.labels == "glotlid":
            language = glotlid_label(language, script)
        doc.metadata |= {"language": language, "language_score": answer.probability, "language_script": script}


#: A letter of each script that a language may be written in beside another, by the first word of its name in Unicode.
_FIRST_WORDS = {"Arab": "ARABIC", "Cyrl": "CYRILLIC", "Deva": "DEVANAGARI", "Hebr": "HEBREW", "Latn": "LATIN",
                "Mong": "MONGOLIAN", "Guru": "GURMUKHI", "Grek": "GREEK"}  # fmt: skip


def script_of(text: str, possible: tuple[str, ...]) -> str | None:
    """The script of a text, of those that its language is written in: the usual one, unless its letters say another.

    >>> script_of("Добар дан", ("Cyrl", "Latn")), script_of("Dobar dan", ("Cyrl", "Latn"))
    ('Cyrl', 'Latn')
    """
    import unicodedata

    words = [unicodedata.name(letter, "").partition(" ")[0] for letter in text[:1000] if letter.isalpha()]
    counts = {script: words.count(_FIRST_WORDS[script]) for script in possible if script in _FIRST_WORDS}
    return max(possible, key=lambda script: counts.get(script, 0), default=None)
