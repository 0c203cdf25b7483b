"""The papers' studies by name: each runs a paper again on our data and sets its figures beside ours.

A paper is a folder with all that belongs to it: its plan, what it draws and trains, its figures, findings, tables,
pictures and page, and the published figures. What all of them share is the frame:

study       what is asked for, the pieces that are made one after the other, the report that is written
cells       finished pieces on disk, so that an interrupted run goes on
claims      a statement of a paper, what came out, and the verdict
intervals   figures over several draws
published   the published figures of a paper's folder
text_draws  training and test text for the papers about text

To add one: a class that derives from `study.Study` and a line in STUDIES, or an entry point of another package in
the group `dragoman.studies`.
"""

from __future__ import annotations

from typing import Any

from dragoman.registry import Member, Registry, subclass_problem
from dragoman.studies.study import Study


def _problem(name: str, value: Any) -> str | None:
    """What keeps another package's study from being run, in words."""
    if problem := subclass_problem(value, Study):
        return problem
    missing = sorted({"full", "small"} - set(getattr(value, "scales", ())))
    return f"{value.__name__} has no plan for the scale {' and '.join(missing)}" if missing else None


STUDIES: Registry[type[Study[Any]]] = Registry(
    "paper",
    "dragoman.studies",
    {
        "url-2008": Member(
            "dragoman.studies.url_2008.study:UrlStudy",
            "Web Page Language Identification Based on URLs (Baykan, Henzinger, Weber; VLDB 2008)",
            "folder with train.parquet and dev_<name>.parquet",
        ),
        "crawling-2007": Member(
            "dragoman.studies.crawling_2007.study:CrawlingStudy",
            "A Method for Language-Specific Web Crawling (Tamura, Somboonviwat, Kitsuregawa; 2007)",
        ),
        "hayati-2004": Member(
            "dragoman.studies.hayati_2004.study:HayatiStudy",
            "Language Identification on the World Wide Web (Hayati; Santa Cruz 2004)",
            "folder with pages.parquet and sentences.parquet",
        ),
        "hmm-2004": Member(
            "dragoman.studies.hmm_2004.study:HmmStudy",
            "Language identification in web documents using discrete HMMs (Xafopoulos and others; 2004)",
            "folder with pages.parquet and sentences.parquet",
        ),
    },
    _problem,
)
