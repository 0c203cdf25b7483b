"""Which of the paper's claims hold on our data, and what its open questions come to."""

from __future__ import annotations

from collections.abc import Iterator

from dragoman.measures import Interval
from dragoman.studies.claims import Finding, Ruling, Verdict, Wording, above_zero, how_often, whether
from dragoman.studies.hayati_2004.figures import HayatiFigures, published
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
from dragoman.studies.intervals import differences, spread
from dragoman.studies.text_draws import Lengths, range_name

WORDING = Wording(
    all_agree="",
    direction=None,
    mixed="mixed: ahead in every draw in {ahead}, behind in every draw in {behind} of {cases} comparisons",
)
Evidence = list[tuple[str, Interval]]


def findings(figures: HayatiFigures) -> Iterator[Finding]:
    """The paper's claims in its order, then what it leaves open."""
    yield _halves_the_errors(figures)
    yield _errors_are_short_and_close(figures)
    yield _very_short(figures)
    yield _three_characters(figures)
    yield _fisher(figures)
    if figures.domains is not None:
        yield _domains(figures)
        yield _combined(figures)
    yield _minimum_length(figures)


def _pairs(
    figures: HayatiFigures, label: str, theirs: tuple[Variant, Variant], ours: tuple[Variant, Variant]
) -> Evidence:
    """One less the other, then the same with our choices: on whole pages, usual sentences and very short ones."""
    tests = ((None, "whole pages"), (USUAL, "20-200 characters"), (SHORT[0], "under 25 characters"))
    return [
        (f"{name}, {test}", differences(figures.accuracies(first, lengths), figures.accuracies(second, lengths)))
        for name, (first, second) in ((label, theirs), ("the same with our choices", ours))
        for lengths, test in tests
    ]


def _on_sentences(evidence: Evidence) -> list[Interval]:
    """The differences of `_pairs` that a claim is judged by: not those on whole pages."""
    return [evidence[line][1] for line in (1, 2, 4, 5)]


def _accuracy(figures: HayatiFigures, variant: Variant, lengths: Lengths | None) -> Interval:
    return spread(figures.accuracies(variant, lengths))


def _halves_the_errors(figures: HayatiFigures) -> Finding:
    words, halved = [], []
    for lengths, where, errors in ((None, "whole pages", "errors "), (USUAL, "sentences", "")):
        base, nfc = (1 - _accuracy(figures, variant, lengths).value for variant in (BASE, NFC))
        halved.append(nfc <= base / 2)
        words.append(f"{whether(halved[-1]).words} on {where} ({errors}{base:.1%} and {nfc:.1%})")
    verdict = how_often(sum(halved), len(halved), "").verdict
    return Finding(
        "NFC makes half the errors of BASE.",
        Ruling(verdict, ", ".join(words)),
        reason="A page has enough n-grams for a stable angle; a sentence has few. Rank order knows 399 n-grams of each "
        "language, NFC 1,000 of all eleven together, and perhaps the commonest of them rule the cosine of raw counts.",
        evidence=_pairs(figures, "NFC less BASE", (NFC, BASE), (OUR_NFC, OUR_BASE)),
        section="4.6",
    )


def _errors_are_short_and_close(figures: HayatiFigures) -> Finding:
    short, long = _accuracy(figures, BASE, (20, 29)), _accuracy(figures, BASE, (150, 200))
    kin = figures.kin_share(BASE)
    return Finding(
        "Most errors of BASE are on short documents or between close languages.",
        whether(short.high < long.low and kin > 0.5),
        reason="A choice at random among the other ten would stay in the family in about a fifth of the cases.",
        evidence=[
            ("accuracy, 20-29 characters", short),
            ("accuracy, 150-200 characters", long),
            ("share of errors inside a family of languages, 20-200 characters", spread([kin])),
        ],
        section="3.4",
    )


def _very_short(figures: HayatiFigures) -> Finding:
    theirs = (published()["nfc-under-25"], published()["nfc-25-to-50"])
    usual = _accuracy(figures, NFC, USUAL).value
    evidence = [
        (f"{name}, {label}", _accuracy(figures, variant, lengths))
        for variant, name in ((NFC, "NFC"), (OUR_NFC, "our choices"))
        for lengths, label in zip(SHORT, ("under 25", "25 to 50"), strict=True)
    ]
    return Finding(
        f"NFC fails on very short pages: {theirs[0]:.1%} under 25 characters, {theirs[1]:.1%} from 25 to 50.",
        whether(all(accuracy.value < usual - 0.1 for _, accuracy in evidence[:2])),
        reason="The level differs with the texts: ours are beginnings of sentences, evenly in eleven languages; theirs "
        "were whole pages of a few words, most of them English.",
        evidence=evidence,
        section="5.6",
    )


