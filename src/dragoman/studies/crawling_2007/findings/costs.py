"""What the paper says of queues and servers (section 5.3), of other seeds, and what it leaves open."""

from __future__ import annotations

from collections.abc import Iterator

from dragoman.studies.claims import TRIED, Finding, whether
from dragoman.studies.crawling_2007.figures import (
    CrawlFigure,
    CrawlingFigures,
    coverage,
    first_phase,
    harvest_at,
    longest_queue,
    missed,
    pages_crawled,
    percent,
    servers_accessed,
)
from dragoman.studies.crawling_2007.findings.over_recipes import Webs, ruling
from dragoman.studies.crawling_2007.plan import (
    AGGRESSIVE,
    CONSERVATIVE,
    DIRECTORY,
    FOUR,
    HARD,
    OTHER_STARTS,
    SCOUT_MODEL,
    SHARE,
    SOFT,
    from_seeds,
    with_errors,
)


def efficiency_claims(figures: CrawlingFigures) -> Iterator[Finding]:
    """Queues and servers (Figures 7 and 8)."""

    def queue(webs: Webs, job: str) -> float:
        return figures.mean(job, longest_queue, webs)

    webs, size = figures.judged_webs, figures.judged
    shares = {job: f"{100 * queue(webs, job) / size:.0f}" for job in (*FOUR, DIRECTORY)}
    measured = "as shares of the web's pages: " + "; ".join(f"{job} {share} %" for job, share in shares.items())
    yield Finding(
        "The queues of soft-focused and aggressive-server explode, conservative-server's does not.",
        ruling(figures, lambda group: (
            queue(group, SOFT) > 1.4 * queue(group, CONSERVATIVE)
            and queue(group, AGGRESSIVE) > 1.2 * queue(group, CONSERVATIVE)
        )),
        measured,
        section="5.3, Figure 7",
        theirs="explode",
        ours=f"{shares[SOFT]}, {shares[AGGRESSIVE]}, {shares[CONSERVATIVE]} %",
    )  # fmt: skip
    yield Finding(
        "hard-focused and conservative-directory have even smaller queues.",
        ruling(figures, lambda group: max(queue(group, HARD), queue(group, DIRECTORY)) < queue(group, CONSERVATIVE)),
        measured,
        section="5.3, Figure 7",
        theirs="smaller",
        ours=f"{shares[HARD]}, {shares[DIRECTORY]}, {shares[CONSERVATIVE]} %",
    )
    five, twenty = (f"conservative-server, T {tolerance}" for tolerance in (5, 20))

    def similar(group: Webs) -> bool:
        pages = [figures.mean(job, pages_crawled, group) for job in (five, CONSERVATIVE, twenty)]
        return pages[0] < pages[1] < pages[2] < 1.25 * pages[0]

    yield Finding(
        "Small tolerances end the crawl slightly earlier, with similar queues.",
        ruling(figures, similar),
        "pages crawled with T 5, 10, 20: "
        + ", ".join(f"{100 * figures.mean(job, pages_crawled) / size:.1f}" for job in (five, CONSERVATIVE, twenty))
        + " % of the web",
        section="5.3, Figure 7",
        theirs="slightly earlier",
        ours=f"{-_more(figures, five, CONSERVATIVE)} % earlier",
    )
    servers = {job: figures.mean(job, servers_accessed) / size for job in (SOFT, AGGRESSIVE, CONSERVATIVE)}
    yield Finding(
        "conservative-server accesses few servers, where soft-focused and aggressive-server access too many.",
        ruling(figures, lambda group: (
            2 * figures.mean(CONSERVATIVE, servers_accessed, group) < figures.mean(AGGRESSIVE, servers_accessed, group)
        )),
        "servers per 100 pages of the web: " + "; ".join(f"{job}: {100 * share:.2f}" for job, share in servers.items()),
        section="5.3, Figure 8",
        theirs="few",
        ours=f"{100 * servers[CONSERVATIVE]:.2f} against {100 * servers[AGGRESSIVE]:.2f} per 100 pages",
    )  # fmt: skip


def open_questions(figures: CrawlingFigures) -> Iterator[Finding]:
    """Other seeds, and what the paper does not try or state."""

    def moved(figure: CrawlFigure) -> float:
        """The largest change that other seeds make to a figure of the four strategies, web by web."""
        return max(
            abs(figure(figures.crawl(web, from_seeds(job, start))) - figure(figures.crawl(web, job)))
            for web in figures.judged_webs
            for job in FOUR
            for start in OTHER_STARTS
        )

    harvests, coverages = moved(first_phase), moved(coverage)
    yield Finding(
        "With other seeds on target servers the results are almost the same.",
        whether(harvests <= 0.03 and coverages <= 0.01),
        f"largest change over {len(OTHER_STARTS)} other sets of three seeds, four strategies: harvest after the first "
        f"phase {100 * harvests:.1f} points, final coverage {100 * coverages:.2f} points; tried: at most 3 and 1",
        section="5.1",
        theirs="almost the same",
        ours=f"{100 * harvests:.1f} and {100 * coverages:.2f} points",
    )
    nine, ten, twenty = harvest_at(0.9), CONSERVATIVE, "conservative-server, T 20"

    def against(name: str, base: str) -> str:
        return (
            f"harvest at 90 %: {percent(figures.spread(name, nine))} against {percent(figures.spread(base, nine))} %; "
            f"missed: {percent(figures.spread(name, missed), 2)} against {percent(figures.spread(base, missed), 2)} %"
        )

    questions = [
        ("A tolerance that falls as the crawl goes on may be effective.", "T 20 falling to 5", twenty, "5.2"),
        ("Links of undecided servers could be deferred until the server is decided.",
         "T 10, links of undecided servers deferred", ten, "4.2"),
        ("Whether a waiting URL moves up when a relevant page names it.", "T 10, no promotion", ten, "not stated"),
    ]  # fmt: skip
    for question, name, base, section in questions:
        job = f"conservative-server, {name}"
        gain = round(100 * (figures.mean(job, nine) - figures.mean(base, nine)), 1) + 0.0
        yield Finding(
            question,
            TRIED,
            against(job, base),
            section=section,
            theirs="not tried",
            ours=f"{gain:+.1f} points of harvest at 90 % coverage",
        )
    shown = (CONSERVATIVE, SHARE, SCOUT_MODEL)
    yield Finding(
        "What the errors of identification (Tables 2 and 3) do to a crawl.",
        TRIED,
        "; ".join(f"{job}: {against(with_errors(job), job)}" for job in shown),
        "The rule takes 17 other pages for a target page per 100 that it finds. One of them makes its server relevant "
        "for ever; asking for a share of relevant pages mends some of it.",
        section="2.3, left for later",
        theirs="not tried",
        ours=f"conservative-server crawls {_more(figures, with_errors(CONSERVATIVE), CONSERVATIVE)} % more pages",
    )


def _more(figures: CrawlingFigures, job: str, other: str) -> int:
    """How many pages a crawl fetches more than another, in percent."""
    return round(100 * (figures.mean(job, pages_crawled) / figures.mean(other, pages_crawled) - 1))
