"""A person guesses the languages of URLs, and is judged beside the model on the same ones: section 5.1 of the paper."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations, count
from pathlib import Path
from typing import Any

import numpy as np

from dragoman import measures
from dragoman.columns import ByteColumn, text_of
from dragoman.errors import BadTable, UsageError
from dragoman.identifiers.answer import answer, choice
from dragoman.identifiers.classifier import Classifier
from dragoman.languages import FIVE, find, name
from dragoman.report.tables import Column, Table
from dragoman.studies.url_2008.published import published_cell, published_figure
from dragoman.tables.labelled.reading import read_labelled
from dragoman.types import Language

SHIPPED = Path(__file__).resolve().parents[2] / "data" / "quiz.tsv"
_SCORES = {"accuracy": measures.accuracy, "macro_f": measures.macro_f, "recall": measures.macro_recall}
_PAIRS = {"correlation_judges": "two people", "correlation_best_first": "the first with the best algorithm",
          "correlation_best_second": "the second with the best algorithm"}  # fmt: skip
_SCORES_NOTE = """Brackets: 95 % interval, resampling URLs. F and recall are means of the languages; F is for a \
balanced test: accepting everything gives .667. "Don't know" counts as no to every language."""


@dataclass(frozen=True)
class Quiz:
    """URLs with their languages, the languages to choose from, and the model that answers, too."""

    questions: Mapping[str, Language]
    choices: tuple[Language, ...]
    model: Classifier
    warnings: Sequence[str] = ()

    @classmethod
    def read(cls, path: Path, model: Classifier, choices: tuple[Language, ...] = (), *columns: Any) -> Quiz:
        """The quiz of a table; without choices, among the paper's five, or else the commonest that the model knows."""
        table = read_labelled(path, *columns)
        rows = zip(map(text_of, ByteColumn.of(table.urls)), table.languages.tolist(), strict=True)
        questions = {url: language for url, language in rows if url and language}
        counts = Counter(language for language in questions.values() if language in (choices or model.languages_))
        among = choices or (FIVE if {*FIVE} <= {*counts} else tuple(tag for tag, _ in counts.most_common(9)))
        if len(counts) < 2:
            needed = f"that the model knows, of {', '.join(among)}; found {', '.join(counts) or 'none'}"
            refused = f"'{path}': a quiz needs URLs of two languages or more {needed}"
            raise UsageError(refused) if len(choices) == 1 else BadTable(refused)
        return cls(questions, among, model, table.warnings)

    def draw(self, number: int, seed: int, evenly: bool = True) -> list[str]:
        """The URLs to ask about, in random order: as many of each language as there are, or any."""
        rng = np.random.default_rng(seed)
        urls = [url for url, language in self.questions.items() if language in self.choices]
        urls = [urls[row] for row in rng.permutation(len(urls))]
        if evenly:  # the first of every language, then the second of every language, and so on
            turns: defaultdict[Language, count[int]] = defaultdict(count)
            urls = sorted(urls, key=lambda url: next(turns[self.questions[url]]))[:number]
            urls = [urls[row] for row in rng.permutation(len(urls))]
        return urls[:number]

    def result(self, people: Mapping[str, Mapping[str, Any]], model_name: str, rounds: int = 1000) -> dict[str, Any]:
        """All figures of people and model on the URLs that everybody has answered, beside what the paper says."""
        urls = [url for url in next(iter(people.values())) if all(url in tags for tags in people.values())]
        languages = [self.questions[url] for url in urls]
        answers = {person: [tags[url] for url in urls] for person, tags in people.items()}
        answers[model_name] = answer(self.model, ByteColumn.from_rows(urls), self.choices, threshold=0).tags()
        order: dict[Language | None, int] = {tag: number for number, tag in enumerate(self.choices)}
        truth = np.array([order.get(tag, -1) for tag in languages], np.int64)
        rows = {judge: np.array([order.get(tag, -1) for tag in tags], np.int64) for judge, tags in answers.items()}
        yes = {judge: measures.one_hot(row, len(order)) for judge, row in rows.items()}
        figure = partial(measures.bootstrap, rounds=rounds)
        scores = {judge: {key: figure(of, truth, own) for key, of in _SCORES.items()} for judge, own in yes.items()}
        pairs = {pair: figure(measures.correlation, *(yes[judge] for judge in pair)) for pair in combinations(yes, 2)}
        theirs = {key: published_figure(key.replace("_", "-")).value for key in ("human_f", "human_recall", *_PAIRS)}
        return {
            "choices": list(self.choices), "n": len(urls), "published": theirs,
            "judges": {by: row | {"right": int((rows[by] == truth)[truth > -1].sum())} for by, row in scores.items()},
            "correlations": [{"judges": list(pair), "value": value} for pair, value in pairs.items()],
            "languages": [{who: measures.judge_all(truth, own)[number].f for who, own in yes.items()}
                          | {"language": tag, "name": name(tag), "n": languages.count(tag)}
                          | {"humans": getattr(published_cell(2, "crawl", tag, "human"), "f", None)}
                          for number, tag in enumerate(self.choices)],
            "urls": [{"url": url, "language": languages[row], "answers": {who: answers[who][row] for who in answers}}
                     for row, url in enumerate(urls)],
        }  # fmt: skip


