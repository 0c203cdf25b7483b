"""linguacrawl and trafilatura: how two crawlers that are in use today stay with a language."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from dragoman.crawl.strategies.base import HIGH, ON_OTHER, ON_RELEVANT, PAGE_NOT_RELEVANT, LinkStrategy
from dragoman.types import Candidate, Decision, Decisions, Fetched

SITE_LEFT = "site was left after its trial"
ANOTHER_SITE = "leads to another site"


class Linguacrawl(LinkStrategy):
    """A site is left after 200 pages if fewer than a tenth of them are relevant; else it is crawled to its end.

    linguacrawl's scout with its defaults (`scout_steps` 200, `min_percent_mandatory_lang` 10). The trial is held once:
    what comes later changes nothing. All links are followed, whatever the language of the page. Its list of accepted
    top-level domains, which is the user's, and its depth-first order inside a site are left out.

    >>> strategy = Linguacrawl()
    >>> link = Candidate(900, "a", "a/")
    >>> decided = [strategy.decide(Fetched(n, "a", "a/", relevant=n < 19), [link]) for n in range(200)]
    >>> decided[198].links[0].priority, decided[199].links[0].reason, decided[199].dropped
    (1.0, 'site was left after its trial', ('a',))
    """

    name = "linguacrawl"
    reads_scores = False
    #: How many pages a trial has, and the share of them that must be relevant.
    TRIAL, SHARE = 200, 0.1

    def __init__(self) -> None:
        #: Pages and relevant pages of the sites on trial; the sites that were left.
        self._trials: dict[Hashable, tuple[int, int]] = {}
        self._left: set[Hashable] = set()

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """Every link, but those to sites that were left."""
        left_now = self._fails(self.group_of(page), page.relevant)
        taken = HIGH, ON_RELEVANT if page.relevant else ON_OTHER
        decided = []
        for link in links:
            site = self.group_of(link)
            decided.append(Decision(link.key, site, *((None, SITE_LEFT) if site in self._left else taken)))
        return Decisions(tuple(decided), (self.group_of(page),) if left_now else ())

    def _fails(self, site: Hashable, relevant: bool) -> bool:
        """True if this page ends the trial of its site and the site is left."""
        pages, good = self._trials.get(site, (0, 0))
        if pages == self.TRIAL:
            return False
        self._trials[site] = pages + 1, good + relevant
        fails = pages + 1 == self.TRIAL and good + relevant < self.SHARE * self.TRIAL
        if fails:
            self._left.add(site)
        return fails

    def gave_up(self, server: Hashable, directory: Hashable) -> bool:
        """True for the sites that were left."""
        return server in self._left


class Trafilatura(LinkStrategy):
    """Links of relevant pages to pages of the same site: the sites of the seeds, and nothing else.

    trafilatura's focused crawler with a language (2.3): a page in another language gives no links, and links that leave
    the site are not taken. A list of sites has to come from elsewhere. That it also drops URLs which name another
    language (`/fr/`) and takes menu pages first is left out: both need the words of a URL.

    >>> page, links = Fetched(0, "a", "a/", relevant=True), [Candidate(1, "a", "a/"), Candidate(2, "b", "b/")]
    >>> [decision.reason for decision in Trafilatura().decide(page, links).links]
    ['on a relevant page', 'leads to another site']
    """

    name = "trafilatura"
    reads_scores = False

    def decide(self, page: Fetched, links: Sequence[Candidate]) -> Decisions:
        """Those of the page's own site, if the page is relevant."""
        own = self.group_of(page)
        return Decisions(tuple(self._decided(page, own, link) for link in links))

    def _decided(self, page: Fetched, own: Hashable, link: Candidate) -> Decision:
        site = self.group_of(link)
        if not page.relevant:
            return Decision(link.key, site, None, PAGE_NOT_RELEVANT)
        return Decision(link.key, site, *((HIGH, ON_RELEVANT) if site == own else (None, ANOTHER_SITE)))
