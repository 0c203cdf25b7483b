"""The URLs that wait, best first: PlainFrontier is the definition, Frontier does the same, compiled."""

from dragoman.crawl.frontier.compiled import Frontier
from dragoman.crawl.frontier.plain import PlainFrontier

__all__ = ["Frontier", "PlainFrontier"]
