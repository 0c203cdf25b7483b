"""The strategies by name. To add one: a file here and a line in STRATEGIES, or an entry point of another package."""

from __future__ import annotations

from dragoman.crawl.strategies.base import LinkStrategy
from dragoman.crawl.strategies.check import problem
from dragoman.crawl.strategies.options import ScoutTuning, StrategyOptions
from dragoman.registry import Member, Registry

__all__ = ["STRATEGIES", "LinkStrategy", "ScoutTuning", "StrategyOptions"]

_HERE = "dragoman.crawl.strategies"

#: A strategy of another package is tried on a page with two links when it is first asked for.
STRATEGIES: Registry[type[LinkStrategy]] = Registry(
    "strategy",
    "dragoman.strategies",
    {
        "bfs": Member(f"{_HERE}.page_based:BreadthFirst", "breadth first, whatever the language"),
        "hard-focused": Member(f"{_HERE}.page_based:HardFocused", "links of relevant pages only"),
        "soft-focused": Member(f"{_HERE}.page_based:SoftFocused", "links of relevant pages first"),
        "aggressive-server": Member(f"{_HERE}.server_based:AggressiveServer", "no links to irrelevant servers"),
        "conservative-server": Member(
            f"{_HERE}.server_based:ConservativeServer", "the same, and only relevant servers open new ones"
        ),
        "conservative-directory": Member(
            f"{_HERE}.server_based:ConservativeDirectory", "the same for directories instead of servers"
        ),
        "linguacrawl": Member(
            f"{_HERE}.site_based:Linguacrawl",
            "in use today: a site is left after 200 pages if under a tenth is relevant",
        ),
        "trafilatura": Member(
            f"{_HERE}.site_based:Trafilatura", "in use today: links of relevant pages inside the seeds' own sites"
        ),
        "perfect": Member(
            f"{_HERE}.perfect:Perfect", "the branches of the breadth-first tree that end in relevant pages"
        ),
        "perfect-fewest": Member(
            f"{_HERE}.perfect:PerfectFewest", "the paths to relevant pages with the fewest others on them"
        ),
        "scout": Member(
            f"{_HERE}.scout:Scout", "ours: the likeliest URL first, by all that is known of it, learnt on the way"
        ),
    },
    check=problem,
)
