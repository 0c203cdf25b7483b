"""report.html of a live crawl: what it found, what it left out and why, and how right the URL model was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dragoman.crawl.live.driver.run import Live
from dragoman.crawl.live.state.progress import LATE
from dragoman.evaluate.adapted import COVERAGE, Adapted, Visit, adapted, evenly
from dragoman.languages import name
from dragoman.report.crawl import Figures, as_share, figures, lines
from dragoman.report.crawl_plots import Line, crawl_lines
from dragoman.report.html import Part, Picture, ReportPage, Section
from dragoman.report.tables import Column, Table

#: Servers, and rows of other tables, that are shown; lines are drawn from so many pages on.
SERVERS, ROWS, PICTURED = 25, 40, LATE


def report(live: Live) -> ReportPage:
    """The page behind report.html."""
    found, target = figures(live), live.target
    wanted = ", ".join(name(one) for one in target.languages)
    overview = Table("So far", (Column("figure", "text"), Column("value", "text")), [list(row) for row in lines(found)])
    servers = _counts(
        f"{'Servers' if live.steering.strategy.grain == 'server' else 'Directories'} by status", "status",
        list(found.servers.items()),
    )  # fmt: skip
    sections = [
        Section("Harvest, coverage and queue", [overview, *_pictures(live), COVERAGE_NOTE]),
        Section("Languages", [_languages(live, found), *_promised(live)]),
        Section("Servers", [servers, _largest(live)]),
        Section(
            "Reasons",
            [
                _counts("What was decided about links, and why", "reason", found.reasons),
                _counts("What came of the URLs that were asked for", "answer", found.answers),
            ],
        ),
        Section("The URL model", [*_url_model(live, found), *_learning(live)]),
    ]
    ended = f"The crawl ended: {found.ended}." if found.ended else "The crawl goes on."
    lead = f"Pages in {wanted} with the strategy `{target.strategy}`, tolerance {target.rule.tolerance}. {ended}"
    return ReportPage(f"Crawl for {wanted}", sections, lead, f"Folder `{live.folder.name}`, {_duration(live.seconds)}.")


COVERAGE_NOTE = (
    "Coverage is an estimate: wanted pages found, divided by those found and those that the queue would bring at the "
    "harvest of the last tenth of the crawl (of 50 pages at least). It says nothing of pages that no link seen so far "
    "leads to."
)


def _duration(seconds: float) -> str:
    for size, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit} of crawling"
    return f"{seconds:.0f} seconds of crawling"


def _counts(title: str, first: str, rows: Sequence[tuple[str, int]]) -> Table:
    total = sum(count for _, count in rows)
    columns = (Column(first, "text"), Column("count", "count"), Column("share", "percent", 1))
    shown = [[one, count, count / total if total else None] for one, count in rows[:ROWS]]
    rest = sum(count for _, count in rows[ROWS:])
    return Table(title, columns, shown + ([["others", rest, rest / total]] if rest else []))


def _languages(live: Live, found: Figures) -> Table:
    """Pages by language, with quotas and an earlier crawl's pages where there are any."""
    quotas = {one: quota for one, _, quota in found.quotas}
    before = live.steering.before
    rows = dict(found.languages) | {one or "none": 0 for one in before if (one or "none") not in dict(found.languages)}
    total = max(found.pages, 1)
    columns = [Column("language", "text"), Column("pages", "count"), Column("share", "percent", 1),
               Column("wanted", "text")]  # fmt: skip
    if before:
        columns.insert(3, Column("in the earlier crawl", "count"))
    shown: list[list[Any]] = []
    for one, count in list(rows.items())[:ROWS]:
        wanted = one in live.target.languages
        filled = next((f"{got:,} of {quota:,}" for code, got, quota in found.quotas if code == one), "")
        row: list[Any] = [name(one) if one != "none" else "none found", count, count / total]
        row += [before[None if one == "none" else one]] if before else []
        shown.append([*row, filled if one in quotas else "yes" if wanted else ""])
    note = "The language of the text; none is found where there is too little of it."
    return Table("Pages by language", columns, shown, note)


def _promised(live: Live) -> list[Part]:
    """How right those were who said what language the seeds are in."""
    promised = live.store.get("promised") or {}
    if not promised:
        return []
    seeds = live.store.get("seeds")
    said = {seeds[int(place)]: language for place, language in promised.items()}
    rows: dict[str, list[int]] = {}
    query = "SELECT url, language FROM pages WHERE reason IS NULL AND url IN ({})"
    counted = {one: [0, 0] for one in dict.fromkeys(said.values())}
    keys = list(said)
    for start in range(0, len(keys), 500):
        part = keys[start : start + 500]
        for url, language in live.store.rows(query.format(",".join("?" * len(part))), part):
            counted[said[url]][0] += 1
            counted[said[url]][1] += language == said[url]
    for language in said.values():
        rows.setdefault(language, [0, *counted[language]])[0] += 1
    columns = (Column("said to be", "text"), Column("seeds", "count"), Column("fetched", "count"),
               Column("so they were", "percent", 1))  # fmt: skip
    shown = [
        [name(one), seeds_, fetched, right / fetched if fetched else None]
        for one, (seeds_, fetched, right) in rows.items()
    ]
    return [Table("Seeds with a language", columns, shown)]


