"""A page of the shape of the paper's Figure 4, in our words, and what each reading of the network makes of it.

Theirs, a page of a hotel, has 911 characters, the first half Italian and the second English, and its one change is
found where it is, at character 485. `benchmarks/tracking/figure_4.py` tries their page itself where the paper's text
is at hand.
"""

from __future__ import annotations

import numpy as np

from dragoman.identifiers.text.algorithms.hmm.classifier import Hmm
from dragoman.identifiers.text.algorithms.hmm.network import Network
from dragoman.studies.cells import Arrays
from dragoman.studies.text_draws import LabelledTexts

ITALIAN = (
    "Pensione Aurora Benvenuti La pensione Aurora piccola casa di famiglia aperta tutto l'anno si trova vicino al"
    " porto vecchio. Le stanze rinnovate durante l'inverno scorso hanno il bagno il riscaldamento la radio e una "
    "finestra sul mare. La mattina serviamo il caffè con il pane fresco e la marmellata fatta in casa. Chi vuole "
    "visitare le isole può chiedere i biglietti del traghetto al nostro portiere che conosce bene gli orari. Gli "
    "animali sono ammessi e il giardino è aperto a tutti"
)
ENGLISH = (
    ". The Aurora guest house is a small family home open all the year round and lies close to the old harbour. "
    "The rooms which were renewed last winter have a bath heating a radio and a window that looks out on the sea."
    " In the morning we serve coffee with fresh bread and jam that is made in the house. Those who wish to see "
    "the islands can ask our porter for ferry tickets since he knows the timetable well. Pets are welcome and the"
    " garden is open to everybody."
)
#: The page, and the place of the first English letter.
PAGE = ITALIAN + " " + ENGLISH
CHANGE = PAGE.index("The Aurora")
#: The readings of the network that are tried: how long a path stays in a model.
READINGS = ("learnt", "passes", "free")


def read_page(train: LabelledTexts, text: str = PAGE) -> Arrays:
    """For each reading (no penalty) how many spans there are, where the second begins, and their languages in a row."""
    model = Hmm.paper(cleaning="none").fit(train.texts, train.labels)
    spans = [Network(model, stays=reading).decode(text) for reading in READINGS]
    return {
        "spans": np.array([len(reading) for reading in spans], np.int64),
        "second": np.array([reading[1].start if len(reading) > 1 else -1 for reading in spans], np.int64),
        "languages": np.array([" ".join(span.language or "" for span in reading[:4]) for reading in spans], np.str_),
    }
