"""Lines in which somebody else's names stand: names travel, and say little about the language around them.

"Novak Djokovic beats Rafael Nadal in Paris" is English, and a model that has met `Novak` in Croatian lines alone takes
it for Croatian. So names in lines are changed for others, of anywhere: those that stand in lines of several languages,
large cities, and names of people (text_in_no_language.py).
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from south_slavic import Line
from text_in_no_language import people

#: Kinds of lines that are left alone: messages, whose capitals begin labels, and what is no running text.
LEFT_ALONE = frozenset(["messages", "compounds", "word lines", "debian"])
#: Languages that write every noun with a capital letter: their capitals are no sign of a name.
NOUNS = frozenset(["de", "frr", "gsw", "ksh", "lb", "nds", "pfl", "stq"])
#: A name stands in lines of so many languages at least.
LANGUAGES = 4
#: Lines that are made for each language and script, at most, and tries to make them.
MOST, TRIES = 2000, 30_000
_ENDS = tuple('.!?:…"“”»«)(')
_MARKS = '.,;:!?"“”„«»()[]…'


def runs_of_names(words: Sequence[str]) -> list[tuple[int, int]]:
    """Where names stand among words: capitals that begin no sentence, those next to each other together.

    >>> runs_of_names("We met Anna Karenina in Moscow.".split())
    [(2, 4), (5, 6)]
    """
    named = [
        at > 0 and not words[at - 1].endswith(_ENDS) and len(core := word.strip(_MARKS)) > 2 and core.istitle()
        for at, word in enumerate(words)
    ]
    found: list[tuple[int, int]] = []
    for at, is_name in enumerate(named):
        if is_name and found and found[-1][1] == at and not words[at - 1].endswith(","):
            found[-1] = found[-1][0], at + 1
        elif is_name:
            found.append((at, at + 1))
    return found


def widely_known(lines: Sequence[tuple[Line, int]]) -> dict[int, list[str]]:
    """By script, the names that stand in lines of several languages."""
    by: dict[tuple[int, str], set[str]] = defaultdict(set)
    for one, script in lines:
        if one.label not in NOUNS:
            words = one.text.split()
            for first, end in runs_of_names(words):
                by[script, " ".join(words[first:end]).strip(_MARKS)].add(one.label)
    known: dict[int, list[str]] = defaultdict(list)
    for (script, name), labels in sorted(by.items()):
        if len(labels) >= LANGUAGES:
            known[script].append(name)
    return known


def abroad(lines: Sequence[tuple[Line, int]], cities: Sequence[str], latin: int, seed: int = 13) -> Iterator[Line]:
    """Lines (each with its script) with other names than they had, at most MOST of each language and script."""
    rng = random.Random(seed)
    usable = [(one, script) for one, script in lines if one.kind not in LEFT_ALONE]
    known = widely_known(usable)
    made, tried = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for one, script in usable:
        place = one.label, script
        if made[place] >= MOST or tried[place] >= TRIES or not known.get(script) or one.label in NOUNS:
            continue
        tried[place] += 1
        words = one.text.split()
        runs = runs_of_names(words)
        if not runs or 2 * sum(end - first for first, end in runs) > len(words):
            continue
        for first, end in reversed(runs):
            kind = rng.random()
            if script == latin and kind < 0.35:
                name = rng.choice(cities) if cities else people(rng)
            elif script == latin and kind < 0.65:
                name = people(rng)
            else:
                name = rng.choice(known[script])
            behind = words[end - 1][len(words[end - 1].rstrip(_MARKS)) :]
            words[first:end] = [name + behind]
        made[place] += 1
        yield Line(" ".join(words), one.label, "names abroad")
