"""A filter block for datatrove: keeps the documents whose URL speaks for the languages that are wanted.

Put it behind a reader that knows the URL but before the text is extracted: what is thrown away costs no extraction.
"""

from __future__ import annotations

from typing import Any

from dragoman.errors import need
from dragoman.identifiers.models import DEFAULT, open_url_model
from dragoman.identifiers.url.identify import identify
from dragoman.languages import parse_list

_BASE: Any = need("datatrove", "datatrove.pipeline.filters.base_filter").BaseFilter


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
        answers = identify([doc.metadata.get(self.key) for doc in batch], self.model, threshold=self.threshold)
        verdicts: list[bool | tuple[bool, str]] = []
        for doc, answer in zip(batch, answers, strict=True):
            doc.metadata["url_language"], doc.metadata["url_language_probability"] = answer.language, answer.probability
            if answer.language is None:
                verdicts.append(self.unknown or (False, "no_language"))
            else:
                verdicts.append(answer.language in self.languages or (False, "other_language"))
        return verdicts

    def filter(self, doc: Any) -> bool | tuple[bool, str]:
        """The same for one document."""
        return self.filter_batch([doc])[0]
