"""What is crawled: which webs, which strategies, with which options."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from dragoman.crawl.records import ServerRule
from dragoman.crawl.strategies import StrategyOptions
from dragoman.crawl.synth import Recipe

#: Settings of a made web that the paper does not print, and the values that are tried in place of ours, one at a time.
#: `first` of the links to other servers lead to front pages; target pages link to `near` of the other servers; target
#: servers have `others` pages in other languages per target page; `gated` of the target pages are behind such pages.
SWEEP = {"first": (0.65, 0.85, 0.95), "near": (0.07, 0.28), "others": (0.2, 0.5), "gated": (0.03, 0.06, 0.12)}
AS_MADE = "as made"


@dataclass(frozen=True)
class Web:
    """One synthetic web of the study; `setting` of its recipe may have another `value` than ours."""

    pages: int
    seed: int
    setting: str = ""
    value: float = 0.0

    @property
    def name(self) -> str:
        """The name of its pieces."""
        return f"{self.pages}/{self.seed}" + (f"/{self.setting}-{self.value:g}" if self.setting else "")

    @property
    def label(self) -> str:
        """What it is made of, for people."""
        return f"{self.setting} {self.value:g}".replace("0.", ".") if self.setting else AS_MADE

    def recipe(self) -> Recipe:
        """What it is made of."""
        usual = Recipe(pages=self.pages, seed=self.seed)
        changed: dict[str, Any] = {self.setting: self.value} if self.setting else {}
        return replace(usual, **changed)


@dataclass(frozen=True)
class CrawlingPlan:
    """How large a study is: (pages, number of seeds) of the webs, and of those whose settings are changed."""

    name: str
    webs: tuple[tuple[int, int], ...]
    sweep: tuple[int, int]

    def all_webs(self, seed: int) -> list[Web]:
        """The webs as we make them, then those with one setting changed."""
        webs = [(pages, 100 + 10 * seed + number) for pages, count in self.webs for number in range(count)]
        pages, count = self.sweep
        changed = [
            Web(pages, 100 + 10 * seed + number, setting, value)
            for setting, values in SWEEP.items()
            for value in values
            for number in range(count)
        ]
        return [*(Web(*web) for web in webs), *changed]


SCALES = {
    "full": CrawlingPlan("full", ((200_000, 3), (1_000_000, 3)), (1_000_000, 1)),
    "small": CrawlingPlan("small", ((40_000, 2),), (40_000, 1)),
}


@dataclass(frozen=True)
class CrawlJob:
    """One crawl of each web: its name in tables, the strategy and its options, and what is otherwise than usual."""

    name: str
    strategy: str
    options: StrategyOptions = field(default_factory=StrategyOptions)
    #: What scout knows of URLs: nothing, our model's answer, or a noisy score drawn from the labels.
    score: str = "none"
    #: Where it starts: at the web's seeds, at `other 1`, ... or at the front page of every target `sites`.
    start: str = ""
    #: True: pages are identified with the errors of the paper's Tables 2 and 3. The figures are about the truth.
    identified: bool = False
    #: True: nothing outside the country's domain is fetched.
    national: bool = False
    #: In which table it stands.
    table: str = "strategies"
    #: Also run on the webs whose settings are changed.
    swept: bool = False
    #: Webs with more pages are passed over: a strategy in plain Python takes minutes there. 0: none is.
    most_pages: int = 0

    def runs_on(self, web: Web) -> bool:
        """True if this web is crawled."""
        return (self.swept or not web.setting) and not 0 < self.most_pages < web.pages

    def options_for(self, pages: int) -> StrategyOptions:
        """The options on a web of that size: a falling tolerance is halved after every fiftieth part of it."""
        if not self.options.rule.halve_every:
            return self.options
        return replace(self.options, rule=replace(self.options.rule, halve_every=max(1, pages // 50)))


#: Jobs that the findings speak of.
BFS, HARD, SOFT, DIRECTORY = "bfs", "hard-focused", "soft-focused", "conservative-directory, T 10"
AGGRESSIVE, CONSERVATIVE = "aggressive-server, T 10", "conservative-server, T 10"
PERFECT, PERFECT_TREE = "perfect, fewest others", "perfect, breadth-first tree"
SCOUT_MODEL, SCOUT_LABELS, SCOUT_ALONE = "scout, our URL model", "scout, score drawn from the labels", "scout, no score"
LINGUACRAWL, TRAFILATURA, TRAFILATURA_SITES = "linguacrawl", "trafilatura", "trafilatura, every target site given"
NATIONAL = "bfs, the country's domain only"
SHARE = "conservative-server, T 10, relevant from a share of .1"
#: What other seeds and errors of identification are tried with.
FOUR = (HARD, SOFT, AGGRESSIVE, CONSERVATIVE)
OTHER_STARTS = ("other 1", "other 2", "other 3")


def with_errors(name: str) -> str:
    """The name of the job that identifies pages with errors."""
    return f"{name}, with errors"


def from_seeds(name: str, start: str) -> str:
    """The name of the job that starts elsewhere."""
    return f"{name}, from {start}"


def _tolerant(strategy: str, tolerance: int) -> CrawlJob:
    return CrawlJob(f"{strategy}, T {tolerance}", strategy, StrategyOptions(ServerRule(tolerance)), swept=True)


def jobs() -> list[CrawlJob]:
    """The paper's strategies, ours, those in use, and what the paper leaves open."""
    planned = [CrawlJob(name, name, swept=True) for name in (BFS, HARD, SOFT)]
    for tolerance in (5, 10, 20):
        planned += [_tolerant(name, tolerance) for name in ("aggressive-server", "conservative-server")]
    planned.append(_tolerant("conservative-directory", 10))
    planned += [CrawlJob(PERFECT, "perfect-fewest", swept=True), CrawlJob(PERFECT_TREE, "perfect", swept=True)]
    planned += [
        CrawlJob(SCOUT_MODEL, "scout", score="model", swept=True),
        CrawlJob(SCOUT_ALONE, "scout", swept=True),
        CrawlJob(SCOUT_LABELS, "scout", score="labels"),
        CrawlJob(LINGUACRAWL, "linguacrawl", most_pages=200_000),
        CrawlJob(TRAFILATURA, "trafilatura"),
        CrawlJob(TRAFILATURA_SITES, "trafilatura", start="sites"),
    ]
    tried = options_tried()
    named = {job.name: job for job in (*planned, *tried)}
    errors = [
        replace(named[name], name=with_errors(name), identified=True, table="errors", swept=False)
        for name in (*FOUR, SHARE, SCOUT_MODEL)
    ]
    seeds = [
        replace(named[name], name=from_seeds(name, start), start=start, table="seeds", swept=False)
        for name in FOUR
        for start in OTHER_STARTS
    ]
    return [*planned, CrawlJob(NATIONAL, "bfs", national=True, table="domain"), *tried, *errors, *seeds]


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
    return [CrawlJob(f"{kind}, {name}", kind, options, table="options") for name, (kind, options) in tried.items()]
