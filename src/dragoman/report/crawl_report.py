"""report.html of a live crawl: what it found, what it left out and why, and how right the URL model was."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import numpy as np

from dragoman.crawl.live.driver.session import LiveCrawl
from dragoman.crawl.live.state.progress import LATE, CrawlProgress, late_harvest, thinned
from dragoman.crawl.live.state.store import Store
from dragoman.evaluate.adapted import COVERAGE, Adapted, Visit, adapted, evenly
from dragoman.languages import name
from dragoman.report.crawl import as_share, lines
from dragoman.report.crawl_plots import Line, crawl_lines
from dragoman.report.html import Part, Picture, ReportPage, Section
from dragoman.report.tables import Column, Table

#: Servers, and rows of other tables, that are shown; lines are drawn from so many pages on.
SERVERS, ROWS, PICTURED = 25, 40, LATE
#: Pages of the sample.
SAMPLE = 20


def report(live: LiveCrawl) -> ReportPage:
    """The page behind report.html."""
    crawl = live.progress
    wanted = ", ".join(name(language) for language in crawl.wanted)
    overview = Table("So far", (Column("figure", "text"), Column("value", "text")), [list(row) for row in lines(crawl)])
    groups = "Servers" if live.steering.strategy.grain == "server" else "Directories"
    sections = [
        Section("Harvest, coverage and queue", [overview, *_pictures(crawl), COVERAGE_NOTE]),
        Section("Languages", [_languages(crawl), *_promised(live.store)]),
        Section("Pages found", [_sample(live.store)]),
        Section(
            "Servers",
            [
                _counts(f"{groups} by status", "status", crawl.servers),
                _largest(live.store),
                *_failing(live.store, crawl),
            ],
        ),
        Section(
            "Reasons",
            [
                _counts("What was decided about links, and why", "reason", crawl.reasons),
                _counts("What came of the URLs that were asked for", "answer", crawl.answers),
            ],
        ),
        Section("The URL model", [*_url_model(live.store, crawl), *_learning(live.store, crawl)]),
        Section("How it was run", [_runs(live.store)]),
    ]
    ended = f"The crawl ended: {crawl.ended}." if crawl.ended else "The crawl goes on."
    lead = f"Pages in {wanted} with the strategy `{crawl.strategy}`, tolerance {crawl.tolerance}. {ended}"
    return ReportPage(
        f"Crawl for {wanted}", sections, lead, f"Folder `{live.folder.name}`, {_duration(crawl.seconds)}."
    )


COVERAGE_NOTE = (
    "Coverage is an estimate: wanted pages found, divided by those found and those that are left where links lead, in "
    "the queue or given up and left out. What is left counts with the share of wanted pages among URLs that are like "
    "it and were asked for, and with what other crawls taught; pages that no link has been seen to yet are expected as "
    "fast as new ones came so far. On crawls of real pages whose truth was known the range held in 95 to 99 % of the "
    "places."
)


#: Seconds of what crawls are timed in.
_UNITS = ((86_400, "days"), (3_600, "hours"), (60, "minutes"))


def _duration(seconds: float) -> str:
    for size, unit in _UNITS:
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit} of crawling"
    return f"{seconds:.0f} seconds of crawling"


def _counts(title: str, first: str, counts: Mapping[str, int]) -> Table:
    """The counts as they are sorted, the most frequent ones first if they are not."""
    total = sum(counts.values())
    columns = (Column(first, "text"), Column("count", "count"), Column("share", "percent", 1))
    ranked = counts.most_common() if isinstance(counts, Counter) else list(counts.items())
    rows = [[label, count, count / total if total else None] for label, count in ranked[:ROWS]]
    rest = sum(count for _, count in ranked[ROWS:])
    return Table(title, columns, rows + ([["others", rest, rest / total]] if rest else []))


def _languages(crawl: CrawlProgress) -> Table:
    """Pages by language, with quotas and an earlier crawl's pages where there are any."""
    quotas = {language: f"{pages:,} of {quota:,}" for language, pages, quota in crawl.quotas}
    not_found_now = [language for language in crawl.earlier if language not in crawl.languages]
    counts = [*crawl.languages.most_common(), *((language, 0) for language in not_found_now)]
    columns = [Column("language", "text"), Column("pages", "count"), Column("share", "percent", 1),
               Column("wanted", "text")]  # fmt: skip
    if crawl.earlier:
        columns.insert(3, Column("in the earlier crawl", "count"))
    rows: list[list[Any]] = []
    for language, count in counts[:ROWS]:
        row = ["none found" if language is None else name(language), count, count / max(crawl.pages, 1)]
        row += [crawl.earlier[language]] if crawl.earlier else []
        rows.append([*row, quotas.get(language or "", "yes" if language in crawl.wanted else "")])
    note = "The language of the text; none is found where there is too little of it."
    return Table("Pages by language", columns, rows, note)