def replayed(paths: Sequence[Path], model: Classifier, choices: str | None) -> tuple[Quiz, dict[str, dict[str, Any]]]:
    """The quiz of kept answers, and the answers by person and URL; among the choices that there were unless given."""
    questions, people, offered = dict[str, Any](), dict[str, dict[str, Any]](), list[str]()
    for path in paths:
        table = read_labelled(path, "url", "language").table
        if not {"answer", "choices"} <= {*table.column_names}:
            raise BadTable(f"'{path}' holds no answers of a quiz: 'answer' and 'choices' are needed beside 'url'")
        rows = [row for row in table.to_pylist() if row["url"] and find(row["language"] or "")]
        questions |= {row["url"]: find(row["language"]) for row in rows}
        person = str(path) if path.stem in people else path.stem
        people[person] = {row["url"]: find(row["answer"] or "") for row in rows}
        offered += [tag for row in rows for tag in row["choices"]]
    return Quiz(questions, choice(model, choices or offered) or (), model), people


def quiz_tables(result: Mapping[str, Any]) -> list[Table]:
    """Scores, F by language, agreement and what was missed, for people; the paper's figures beside them."""
    judges, theirs, text = result["judges"], result["published"], partial(Column, kind="text")
    scores = [[judge, *(row[key] for key in _SCORES)] for judge, row in judges.items()]
    scores.append(["two people (the 2008 paper, its URLs)", None, theirs["human_f"], theirs["human_recall"]])
    f = [[row["name"], row["n"], *(row[judge] for judge in (*judges, "humans"))] for row in result["languages"]]
    pairs = [[" with ".join(row["judges"]), row["value"]] for row in result["correlations"]]
    pairs += [[f"{pair} (the 2008 paper)", theirs[key]] for key, pair in _PAIRS.items()]
    missed = [row for row in result["urls"] if {*row["answers"].values()} != {row["language"]}]
    wrong = [[row["language"], *(tag or "don't know" for tag in row["answers"].values()), row["url"]] for row in missed]
    figures, people = map(Column, ("right", "F", "recall")), map(Column, (*judges, "two people (the 2008 paper)"))
    return [
        Table(f"Scores on {result['n']} URLs", [text("Judge"), *figures], scores, _SCORES_NOTE),
        Table("F by language", [text("Language"), Column("URLs", "count"), *people], f),
        Table("Agreement", [text("Judges"), Column("correlation")], pairs, "Pearson's, over all language x URL."),
        Table("Where you disagree, or all were wrong", [*map(text, ("is", *judges, "URL"))], wrong),
    ]
