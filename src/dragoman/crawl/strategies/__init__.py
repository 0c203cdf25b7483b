"""The strategies by name. To add one: a file here, a line in STRATEGIES."""

from __future__ import annotations

from types import MappingProxyType

from dragoman.errors import UnknownName

#: name: (module:class, what it does). `perfect` in both readings needs the pages that dragoman.crawl.ideal finds.
STRATEGIES = MappingProxyType(
    {
        "bfs": ("bfs:BreadthFirst", "breadth first, whatever the language"),
        "hard-focused": ("hard_focused:HardFocused", "links of relevant pages only"),
        "soft-focused": ("soft_focused:SoftFocused", "links of relevant pages first"),
        "aggressive-server": ("aggressive_server:AggressiveServer", "no links to irrelevant servers"),
        "conservative-server": (
            "conservative_server:ConservativeServer",
            "the same, and only relevant servers open new ones",
        ),
        "conservative-directory": (
            "conservative_directory:ConservativeDirectory",
            "the same for directories instead of servers",
        ),
        "perfect": ("perfect:Perfect", "the branches of the breadth-first tree that end in relevant pages"),
        "perfect-fewest": ("perfect:Perfect", "the paths to relevant pages with the fewest others on them"),
        "scout": ("scout:Scout", "ours: the likeliest URL first, by all that is known of it, learnt on the way"),
    }
)


def known(name: str) -> str:
    """The name, if there is such a strategy."""
    if name not in STRATEGIES:
        raise UnknownName("strategy", name, STRATEGIES)
    return name
