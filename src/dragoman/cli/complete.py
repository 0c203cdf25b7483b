"""What a shell proposes where somebody presses Tab: languages, models, and the members of families.

A shell asks the command itself (docs/reference/setup.md says how it is told to), so nothing slow is imported here
before somebody asks.

>>> languages(None, None, "de,ger"), languages(None, None, "fr")[:1]
(['de,german'], ['fr'])
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def languages(ctx: Any, param: Any, incomplete: str) -> list[str]:
    """Tags first, then English names, of what stands after the last comma."""
    from dragoman.languages import known, name

    before, comma, last = incomplete.rpartition(",")
    tags = [tag for tag in known() if tag.startswith(last.lower())]
    names = sorted({name(tag).lower() for tag in known()}) if len(last) > 2 else []
    return [before + comma + word for word in (*tags, *names) if word.startswith(last.lower())]


def models(ctx: Any, param: Any, incomplete: str) -> list[Any]:
    """Models that ship, and files."""
    from dragoman.identifiers.models import names

    return _or_files(names(), incomplete)


def strategies(ctx: Any, param: Any, incomplete: str) -> list[str]:
    """Strategies of a crawl."""
    from dragoman.crawl.strategies import STRATEGIES

    return _beginning(STRATEGIES, incomplete)


def page_methods(ctx: Any, param: Any, incomplete: str) -> list[Any]:
    """Ways to tell the language of a page: identifiers, models of text, files of one."""
    from dragoman.identifiers.models import names
    from dragoman.identifiers.text.identify import PAGE_IDENTIFIERS

    return _or_files({*PAGE_IDENTIFIERS, *names()} - {"track", "cctld", "cctld-plus"}, incomplete)


def track_methods(ctx: Any, param: Any, incomplete: str) -> list[Any]:
    """Ways to tell where the language changes."""
    from dragoman.identifiers.track.methods import TRACKERS

    return _or_files(TRACKERS, incomplete)


def algorithms(ctx: Any, param: Any, incomplete: str) -> list[str]:
    """What `dragoman train` trains."""
    from dragoman.identifiers.algorithms import ALGORITHMS

    return _beginning(ALGORITHMS, incomplete)


def features(ctx: Any, param: Any, incomplete: str) -> list[str]:
    """Feature sets of URLs."""
    from dragoman.identifiers.url.features import FEATURE_SETS

    return _beginning(FEATURE_SETS, incomplete)


def papers(ctx: Any, param: Any, incomplete: str) -> list[str]:
    """Studies."""
    from dragoman.studies import STUDIES

    return _beginning(STUDIES, incomplete)


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in sorted(names) if name.startswith(incomplete)]


def _or_files(names: Iterable[str], incomplete: str) -> list[Any]:
    from click.shell_completion import CompletionItem

    return [*map(CompletionItem, _beginning(names, incomplete)), CompletionItem(incomplete, type="file")]
