"""The URLs that wait, best first: Frontier is the definition, CompactFrontier the same in a tenth of the memory."""

from dragoman.crawl.frontier.compact import CompactFrontier
from dragoman.crawl.frontier.plain import Frontier

__all__ = ["CompactFrontier", "Frontier"]