def _largest(live: Live) -> Table:
    query = "SELECT name, pages, relevant, status FROM servers WHERE pages > 0 ORDER BY relevant DESC, pages DESC"
    columns = (Column("server", "text"), Column("pages", "count"), Column("wanted", "count"), Column("status", "text"))
    rows = [list(row) for row in live.store.rows(f"{query} LIMIT {SERVERS}")]
    note = "" if rows else "This strategy keeps no records of servers."
    return Table("Servers with most wanted pages", columns, rows, note)


def _url_model(live: Live, found: Figures) -> list[Part]:
    if found.url_recall is None:
        return ["No wanted page has been fetched yet, so nothing can be said about the URL model."]
    guesses = live.steering.guesses
    columns = (Column("by its URL", "text"), Column("wanted", "count"), Column("not wanted", "count"))
    rows: list[list[Any]] = [
        ["looks wanted", guesses[True, True], guesses[True, False]],
        ["does not", guesses[False, True], guesses[False, False]],
    ]
    told = (
        f"Of the pages that their URL alone made look wanted, {as_share(found.url_precision)} were; of the wanted "
        f"pages, {as_share(found.url_recall)} had such a URL."
    )
    query = """SELECT count(*), coalesce(sum(urls.guess = pages.language), 0)
        FROM pages JOIN urls ON urls.id = pages.url
        WHERE pages.reason IS NULL AND urls.guess IS NOT NULL AND pages.language IS NOT NULL"""
    judged, right = live.store.rows(query)[0]
    if judged:
        told += f" The likeliest language of the URL was that of the text for {as_share(right / judged)} of {judged:,}."
    told += " The crawl chose these pages: they are no fair sample of the web."
    return [told, Table("What URLs promised and what pages were", columns, rows)]


def _learning(live: Live) -> list[Part]:
    """What `dragoman train --from-crawl` would have been worth in this crawl."""
    found = (
        "the crawl was interrupted" if live.ended == "interrupted" else adapted(_visits(live), live.target.languages)
    )
    title = "What a URL model that learns from this crawl would have saved"
    if isinstance(found, str):
        return [f"**{title}**: not worked out, since {found}."]
    columns = (Column("order of the second half", "text"), Column("area under ROC", digits=3),
               Column(f"pages for {COVERAGE:.0%} of the wanted", "count"))  # fmt: skip
    rows: list[list[Any]] = [
        ["by the URL model of this crawl", found.area_before, found.needed_before],
        ["by one trained on the first half", found.area_after, found.needed_after],
    ]
    return [Table(title, columns, rows, _learnt(found))]


def _learnt(found: Adapted) -> str:
    if found.low > 0:
        verdict = f"{found.saved:,} pages fewer: the next crawl of these sites should use such a model"
    elif found.high < 0:
        verdict = f"{-found.saved:,} pages more: the model at hand is the better one"
    else:
        verdict = "no clear difference"
    return (
        f"At the same coverage {verdict} (95 % interval over servers: {found.low:,} to {found.high:,} saved). "
        f"dragoman train --from-crawl makes the model; here it learnt from {found.trained:,} URLs of the pages that "
        f"were fetched first and was judged on the {found.judged:,} fetched after them, {found.wanted:,} of them "
        f"wanted, on {found.servers:,} servers."
    )


def _visits(live: Live) -> list[Visit]:
    """The pages in the order in which they were fetched, evenly thinned if there are many."""
    store = live.store
    numbers = np.array([row[0] for row in store.rows("SELECT seq FROM pages WHERE reason IS NULL ORDER BY seq")])
    chosen = numbers[evenly(len(numbers))].tolist()
    query = """SELECT urls.url, urls.server, pages.language, pages.probability, pages.relevant, urls.score
        FROM pages JOIN urls ON urls.id = pages.url WHERE pages.seq IN ({}) ORDER BY pages.seq"""
    visits: list[Visit] = []
    for start in range(0, len(chosen), 500):
        part = chosen[start : start + 500]
        rows = store.rows(query.format(",".join("?" * len(part))), part)
        visits += [
            Visit(url, server, language, probability or 0.0, bool(relevant), score)
            for url, server, language, probability, relevant, score in rows
        ]
    return visits


def _pictures(live: Live) -> list[Part]:
    curve = np.array(live.steering.curve, np.int64).reshape(-1, 3)
    if len(curve) < 2 or curve[-1, 0] < PICTURED:
        return []
    pages, strategy = curve[:, 0], live.target.strategy
    found = [Line("wanted", strategy, pages, curve[:, 1])]
    harvest = [Line("so far", strategy, pages, curve[:, 1] / np.maximum(pages, 1)), _lately(curve)]
    queue = [Line("waiting", strategy, pages, curve[:, 2])]
    return [
        Picture(
            crawl_lines(harvest, xlabel="pages", ylabel="harvest", shares=True, highest=1.03),
            "Harvest: share of wanted pages among those fetched, since the beginning and lately",
        ),
        Picture(crawl_lines(found, xlabel="pages", ylabel="wanted pages"), "Found: wanted pages against pages fetched"),
        Picture(crawl_lines(queue, xlabel="pages", ylabel="URLs in the queue"), "Queue: URLs that wait"),
    ]


def _lately(curve: Any) -> Line:
    """The late harvest (dragoman.crawl.live.state.progress) at each point, from the first that has so many pages."""
    curve = np.concatenate([np.zeros((1, 3), np.int64), curve])
    pages = curve[:, 0]
    since = np.minimum(0.9 * pages, pages - LATE)
    late = np.flatnonzero(since >= 0)
    before = np.searchsorted(pages, since[late], side="right") - 1
    share = (curve[late, 1] - curve[before, 1]) / (pages[late] - pages[before])
    return Line("lately", "lately", pages[late], share)