def _three_characters(figures: HayatiFigures) -> Finding:
    evidence = _pairs(figures, "n = 3 less n = 1..5", (NFC, NFC_15), (OUR_NFC, OUR_NFC_15))
    return Finding(
        "n = 3 is a good choice for NFC; whether n = 1..5 is better is left open.",
        above_zero(_on_sentences(evidence), WORDING),
        reason="Single letters and pairs are in every text, so they rule the cosine; with the same number of features "
        "they also take the places of trigrams.",
        evidence=evidence,
        section="4",
    )


def _fisher(figures: HayatiFigures) -> Finding:
    evidence = _pairs(figures, "Fisher less frequency", (NFC, FREQUENCY), (OUR_NFC, OUR_FREQUENCY))
    five = (figures.accuracies(variant, USUAL, "five") for variant in (OUR_NFC, OUR_FREQUENCY))
    return Finding(
        "Selecting n-grams by the Fisher discriminant is what helps; plain frequency was not tried there.",
        above_zero(_on_sentences(evidence), WORDING),
        reason="By frequency, the thousand n-grams are shared by all languages alike; Fisher leaves more room for "
        "those that tell close languages apart. With five languages the two are level.",
        evidence=[*evidence, ("the same, five languages, 20-200 characters", differences(*five))],
        section="7",
    )


def _domains(figures: HayatiFigures) -> Finding:
    alone, text = spread(figures.with_domains(NFC, USUAL)[0]), _accuracy(figures, NFC, USUAL)
    return Finding(
        f"The top-level domain alone is a reasonable estimate ({published()['tld']:.1%}), but not adequate.",
        whether(alone.high < text.low and alone.low > 0.4),
        reason="Every language has as many test URLs here, so country domains weigh more than they do on the web.",
        evidence=[("the domain alone", alone), ("NFC, 20-200 characters", text)],
        section="5.1",
    )


def _combined(figures: HayatiFigures) -> Finding:
    evidence = [
        (
            f"domain and {name} less {name}, {label}",
            differences(figures.with_domains(variant, lengths)[1], figures.accuracies(variant, lengths)),
        )
        for variant, name in ((NFC, "NFC"), (OUR_NFC, "our choices"))
        for lengths, label in ((USUAL, "20-200"), (SHORT[1], "25-50"), (SHORT[0], "under 25 characters"))
    ]
    words = above_zero([difference for _, difference in evidence], WORDING).words
    return Finding(
        "Does the domain help NFC, combined in a Bayesian way?",
        Ruling(Verdict.QUESTION, {"confirmed": "yes", "contradicted": "no"}.get(words, words)),
        reason="The shorter the text, the more the domain adds. The texts got URLs of their language at random, so "
        "both are independent given the language, as the combination supposes; on the web they need not be.",
        evidence=evidence,
        section="5.1",
    )


def _minimum_length(figures: HayatiFigures) -> Finding:
    evidence: Evidence = []
    longest = {}
    for variant, name in ((NFC, "NFC"), (OUR_NFC, "our choices")):
        vote = published()["links-of-one-language"] * _accuracy(figures, variant, NARROW[-1]).value
        evidence.append((f"one vote of a linking page of 150-200 characters, {name}", spread([vote])))
        below = [lengths for lengths in NARROW if _accuracy(figures, variant, lengths).value < vote]
        longest[name] = below[-1][1] if below else 0
        evidence += [
            (f"own answer at {range_name(lengths)} characters, {name}", _accuracy(figures, variant, lengths))
            for lengths in below[-1:]
        ]
    words = (
        f"a single linking page knows better than the page itself up to {longest['NFC']} characters with NFC, "
        f"{longest['our choices']} with our choices"
    )
    return Finding(
        "Which lengths should MIN_LENGTH and MIN_REF_LENGTH have?",
        Ruling(Verdict.QUESTION, words),
        reason="A linking page is right if it is in the same language (95 % of links, 5.3) and is itself recognised; "
        "the vote of several, and real links, are for the link methods, which this study does not have yet.",
        evidence=evidence,
        section="5.4",
    )
