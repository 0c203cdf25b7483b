"""Recipe: what a synthetic web is made of, and how many links of each kind the paper's tables ask for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import UsageError
from dragoman.kernels.synth import CLASSES, KINDS
from dragoman.languages import normalise
from dragoman.types import Language

#: The smallest web in which servers, gates and seeds have room.
SMALLEST = 2_000
LARGEST = 100_000_000

#: Languages of the rest of the web and their shares; the first is the common one.
REST: tuple[tuple[Language, float], ...] = (
    ("en", 0.486), ("de", 0.10), ("ja", 0.10), ("fr", 0.06), ("es", 0.05), ("zh", 0.045), ("ru", 0.03), ("it", 0.03),
    ("ko", 0.025), ("nl", 0.02), ("pl", 0.014), ("pt", 0.014), ("sv", 0.013), ("da", 0.007), ("fi", 0.006),
)  # fmt: skip


@dataclass(frozen=True)
class Recipe:
    """A synthetic web: its size, seed and target languages; the other values are those that fit the paper's tables.

    `pages` is the number of fetched pages. Each target language has `share` of them; where that does not leave half
    of the web to other languages, they divide half of it. The seed decides everything else.
    """

    pages: int = 1_000_000
    seed: int = 0
    languages: tuple[Language, ...] = ("th",)
    share: float | None = None
    #: How many servers there are in all; as many per page as in the paper if it is not said.
    servers: int | None = None
    #: Exponent of the server sizes, a Pareto distribution cut off at `largest` of all pages of its kind.
    pareto: float = 0.82
    largest: float = 0.06
    #: Target servers that are nearly pure and that are mixed; in the rest target pages are rare.
    pure: float = 0.54
    mixed: float = 0.41
    #: Pages in other languages on target servers, per target page.
    others: float = 0.35
    #: A server of n pages has about n^directories directories, whose pages share a language with `purity`.
    directories: float = 0.45
    purity: float = 0.93
    #: Target pages behind entry pages in another language, and those on servers linked only from elsewhere.
    gated: float = 0.09
    elsewhere: float = 0.003
    #: Chance of one more page in front of what a gate hides.
    gate: float = 0.55
    #: Other servers to which target pages link at all.
    near: float = 0.14
    #: Links to other servers that lead to their first page; target pages that only other pages of a server lead to.
    first: float = 0.75
    stray: float = 0.03
    #: Spread of the lognormal out-degree, share of links to unseen URLs that find a new one, share of short pages.
    spread: float = 0.9
    fresh: float = 0.54
    short: float = 0.05

    def __post_init__(self) -> None:
        object.__setattr__(self, "languages", tuple(normalise(language) for language in self.languages))
        if not SMALLEST <= self.pages <= LARGEST:
            raise UsageError(f"A synthetic web has {SMALLEST:,} to {LARGEST:,} pages, not {self.pages:,}")
        if not self.languages or len(set(self.languages)) != len(self.languages):
            raise UsageError("A synthetic web needs one or more target languages, each once")
        if len(self.languages) > 30:
            raise UsageError(f"A synthetic web has at most 30 target languages, not {len(self.languages)}")
        if self.share is not None and not 0.0005 <= self.share * len(self.languages) <= 0.8:
            raise UsageError(
                f"Target pages make 0.0005 to 0.8 of a synthetic web, not {self.share * len(self.languages):g}"
            )
        least, most = 25 * len(self.languages), self.pages // 3
        if self.servers is not None and not least <= self.servers <= most:
            raise UsageError(
                f"A synthetic web of {self.pages:,} pages has {least} to {most:,} servers, not {self.servers:,}"
            )
        if self.seed < 0:
            raise UsageError(f"A seed is 0 or more, not {self.seed}")

    @property
    def rest(self) -> tuple[tuple[Language, float], ...]:
        """The other languages with their shares, which sum to 1."""
        others = [(language, part) for language, part in REST if language not in self.languages]
        total = sum(part for _, part in others)
        return tuple((language, part / total) for language, part in others)

    @property
    def target_pages(self) -> int:
        """How many pages each target language has."""
        paper = published()
        usual = int(paper["target_pages"]) / int(paper["pages"])
        share = min(usual, 0.5 / len(self.languages)) if self.share is None else self.share
        return round(share * self.pages)

    @property
    def target_servers(self) -> int:
        """How many servers each target language has."""
        paper = published()
        usual = self.target_pages * int(paper["target_servers"]) / int(paper["target_pages"])
        return max(5, round(usual * self._more_servers))

    @property
    def _usual_other_servers(self) -> float:
        paper = published()
        there = paper["pages"] - paper["target_pages"] * (1 + self.others)
        return self.other_pages * (int(paper["servers"]) - int(paper["target_servers"])) / float(there)

    @property
    def _more_servers(self) -> float:
        """How many servers there are for one that the paper's numbers would ask for."""
        if self.servers is None:
            return 1.0
        paper = published()
        usual = len(self.languages) * self.target_pages * int(paper["target_servers"]) / int(paper["target_pages"])
        return self.servers / (usual + self._usual_other_servers)

    @property
    def other_pages(self) -> int:
        """Pages on servers without target pages."""
        return self.pages - round(self.target_pages * len(self.languages) * (1 + self.others))

    @property
    def other_servers(self) -> int:
        """Servers without target pages."""
        return max(20, round(self._usual_other_servers * self._more_servers))

    def wanted(self) -> NDArray[np.float64]:
        """Links by class of page and kind of link: as in the paper's tables, at this size.

        The tables give the sums over fetched pages. What they leave open is filled in as follows: links to URLs that
        were only seen follow the other links of their class; of the links that lead to servers which gave no page
        (total minus Table 5), three quarters start on servers without target pages.
        """
        pages, servers = published()["pages_table"], published()["servers_table"]
        wanted = np.zeros((len(CLASSES), len(KINDS)))
        of = {name: n for n, name in enumerate(KINDS)}
        for row, name in enumerate(CLASSES):
            table = pages[name]
            wanted[row, of["own target"]] = table["target"] - table["target_between"]
            wanted[row, of["own other"]] = table["other"] - table["other_between"]
            wanted[row, of["target"]] = table["target_between"]
        # Links between servers to pages in other languages: so many lead to target servers that Table 5 comes out.
        between = servers["target"]["other_between"]
        away = pages["target"]["other_between"] + pages["mixed"]["other_between"]
        seen_away = 0.015 * between
        for row, name in enumerate(CLASSES[:2]):
            part = pages[name]["other_between"] / away
            wanted[row, of["foreign"]] = part * (between - seen_away)
            wanted[row, of["mixed"]] = pages[name]["other_between"] - wanted[row, of["foreign"]]
            wanted[row, of["foreign seen"]] = part * seen_away
        row = 2
        to_target = servers["other"]["target_between"] - pages["other"]["target_between"]
        wanted[row, of["mixed"]] = 0.8 * to_target
        wanted[row, of["target seen"]] = 0.2 * to_target
        wanted[row, of["foreign"]] = pages["other"]["other_between"] - wanted[row, of["mixed"]]
        wanted[row, of["foreign seen"]] = servers["other"]["other_between"] - wanted[row, of["foreign"]]
        # What Table 5 has beyond Table 4 leads to URLs that were only seen.
        inter = wanted[:2, [of["target"], of["mixed"]]].sum()
        seen_target = servers["target"]["target_between"] - inter
        inside = wanted[:, [of["own target"], of["own other"]]].sum(axis=1)
        for rows, name in (((0, 1), "target"), ((2,), "other")):
            own = servers[name]["target" if name == "target" else "other"]
            own -= servers[name]["target_between" if name == "target" else "other_between"]
            for row in rows:
                part = inside[row] / inside[list(rows)].sum()
                wanted[row, of["own seen"]] = (own - inside[list(rows)].sum()) * part
                if name == "target":
                    wanted[row, of["target seen"]] = max(0.0, seen_target) * part
        dead = published()["links"] - sum(table["target"] + table["other"] for table in servers.values())
        wanted[:, of["dead"]] = np.array([0.2, 0.05, 0.75]) * dead
        return self._scaled(wanted)

    def _scaled(self, wanted: NDArray[np.float64]) -> NDArray[np.float64]:
        paper = published()
        by_target = self.target_pages * len(self.languages) / paper["target_pages"]
        wanted[:2] *= by_target
        there = paper["pages"] - paper["target_pages"] * (1 + self.others)
        meets = [KINDS.index(name) for name in ("target", "mixed", "target seen")]
        away = np.ones(len(KINDS), np.bool_)
        away[meets] = False
        wanted[2, away] *= self.other_pages / there
        wanted[2, meets] *= by_target
        return wanted


@cache
def published() -> dict[str, Any]:
    """The paper's counts of pages, servers and links."""
    text = files("dragoman.data.published").joinpath("thai_web_2004.json").read_text(encoding="utf-8")
    counts: dict[str, Any] = json.loads(text)
    return counts
