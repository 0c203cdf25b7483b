"""Clean text: the words of a page without what is the same in every language, as in section 4.1 of the HMM paper.

The rules, each of which can be switched off (`Rules`), in the order in which they act:

- Sentences end at a period, except inside e-mail addresses, URLs and acronyms, whether or not those are removed. An
  acronym is a letter, a period, a letter, and so on (`U.S.A.`); its last period belongs to it.
- E-mail addresses, URLs and acronyms are removed. A URL begins with a scheme or `www.`, or is a host whose last label
  is one of the old generic domains (`example.org/path`).
- Words of a stop list are removed. The paper's list is said to hold currency acronyms and words of tourism, and is
  not printed; STOP_LIST is ours, of the same kinds.
- If 75 % or more of a sentence's words are capitalised at the first letter only, these words are removed: lists of
  proper names say nothing about the language. (A sentence of one capitalised word disappears.)
- What is neither letter nor the end of a sentence becomes a space; the paper has letters of Latin-1, ours are those of
  every script with their marks.
- Letters become lower case, one code point for one, and runs of white space one space, none before a period.

A sentence in which no letter is left disappears with its period. The cost is linear in the length of the text.

>>> clean("Write to anna@example.org or see http://example.org/. The U.S. Embassy  is open.")
'write to or see. the embassy is open.'
>>> sentences("Mount Everest. It is high, 8848.86 m")
['it is high.', 'm']
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dragoman import kernels

#: Words that stand in pages of every language: currencies, and what tourists read everywhere.
_STOPPED = """
ats aud bef brl cad chf cny czk dem dkk dm esp eur euro euros fim frf gbp grd hkd huf iep inr itl jpy krw lit mxn
nlg nok nzd pln pte pts rub sek sgd try usd zar
email fax ftp gmt gsm homepage hotel hotels html http https internet km online tel url utc web webmaster website www
"""
STOP_LIST = frozenset(_STOPPED.split())

#: What is never the language's own, and whose periods end no sentence. Lengths are bounded so that no text is slow.
_FOREIGN = re.compile(
    r"""(?P<mail>(?<![\w.+\-@]) (?:mailto:)? [\w.+\-]{1,64} @ [\w\-]{1,63} (?:\.[\w\-]{1,63}){1,8})
      | (?P<url>(?<!\w) (?: [A-Za-z][A-Za-z0-9+.\-]{1,20}:// | www\. ) [^\s<>"]*[^\s<>".,;:!?'()\[\]]
              | (?<![\w.\-]) (?:[\w\-]{1,63}\.){1,8} (?:com|edu|gov|info|int|mil|net|org) (?![\w\-])
                (?: [/?\#:] [^\s<>"]*[^\s<>".,;:!?'()\[\]] )?)
      | (?P<acronym>(?<!\w) [^\W\d_] (?:\.[^\W\d_])+ (?!\w) \.?)""",
    re.VERBOSE | re.IGNORECASE,
)  # fmt: skip

_SPACE, _PERIOD = ord(" "), ord(".")


@dataclass(frozen=True)
class Rules:
    """Which rules of cleaning are used: `Rules(names=False)` leaves one out, `Rules.none()` leaves them all out."""

    #: Remove e-mail addresses.
    mail: bool = True
    #: Remove URLs.
    urls: bool = True
    #: Remove acronyms with periods.
    acronyms: bool = True
    #: Remove these words, given in lower case; an empty set removes none.
    stop_list: frozenset[str] = STOP_LIST
    #: Remove the words of a sentence that are capitalised at the first letter only, if they are many ...
    names: bool = True
    #: ... that is, at least this share of its words.
    share: float = 0.75
    #: Turn everything but letters and ends of sentences into spaces.
    letters: bool = True
    #: Turn letters to lower case.
    fold: bool = True
    #: Merge white space.
    spaces: bool = True
    #: Leave out sentences of fewer characters than this, their period not counted (the paper: 20).
    shortest: int = 0

    @classmethod
    def none(cls) -> Rules:
        """No rule at all."""
        return cls(False, False, False, frozenset(), False, letters=False, fold=False, spaces=False)


@dataclass(frozen=True, eq=False)
class Cleaned:
    """Clean text, for each of its characters the place in the text it was made from, and the ends of its sentences.

    `places` rises; a space between two words stands at the first of the characters it replaces. Sentence number i is
    text[starts[i]:ends[i]].
    """

    text: str
    places: NDArray[np.int64]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @property
    def sentences(self) -> list[str]:
        """The sentences, each with the period that ends it (the last one may have none)."""
        return [self.text[start:end] for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]


def clean(text: str, rules: Rules = Rules()) -> str:  # noqa: B008 (frozen)
    """The text after the rules, its sentences joined by spaces."""
    return cleaned(text, rules).text


def sentences(text: str, rules: Rules = Rules()) -> list[str]:  # noqa: B008 (frozen)
    """The sentences of the text after the rules."""
    return cleaned(text, rules).sentences


def cleaned(text: str, rules: Rules = Rules()) -> Cleaned:  # noqa: B008 (frozen)
    """The text after the rules, with the way back to the original."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4").astype(np.int64)
    lower = folded(points)
    out = np.where((lower > 0) & rules.fold, lower, points)
    ends = points == _PERIOD
    gone = np.zeros(len(points), bool)
    switched = {"mail": rules.mail, "url": rules.urls, "acronym": rules.acronyms}
    for match in _FOREIGN.finditer(text):
        ends[match.start() : match.end()] = False
        gone[match.start() : match.end()] = switched[str(match.lastgroup)]
    sentence = np.cumsum(ends) - ends  # a period belongs to the sentence that it ends
    _remove_words(out, points, lower, sentence, gone, rules)
    blank = gone | ((lower == 0) & ~ends) if rules.letters else gone | (_white(points) & rules.spaces)
    _remove_sentences(blank, lower > 0, sentence, ends, rules)
    return _gathered(out, blank, ends, sentence, rules)


def folded(points: NDArray[np.int64]) -> NDArray[np.int64]:
    """The lower case of every letter, 0 for everything else."""
    different, inverse = np.unique(points, return_inverse=True)
    return np.array([kernels.fold(int(point)) for point in different], np.int64)[inverse] if len(points) else points


def _white(points: NDArray[np.int64]) -> NDArray[np.bool_]:
    different, inverse = np.unique(points, return_inverse=True)
    return np.array([chr(int(point)).isspace() for point in different], bool)[inverse].reshape(points.shape)


def _remove_words(
    out: NDArray[np.int64],
    points: NDArray[np.int64],
    lower: NDArray[np.int64],
    sentence: NDArray[np.int64],
    gone: NDArray[np.bool_],
    rules: Rules,
) -> None:
    """Mark the words of the stop list and of lists of names as gone. A word is a run of letters."""
    letter = np.concatenate([[False], (lower > 0) & ~gone, [False]])
    starts = np.flatnonzero(letter[1:] & ~letter[:-1])
    stops = np.flatnonzero(~letter[1:] & letter[:-1])
    if not len(starts):
        return
    capital = (lower > 0) & (lower != points)
    before = np.concatenate([[0], np.cumsum(capital)])
    named = capital[starts] & (before[stops] - before[starts] == 1)
    stopped = np.zeros(len(starts), bool)
    if rules.stop_list:
        longest = max(map(len, rules.stop_list))
        for number in np.flatnonzero(stops - starts <= longest).tolist():
            word = "".join(map(chr, lower[starts[number] : stops[number]].tolist()))
            stopped[number] = word in rules.stop_list
    removed = stopped.copy()
    if rules.names:
        of = sentence[starts]
        words = np.bincount(of[~stopped], minlength=int(of[-1]) + 1)
        names = np.bincount(of[~stopped & named], minlength=int(of[-1]) + 1)
        removed |= named & (names >= rules.share * words)[of]
    for start, stop in zip(starts[removed].tolist(), stops[removed].tolist(), strict=True):
        gone[start:stop] = True


def _remove_sentences(
    blank: NDArray[np.bool_],
    letter: NDArray[np.bool_],
    sentence: NDArray[np.int64],
    ends: NDArray[np.bool_],
    rules: Rules,
) -> None:
    """Blank the sentences that have no letter left, or are too short. With no rule on, nothing is removed."""
    if not len(blank) or rules == Rules.none():
        return
    count = int(sentence[-1]) + 1
    letters = np.bincount(sentence[letter & ~blank], minlength=count)
    shown = ~blank & ~ends
    begins = shown & np.concatenate([[True], ~shown[:-1] | (sentence[1:] != sentence[:-1])])
    spaces = np.maximum(np.bincount(sentence[begins], minlength=count) - 1, 0)
    short = (letters == 0) | (np.bincount(sentence[shown], minlength=count) + spaces < rules.shortest)
    blank |= short[sentence]
    ends &= ~short[sentence]


def _gathered(
    out: NDArray[np.int64],
    blank: NDArray[np.bool_],
    ends: NDArray[np.bool_],
    sentence: NDArray[np.int64],
    rules: Rules,
) -> Cleaned:
    """What is left, and where it was."""
    if not rules.spaces:
        places = np.arange(len(out))
        codes = np.where(blank & ~_white(out), _SPACE, out)
    else:
        places = np.flatnonzero(~blank)
        codes = out[places]
        if len(places):
            apart = np.diff(places, prepend=places[0]) > 1
            apart |= np.concatenate([[False], ends[places[:-1]]])  # "one.two" has no space of its own
            apart &= ~ends[places]
            at = np.flatnonzero(apart)
            codes = np.insert(codes, at, _SPACE)
            gaps = np.minimum(places[np.maximum(at - 1, 0)] + 1, places[at])
            places = np.insert(places, at, gaps)
    text = codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return Cleaned(text, places, *_bounds(_white(codes), sentence[places]))


def _bounds(white: NDArray[np.bool_], sentence: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(starts, ends) of the sentences, without the spaces around them."""
    cuts = [0, *(np.flatnonzero(np.diff(sentence)) + 1).tolist(), len(white)]
    bounds = []
    for start, end in pairwise(cuts):
        while start < end and white[start]:
            start += 1
        while start < end and white[end - 1]:
            end -= 1
        if start < end:
            bounds.append((start, end))
    pairs = np.array(bounds, np.int64).reshape(-1, 2)
    return pairs[:, 0].copy(), pairs[:, 1].copy()
