"""Sites that are in a language, as a list that people can read, correct and give to others.

A site is a whole host where most of its URLs were answered with the language, else the first directories of the host of
which that is so: `https://example.org/th/`. The list has the form of Common Crawl's web-languages project, where such
lists are collected: a heading with the language's name, addresses below it, the ISO 639-3 code at the end.

>>> sites = SiteCounts()
>>> for url in ("http://a.th/1", "https://a.th/2", "http://a.th/3", "http://b.com/th/1", "http://b.com/th/2", "http://b.com/en/1"):
...     sites.add(url, "en" if "/en/" in url else "th")
>>> sites.of("th", least=2)
['https://a.th/', 'http://b.com/th/']
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from dragoman.label.inputs import Inputs
from dragoman.label.judges import LanguageJudge
from dragoman.label.pipeline import Progress, RowCounts, counted_pieces
from dragoman.languages import alpha3, name
from dragoman.types import Language
from dragoman.web.addresses import server_and_directory


class SiteCounts:
    """How many URLs of each host, and of each of its first directories, were answered with which language."""

    def __init__(self) -> None:
        self._servers: dict[str, Counter[Language | None]] = defaultdict(Counter)
        self._directories: dict[str, dict[str, Counter[Language | None]]] = defaultdict(lambda: defaultdict(Counter))
        self._secure: set[str] = set()

    def add(self, url: str, language: Language | None) -> None:
        """Count a URL."""
        server, directory = server_and_directory(url)
        if not server:
            return
        self._servers[server][language] += 1
        self._directories[server][directory][language] += 1
        if url.startswith("https:"):
            self._secure.add(server)

    def languages(self, least: int = 1, share: float = 0.8) -> list[Language]:
        """The languages that have a site."""
        languages = {language for counts in self._servers.values() for language in counts if language is not None}
        return sorted(language for language in languages if self.of(language, least, share))

    def of(self, language: Language, least: int = 1, share: float = 0.8) -> list[str]:
        """The sites in a language, those with the most URLs first: of each, so many and such a share must be in it."""
        sites: list[tuple[int, str]] = []
        for server, counts in self._servers.items():
            scheme = "https" if server in self._secure else "http"
            if _is_in(counts, language, least, share):
                sites.append((counts[language], f"{scheme}://{server}/"))
            elif counts[language] >= least:
                sites += [
                    (counted[language], f"{scheme}://{directory.rstrip('/')}/")
                    for directory, counted in self._directories[server].items()
                    if directory.rstrip("/") != server and _is_in(counted, language, least, share)
                ]
        return [site for _, site in sorted(sites, key=lambda pair: (-pair[0], pair[1]))]


def _is_in(counts: Counter[Language | None], language: Language, least: int, share: float) -> bool:
    return counts[language] >= least and counts[language] >= share * counts.total()


def count_prefixes(
    judge: LanguageJudge,
    inputs: Inputs,
    column: str,
    threads: int = 1,
    progress: Progress = lambda fraction, rows: None,
) -> tuple[SiteCounts, RowCounts]:
    """Read and judge all rows and count them by host and first directory; and what happened on the way."""
    sites = SiteCounts()
    counts, pieces = counted_pieces(lambda piece: judge.answers(piece.byte_column), inputs, column, threads, progress)
    for piece, answers in pieces:
        for url, language in zip(piece.byte_column, answers.columns().tags(), strict=True):
            sites.add(url.decode("utf-8", "replace"), language)
    return sites, counts


def as_markdown(language: Language, sites: Iterable[str]) -> str:
    """The list, as the web-languages project has it.

    >>> print(as_markdown("th", ["https://a.example/"]))
    # Web Language: Thai
    <BLANKLINE>
    Other:
    - https://a.example/
    <BLANKLINE>
    Additional Information:
    - ISO-639-3 code: tha
    <BLANKLINE>
    """
    listed = "".join(f"- {site}\n" for site in sites)
    about = f"Additional Information:\n- ISO-639-3 code: {alpha3(language)}\n"
    return f"# Web Language: {name(language)}\n\nOther:\n{listed}\n{about}"
