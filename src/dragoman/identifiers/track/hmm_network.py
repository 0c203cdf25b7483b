"""The network of the HMM paper as a tracker: a model of the algorithm `hmm`, and what a change of language costs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from dragoman.errors import UsageError
from dragoman.identifiers.answer import choice
from dragoman.identifiers.models import open_model
from dragoman.identifiers.text.algorithms.hmm.classifier import Hmm
from dragoman.identifiers.text.algorithms.hmm.network import Network
from dragoman.identifiers.track.language_tracker import LanguageTracker
from dragoman.types import Span

#: What a change of language costs: without it (0, as in the paper) half the letters are wrong.
PENALTY = 8.0


class NetworkTracker(LanguageTracker):
    """Texts decoded by all the hidden Markov models of a file together, the one that ships if none is named."""

    name: ClassVar[str] = "hmm-network"
    takes: ClassVar[str] = "the file of a model of 'hmm'"

    def __init__(self, languages: str | Iterable[str] | None = None, argument: str = "") -> None:
        file = argument or Hmm.algorithm
        model = open_model(file)
        if not isinstance(model, Hmm):
            raise UsageError(f"'{file}' holds a model of '{model.algorithm}', and '{self.name}' needs one of 'hmm'")
        self.network = Network(model, PENALTY, choice(model, languages))
        self.languages = self.network.languages

    def spans(self, text: str, lines: bool = False) -> list[Span]:
        """The best path; lines are no evidence to it."""
        return self.network.decode(text)
