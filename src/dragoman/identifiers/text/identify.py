"""The language of texts and pages in one call: for people (`identify_text`) and for columns (`identify_text_column`).

Every method is a Classifier that reads text, so one interface serves all:

    default, text                         the model that ships (dragoman.identifiers.text.algorithms.text)
    heliport, py3langid, fasttext,        other people's identifiers, if they are installed: the extra `peers`
    lingua, pycld2                        (dragoman.identifiers.text.peers)
    a path                                a model file of any algorithm that reads text: rank-order, fisher-cosine, hmm,
                                          text, as `dragoman train` writes them
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, overload

from dragoman.columns import ByteColumn
from dragoman.errors import UnknownName, UsageError, need
from dragoman.identifiers.algorithms import ALGORITHMS
from dragoman.identifiers.answer import Answers, answer, predictions
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.model_file import MAGIC
from dragoman.identifiers.models import is_path, open_model, shipped
from dragoman.identifiers.text.peers import PEERS, open_peer
from dragoman.types import Prediction

DEFAULT = "default"
#: The model file behind `default`.
SHIPPED = "text"
#: The algorithm of the tracker's model (dragoman.identifiers.track).
_OF_WORDS = "lexicon"

Method = str | os.PathLike[str] | Classifier
Choice = str | Iterable[str] | None


def method_names() -> tuple[str, ...]:
    """The names that `open_method` knows, the default first.

    >>> method_names()[0], "text" in method_names()
    ('default', True)
    """
    return (DEFAULT, *sorted(_of_text()), *sorted(PEERS))


def open_method(method: Method = DEFAULT) -> Classifier:
    """The classifier of texts with this name or in this file; UsageError for a model that reads something else."""
    if isinstance(method, Classifier):
        model = method
    else:
        given = os.fspath(method)
        if given in PEERS:
            return open_peer(given)
        if given == DEFAULT:
            given = SHIPPED
        if given in _of_text():
            return _shipped(given)
        if not is_path(given):
            raise UnknownName("method", given, method_names())
        model = open_model(given)
    if model.reads != "text":
        raise UsageError(f"'{model.algorithm}' reads {model.reads}, not text; methods: {', '.join(method_names())}")
    return model


@cache
def _of_text() -> tuple[str, ...]:
    """The shipped models that read text; not the tracker's, which judges single words."""
    kinds = {name: _algorithm(path) for name, path in shipped().items()}
    return tuple(name for name, kind in kinds.items() if ALGORITHMS[kind].reads == "text" and kind != _OF_WORDS)


@cache
def _shipped(name: str) -> Classifier:
    """A shipped model; asked for with every text, so that no folder is listed again."""
    return open_model(name)


def _algorithm(path: Path) -> str:
    """The algorithm of a model file, from its header alone: checking the whole file waits until it is used."""
    with path.open("rb") as file:
        file.seek(len(MAGIC) + 4)
        size = int.from_bytes(file.read(4), "little")
        return str(json.loads(file.read(size))["algorithm"])


@overload
def identify_text(  # type: ignore[overload-overlap]
    texts: str | bytes,
    method: Method = ...,
    languages: Choice = ...,
    threshold: float | None = ...,
    *,
    top: int = ...,
    explain: bool = ...,
) -> Prediction: ...
@overload
def identify_text(
    texts: Iterable[str | bytes | None] | ByteColumn,
    method: Method = ...,
    languages: Choice = ...,
    threshold: float | None = ...,
    *,
    top: int = ...,
    explain: bool = ...,
) -> list[Prediction]: ...
def identify_text(
    texts: Any,
    method: Method = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    *,
    top: int = 0,
    explain: bool = False,
) -> Prediction | list[Prediction]:
    """A Prediction for one text or page, a list of them for several (a list, a batch, an Arrow column).

    - A text is a `str`, or bytes that are UTF-8; a page (dragoman.types.Page) is judged by its visible text.
    - `languages` restricts the choice: a list, or a text such as "en,de"; the presets `five`, `eleven` and `default`
      (all of the method's) are known.
    - `threshold`: a language less probable than this is not told (None).
    - `top` adds the likeliest languages as `scores`, `explain` what decided as `contributions`, where a method can.

    Text without letters has no language.

    >>> identify_text("Der schnelle braune Fuchs springt über den faulen Hund.").language
    'de'
    >>> [one.language for one in identify_text(["Il fait beau aujourd'hui.", "1, 2, 3"])]
    ['fr', None]
    """
    one = isinstance(texts, str | bytes) or _is_page(texts)
    opened = open_method(method)
    found = predictions(opened, text_batch([texts] if one else texts), languages, threshold, top=top, explain=explain)
    return found[0] if one else found


def identify_text_column(
    column: Any,
    method: Method = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    threads: int = 1,
) -> tuple[Any, Any]:
    """(language, probability) as Arrow columns for an Arrow column of texts; no Python object is made per text.

    The arguments are those of `identify_text`.
    """
    need("bulk", "pyarrow")
    return answer_texts(column, method, languages, threshold, threads).arrow()


def answer_texts(
    texts: Any,
    method: Method = DEFAULT,
    languages: Choice = None,
    threshold: float | None = None,
    threads: int = 1,
) -> Answers:
    """The answers for many texts as columns: what tables are labelled with."""
    return answer(open_method(method), text_batch(texts), languages, threshold, threads)


def text_batch(texts: Any) -> ByteColumn:
    """Texts and pages as a batch of UTF-8 bytes."""
    if getattr(texts, "num_chunks", None) == 0:
        return ByteColumn.from_rows([])
    if isinstance(texts, list | tuple):
        return ByteColumn.from_rows([one.text if _is_page(one) else one for one in texts])
    return ByteColumn.of(texts)


def _is_page(value: Any) -> bool:
    return type(value).__name__ == "Page" and isinstance(getattr(value, "text", None), str)
