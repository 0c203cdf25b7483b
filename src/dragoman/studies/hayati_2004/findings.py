"""Which of the paper's claims hold on our data, and what its open questions come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dragoman.measures import Interval
from dragoman.studies.hayati_2004.figures import Figures, published, spread
from dragoman.studies.hayati_2004.plan import (
    BASE,
    FREQUENCY,
    NARROW,
    NFC,
    NFC_15,
    OUR_BASE,
    OUR_FREQUENCY,
    OUR_NFC,
    OUR_NFC_15,
    SHORT,
    USUAL,
    Variant,
)


@dataclass(frozen=True)
class Finding:
    """A claim or an open question, what came out, and the figures: means of the draws with the extremes."""

    claim: str
    verdict: str
    reason: str
    evidence: tuple[tuple[str, Interval], ...]


def differences(one: Sequence[float], other: Sequence[float]) -> Interval:
    """One less the other, draw by draw."""
    return spread([a - b for a, b in zip(one, other, strict=True)])


def verdict(found: Sequence[Interval]) -> str:
    """What differences say about a claim that they are above zero."""
    ahead, behind = sum(one.low > 0 for one in found), sum(one.high < 0 for one in found)
    if ahead == len(found):
        return "confirmed"
    if behind == len(found):
        return "contradicted"
    return f"mixed: ahead in every draw in {ahead}, behind in every draw in {behind} of {len(found)} comparisons"


def findings(figures: Figures) -> Iterator[Finding]:
    """The paper's claims in its order, then what it leaves open."""
    yield _halves_the_errors(figures)
    yield _errors_are_short_and_close(figures)
    yield _very_short(figures)
    yield _three_characters(figures)
    yield _fisher(figures)
    if figures.study.domains is not None:
        yield _domains(figures)
        yield _combined(figures)
    yield _minimum_length(figures)


def _pairs(figures: Figures, one: Variant, other: Variant) -> tuple[tuple[str, Interval], ...]:
    tests = ((None, "whole pages"), (USUAL, "20-200 characters"), (SHORT[0], "under 25 characters"))
    return tuple(
        (label, differences(figures.accuracy(one, lengths), figures.accuracy(other, lengths)))
        for lengths, label in tests
    )


def _halves_the_errors(figures: Figures) -> Finding:
    as_printed, ours = _pairs(figures, NFC, BASE), _pairs(figures, OUR_NFC, OUR_BASE)
    pages, sentences = (
        tuple(1 - spread(figures.accuracy(variant, lengths)).value for variant in (BASE, NFC))
        for lengths in (None, USUAL)
    )
    return Finding(
        "NFC makes half the errors of BASE (4.6).",
        f"{'confirmed' if pages[1] <= pages[0] / 2 else 'not confirmed'} on whole pages (errors {pages[0]:.1%} and "
        f"{pages[1]:.1%}), {'confirmed' if sentences[1] <= sentences[0] / 2 else 'not confirmed'} on sentences "
        f"({sentences[0]:.1%} and {sentences[1]:.1%})",
        "A page has enough n-grams for a stable angle; a sentence has few. Rank order knows 399 n-grams of each "
        "language, NFC 1,000 of all eleven together, and perhaps the commonest of them rule the cosine of raw counts.",
        (
            *((f"NFC less BASE, {label}", found) for label, found in as_printed),
            *((f"the same with our choices, {label}", found) for label, found in ours),
        ),
    )


def _errors_are_short_and_close(figures: Figures) -> Finding:
    short, long = spread(figures.accuracy(BASE, (20, 29))), spread(figures.accuracy(BASE, (150, 200)))
    kin = figures.kin_share(BASE)
    return Finding(
        "Most errors of BASE are on short documents or between close languages (3.4).",
        "confirmed" if short.high < long.low and kin > 0.5 else "not confirmed",
        "A choice at random among the other ten would stay in the family in about a fifth of the cases.",
        (
            ("accuracy, 20-29 characters", short),
            ("accuracy, 150-200 characters", long),
            ("share of errors inside a family of languages, 20-200 characters", Interval(kin, kin, kin)),
        ),
    )


def _very_short(figures: Figures) -> Finding:
    rows = [spread(figures.accuracy(NFC, lengths)) for lengths in SHORT]
    ours = [spread(figures.accuracy(OUR_NFC, lengths)) for lengths in SHORT]
    theirs = (published()["nfc-under-25"], published()["nfc-25-to-50"])
    worse = all(row.value < spread(figures.accuracy(NFC, USUAL)).value - 0.1 for row in rows)
    return Finding(
        f"NFC fails on very short pages: {theirs[0]:.1%} under 25 characters, {theirs[1]:.1%} from 25 to 50 (5.6).",
        "confirmed" if worse else "not confirmed",
        "The level differs with the texts: ours are beginnings of sentences, evenly in eleven languages; theirs were "
        "whole pages of a few words, most of them English.",
        (
            ("NFC, under 25", rows[0]),
            ("NFC, 25 to 50", rows[1]),
            ("our choices, under 25", ours[0]),
            ("our choices, 25 to 50", ours[1]),
        ),
    )


