"""A person guesses the languages of URLs, and is judged beside the model on the same ones: section 5.1 of the paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.columns import ByteColumn, text_of
from dragoman.errors import BadTable
from dragoman.evaluate.judges import compare_judges, even_rows
from dragoman.identifiers.answer import answer
from dragoman.identifiers.classifier import Classifier
from dragoman.languages import FIVE, find
from dragoman.report.judges import judge_tables
from dragoman.report.tables import Table
from dragoman.studies.url_2008.published import published_cell, published_figure
from dragoman.tables.labelled.reading import read_labelled
from dragoman.types import Language

SHIPPED = Path(__file__).resolve().parents[2] / "data" / "quiz.tsv"
_PAIRS = {
    "correlation_judges": "two people",
    "correlation_best_first": "the first with the best algorithm",
    "correlation_best_second": "the second with the best algorithm",
}


@dataclass(frozen=True)
class Quiz:
    """URLs with their languages, the languages to choose from, and the model that answers, too."""

    questions: Mapping[str, Language]
    choices: tuple[Language, ...]
    model: Classifier
    warnings: Sequence[str] = ()

    @classmethod
    def read(cls, path: Path, model: Classifier, choices: tuple[Language, ...] = (), **columns: Any) -> Quiz:
        """The quiz of a table; without choices, among the paper's five, or else the commonest that the model knows."""
        table = read_labelled(path, **columns)
        rows = zip(map(text_of, ByteColumn.of(table.urls)), table.languages.tolist(), strict=True)
        questions = {url: language for url, language in rows if url and language}
        counts = Counter(language for language in questions.values() if language in (choices or model.languages_))
        choices = choices or (FIVE if {*FIVE} <= {*counts} else tuple(tag for tag, _ in counts.most_common(9)))
        if len(counts) < 2:
            needed = f"two languages or more that the model knows, of {', '.join(choices)}"
            raise BadTable(f"'{path}': a quiz needs URLs of {needed}; found {', '.join(counts) or 'none'}")
        return cls(questions, choices, model, table.warnings)

    def draw(self, number: int, seed: int, evenly: bool = True) -> list[str]:
        """The URLs to ask about, in order: as many of each language as there are, or any."""
        urls = [url for url, language in self.questions.items() if language in self.choices]
        return [urls[row] for row in even_rows([self.questions[url] for url in urls], number, seed, evenly)]

    def result(self, people: Mapping[str, Mapping[str, Any]], model_name: str, rounds: int = 1000) -> dict[str, Any]:
        """All figures of people and model on the URLs that everybody has answered, beside what the paper says."""
        urls = [url for url in next(iter(people.values())) if all(url in tags for tags in people.values())]
        answers = {person: [tags[url] for url in urls] for person, tags in people.items()}
        answers[model_name] = answer(self.model, ByteColumn.from_rows(urls), self.choices, threshold=0).tags()
        result = compare_judges([(url, self.questions[url]) for url in urls], answers, self.choices, rounds)
        for row in result["languages"]:
            row["humans"] = getattr(published_cell(2, "crawl", row["language"], "human"), "f", None)
        for row in result["judges"].values():
            row |= {"f": row["macro_f"].value, "interval": [row["macro_f"].low, row["macro_f"].high]}
        for row in result["urls"]:
            row |= row["answers"] | row  # whatever a person is called
        result["published"] = {
            key: published_figure(key.replace("_", "-")).value for key in ("human_f", "human_recall", *_PAIRS)
        }
        return result | {"humans": {"f": result["published"]["human_f"]}}


def read_answers(path: Path) -> dict[str, dict[str, Any]]:
    """Kept answers by URL, each with its language, the answer, and the choices that there were."""
    table = read_labelled(path, "url", "language").table
    if not {"answer", "choices"} <= {*table.column_names}:
        raise BadTable(f"'{path}' holds no answers of a quiz: 'answer' and 'choices' are needed beside 'url'")
    rows = {row["url"]: row for row in table.to_pylist() if row["url"] and find(row["language"] or "")}
    return {url: row | {key: find(row[key] or "") for key in ("language", "answer")} for url, row in rows.items()}


def quiz_tables(result: Mapping[str, Any]) -> list[Table]:
    """The figures for people, beside the paper's."""
    theirs = result["published"]
    scores = ["two people (the 2008 paper, its URLs)", None, theirs["human_f"], theirs["human_recall"]]
    return judge_tables(result, [scores], [[f"{pair} (the 2008 paper)", theirs[key]] for key, pair in _PAIRS.items()])
