"""The language of a page by the charset that it names: the rule of Tamura, Somboonviwat and Kitsuregawa (2007, 2.2).

1. The charset in META: the last valid name wins; ISO-8859-1 is ignored, because tools write it into every page. The
   HTTP header is ignored on purpose: servers say the same of all their pages.
2. A charset of one language (TIS-620, EUC-JP) is that language. Without a name, n-grams of the text without tags
   decide; numeric character references have been decoded, so Thai written as `&#3627;` is Thai.
3. UTF-8 says nothing: n-grams are asked about the text (with `convert`, only if the text can be written in a charset of
   the language that was asked about, as in the paper).

Theirs asks for Thai; ours for any language, with the table of charsets and languages as data (`data/charsets.tsv`).
Departures: n-grams read characters, not bytes, from the text as text.charset decodes it; a charset of several
languages (windows-1251) leaves the choice among them to the n-grams; one that says nothing (windows-1252) is treated as
UTF-8 is. The cost is that of reading the page, and of the n-grams where they are asked.

The paper found that 59 of 344 pages with a Thai charset were not Thai, most of them English, and left open how META and
n-grams would do together. `combine="both"` does that: the n-grams' probability of each language is multiplied by the
trust that META deserves (285/344 on the languages of its charset, the rest on all others) and the largest wins. English
text in a page made with a Thai template is then English, and three words of Thai are still Thai.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import UsageError
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.text.charset import charset_of, charsets, decode, meta_labels
from dragoman.identifiers.text.markup.visible import read_markup
from dragoman.types import Language

#: The share of pages with a Thai charset in META that were Thai (Table 2).
TRUST = 285 / 344
COMBINATIONS = ("first", "both", "meta", "n-grams")

#: The names of ISO-8859-1 at IANA: other names that browsers read as windows-1252 are not noise.
_IGNORED = frozenset(
    ("iso-8859-1", "iso_8859-1", "iso_8859-1:1987", "iso-ir-100", "latin1", "l1", "ibm819", "cp819", "csisolatin1")
)


@dataclass(frozen=True)
class CharsetVerdict:
    """A language or None, and what decided: `meta`, `n-grams` or `both`; the charset that META names, if any."""

    language: Language | None
    how: str | None
    charset: str | None


def meta_charset(data: bytes | str) -> str | None:
    """The charset of step 1, or None.

    >>> meta_charset(b'<META http-equiv=Content-Type content="text/html; charset=TIS-620"><meta charset=iso-8859-1>')
    'windows-874'
    """
    valid = [charset_of(label) for label in meta_labels(data) if label.strip().lower() not in _IGNORED]
    return next((name for name in reversed(valid) if name), None)


class CharsetRule:
    """The rule, with the n-gram identifier that it falls back on: any classifier of texts, or None for META alone.

    `combine`: `first` (the paper: META if it names a language, else n-grams), `both`, `meta` and `n-grams` alone.

    >>> CharsetRule(None).identify("<meta charset=koi8-r><p>Привет".encode("koi8-r")).language
    'ru'
    """

    def __init__(self, ngrams: Classifier | None, combine: str = "first", convert: bool = False) -> None:
        if combine not in COMBINATIONS:
            raise UsageError(f"Unknown combination '{combine}': {', '.join(COMBINATIONS)}")
        if ngrams is not None and ngrams.reads != "text":
            raise UsageError(f"'{ngrams.algorithm}' reads {ngrams.reads}, not text: give an identifier of texts")
        if ngrams is None and combine in ("both", "n-grams"):
            raise UsageError(f"'{combine}' needs an identifier of texts")
        self.ngrams, self.combine, self.convert = ngrams, combine, convert

    def identify(self, data: bytes) -> CharsetVerdict:
        """The language of a page."""
        charset = meta_charset(data) if self.combine != "n-grams" else None
        named = charsets()[charset].languages if charset else ()
        if self.combine in ("first", "meta") and len(named) == 1:
            return CharsetVerdict(named[0], "meta", charset)
        if self.ngrams is None or self.combine == "meta":
            return CharsetVerdict(None, None, charset)
        values = self._probabilities(read_markup(decode(data).text).text)
        if values is None:  # nothing to read: what META says is all there is
            return CharsetVerdict(named[0] if len(named) == 1 else None, "meta" if len(named) == 1 else None, charset)
        weights = self._weights(named)
        best = self.ngrams.languages_[int(np.argmax(values * weights))]
        return CharsetVerdict(best, "both" if named else "n-grams", charset)

    def is_language(self, data: bytes, language: Language) -> bool:
        """True if a page is in this language; with `convert`, UTF-8 text must fit into a charset of the language."""
        ruling = self.identify(data)
        if ruling.language != language:
            return False
        if not self.convert or ruling.how != "n-grams" or ruling.charset != "utf-8":
            return True
        text = read_markup(decode(data).text).text
        codecs = [row.codec for row in charsets().values() if row.codec and language in row.languages]
        return not codecs or any(_fits(text, codec) for codec in codecs)

    def _weights(self, named: Sequence[Language]) -> NDArray[np.float64]:
        """How much each language is trusted before the text is read."""
        assert self.ngrams is not None
        inside = np.isin(self.ngrams.languages_, named)
        if not inside.any():
            return np.ones(len(inside))
        if self.combine == "first":
            return inside.astype(np.float64)
        share = np.where(inside, TRUST / inside.sum(), (1 - TRUST) / max((~inside).sum(), 1))
        return np.asarray(share, np.float64)

    def _probabilities(self, text: str) -> NDArray[np.float64] | None:
        assert self.ngrams is not None
        values = self.ngrams.probabilities(ByteColumn.from_rows([text]))[0].astype(np.float64)
        return None if np.isnan(values).any() or values.max() == values.min() else values


def first_rule() -> CharsetRule:
    """The paper's rule with the identifier that ships."""
    return _rule("first")


def joint_rule() -> CharsetRule:
    """The rule that weighs charset and text together, with the identifier that ships."""
    return _rule("both")


def _rule(combine: str) -> CharsetRule:
    from dragoman.identifiers.text.identify import open_method

    return CharsetRule(open_method(), combine)


def _fits(text: str, codec: str) -> bool:
    try:
        text.encode(codec)
    except UnicodeEncodeError:
        return False
    return True
