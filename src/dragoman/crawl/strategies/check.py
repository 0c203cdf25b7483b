"""What keeps a class from being a strategy: asked of those that other packages add, before they crawl anything."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

from dragoman.crawl.strategies.base import LinkStrategy
from dragoman.crawl.strategies.options import StrategyOptions
from dragoman.registry import subclass_problem
from dragoman.types import Candidate, Decision, Decisions, Fetched
from dragoman.web.graph import Graph


def problem(name: str, kind: Any) -> str | None:
    """What is wrong with a strategy, in one line, or None: its class first, then what it decides about two links."""
    if wrong := subclass_problem(kind, LinkStrategy):
        return wrong
    if getattr(kind, "name", None) != name:
        return f"its class is called {getattr(kind, 'name', None)!r}: `name` must be the name that it is registered by"
    if kind.grain not in ("server", "directory"):
        return f"its grain is {kind.grain!r}: it must be 'server' or 'directory'"
    if kind.twin:
        return "it names a compiled loop, which only strategies of Dragoman itself have"
    for parameter in inspect.signature(kind).parameters.values():
        free = parameter.default is parameter.empty and parameter.kind not in (
            parameter.VAR_POSITIONAL,
            parameter.VAR_KEYWORD,
        )
        if free and parameter.name not in kind.options():
            return f"its constructor asks for '{parameter.name}', which is no option: {', '.join(_OPTIONS)}"
    try:
        return _trial(kind)
    except Exception as error:  # whatever another package's code raises
        return f"it fails on a page with two links: {type(error).__name__}: {error}"


_OPTIONS = tuple(sorted(StrategyOptions.__dataclass_fields__))


def _trial(kind: type[LinkStrategy]) -> str | None:
    """What is wrong with its answers about a seed that links to a page of its own server and to one of another."""
    strategy = kind.with_options(StrategyOptions())
    graph = Graph.of([[1, 2], [], []], server=[0, 0, 1], directory=[0, 1, 2], seeds=[0])
    strategy.foresee(graph, np.array([True, False, True]))
    seed, links = Candidate(0, 0, 0), [Candidate(1, 0, 1, 0.5), Candidate(2, 1, 2, -0.5)]
    started, decided = strategy.start([seed]), strategy.decide(Fetched(0, 0, 0, relevant=True), links)
    return decisions_problem(started, [seed]) or decisions_problem(decided, links)


def decisions_problem(decisions: Any, links: list[Candidate]) -> str | None:
    """What is wrong with what was decided about these links, or None.

    >>> links = [Candidate("a", "s", "s/"), Candidate("b", "s", "s/")]
    >>> decisions_problem(Decisions((Decision("a", "s", 1.0, "near"),)), links)
    "it decided about ['a'] where the links are ['a', 'b']: one decision per link, in their order"
    """
    if not isinstance(decisions, Decisions):
        return f"it decides {decisions!r}, which is no Decisions"
    keys, wanted = [getattr(decided, "key", decided) for decided in decisions.links], [link.key for link in links]
    if keys != wanted:
        return f"it decided about {keys} where the links are {wanted}: one decision per link, in their order"
    for decision in (*decisions.links, *decisions.released):
        if not isinstance(decision, Decision) or not isinstance(decision.reason, str) or not decision.reason:
            return f"{decision!r} is no decision with a reason"
        if decision.priority is not None and not math.isfinite(decision.priority):
            return f"a priority is {decision.priority}; it must be a finite number, or None for a rejected link"
    return None
