"""The papers' studies by name. To add one: a module of its own with a `STUDY`, and a line in STUDIES.

A study reads data, keeps its finished pieces in the output folder and writes a report there; its module here only
joins the study (dragoman.evaluate) and its report (dragoman.report) to the command line.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from dragoman.errors import UnknownName

Report = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line. A study takes what it needs and leaves the rest."""

    name: str
    data: Path
    output: Path
    scale: str
    seed: int
    text: Path | None = None
    urls: Path | None = None

    @property
    def command(self) -> str:
        """The command as the report prints it, without the places of this machine."""
        return f"dragoman papers {self.name} --data DIR --scale {self.scale} --seed {self.seed} -o OUT"


@dataclass(frozen=True)
class Study:
    """What a study's --data is (empty: it needs none); `run` gives the written files, the report first."""

    data: str
    run: Callable[[Request, Report], list[Path]]


#: name: (module, the paper), so that listing the studies imports none of them.
STUDIES = MappingProxyType(
    {
        "url-2008": (
            "dragoman.studies.url_2008.study_command",
            "Web Page Language Identification Based on URLs (Baykan, Henzinger, Weber; VLDB 2008)",
        ),
        "crawling-2007": (
            "dragoman.studies.crawling_2007.study_command",
            "A Method for Language-Specific Web Crawling (Tamura, Somboonviwat, Kitsuregawa; 2007)",
        ),
        "hayati-2004": (
            "dragoman.studies.hayati_2004.study_command",
            "Language Identification on the World Wide Web (Hayati; Santa Cruz 2004)",
        ),
        "hmm-2004": (
            "dragoman.studies.hmm_2004.study_command",
            "Language identification in web documents using discrete HMMs (Xafopoulos and others; 2004)",
        ),
    }
)


def study(name: str) -> Study:
    """The study of that name."""
    if name not in STUDIES:
        raise UnknownName("paper", name, STUDIES)
    found: Study = importlib.import_module(STUDIES[name][0]).STUDY
    return found
