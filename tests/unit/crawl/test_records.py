from __future__ import annotations

from dragoman.crawl.records import ServerRecords, ServerRule, Status


def test_a_share_takes_a_server_back_that_was_relevant_by_mistake() -> None:
    records = ServerRecords(ServerRule(tolerance=3, share=0.3))
    records.count("s", True)
    for _ in range(2):
        records.count("s", False)
    assert records.status("s") is Status.RELEVANT
    assert records.count("s", False)
    assert records.status("s") is Status.IRRELEVANT


def test_the_tolerance_falls_to_its_least() -> None:
    rule = ServerRule(tolerance=20, halve_every=100, least=3)
    assert [rule.allowed(crawled) for crawled in (0, 99, 100, 250, 300, 10**9)] == [20, 20, 10, 5, 3, 3]


def test_an_irrelevant_server_is_admitted_again_after_enough_links() -> None:
    records = ServerRecords(ServerRule(tolerance=0, readmit=2))
    records.count("s", False)
    assert records.status("s") is Status.IRRELEVANT
    assert [records.ask("s"), records.ask("s")] == [False, True]
    assert records.status("s") is Status.UNDECIDED
    assert records.count("s", False)
    assert records.status("s") is Status.IRRELEVANT


def test_a_relevant_page_that_was_on_its_way_makes_an_irrelevant_server_relevant() -> None:
    records = ServerRecords(ServerRule(tolerance=0))
    records.count("s", False)
    assert records.status("s") is Status.IRRELEVANT
    assert records.count("s", True)
    assert records.status("s") is Status.RELEVANT