def _three_characters(figures: Figures) -> Finding:
    found = _pairs(figures, NFC, NFC_15)
    ours = _pairs(figures, OUR_NFC, OUR_NFC_15)
    return Finding(
        "n = 3 is a good choice for NFC (4); whether n = 1..5 is better is left open.",
        verdict([one for _, one in (*found[1:], *ours[1:])]),
        "Single letters and pairs are in every text, so they rule the cosine; with the same number of features they "
        "also take the places of trigrams.",
        (
            *((f"n = 3 less n = 1..5, {label}", one) for label, one in found),
            *((f"the same with our choices, {label}", one) for label, one in ours),
        ),
    )


def _fisher(figures: Figures) -> Finding:
    found, ours = _pairs(figures, NFC, FREQUENCY), _pairs(figures, OUR_NFC, OUR_FREQUENCY)
    return Finding(
        "Selecting n-grams by the Fisher discriminant is what helps (7); plain frequency was not tried there.",
        verdict([one for _, one in (*found[1:], *ours[1:])]),
        "By frequency, the thousand n-grams are shared by all languages alike; Fisher leaves more room for those that "
        "tell close languages apart. With five languages the two are level.",
        (
            *((f"Fisher less frequency, {label}", one) for label, one in found),
            *((f"the same with our choices, {label}", one) for label, one in ours),
            (
                "the same, five languages, 20-200 characters",
                differences(figures.accuracy(OUR_NFC, USUAL, "five"), figures.accuracy(OUR_FREQUENCY, USUAL, "five")),
            ),
        ),
    )


def _domains(figures: Figures) -> Finding:
    alone, _ = figures.domains(NFC, USUAL)
    text = figures.accuracy(NFC, USUAL)
    return Finding(
        f"The top-level domain alone is a reasonable estimate ({published()['tld']:.1%}), but not adequate (5.1).",
        "confirmed" if max(alone) < min(text) and min(alone) > 0.4 else "not confirmed",
        "Every language has as many test URLs here, so country domains weigh more than they do on the web.",
        (("the domain alone", spread(alone)), ("NFC, 20-200 characters", spread(text))),
    )


def _combined(figures: Figures) -> Finding:
    evidence = []
    for variant, name in ((NFC, "NFC"), (OUR_NFC, "our choices")):
        for lengths, label in ((USUAL, "20-200"), (SHORT[1], "25-50"), (SHORT[0], "under 25 characters")):
            text = figures.accuracy(variant, lengths)
            _, both = figures.domains(variant, lengths)
            evidence.append((f"domain and {name} less {name}, {label}", differences(both, text)))
    return Finding(
        "Does the domain help NFC, combined in a Bayesian way? (5.1, left open)",
        {"confirmed": "yes", "contradicted": "no"}.get(
            verdict([one for _, one in evidence]), verdict([one for _, one in evidence])
        ),
        "The shorter the text, the more the domain adds. The texts got URLs of their language at random, so both are "
        "independent given the language, as the combination supposes; on the web they need not be.",
        tuple(evidence),
    )


def _minimum_length(figures: Figures) -> Finding:
    same = published()["links-of-one-language"]
    evidence = []
    longest = {}
    for variant, name in ((NFC, "NFC"), (OUR_NFC, "our choices")):
        vote = same * spread(figures.accuracy(variant, NARROW[-1])).value
        evidence.append((f"one vote of a linking page of 150-200 characters, {name}", Interval(vote, vote, vote)))
        below = [lengths for lengths in NARROW if spread(figures.accuracy(variant, lengths)).value < vote]
        longest[name] = below[-1][1] if below else 0
        if below:
            evidence.append((f"own answer at {below[-1][0]}-{below[-1][1]} characters, {name}", spread(figures.accuracy(variant, below[-1]))))  # fmt: skip  # noqa: E501
    return Finding(
        "Which lengths should MIN_LENGTH and MIN_REF_LENGTH have? (5.4, left open)",
        f"a single linking page knows better than the page itself up to {longest['NFC']} characters with NFC, "
        f"{longest['our choices']} with our choices",
        "A linking page is right if it is in the same language (95 % of links, 5.3) and is itself recognised; the vote "
        "of several, and real links, are for the link methods, which this study does not have yet.",
        tuple(evidence),
    )
