"""What the paper says of its pages and their graph (sections 2 and 3)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dragoman.measures import share_interval
from dragoman.studies.claims import BUILT_IN, Finding, untestable, whether
from dragoman.studies.crawling_2007.figures import CrawlingFigures, coverage, percent, published
from dragoman.studies.crawling_2007.findings.over_recipes import Webs, ruling
from dragoman.studies.crawling_2007.plan import NATIONAL
from dragoman.studies.intervals import spread
from dragoman.studies.published import published_figures


def identification_claims(figures: CrawlingFigures) -> Iterator[Finding]:
    """Section 2: what pages are, told by META and n-grams, and one country's domain."""
    tables = published_figures("dragoman.studies.crawling_2007")["identification"]
    meta, ngrams = tables["meta"], tables["ngrams"]
    false = share_interval(meta["other_as_thai"], meta["other_as_thai"] + meta["thai_as_thai"])
    recalls = [share_interval(table["thai_as_thai"], table["thai_as_thai"] + table["thai_as_other"])
               for table in (meta, ngrams)]  # fmt: skip
    precise = share_interval(ngrams["thai_as_thai"], ngrams["thai_as_thai"] + ngrams["other_as_thai"])
    not_to_be_had = untestable("their pages are not to be had")
    yield Finding(
        "The charset in META finds nearly all target pages, but a sixth of what it takes for one is none.",
        not_to_be_had,
        "what these errors do to a crawl is tried below",
        section="2.3, Table 2",
        theirs=f"{percent(false)} % of 344 wrong, recall {percent(recalls[0])} %",
    )
    yield Finding(
        "n-grams are right whenever they say Thai and miss 3 %; consulting them too would be more precise.",
        not_to_be_had,
        "`dragoman page --method charset-rule-both` consults both",
        section="2.3, Table 3",
        theirs=f"precision {percent(precise)} %, recall {percent(recalls[1])} %",
    )
    share = spread([float(figures.about(web)["national"]) for web in figures.judged_webs])
    within = figures.spread(NATIONAL, coverage)
    yield Finding(
        "A third of the target pages are under the country's domain: a crawl of that domain alone would miss too many.",
        BUILT_IN,
        f"such a crawl, breadth first, reaches {percent(within)} % of the target pages, where {percent(share)} % are",
        "A third of our target servers get such a domain, and the crawl starts at the three largest of them.",
        section="2.3, Table 1",
        theirs="34.3 %",
        ours=f"{percent(share)} %, reached {percent(within)} %",
    )


def graph_claims(figures: CrawlingFigures) -> Iterator[Finding]:
    """Section 3: the web and its distances."""
    webs = figures.judged_webs
    cells = [figures.about(web) for web in webs]
    worst = max(float(np.max(np.abs(cell["ours"] - cell["paper"])[:10])) for cell in cells)
    yield Finding(
        "Some 70 % of the links of target pages lead to target pages, most of them on their own server; 87 % of the "
        "links of target servers stay among target servers; 9.4 % of the pages and 4.6 % of the servers are target.",
        BUILT_IN,
        f"largest difference to a share in Tables 4 and 5: {worst:.2f} points",
        "The webs are made to have these shares; that they have them is no evidence.",
        section="2.3, 3.1, 3.4, Tables 1, 4 and 5",
        theirs="71.8 % and 87.4 %",
        ours=f"within {worst:.2f} points",
    )

    def pages_within(group: Webs, distance: int) -> float:
        counts = [figures.about(web)["pages_at"] for web in group]
        return float(np.mean([counted[: distance + 1].sum() / counted.sum() for counted in counts]))

    def target_within(group: Webs, distance: int) -> float:
        return float(np.mean([
            figures.about(web)["target_at"][: distance + 1].sum() / figures.about(web)["pages_at"][: distance + 1].sum()
            for web in group
        ]))  # fmt: skip

    yield Finding(
        "The number of pages rises rapidly with the distance from the seeds and hardly beyond 10.",
        ruling(figures, lambda group: pages_within(group, 10) >= 0.95),
        "pages within 2, 4, 6, 8, 10: "
        + ", ".join(f"{100 * pages_within(webs, distance):.1f}" for distance in (2, 4, 6, 8, 10))
        + " %",
        "The paper prints no numbers, and theirs end because the crawl was stopped. Ours lie farther out.",
        section="3.2, Figure 1",
        theirs="almost constant beyond 10",
        ours=f"{100 * pages_within(webs, 10):.1f} % within 10",
    )
    falls = [f"{100 * target_within(webs, distance):.0f}" for distance in (1, 2, 4, 6, 99)]
    yield Finding(
        "The share of target pages falls rapidly from distance 1 on.",
        ruling(figures, lambda group: target_within(group, 4) < target_within(group, 1) / 2),
        f"within 1, 2, 4, 6 and all: {', '.join(falls)} %; tried: halved within 4",
        "The paper prints no numbers. Ours falls slowly at first, perhaps because the seeds are large target servers.",
        section="3.2, Figure 1",
        theirs="rapid",
        ours=f"{falls[0]} % within 1, {falls[2]} % within 4",
    )
    nearest = [cell["nearest_at"] for cell in cells]
    direct = spread([float(counts[1] / counts.sum()) for counts in nearest])
    yield Finding(
        "Most target pages are linked directly from another; their number falls exponentially with the distance.",
        BUILT_IN,
        f"direct: {percent(direct)} %",
        "How many pages are behind others and how many of these stand in a row are settings: `gated`, `stray`, `gate`.",
        section="3.3, Figure 2",
        theirs="most",
        ours=f"{percent(direct)} %",
    )
    farthest = {pages: [int(np.flatnonzero(figures.about(web)["nearest_at"]).max()) for web in figures.of_size(pages)]
                for pages in figures.sizes()}  # fmt: skip
    text = "; ".join(f"{pages:,} pages: {', '.join(map(str, values))}" for pages, values in farthest.items())
    yield Finding(
        "The farthest target pages are 10 links from the nearest other one.",
        whether(max(map(max, farthest.values())) >= 9),
        text,
        "Rises with the size of the web, and theirs had 18 million pages.",
        section="3.3, Figure 2",
        theirs=str(published()["farthest_nearest_target"]),
        ours=str(max(map(max, farthest.values()))),
    )
