from __future__ import annotations

import pytest

from dragoman.measures import Interval
from dragoman.report.tables import Column
from dragoman.studies.claims import (
    TRIED,
    Finding,
    Ruling,
    Verdict,
    Wording,
    above_zero,
    by_setting,
    claims_table,
    evidence_table,
    how_often,
    tally,
    untestable,
    verdict_table,
    whether,
)
from dragoman.studies.hayati_2004.findings import WORDING as HAYATI
from dragoman.studies.hmm_2004.findings import WORDING as HMM
from dragoman.studies.url_2008.findings.comparisons import WORDING as URL

WHOLLY_ABOVE, MOSTLY_ABOVE = Interval(0.2, 0.1, 0.3), Interval(0.1, -0.1, 0.3)
WHOLLY_BELOW, MOSTLY_BELOW = Interval(-0.2, -0.3, -0.1), Interval(-0.1, -0.3, 0.1)


@pytest.mark.parametrize(
    ("wording", "differences", "verdict", "words"),
    [
        (URL, [WHOLLY_ABOVE] * 2, Verdict.CONFIRMED, "confirmed"),
        (URL, [WHOLLY_BELOW] * 2, Verdict.NOT_CONFIRMED, "contradicted"),
        (
            URL,
            [WHOLLY_ABOVE, MOSTLY_ABOVE],
            Verdict.CONFIRMED,
            "confirmed in direction; beyond the interval in 1 of 2 cases",
        ),
        (
            URL,
            [MOSTLY_BELOW] * 2,
            Verdict.NOT_CONFIRMED,
            "contradicted in direction; beyond the interval in 0 of 2 cases",
        ),
        (
            URL,
            [WHOLLY_ABOVE, WHOLLY_BELOW],
            Verdict.DEPENDS,
            "mixed: ahead beyond the interval in 1, behind in 1 of 2 cases",
        ),
        (HMM, [WHOLLY_ABOVE], Verdict.CONFIRMED, "confirmed in every draw"),
        (HMM, [MOSTLY_ABOVE], Verdict.CONFIRMED, "confirmed on average, not in every draw"),
        (HMM, [MOSTLY_ABOVE, MOSTLY_BELOW], Verdict.DEPENDS, "mixed: 1 of 2 differences are above zero"),
        (
            HAYATI,
            [MOSTLY_ABOVE],
            Verdict.DEPENDS,
            "mixed: ahead in every draw in 0, behind in every draw in 0 of 1 comparisons",
        ),
    ],
)
def test_a_ruling_says_what_the_intervals_say(
    wording: Wording, differences: list[Interval], verdict: Verdict, words: str
) -> None:
    assert above_zero(differences, wording) == Ruling(verdict, words)


def test_a_claim_holds_partly_or_in_some_of_the_cases() -> None:
    assert whether(True) == Ruling(Verdict.CONFIRMED, "confirmed")
    assert whether(False, otherwise="contradicted") == Ruling(Verdict.NOT_CONFIRMED, "contradicted")
    assert how_often(0, 3, "holds on {} of {} sets").verdict is Verdict.NOT_CONFIRMED
    assert how_often(2, 3, "holds on {} of {} sets") == Ruling(Verdict.DEPENDS, "holds on 2 of 3 sets")


FINDINGS = [
    Finding("Fire is wet.", whether(False), evidence=[("wood", 0.25)], section="2", theirs="all", ours="a quarter"),
    Finding("Water is wet.", whether(True), "Wetness", "It is.", [("sea", {"a": 0.5, "b": WHOLLY_ABOVE})], section="1"),
    Finding("Is air wet?", TRIED, section="3"),
]


def test_claims_are_set_in_a_table_with_the_columns_that_have_a_heading() -> None:
    plain = claims_table(FINDINGS)
    assert [column.name for column in plain.columns] == ["", "Here", "Section", "The paper's claim"]
    assert list(plain.rows[0]) == [1, "not confirmed", "2", "Fire is wet."]
    full = claims_table(FINDINGS, measured="Measured", reason="Why")
    assert list(full.rows[1])[4:] == ["Wetness", "It is."]


def test_evidence_stands_under_its_finding_and_a_single_figure_in_the_first_column() -> None:
    table = evidence_table(FINDINGS, [Column("Measured", "group"), Column("", "text")], ["a", "b"], "")
    assert [list(row) for row in table.rows] == [
        ["1. Fire is wet.", "wood", 0.25, None],
        ["2. Wetness", "sea", 0.5, WHOLLY_ABOVE],
    ]


def test_claims_are_sorted_by_verdict_in_the_closing_table() -> None:
    table = verdict_table(FINDINGS)
    assert [list(row) for row in table.rows] == [
        ["confirmed", 2, "1", "Water is wet.", "", ""],
        ["not confirmed", 1, "2", "Fire is wet.", "all", "a quarter"],
        ["left open there", 3, "3", "Is air wet?", "", ""],
    ]
    assert table.note == "2 claims: 1 confirmed, 1 not confirmed, 1 left open there."
    assert verdict_table(FINDINGS, longest=10).rows[0][3] == "Water is …"


def test_a_verdict_that_an_unprinted_setting_turns_depends_and_names_the_settings() -> None:
    assert by_setting({"a": True, "b": True}) == whether(True)
    assert by_setting({"a": False}) == whether(False)
    assert by_setting({"a": False, "b": True}) == Ruling(Verdict.DEPENDS, "depends: holds with b; not with a")
    many = {"a": False} | {str(number): True for number in range(5)}
    assert by_setting(many).words == "depends: holds with the 5 others; not with a"
    assert untestable("no people").verdict is Verdict.UNTESTABLE


def test_questions_are_counted_apart_from_claims() -> None:
    assert tally(FINDINGS) == "2 claims: 1 confirmed, 1 not confirmed, 1 left open there"
