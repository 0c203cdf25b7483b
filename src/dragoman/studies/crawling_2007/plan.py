"""What is crawled: which webs, which strategies, with which options."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dragoman.crawl.records import ServerRule
from dragoman.crawl.strategies import StrategyOptions


@dataclass(frozen=True)
class Plan:
    """How large a study is: (pages, number of seeds) of the webs."""

    name: str
    webs: tuple[tuple[int, int], ...]
    #: Whether our URL model is run on the URLs of the webs.
    model: bool = True


SCALES = {
    "full": Plan("full", ((200_000, 3), (1_000_000, 3))),
    "small": Plan("small", ((20_000, 2),)),
}


@dataclass(frozen=True)
class Job:
    """One crawl of each web: its name in tables, the strategy and its options; scout also what it knows of URLs."""

    name: str
    strategy: str
    options: StrategyOptions = field(default_factory=StrategyOptions)
    score: str = "none"
    #: Left out of the figures: an option that is tried, not a strategy of the paper.
    extra: bool = False

    def options_for(self, pages: int) -> StrategyOptions:
        """The options on a web of that size: a falling tolerance is halved after every fiftieth part of it."""
        if not self.options.rule.halve_every:
            return self.options
        return replace(self.options, rule=replace(self.options.rule, halve_every=max(1, pages // 50)))


def _tolerant(strategy: str, tolerance: int) -> Job:
    return Job(f"{strategy}, T {tolerance}", strategy, StrategyOptions(ServerRule(tolerance)))


def jobs(plan: Plan) -> list[Job]:
    """The paper's strategies, the options that it leaves open, and ours."""
    found = [Job(name, name) for name in ("bfs", "hard-focused", "soft-focused")]
    for tolerance in (5, 10, 20):
        found += [_tolerant(name, tolerance) for name in ("aggressive-server", "conservative-server")]
    found += [_tolerant("conservative-directory", tolerance) for tolerance in (10, 20)]
    found += [Job("perfect", "perfect"), Job("perfect-fewest", "perfect-fewest")]
    found += [
        Job("scout, noisy score", "scout", score="noisy"),
        Job("scout, no score", "scout"),
        Job("scout, noisy score, complete", "scout", StrategyOptions(complete=True), "noisy", extra=True),
    ]
    if plan.model:
        found.append(Job("scout, our URL model", "scout", score="model", extra=True))
    return found + options_tried()


def options_tried() -> list[Job]:
    """What the paper leaves open, each with conservative-server or soft-focused."""
    ten, twenty = ServerRule(10), ServerRule(20)
    tried = {
        "no promotion": ("soft-focused", StrategyOptions(promotion=False)),
        "T 10, no promotion": ("conservative-server", StrategyOptions(ten, promotion=False)),
        "T 10, links of undecided servers deferred": ("conservative-server", StrategyOptions(ten, defer=True)),
        "T 20 falling to 5": ("conservative-server", StrategyOptions(ServerRule(20, halve_every=1, least=5))),
        "T 10, relevant from a share of .1": ("conservative-server", StrategyOptions(ServerRule(10, share=0.1))),
        "T 10, tried again after 20 links": ("conservative-server", StrategyOptions(ServerRule(10, readmit=20))),
        "T 20, no promotion": ("conservative-server", StrategyOptions(twenty, promotion=False)),
    }
    return [Job(f"{strategy}, {name}", strategy, options, extra=True) for name, (strategy, options) in tried.items()]
