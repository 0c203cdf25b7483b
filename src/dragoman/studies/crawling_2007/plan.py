"""What is crawled: which webs, which strategies, with which options."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from dragoman.crawl.records import ServerRule
from dragoman.crawl.strategies import StrategyOptions


@dataclass(frozen=True)
class Web:
    """One synthetic web of the study."""

    pages: int
    seed: int

    @property
    def name(self) -> str:
        """The name of its pieces."""
        return f"{self.pages}/{self.seed}"


@dataclass(frozen=True)
class CrawlingPlan:
    """How large a study is: (pages, number of seeds) of the webs."""

    name: str
    webs: tuple[tuple[int, int], ...]
    #: Whether our URL model is run on the URLs of the webs.
    model: bool = True


SCALES = {
    "full": CrawlingPlan("full", ((200_000, 3), (1_000_000, 3))),
    "small": CrawlingPlan("small", ((20_000, 2),)),
}


@dataclass(frozen=True)
class CrawlJob:
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


def _tolerant(strategy: str, tolerance: int) -> CrawlJob:
    return CrawlJob(f"{strategy}, T {tolerance}", strategy, StrategyOptions(ServerRule(tolerance)))


def jobs(plan: CrawlingPlan) -> list[CrawlJob]:
    """The paper's strategies, the options that it leaves open, and ours."""
    planned = [CrawlJob(name, name) for name in ("bfs", "hard-focused", "soft-focused")]
    for tolerance in (5, 10, 20):
        planned += [_tolerant(name, tolerance) for name in ("aggressive-server", "conservative-server")]
    planned += [_tolerant("conservative-directory", tolerance) for tolerance in (10, 20)]
    planned += [CrawlJob("perfect", "perfect"), CrawlJob("perfect-fewest", "perfect-fewest")]
    planned += [
        CrawlJob("scout, noisy score", "scout", score="noisy"),
        CrawlJob("scout, no score", "scout"),
        CrawlJob("scout, noisy score, complete", "scout", StrategyOptions(complete=True), "noisy", extra=True),
    ]
    if plan.model:
        planned.append(CrawlJob("scout, our URL model", "scout", score="model", extra=True))
    return planned + options_tried()


def options_tried() -> list[CrawlJob]:
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
    return [CrawlJob(f"{kind}, {name}", kind, options, extra=True) for name, (kind, options) in tried.items()]
