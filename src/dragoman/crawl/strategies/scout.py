"""scout: the likeliest URL first, by all that is known of it before it is fetched, learnt while the crawl runs."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from dragoman.crawl.records import ServerRecords, ServerRule, Status
from dragoman.crawl.strategies.base import (
    NEW_SERVER,
    ON_OTHER,
    ON_RELEVANT,
    SEED,
    SERVER_IRRELEVANT,
    VISITED,
    LinkStrategy,
)
from dragoman.crawl.strategies.estimate import (
    LATE_CELL,
    ONE_CELL,
    SEED_CELL,
    Estimate,
    Evidence,
    link_cell,
    starting_weights,
)
from dragoman.crawl.strategies.options import ScoutTuning
from dragoman.crawl.strategies.scout_memory import NO_CELL, GroupTable, SeenTable, Shifts, UrlTable
from dragoman.types import Candidate, Decision, Decisions, Fetched, Language

#: What a language that `hreflang` promises adds to a URL's log-odds, or takes from them.
HREFLANG = 4.0
#: What is taken from the log-odds of URLs that only a complete crawl takes, of those in a full language, and of what
#: only a crawl that wanders takes: new servers to which nothing wanted links, and URLs that speak against themselves.
LATE, LAST, FAR = 20.0, 100.0, 5.0
#: A URL that counts less than this by itself is in another language unless everything else is wrong.
AGAINST = -4.0
#: A server whose URLs count this much in the mean promises pages: a crawl that wanders is patient with it so many
#: times. Books are translated in parts, and the untranslated ones may come first.
PROMISING, PATIENCE = 3.0, 1
#: What somebody knows of a site counts as so many pages.
EXPECTED = 20.0
#: Answers without a page after which a directory is given up, if nothing else comes from it.
MOST_ERRORS = 30
#: The cell of pages of earlier crawls that are visited again. It is never ranked: their priority is their log-odds,
#: within those of this chance.
VISITED_CELL, SURELY = 255, 1e-6
ONLY_ERRORS = "nothing but errors came from there"


class Scout(LinkStrategy, twin="scout"):
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

    Queue and servers are bounded as by conservative-server (section 4.2 of the 2007 paper) unless `complete`; with
    `wander` links to new servers are taken from any page, when little that is likelier is left.
    Errors are pages that were not relevant as far as shares go, and a place from which nothing else comes is given up.
    Cost: O(log n) per link, plus the shifts, whose number per page is bounded on average by the schedules.

    >>> scout = Scout()
    >>> decisions = scout.decide(Fetched(0, "a", "a/", relevant=True), [Candidate(1, "a", "a/", score=0.5)])
    >>> decisions.links[0].priority, decisions.links[0].reason, len(decisions.shifts) > 0
    (0.5, 'on a relevant page', True)
    """

    name = "scout"
    least = 0.0
    records: ServerRecords

    def __init__(
        self,
        rule: ServerRule | None = None,
        *,
        complete: bool = False,
        wander: bool = False,
        quotas: Mapping[Language, int] | None = None,
        languages: Sequence[Language] = (),
        tuning: ScoutTuning | None = None,
    ) -> None:
        self.records = ServerRecords(rule or ServerRule())
        self.wander = wander
        self.complete, self.quotas, self.languages = complete, quotas or {}, frozenset(languages)
        self.tuning = tuning or ScoutTuning()
        self.estimate = Estimate(starting_weights(), self.tuning.rate, frozenset(self.tuning.without))
        self._servers, self._directories = SeenTable(of_servers=True), SeenTable(of_servers=False)
        self._urls = UrlTable()
        self._groups = GroupTable()
        self._pages_by_language: dict[Language, int] = {}
        self._has_failed = False
        self._expected_of_server: dict[int, float] = {}
        self._expected_of_directory: dict[int, float] = {}
        self._next_ranking = 16
        self._shifts = Shifts(self._directories)
        without = self.tuning.without
        self._explore = 0.0 if "exploring" in without else self.tuning.explore
        self._renews = "reranking" not in without and "seen" not in without

    def gave_up(self, server: Hashable, directory: Hashable) -> bool:
        """True if URLs of this server are no longer wanted; a complete crawl wants them all."""
        if self.complete:
            return False
        return super().gave_up(server, directory) or self._fails(server, directory)

    def _fails(self, server: Hashable, directory: Hashable) -> bool:
        """True if a server gave errors and no page, or a directory hardly anything else."""
        if not self._has_failed:
            return False
        errors = self._servers.errors[self._servers.of(server)]
        if errors > self.records.rule.tolerance and not self.records[server].pages:
            return True
        number = self._directories.of(directory)
        return self._directories.errors[number] > max(MOST_ERRORS, 10 * self._directories.pages[number])

    def expect(self, server: Hashable, directory: Hashable | None, share: float) -> None:
        """What somebody knows counts as some pages of the server or directory."""
        if directory is None:
            self._expected_of_server[self._servers.of(server)] = share
        else:
            self._expected_of_directory[self._directories.of(directory)] = share
            if share > 0:
                self._expected_of_server.setdefault(self._servers.of(server), 0.5)

    @property
    def finished(self) -> bool:
        """True when every quota is full: then the crawl can end."""
        return bool(self.quotas) and all(self._full(language) for language in self.quotas)

    def start(self, seeds: Sequence[Candidate]) -> Decisions:
        """Seeds come in with the best evidence that links can give."""
        for seed in seeds:
            self._enter(seed, self._urls.of(seed.key), SEED_CELL, self._score(seed))
        decided = (Decision(seed.key, (seed.directory, SEED_CELL), self._score(seed), SEED) for seed in seeds)
        return Decisions(tuple(decided), shifts=self._taken_shifts())

    def revisit(self, url: Candidate, chance: float) -> Decisions:
        """A page that is wanted and may have changed ranks among the URLs that may be wanted by its log-odds."""
        bounded = min(max(chance, SURELY), 1.0 - SURELY)
        odds = math.log(bounded / (1.0 - bounded))
        return Decisions((Decision(url.key, (url.directory, VISITED_CELL), odds, VISITED),))

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """What the page teaches, then its links, then the groups that rank differently now."""
        server, directory = self._servers.of(page.server), self._directories.of(page.directory)
        url = self._urls.of(page.key)
        # Nobody linked to a page of an earlier crawl: it is given as seeds are.
        cell = SEED_CELL if (known := self._urls.cell(url)) == NO_CELL else known
        score = self._urls.score[url]
        self._urls.fetch(url)
        evidence = self._evidence(directory, server, page.server)
        self._rank(directory, self.records.status(page.server), (cell,), evidence)
        self._servers.residual[server] += self.estimate.learn(evidence, cell, score, page.relevant, page.anchor)
        full = self._count(page, directory)
        self._directories.pages[directory] += 1
        self._directories.relevant[directory] += page.relevant
        before = self.records.status(page.server)
        changed = self.records.count(page.server, page.relevant)
        if changed and self.wander and self._promises(server):
            changed = not self.records.forgive(page.server, PATIENCE)
        status = self.records.status(page.server)
        dropped: tuple[Hashable, ...] = ()
        if status is Status.IRRELEVANT and changed and not self.complete:
            dropped = tuple(self._all_groups(server))
            self._groups.forget(server)
            self._taken_shifts()  # so far only of the page's own group, which is gone
        decided = tuple(self._decided(page, status, link) for link in links)
        if "reranking" not in self.tuning.without:
            record = self.records[page.server]
            if status is not before or record.pages >= self._servers.next[server]:
                self._servers.next[server] = record.pages + record.pages // 4 + 1
                self._rank_server(server)
            else:
                self._rank_directory(directory, server)
        crawled = self.records.crawled
        if full or crawled >= self._next_ranking:
            if crawled >= self._next_ranking:
                self._next_ranking = crawled + crawled // 8 + 16
            self.estimate.settle()
            for ranked in self._groups.servers():
                self._rank_server(ranked)
        return Decisions(decided, dropped, shifts=self._taken_shifts())

    def fail(self, page: Fetched) -> Decisions:
        """An error: the share of relevant pages falls where it came from; what gives nothing else is given up."""
        server, directory = self._servers.of(page.server), self._directories.of(page.directory)
        self._urls.fetch(self._urls.of(page.key))
        self._has_failed = True
        self._servers.errors[server] += 1
        self._directories.errors[directory] += 1
        if self.complete or not self._fails(page.server, page.directory):
            self._rank_directory(directory, server)
            return Decisions((), shifts=self._taken_shifts())
        whole = not self.records[page.server].pages
        groups = self._all_groups(server) if whole else self._groups_of(directory)
        dropped = tuple(groups)
        if whole:
            self._groups.forget(server)
        return Decisions((), dropped)

    def receive(self, page: Fetched, status: Status, links: Sequence[Candidate]) -> Decisions:
        """Links from a server of another shard, then the groups that rank differently now."""
        decided = tuple(self._decided(page, status, link) for link in links)
        return Decisions(decided, shifts=self._taken_shifts())

    def _taken_shifts(self) -> Shifts:
        shifts, self._shifts = self._shifts, Shifts(self._directories)
        return shifts

    def _count(self, page: Fetched, directory: int) -> bool:
        """True if this page fills the quota of its language."""
        if not page.relevant or page.language is None:
            return False
        self._directories.speaks(directory, page.language)
        if page.language not in self.quotas:
            return False
        was = self._full(page.language)
        self._pages_by_language[page.language] = self._pages_by_language.get(page.language, 0) + 1
        return not was and self._full(page.language)

    def _full(self, language: Language | None) -> bool:
        quota = self.quotas.get(language) if language is not None else None
        return quota is not None and self._pages_by_language.get(language or "", 0) >= quota

    def _decided(self, page: Fetched, status: Status, link: Candidate) -> Decision:
        rejected = self._rejected(page, status, link)
        if rejected:
            return self._late(link, rejected)
        reason = ON_RELEVANT if page.relevant else ON_OTHER
        urls, url, score = self._urls, self._urls.of(link.key), self._score(link)
        if urls.fetched(url):  # the frontier will not take it
            return Decision(link.key, (link.directory, LATE_CELL), score, reason)
        of_directory = of_server = False
        server, directory = self._servers.of(link.server), self._directories.of(link.directory)
        if not urls.is_linked(url):
            of_directory = self._directories.see(directory, score)
            of_server = self._servers.see(server, score)
        counts = urls.link(url, page.relevant, link.server == page.server)
        cell = link_cell(counts) if "parents" not in self.tuning.without else ONE_CELL
        if self.wander and score < AGAINST:
            # Such URLs are hardly ever fetched, so that learning would not notice if their scores came to count little.
            cell = LATE_CELL
        renewed = self._renews and (of_server or of_directory)
        self._enter(link, url, cell, score, ranked=not renewed)
        if renewed:
            if of_server:
                self._rank_server(server)
            else:
                self._rank_directory(directory, server)
        return Decision(link.key, (link.directory, cell), score, reason)

    def _late(self, link: Candidate, reason: str) -> Decision:
        """What conservative-server would reject: only a complete crawl takes it, after everything else."""
        if not self.complete and not (self.wander and reason == NEW_SERVER):
            return Decision(link.key, (link.directory, LATE_CELL), None, reason)
        url = self._urls.of(link.key)
        fetched = self._urls.fetched(url)
        if not fetched and self._urls.cell(url) == NO_CELL:
            self._enter(link, url, LATE_CELL, self._score(link))
        cell = LATE_CELL if fetched else self._urls.cell(url)
        return Decision(link.key, (link.directory, cell), self._score(link), reason)

    def _rejected(self, page: Fetched, status: Status, link: Candidate) -> str | None:
        record = self.records[link.server]
        if record.status is Status.IRRELEVANT:
            again = page.relevant and link.server != page.server and self.records.ask(link.server)
            return None if again else SERVER_IRRELEVANT
        if self._fails(link.server, link.directory) and not self.complete:
            return ONLY_ERRORS
        if status is not Status.RELEVANT and not record.pages and not self._is_expected(link.server):
            return NEW_SERVER
        return None

    def _promises(self, server: int) -> bool:
        """True if the URLs of a server say that it has relevant pages."""
        return self._servers.scores[server] > PROMISING * self._servers.seen[server]

    def _is_expected(self, server: Hashable) -> bool:
        """True if somebody knows that a server has relevant pages."""
        known = self._expected_of_server
        return bool(known) and known.get(self._servers.of(server), 0.0) > 0

    def _score(self, link: Candidate) -> float:
        if "score" in self.tuning.without:
            return 0.0
        score = link.score + self.estimate.anchor * link.anchor
        if link.hreflang is not None and self.languages:
            score += HREFLANG if link.hreflang in self.languages else -HREFLANG
        return score

    def _enter(self, link: Candidate, url: int, cell: int, score: float, *, ranked: bool = True) -> None:
        """The groups that a URL enters and leaves are ranked by what is known now, unless all are afterwards."""
        server, directory = self._servers.of(link.server), self._directories.of(link.directory)
        before = self._urls.cell(url)
        if not self._urls.fetched(url):
            self._urls.enter(url, cell, score)
        self._groups.add(server, directory, cell)
        if ranked:
            cells = (cell,) if before in (cell, NO_CELL) else (cell, before)
            evidence = self._evidence(directory, server, link.server)
            self._rank(directory, self.records.status(link.server), cells, evidence)

    def _evidence(self, directory: int, server: int, name: Hashable) -> Evidence:
        record, tuning = self.records[name], self.tuning
        pages, relevant = float(record.pages), float(record.relevant)
        if (share := self._expected_of_server.get(server)) is not None:
            pages, relevant = pages + EXPECTED, relevant + EXPECTED * share
        evidence = self.estimate.evidence(
            self._directories, directory, self._servers, server, pages, relevant,
            tuning.server_prior, tuning.directory_prior,
        )  # fmt: skip
        if (share := self._expected_of_directory.get(directory)) is not None:
            tried = self._directories.pages[directory] + self._directories.errors[directory]
            rate = (self._directories.relevant[directory] + EXPECTED * share + 0.5) / (tried + EXPECTED + 1.0)
            evidence = evidence._replace(state=2, record=math.log(rate / (1.0 - rate)))
        return evidence

    def _rank(self, directory: int, status: Status, cells: Iterable[int], evidence: Evidence) -> None:
        scale = self.estimate.scale(evidence)
        last = bool(self.quotas) and self._full(self._directories.language(directory))
        for cell in cells:
            offset = self.estimate.offset(evidence, cell)
            if status is Status.UNDECIDED:
                offset += self._explore
            if status is Status.IRRELEVANT or cell == LATE_CELL:  # only a complete crawl, or one that wanders, has such
                offset -= FAR if self.wander and status is not Status.IRRELEVANT else LATE
            if last:
                offset -= LAST
            self._shifts.add(directory, cell, offset, scale)

    def _rank_directory(self, directory: int, server: int) -> None:
        name = self._servers.key(server)
        evidence = self._evidence(directory, server, name)
        self._rank(directory, self.records.status(name), self._groups.cells(directory), evidence)

    def _rank_server(self, server: int) -> None:
        for directory in self._groups.directories(server):
            self._rank_directory(directory, server)

    def _all_groups(self, server: int) -> Iterator[Hashable]:
        for directory in self._groups.directories(server):
            yield from self._groups_of(directory)

    def _groups_of(self, directory: int) -> Iterator[Hashable]:
        return ((self._directories.key(directory), cell) for cell in self._groups.cells(directory))
