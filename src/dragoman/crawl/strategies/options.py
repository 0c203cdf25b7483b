"""StrategyOptions: how a crawl wants its strategy to behave, beyond the strategy's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dragoman.crawl.records import ServerRule
from dragoman.crawl.strategies.estimate import check_ingredients
from dragoman.errors import UsageError, shorten
from dragoman.languages import normalise
from dragoman.types import Language


@dataclass(frozen=True)
class ScoutTuning:
    """A scout's numbers; the values are those that were tuned on webs which the reported figures do not use."""

    #: Speed of learning, and what is added to the log-odds of URLs on undecided servers.
    rate: float = 0.2
    explore: float = 1.0
    #: How many pages the prior of a server's and of a directory's share of relevant pages counts for.
    server_prior: float = 1.0
    directory_prior: float = 2.0
    #: Ingredients that are left out, to see what they are worth.
    without: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_ingredients(self.without)
        for name in ("rate", "explore"):
            if not 0.0 <= getattr(self, name) <= 100.0:
                raise UsageError(f"{name} is {getattr(self, name):g}; give a number between 0 and 100")
        for name in ("server_prior", "directory_prior"):
            if not 0.0 < getattr(self, name) <= 1e6:
                raise UsageError(f"{name} is {getattr(self, name):g}; give a number above 0 and up to a million")


@dataclass(frozen=True)
class StrategyOptions:
    """How a strategy behaves beyond its name: each is given those options that its constructor names."""

    #: When a server (or directory) is relevant, undecided or irrelevant.
    rule: ServerRule = field(default_factory=ServerRule)
    #: Keep links of undecided servers aside instead of rejecting them (step 4.5).
    defer: bool = False
    #: The queue's: a URL that waits and is found with a higher priority moves up (the paper leaves it open).
    promotion: bool = True
    #: Take what would be rejected too, after everything else, so that nothing is missed.
    complete: bool = False
    #: Take links to new servers on pages of servers without relevant pages too, when nothing likelier is left.
    wander: bool = False
    #: At most so many relevant pages per language.
    quotas: Mapping[Language, int] = field(default_factory=dict)
    #: The wanted languages, where a crawl knows them by name.
    languages: tuple[Language, ...] = ()
    tuning: ScoutTuning = field(default_factory=ScoutTuning)

    def __post_init__(self) -> None:
        for language, pages in self.quotas.items():
            if pages < 0:
                raise UsageError(f"The quota of '{language}' is {pages}; give 0 or more pages")


def parse_quotas(typed: Sequence[str]) -> dict[Language, int]:
    """Quotas as people type them: `th=100000`.

    >>> parse_quotas(["Thai=100000", "lo=5"])
    {'th': 100000, 'lo': 5}
    """
    quotas = {}
    for text in typed:
        language, _, count = text.partition("=")
        if not count.isascii() or not count.isdigit() or not int(count):
            raise UsageError(f"--quota is '{shorten(text)}'; give a language and a number of pages, such as th=100000")
        quotas[normalise(language)] = int(count)
    return quotas
