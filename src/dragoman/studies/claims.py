"""A paper's claims and what came of them: verdicts, the words that tell them, and the tables of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from textwrap import shorten
from typing import NamedTuple

from dragoman.measures import Interval
from dragoman.report.tables import CellValue, Column, Table

#: A figure of the evidence: a value, one with its interval, or a text.
Figure = Interval | float | str


class Verdict(StrEnum):
    """What may come of a claim."""

    CONFIRMED = "confirmed"
    NOT_CONFIRMED = "not confirmed"
    #: It holds for some of what was tried and not for the rest; the words say for what.
    DEPENDS = "depends"
    #: Our data were made so that it holds.
    BUILT_IN = "built in"
    UNTESTABLE = "cannot be tested here"
    #: No claim: what the paper leaves open and we tried.
    QUESTION = "left open there"


class Ruling(NamedTuple):
    """A verdict, and the words in which the report tells it."""

    verdict: Verdict
    words: str


@dataclass(frozen=True)
class Finding:
    """A statement of the paper in our words, the section that has it, and what came of it.

    `theirs` and `ours` are the figures that decide, in few words, for the closing table. `measured` says what the
    evidence is, or is the evidence; `evidence` has a line for each thing that was measured: its label, and its figure
    or its figures by column.
    """

    claim: str
    ruling: Ruling
    measured: str = ""
    reason: str = ""
    evidence: Sequence[tuple[str, Figure | Mapping[str, Figure]]] = field(default=())
    section: str = field(kw_only=True)
    theirs: str = field(default="", kw_only=True)
    ours: str = field(default="", kw_only=True)

    @property
    def verdict(self) -> Verdict:
        """What came of it, in one of six words."""
        return self.ruling.verdict


#: Our data were made so that the claim holds: that it does is no evidence.
BUILT_IN = Ruling(Verdict.BUILT_IN, "built in")
#: Left open in the paper and tried here.
TRIED = Ruling(Verdict.QUESTION, "tried")


def untestable(why: str) -> Ruling:
    """The ruling on a claim about something that is not to be had here.

    >>> untestable("needs people").words
    'cannot be tested here: needs people'
    """
    return Ruling(Verdict.UNTESTABLE, f"{Verdict.UNTESTABLE}: {why}")


def whether(holds: bool, otherwise: str = "not confirmed") -> Ruling:
    """The ruling on a claim that holds or does not.

    >>> whether(False).verdict
    <Verdict.NOT_CONFIRMED: 'not confirmed'>
    """
    return Ruling(Verdict.CONFIRMED, "confirmed") if holds else Ruling(Verdict.NOT_CONFIRMED, otherwise)


#: More settings than these are only counted, if they are not the fewer.
_NAMED_SETTINGS = 3


def by_setting(holds: Mapping[str, bool]) -> Ruling:
    """The ruling on a claim that was tried with several settings which the paper does not print.

    Where some of them turn it the verdict is `depends`, and the words name both kinds.

    >>> by_setting({"first .75": False, "first .85": True, "first .9": True}).words
    'depends: holds with first .85, first .9; not with first .75'
    """
    if len(set(holds.values())) == 1:
        return whether(all(holds.values()))
    kinds = [[name for name, held in holds.items() if held is truth] for truth in (True, False)]
    fewest = min(map(len, kinds))
    names = [
        f"the {len(kind)} others" if len(kind) > max(_NAMED_SETTINGS, fewest) else ", ".join(kind) for kind in kinds
    ]
    return Ruling(Verdict.DEPENDS, f"depends: holds with {names[0]}; not with {names[1]}")


def how_often(holds: int, cases: int, words: str, never: str = "not confirmed") -> Ruling:
    """The ruling on a claim that holds in some of the cases; `words` tell how many where it is not all or none.

    >>> how_often(1, 3, "holds on {} of {} sets").words
    'holds on 1 of 3 sets'
    """
    if holds in (0, cases):
        return whether(holds == cases, otherwise=never)
    return Ruling(Verdict.DEPENDS, words.format(holds, cases))


class Wording(NamedTuple):
    """How a study tells what intervals of differences say: after "confirmed" and "contradicted", and where mixed.

    `{ahead}` and `{behind}` are how many lie wholly above and below zero, `{above}` how many values do, `{beyond}` how
    many of the intervals agree with the direction, `{cases}` how many there are.
    """

    all_agree: str
    #: Where all values agree but not all intervals; None: no word for that, it is mixed.
    direction: str | None
    mixed: str


def above_zero(differences: Sequence[Interval], wording: Wording) -> Ruling:
    """The ruling on a claim that these differences are above zero."""
    counts = {
        "ahead": sum(difference.low > 0 for difference in differences),
        "behind": sum(difference.high < 0 for difference in differences),
        "above": sum(difference.value > 0 for difference in differences),
        "cases": len(differences),
    }
    below = sum(difference.value < 0 for difference in differences)
    for verdict, word, beyond, values in (
        (Verdict.CONFIRMED, "confirmed", counts["ahead"], counts["above"]),
        (Verdict.NOT_CONFIRMED, "contradicted", counts["behind"], below),
    ):
        if beyond == len(differences):
            return Ruling(verdict, word + wording.all_agree)
        if wording.direction is not None and values == len(differences):
            return Ruling(verdict, word + wording.direction.format(beyond=beyond, **counts))
    return Ruling(Verdict.DEPENDS, wording.mixed.format(**counts))


def claims_table(
    findings: Sequence[Finding],
    *,
    title: str = "The paper's findings on our data",
    claim: str = "The paper's claim",
    measured: str = "",
    reason: str = "",
    note: str = "",
) -> Table:
    """Every claim with what came of it; columns for what was measured and for the reason where they have a heading."""
    columns = [Column("", "count"), Column("Here", "text"), Column("Section", "text"), Column(claim, "text")]
    columns += [Column(heading, "text") for heading in (measured, reason) if heading]
    rows: list[list[CellValue]] = []
    for number, finding in enumerate(findings, 1):
        further = [text for heading, text in ((measured, finding.measured), (reason, finding.reason)) if heading]
        rows.append([number, finding.ruling.words, finding.section, finding.claim, *further])
    return Table(title, columns, rows, note)


def evidence_table(findings: Sequence[Finding], headings: Sequence[Column], figures: Sequence[str], note: str) -> Table:
    """The figures behind each verdict: `headings` of finding and line, and the columns of figures."""
    rows: list[list[CellValue]] = []
    for number, finding in enumerate(findings, 1):
        for label, shown in finding.evidence:
            by_column = shown if isinstance(shown, Mapping) else {figures[0]: shown}
            heading = f"{number}. {finding.measured or finding.claim}"
            rows.append([heading, label, *(by_column.get(name) for name in figures)])
    columns = [*headings, *(Column(name, digits=3) for name in figures)]
    return Table("The figures behind each verdict", columns, rows, note)


def verdict_table(findings: Sequence[Finding], longest: int = 0) -> Table:
    """The claims by verdict, theirs and ours; claims cut to the `longest` number of letters, if one is given."""
    rows: list[list[CellValue]] = []
    for verdict in Verdict:
        for number, finding in enumerate(findings, 1):
            if finding.verdict is verdict:
                claim = shorten(finding.claim, longest, placeholder=" …") if longest else finding.claim
                rows.append([verdict, number, finding.section, claim, finding.theirs, finding.ours])
    names = ("Section", "Claim", "Theirs", "Ours")
    columns = [Column("Verdict", "group"), Column("", "count"), *(Column(name, "text") for name in names)]
    return Table("Claims by verdict", columns, rows, f"{tally(findings)}.")


def tally(findings: Sequence[Finding]) -> str:
    """How many claims came out how, for a line on a terminal.

    >>> tally([Finding("A.", whether(True), section="1"), Finding("B.", whether(False), section="2")])
    '2 claims: 1 confirmed, 1 not confirmed'
    """
    counts = Counter(finding.verdict for finding in findings)
    claims = sum(count for verdict, count in counts.items() if verdict != Verdict.QUESTION)
    parts = [f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict]]
    return f"{claims} claim{'s' if claims != 1 else ''}: {', '.join(parts)}"
