"""scout: the likeliest URL first, by all that is known of it before it is fetched, learnt while the crawl runs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dragoman.crawl.records import Records, Rule, Status
from dragoman.crawl.strategies.base import NEW_SERVER, ON_OTHER, ON_RELEVANT, SEED, SERVER_IRRELEVANT, LinkStrategy
from dragoman.crawl.strategies.estimate import (
    LATE_CELL,
    ONE_CELL,
    SEED_CELL,
    Estimate,
    Evidence,
    Seen,
    check_ingredients,
    link_cell,
    starting_weights,
)
from dragoman.errors import UsageError
from dragoman.types import Candidate, Decision, Decisions, Fetched, Language, Shift

#: What a language that `hreflang` promises adds to a URL's log-odds, or takes from them.
HREFLANG = 4.0
#: What is taken from the log-odds of URLs that only a complete crawl takes, and of those in a full language.
LATE, LAST = 20.0, 100.0
#: The cell of a URL that no link has been counted for.
NO_CELL = -1


@dataclass(frozen=True)
class ScoutOptions:
    """How a scout behaves; the values are those that were tuned on webs which the reported figures do not use."""

    #: Take what conservative-server would reject too, after everything else, so that nothing is missed.
    complete: bool = False
    #: Speed of learning, and what is added to the log-odds of URLs on undecided servers.
    rate: float = 0.2
    explore: float = 1.0
    #: How many pages the prior of a server's and of a directory's share of relevant pages counts for.
    server_prior: float = 1.0
    directory_prior: float = 2.0
    #: At most so many relevant pages per language; a full language goes last, and the crawl ends when all are full.
    quotas: Mapping[Language, int] = field(default_factory=dict)
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
        for language, pages in self.quotas.items():
            if pages < 0:
                raise UsageError(f"The quota of '{language}' is {pages}; give 0 or more pages")


@dataclass(slots=True)
class _Url:
    """What is known of a URL that was found and not fetched: links to it by kind, its cell and its score."""

    counts: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    cell: int = NO_CELL
    score: float = 0.0


class Scout(LinkStrategy):
    """Ranks every waiting URL by an estimate of its log-odds to be relevant.

    logit(u) = b[cell, state] + r[state] * record + s[state] * score + t[state] * residual + m[state] * seen
               + n[state] * seen on the server (+ explore while the server is undecided)

    - cell: how many relevant and other pages of its own server and of other servers link to it;
    - state: nothing of its server was fetched, nothing of its directory, or something of both;
    - record: the log-odds of its directory's share of relevant pages, drawn towards its server's share, and that
      towards one half;
    - score: what its URL says (log-odds; anchor text and hreflang are added where there are any);
    - residual: by how much the scores of the server's fetched pages were too high or too low, given what they were;
    - seen: the mean score of all URLs seen in its directory, and on its server.

    The weights are those of a logistic regression with AdaGrad steps on every page fetched, starting from no opinion
    about cells. URLs of one directory and cell are a group of the frontier: within it the score decides, and a change
    of a record moves the whole group at once (Shift). Own directory after each page; all of the server when its pages
    or seen URLs have grown by a quarter, or its status changed; everything, with the weights learnt until then, when
    the crawl has grown by an eighth.

    Queue and servers are bounded as by conservative-server (section 4.2 of the 2007 paper) unless `complete`.
    Cost: O(log n) per link, plus the shifts, whose number per page is bounded on average by the schedules.

    >>> scout = Scout()
    >>> decisions = scout.decide(Fetched(0, "a", "a/", relevant=True), [Candidate(1, "a", "a/", score=0.5)])
    >>> decisions.links[0].priority, decisions.links[0].reason, len(decisions.shifts) > 0
    (0.5, 'on a relevant page', True)
    """

    name = "scout"
    grain = "directory"

    def __init__(
        self,
        rule: Rule | None = None,
        options: ScoutOptions | None = None,
        *,
        languages: Sequence[Language] = (),
    ) -> None:
        self.options = options or ScoutOptions()
        self.records = Records(rule or Rule())
        self.languages = frozenset(languages)
        self.estimate = Estimate(starting_weights(), self.options.rate, frozenset(self.options.without))
        self._servers: dict[Hashable, Seen] = {}
        self._directories: dict[Hashable, Seen] = {}
        self._urls: dict[Hashable, _Url | None] = {}  # None: fetched
        self._groups: dict[Hashable, dict[Hashable, set[int]]] = {}
        self._found: dict[Language, int] = {}
        self._next_ranking = 16
        self._shifts: dict[Hashable, Shift] = {}

    @property
    def finished(self) -> bool:
        """True when every quota is full: then the crawl can end."""
        return bool(self.options.quotas) and all(self._full(language) for language in self.options.quotas)

    def start(self, seeds: Sequence[Candidate]) -> Decisions:
        """Seeds come in with the best evidence that links can give."""
        for seed in seeds:
            self._enter(seed, self._urls.setdefault(seed.key, _Url()) or _Url(), SEED_CELL)
        decided = (Decision(seed.key, (seed.directory, SEED_CELL), self._score(seed), SEED) for seed in seeds)
        return Decisions(tuple(decided), shifts=self._taken_shifts())

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """What the page teaches, then its links, then the groups that rank differently now."""
        server = self._servers.setdefault(page.server, Seen())
        directory = self._directories.setdefault(page.directory, Seen())
        url = self._urls.get(page.key) or _Url()
        self._urls[page.key] = None
        evidence = self._evidence(page.directory, page.server)
        self._rank(page.directory, page.server, url.cell, evidence)
        self.estimate.learn(evidence, url.cell, url.score, page.relevant, server)
        full = self._count(page)
        directory.pages += 1
        directory.relevant += page.relevant
        before = self.records.status(page.server)
        changed = self.records.count(page.server, page.relevant)
        status = self.records.status(page.server)
        dropped: tuple[Hashable, ...] = ()
        if status is Status.IRRELEVANT and changed and not self.options.complete:
            dropped = tuple(self._all_groups(page.server))
            self._groups.pop(page.server, None)
        decided = tuple(self._decided(page, link) for link in links)
        if "reranking" not in self.options.without:
            record = self.records[page.server]
            if status is not before or record.pages >= server.next:
                server.next = record.pages + record.pages // 4 + 1
                self._rank_server(page.server)
            else:
                self._rank_directory(page.directory, page.server)
        crawled = self.records.crawled
        if full or crawled >= self._next_ranking:
            if crawled >= self._next_ranking:
                self._next_ranking = crawled + crawled // 8 + 16
            self.estimate.settle()
            for name in self._groups:
                self._rank_server(name)
        return Decisions(decided, dropped, shifts=self._taken_shifts())

    def _taken_shifts(self) -> tuple[Shift, ...]:
        shifts, self._shifts = tuple(self._shifts.values()), {}
        return shifts

    def _count(self, page: Fetched) -> bool:
        """True if this page fills the quota of its language."""
        if not page.relevant or page.language is None:
            return False
        self._directories[page.directory].language = page.language
        if page.language not in self.options.quotas:
            return False
        was = self._full(page.language)
        self._found[page.language] = self._found.get(page.language, 0) + 1
        return not was and self._full(page.language)

    def _full(self, language: Language | None) -> bool:
        quota = self.options.quotas.get(language) if language is not None else None
        return quota is not None and self._found.get(language or "", 0) >= quota

    def _decided(self, page: Fetched, link: Candidate) -> Decision:
        rejected = self._rejected(page, link)
        if rejected:
            return self._late(link, rejected)
        reason = ON_RELEVANT if page.relevant else ON_OTHER
        url = self._urls.setdefault(link.key, _Url())
        if url is None:  # fetched already: the frontier will not take it
            return Decision(link.key, (link.directory, LATE_CELL), self._score(link), reason)
        of_directory = of_server = False
        if not any(url.counts):
            of_directory = self._directories.setdefault(link.directory, Seen()).see(self._score(link))
            of_server = self._servers.setdefault(link.server, Seen()).see(self._score(link))
        kind = (0 if link.server == page.server else 2) + (not page.relevant)
        url.counts[kind] = min(url.counts[kind] + 1, 255)
        cell = link_cell(url.counts) if "parents" not in self.options.without else ONE_CELL
        self._enter(link, url, cell)
        if not {"reranking", "seen"} & set(self.options.without):
            if of_server:
                self._rank_server(link.server)
            elif of_directory:
                self._rank_directory(link.directory, link.server)
        return Decision(link.key, (link.directory, cell), url.score, reason)

    def _late(self, link: Candidate, reason: str) -> Decision:
        """What conservative-server would reject: only a complete crawl takes it, after everything else."""
        if not self.options.complete:
            return Decision(link.key, (link.directory, LATE_CELL), None, reason)
        url = self._urls.setdefault(link.key, _Url())
        if url is not None and url.cell == NO_CELL:
            self._enter(link, url, LATE_CELL)
        cell = LATE_CELL if url is None else url.cell
        return Decision(link.key, (link.directory, cell), self._score(link), reason)

    def _rejected(self, page: Fetched, link: Candidate) -> str | None:
        record = self.records[link.server]
        if record.status is Status.IRRELEVANT:
            again = page.relevant and link.server != page.server and self.records.ask(link.server)
            return None if again else SERVER_IRRELEVANT
        if self.records.status(page.server) is not Status.RELEVANT and not record.pages:
            return NEW_SERVER
        return None

    def _score(self, link: Candidate) -> float:
        if "score" in self.options.without:
            return 0.0
        score = link.score + link.anchor
        if link.hreflang is not None and self.languages:
            score += HREFLANG if link.hreflang in self.languages else -HREFLANG
        return score

    def _enter(self, link: Candidate, url: _Url, cell: int) -> None:
        """The groups that a URL enters and leaves are ranked by what is known now."""
        self._directories.setdefault(link.directory, Seen())
        evidence = self._evidence(link.directory, link.server)
        before, url.cell, url.score = url.cell, cell, self._score(link)
        self._groups.setdefault(link.server, {}).setdefault(link.directory, set()).add(cell)
        self._rank(link.directory, link.server, cell, evidence)
        if before not in (cell, NO_CELL):
            self._rank(link.directory, link.server, before, evidence)

    def _evidence(self, directory: Hashable, server: Hashable) -> Evidence:
        record, options = self.records[server], self.options
        return self.estimate.evidence(
            self._directories.get(directory) or Seen(), self._servers.get(server) or Seen(), record.pages,
            record.relevant, options.server_prior, options.directory_prior,
        )  # fmt: skip

    def _rank(self, directory: Hashable, server: Hashable, cell: int, evidence: Evidence) -> None:
        offset, scale = self.estimate.offset(evidence, cell), self.estimate.scale(evidence)
        status = self.records.status(server)
        if "exploring" not in self.options.without and status is Status.UNDECIDED:
            offset += self.options.explore
        if status is Status.IRRELEVANT or cell == LATE_CELL:  # only a complete crawl has such URLs
            offset -= LATE
        if self._full(self._directories[directory].language):
            offset -= LAST
        group = (directory, cell)
        self._shifts[group] = Shift(group, offset, scale)

    def _rank_directory(self, directory: Hashable, server: Hashable) -> None:
        evidence = self._evidence(directory, server)
        for cell in self._groups.get(server, {}).get(directory, ()):
            self._rank(directory, server, cell, evidence)

    def _rank_server(self, server: Hashable) -> None:
        for directory in self._groups.get(server, {}):
            self._rank_directory(directory, server)

    def _all_groups(self, server: Hashable) -> Iterator[Hashable]:
        for directory, cells in self._groups.get(server, {}).items():
            for cell in sorted(cells):
                self._shifts.pop((directory, cell), None)
                yield directory, cell
