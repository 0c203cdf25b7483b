"""Where a live crawl stands, in lines for a terminal and for report.html (see crawl_report)."""

from __future__ import annotations

from dragoman.crawl.live.state.progress import CrawlProgress


def lines(crawl: CrawlProgress) -> list[tuple[str, str]]:
    """The figures as (name, value)."""
    share = as_share
    languages = ", ".join(f"{language or 'none'} {count:,}" for language, count in crawl.languages.most_common(8))
    harvest = f"harvest {share(crawl.harvest)} of pages, lately {share(crawl.late_harvest)}, " if crawl.pages else ""
    requests = f"{crawl.requests:,} request{'s' * (crawl.requests != 1)}"
    url_model = f"precision {share(crawl.url_precision)}, recall {share(crawl.url_recall)} on the pages fetched"
    rows = [
        ("pages", f"{crawl.pages:,} ({crawl.pages / max(crawl.seconds, 1e-9):.1f} a second)"),
        ("wanted", f"{crawl.relevant:,} ({harvest}{share(crawl.request_harvest)} of {requests})"),
        ("coverage", _coverage(crawl)),
        ("queue", f"{crawl.waiting:,} URLs" + (f"; no room for {crawl.forgotten:,}" if crawl.forgotten else "")),
        ("servers", ", ".join(f"{count:,} {status}" for status, count in crawl.servers.items()) or "none"),
        ("languages", languages or "none"),
        ("URL model", url_model if crawl.pages else "unknown: nothing was fetched so far"),
        ("answers", ", ".join(f"{reason} {count:,}" for reason, count in crawl.answers.most_common(5)) or "none"),
    ]
    if crawl.failing:
        rows.append(("errors", ", ".join(f"{server} {count:,}" for server, count in crawl.failing[:4])))
    if crawl.quotas:
        rows.append(("quotas", ", ".join(f"{name} {pages:,} of {quota:,}" for name, pages, quota in crawl.quotas)))
    if pages := crawl.earlier.total():
        wanted = sum(crawl.earlier[language] for language in crawl.wanted)
        rows.append(("earlier", f"{pages:,} pages of an earlier crawl, {wanted:,} of them wanted"))
    return rows


def _coverage(crawl: CrawlProgress) -> str:
    if crawl.coverage is None:
        return f"unknown: {'no wanted page was found' if crawl.pages else 'nothing was fetched'} so far"
    low, high = (round(100 * value) for value in crawl.coverage_range or (0.0, 1.0))
    likely = f", {low} to {high} % nine times out of ten" if low < high else ""
    return f"about {as_share(crawl.coverage)} of what links are expected to lead to{likely}"


def as_share(value: float | None) -> str:
    """A share for people.

    >>> as_share(0.123), as_share(None)
    ('12.3 %', 'unknown')
    """
    return "unknown" if value is None else f"{100 * value:.1f} %"
