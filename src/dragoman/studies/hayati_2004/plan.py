"""What is trained and on what it is tested: the paper's two methods, and one change at a time."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.text.algorithms.fisher_cosine import FisherCosine
from dragoman.identifiers.text.algorithms.rank_order import RankOrder
from dragoman.studies.text_draws import CHARACTERS, TENTH, Lengths

#: Ranges of length: the paper's very short pages, the HMM paper's sentences, and narrow ones for the curve.
SHORT = ((5, 24), (25, 49))
SENTENCES = ((20, 100), (100, 200), (50, 150), (20, 200))
NARROW = ((5, 9), (10, 14), (15, 19), (20, 29), (30, 39), (40, 59), (60, 99), (100, 149), (150, 200))
#: The range that most tables use.
USUAL = (20, 200)
#: The name of the test on whole pages, which needs models trained on the other pages; and of training on text of the
#: test's own kind.
PAGES, SENTENCE_TEXT = "pages", "sentences"


@dataclass(frozen=True)
class Variant:
    """A method and its parameters: `paper` begins with the paper's choices, else with ours."""

    name: str
    label: str
    method: str
    paper: bool = True
    params: tuple[tuple[str, object], ...] = ()

    def make(self) -> Classifier:
        """The classifier, not yet trained."""
        kind: type[RankOrder | FisherCosine] = RankOrder if self.method == "rank-order" else FisherCosine
        made: Classifier = kind.paper() if self.paper else kind()
        return made.set_params(**dict(self.params))


def _v(name: str, label: str, method: str, paper: bool = True, **params: object) -> Variant:
    return Variant(name, label, method, paper, tuple(params.items()))


_R, _F = "rank-order", "fisher-cosine"
BASE = _v("base", "BASE (C = 399)", _R)
OUR_BASE = _v("base-ours", "rank-order, our choices", _R, False)
NFC = _v("nfc", "NFC (n = 3)", _F)
NFC_15 = _v("nfc-1-5", "NFC, n = 1..5", _F, shortest=1, longest=5)
FREQUENCY = _v("nfc-frequency", "NFC, by frequency instead of Fisher", _F, selection="frequency")
FREQUENCY_15 = _v("nfc-frequency-1-5", "NFC, n = 1..5, by frequency", _F, selection="frequency", shortest=1, longest=5)
OUR_NFC = _v("nfc-ours", "fisher-cosine, our choices", _F, False)
OUR_NFC_15 = _v("nfc-ours-1-5", "fisher-cosine, ours, n = 1..5", _F, False, shortest=1, longest=5)
OUR_FREQUENCY = _v("nfc-ours-frequency", "fisher-cosine, ours, by frequency", _F, False, selection="frequency")
#: The paper's two methods as they are there, and with our choices.
FOUR = (BASE, OUR_BASE, NFC, OUR_NFC)
MAIN = (BASE, OUR_BASE, NFC, NFC_15, FREQUENCY, FREQUENCY_15, OUR_NFC, OUR_NFC_15, OUR_FREQUENCY)

#: One change at a time to each method as the paper has it, and back from ours.
CHANGES = (
    _v("base-common-3000", "C = 3,000", _R, common=3000),
    _v("base-common-10000", "C = 10,000", _R, common=10_000),
    _v("base-space", "a space between end and start", _R, edges="space"),
    _v("base-words", "n-grams inside words", _R, edges="words"),
    _v("base-shared", "equal counts share a rank", _R, ties="shared"),
    _v("base-far", "missing n-grams cost C + 1", _R, missing="far"),
    _v("base-unplaced", "without the text's own ranks", _R, placed=False),
    _v("nfc-root", "square roots of counts", _F, root=True),
    _v("nfc-space", "a space between end and start", _F, edges="space"),
    _v("nfc-words", "n-grams inside words", _F, edges="words"),
    _v("nfc-documents-300", "training documents of 300 characters", _F, document=300),
    _v("nfc-documents-1000", "training documents of 1,000 characters", _F, document=1000),
    _v("nfc-floor", "floor of the variance 1,000 times higher", _F, floor=1e-3),
)
COMMON = tuple(_v(f"base-ours-c{n}", f"{n:,}", _R, False, common=n) for n in (100, 399, 1000, 3000, 10_000, 30_000))
SELECTED = tuple(
    _v(f"{name}-m{n}", f"{n:,}", _F, paper, selected=n, selection=selection)
    for name, paper, selection in (
        ("nfc", True, "fisher"),
        ("nfc-frequency", True, "frequency"),
        ("nfc-ours", False, "fisher"),
        ("nfc-ours-frequency", False, "frequency"),
    )
    for n in (250, 500, 1000, 2000, 5000)
)


@dataclass(frozen=True)
class HayatiPlan:
    """How large a study is."""

    name: str
    draws: int
    per_language: int
    pages: int
    sizes: tuple[int, ...]
    urls: int
    #: Pages of the webs on which INLINKS and OUTLINKS are tried.
    web: int


SCALES = {
    "full": HayatiPlan("full", 5, 200, 30, (TENTH, 6_000, CHARACTERS, 60_000), 2_000, 60_000),
    "small": HayatiPlan("small", 2, 60, 8, (TENTH, CHARACTERS), 200, 8_000),
}


@dataclass(frozen=True)
class HayatiCell:
    """One model to train and test: languages, draw, training characters; `pages` for whole pages."""

    variant: Variant
    languages: str
    draw: int
    characters: int = CHARACTERS
    tests: str = "sentences"
    #: What it is trained on: documentation pages, or text of the kind of the test sentences.
    training: str = PAGES

    @property
    def name(self) -> str:
        """A name that no other cell has; also the name of its file."""
        trained = "" if self.training == PAGES else f"/from {self.training}"
        return f"{self.languages}/{self.variant.name}/{self.characters}/{self.draw}/{self.tests}{trained}"


def all_cells(plan: HayatiPlan) -> list[HayatiCell]:
    """Every cell, those of one draw together."""
    cells: list[HayatiCell] = []
    for draw in range(plan.draws):
        cells += [HayatiCell(variant, "eleven", draw) for variant in MAIN]
        cells += [HayatiCell(variant, "eleven", draw, tests=PAGES) for variant in MAIN]
        cells += [HayatiCell(variant, "five", draw) for variant in MAIN]
        cells += [HayatiCell(variant, "eleven", draw) for variant in (*CHANGES, *COMMON, *SELECTED)]
        cells += [HayatiCell(variant, "eleven", draw, n) for n in plan.sizes for variant in FOUR]
        cells += [HayatiCell(variant, "eleven", draw, training=SENTENCE_TEXT) for variant in FOUR]
    return list(dict.fromkeys(cells))


#: Variants whose scores are kept, to be combined with the domain, and the ranges where they are.
COMBINED = (NFC, OUR_NFC)
COMBINED_LENGTHS = (*SHORT, USUAL)


def tests_of(cell: HayatiCell) -> tuple[Lengths, ...]:
    """The ranges of length that a cell is tested on."""
    if cell.tests == PAGES:
        return ()
    if cell.variant not in MAIN or cell.characters != CHARACTERS:
        return ((5, 24), (20, 100), USUAL)
    narrow = NARROW if cell.languages == "eleven" and cell.variant in FOUR else ()
    return (*SHORT, *SENTENCES, *narrow)