def _promised(store: Store) -> list[Part]:
    """How right those were who said what language the seeds are in."""
    promised = store.get("promised") or {}
    if not promised:
        return []
    seeds = store.get("seeds")
    promise_of = {seeds[int(index)]: language for index, language in promised.items()}
    counts = {language: [0, 0, 0] for language in promise_of.values()}  # seeds, those fetched, those in that language
    for language in promise_of.values():
        counts[language][0] += 1
    for url, language in store.rows_of("SELECT url, language FROM pages WHERE reason IS NULL AND url IN", promise_of):
        counts[promise_of[url]][1] += 1
        counts[promise_of[url]][2] += language == promise_of[url]
    columns = (Column("said to be", "text"), Column("seeds", "count"), Column("fetched", "count"),
               Column("so they were", "percent", 1))  # fmt: skip
    rows = [
        [name(language), seeds, fetched, right / fetched if fetched else None]
        for language, (seeds, fetched, right) in counts.items()
    ]
    return [Table("Seeds with a language", columns, rows)]


def _largest(store: Store) -> Table:
    query = "SELECT name, pages, relevant, status FROM servers WHERE pages > 0 ORDER BY relevant DESC, pages DESC"
    columns = (Column("server", "text"), Column("pages", "count"), Column("wanted", "count"), Column("status", "text"))
    rows = [list(row) for row in store.rows(f"{query} LIMIT {SERVERS}")]
    note = "" if rows else "This strategy keeps no records of servers."
    return Table("Servers with most wanted pages", columns, rows, note)


def _failing(store: Store, crawl: CrawlProgress) -> list[Part]:
    """The servers from which most errors came, with the usual one."""
    if not crawl.failing:
        return []
    query = """SELECT reason, count(*) FROM pages JOIN urls ON urls.id = pages.url
        JOIN servers ON servers.id = urls.server
        WHERE servers.name = ? AND reason IS NOT NULL GROUP BY reason ORDER BY count(*) DESC LIMIT 1"""
    columns = (Column("server", "text"), Column("errors", "count"), Column("mostly", "text"))
    rows: list[list[Any]] = []
    for server, count in crawl.failing:
        usual = store.rows(query, (server,))
        rows.append([server, count, usual[0][0] if usual else ""])
    return [Table("Servers with most answers that are no pages", columns, rows)]


def _sample(store: Store) -> Table:
    """Some of the wanted pages, evenly from the first to the last."""
    numbers = [row[0] for row in store.rows("SELECT seq FROM pages WHERE reason IS NULL AND relevant ORDER BY seq")]
    chosen = thinned(numbers, SAMPLE)
    query = """SELECT urls.url, pages.language, pages.probability, pages.declared FROM pages
        JOIN urls ON urls.id = pages.final WHERE pages.seq IN"""
    columns = (Column("page", "text"), Column("language", "text"), Column("probability", digits=3),
               Column("declared", "text"))  # fmt: skip
    rows = [[url, *rest[:2], rest[2] or ""] for url, *rest in store.rows_of(query, chosen, "ORDER BY pages.seq")]
    return Table("Some of the wanted pages, from the first to the last", columns, rows)


def _runs(store: Store) -> Table:
    """When the crawl was begun and resumed, by which version, with which model and how."""
    columns = tuple(Column(title, "text") for title in ("begun", "version", "URL model", "its digest", "dragoman ..."))
    rows = [
        [datetime.fromtimestamp(run["time"], UTC).isoformat(" ", "seconds")[:19], run["version"], run["model"],
         run["digest"] or "", shlex.join(run["command"])]
        for run in store.get("runs", [])
    ]  # fmt: skip
    return Table("Runs of this crawl (times are UTC)", columns, rows)


def _url_model(store: Store, crawl: CrawlProgress) -> list[Part]:
    if crawl.url_recall is None:
        return ["No wanted page has been fetched yet, so nothing can be said about the URL model."]
    guesses = Counter(crawl.guesses)
    columns = (Column("by its URL", "text"), Column("wanted", "count"), Column("not wanted", "count"))
    rows: list[list[Any]] = [
        ["looks wanted", guesses[True, True], guesses[True, False]],
        ["does not", guesses[False, True], guesses[False, False]],
    ]
    looks = f"Of the pages that their URL alone made look wanted, {as_share(crawl.url_precision)} were"
    if crawl.url_precision is None:
        looks = "No page looked wanted by its URL alone"
    text = f"{looks}; of the wanted pages, {as_share(crawl.url_recall)} had such a URL."
    query = """SELECT count(*), coalesce(sum(urls.guess = pages.language), 0)
        FROM pages JOIN urls ON urls.id = pages.url
        WHERE pages.reason IS NULL AND urls.guess IS NOT NULL AND pages.language IS NOT NULL"""
    judged, right = store.rows(query)[0]
    if judged:
        text += f" The likeliest language of the URL was that of the text for {as_share(right / judged)} of {judged:,}."
    text += " The crawl chose these pages: they are no fair sample of the web."
    return [text, Table("What URLs promised and what pages were", columns, rows)]


