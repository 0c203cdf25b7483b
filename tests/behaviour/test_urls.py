"""What a person would expect of the answers to ordinary URLs: the lists beside this file, asked of the shipped model.

An answer is absurd where it is above the model's threshold, and in a language that nobody would accept.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman import Prediction, identify

HERE = Path(__file__).parent
#: The share whose likeliest language must be accepted: of a kind; of words that stand alone, are glued or look like
#: codes; of what a stranger wrote down; of famous ones. And the share of a kind that may be absurd.
KINDS, HARD_KINDS, STRANGERS, FAMOUS, ABSURD = 0.9, 0.65, 0.9, 0.95, 0.075
HARD = (
    "words of menus under hosts that say nothing",
    "words that are no codes",
    "words and abbreviations that are no codes, from people who looked for them",
    "names in slugs of other languages",
    "what was typed when the model was done",
    "hosts of glued words under generic domains",
)


def headed(name: str) -> Iterator[tuple[str, str]]:
    """(heading, line) of a list with headings in brackets."""
    heading = ""
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            heading = line.strip("[]")
        elif line and not line.startswith("#"):
            yield heading, line


def accepted(tags: str) -> set[str]:
    """The languages of a line; `nb` and `nn` are one for URLs."""
    same = {"nb": "no", "nn": "no", "fil": "tl", "sh": "sr"}
    return {same.get(tag.strip(), tag.strip()) for tag in tags.split(",")}


BY_KIND: dict[str, list[tuple[set[str], str]]] = {}
for kind, row in headed("urls_by_kind.txt"):
    BY_KIND.setdefault(kind, []).append((accepted(row.partition("\t")[0]), row.partition("\t")[2]))
FAMOUS_URLS = [(accepted(tags), url) for tags, url in headed("famous_urls.txt")]
STRANGE_URLS = [
    (accepted(line.partition("\t")[0]), line.partition("\t")[2]) for _, line in headed("urls_of_strangers.txt")
]


def likeliest(urls: list[tuple[set[str], str]]) -> list[Prediction]:
    """The likeliest language of each, however unlikely."""
    return identify([url for _, url in urls], threshold=0)


def told(urls: list[tuple[set[str], str]]) -> list[Prediction]:
    """What is answered without options."""
    return identify([url for _, url in urls])


def absurd(urls: list[tuple[set[str], str]]) -> list[str]:
    """The answers that nobody would accept."""
    return [
        f"{url}: {answer.language} {answer.probability:.2f}, not {'/'.join(sorted(tags))}"
        for (tags, url), answer in zip(urls, told(urls), strict=True)
        if answer.language is not None and answer.language not in tags
    ]


def wrong(urls: list[tuple[set[str], str]]) -> list[str]:
    """Those whose likeliest language is not accepted; where none is accepted too, one above the threshold."""
    return [
        f"{url}: {best.language}, not {'/'.join(sorted(tags))}"
        for (tags, url), best, answer in zip(urls, likeliest(urls), told(urls), strict=True)
        if best.language not in tags and not ("-" in tags and answer.language is None)
    ]


@pytest.mark.parametrize("kind", BY_KIND)
def test_most_answers_of_a_kind_are_right_and_hardly_any_is_absurd(kind: str) -> None:
    urls = BY_KIND[kind]
    assert len(absurd(urls)) <= ABSURD * len(urls), absurd(urls)
    assert len(wrong(urls)) <= (1 - (HARD_KINDS if kind in HARD else KINDS)) * len(urls), wrong(urls)


def test_no_famous_url_has_an_absurd_answer() -> None:
    assert len(FAMOUS_URLS) >= 300
    assert absurd(FAMOUS_URLS) == []
    assert len(wrong(FAMOUS_URLS)) <= (1 - FAMOUS) * len(FAMOUS_URLS), wrong(FAMOUS_URLS)


def test_what_a_stranger_types_comes_out_right() -> None:
    assert len(wrong(STRANGE_URLS)) <= (1 - STRANGERS) * len(STRANGE_URLS), wrong(STRANGE_URLS)