def _learning(store: Store, crawl: CrawlProgress) -> list[Part]:
    """What `dragoman train --from-crawl` would have been worth in this crawl."""
    gain = "the crawl was interrupted" if crawl.ended == "interrupted" else adapted(_visits(store), crawl.wanted)
    title = "What a URL model that learns from this crawl would have saved"
    if isinstance(gain, str):
        return [f"**{title}**: not worked out, since {gain}."]
    columns = (Column("order of the second half", "text"), Column("area under ROC", digits=3),
               Column(f"pages for {COVERAGE:.0%} of the wanted", "count"))  # fmt: skip
    rows: list[list[Any]] = [
        ["by the URL model of this crawl", gain.area_before, gain.needed_before],
        ["by one trained on the first half", gain.area_after, gain.needed_after],
    ]
    return [Table(title, columns, rows, _learnt(gain))]


def _learnt(gain: Adapted) -> str:
    if gain.low > 0:
        verdict = f"{gain.saved:,} pages fewer: the next crawl of these sites should use such a model"
    elif gain.high < 0:
        verdict = f"{-gain.saved:,} pages more: the model at hand is the better one"
    else:
        verdict = "no clear difference"
    return (
        f"At the same coverage {verdict} (95 % interval over servers: {gain.low:,} to {gain.high:,} saved). "
        f"dragoman train --from-crawl makes the model; here it learnt from {gain.trained:,} URLs of the pages that "
        f"were fetched first and was judged on the {gain.judged:,} fetched after them, {gain.wanted:,} of them "
        f"wanted, on {gain.servers:,} servers."
    )


def _visits(store: Store) -> list[Visit]:
    """The pages in the order in which they were fetched, evenly thinned if there are many."""
    numbers = np.array([row[0] for row in store.rows("SELECT seq FROM pages WHERE reason IS NULL ORDER BY seq")])
    chosen = numbers[evenly(len(numbers))].tolist()
    query = """SELECT urls.url, urls.server, pages.language, pages.probability, pages.relevant, urls.score
        FROM pages JOIN urls ON urls.id = pages.url WHERE pages.seq IN"""
    return [
        Visit(url, server, language, probability or 0.0, bool(relevant), score)
        for url, server, language, probability, relevant, score in store.rows_of(query, chosen, "ORDER BY pages.seq")
    ]


def _pictures(crawl: CrawlProgress) -> list[Part]:
    curve = np.array(crawl.curve).reshape(-1, 6)
    if len(curve) < 2 or curve[-1, 0] < PICTURED:
        return []
    pages, strategy = curve[:, 0], crawl.strategy
    wanted = [Line("wanted", strategy, pages, curve[:, 1])]
    harvest = [Line("so far", strategy, pages, curve[:, 1] / np.maximum(pages, 1)), _lately(crawl)]
    harvest.append(Line("per request", "bfs", pages, curve[:, 1] / np.maximum(curve[:, 4], 1)))
    size, unit = next((unit for unit in _UNITS if curve[-1, 5] >= 2 * unit[0]), (1, "seconds"))
    when = curve[:, 5] / size
    by_time = [Line("pages", "bfs", when, pages), Line("wanted", strategy, when, curve[:, 1])]
    queue = [Line("waiting", strategy, pages, curve[:, 2])]
    return [
        Picture(
            crawl_lines(harvest, xlabel="pages", ylabel="harvest", shares=True, highest=1.03),
            "Harvest: share of wanted pages among those fetched, since the beginning and lately",
        ),
        Picture(
            crawl_lines(wanted, xlabel="pages", ylabel="wanted pages"), "Found: wanted pages against pages fetched"
        ),
        Picture(crawl_lines(by_time, xlabel=unit, ylabel="pages"), "Pace: pages and wanted pages against time"),
        Picture(crawl_lines(queue, xlabel="pages", ylabel="URLs in the queue"), "Queue: URLs that wait"),
    ]


def _lately(crawl: CrawlProgress) -> Line:
    """The late harvest at each point, from the first that has so many pages."""
    ends = [end for end, point in enumerate(crawl.curve, 1) if point[0] >= LATE]
    pages = np.array([crawl.curve[end - 1][0] for end in ends])
    return Line("lately", "lately", pages, np.array([late_harvest(crawl.curve, end) for end in ends]))
