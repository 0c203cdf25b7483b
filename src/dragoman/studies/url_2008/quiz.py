"""A person guesses the languages of URLs, and is judged beside the model on the same ones: section 5.1 of the paper."""

from __future__ import annotations

import secrets
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

SHIPPED = Path(__file__).resolve().parents[2] / "data" / "quiz.tsv"
_SCORES = {"accuracy": measures.accuracy, "macro_f": measures.macro_f, "recall": measures.macro_recall}
_PAIRS = {"judges": "two people", "best_first": "the first with the best algorithm",
          "best_second": "the second with the best algorithm"}  # fmt: skip
_NOTE = """Brackets: 95 % interval, resampling URLs. F and recall are means of the languages; F is for a balanced \
test: accepting everything gives .667. "Don't know" counts as no to every language."""


@dataclass(frozen=True)
class Quiz:
    """URLs with their languages, the languages to choose from, and the model that answers, too."""

    questions: Mapping[str, str]
    choices: tuple[str, ...]
    model: Classifier
    warnings: Sequence[str] = ()

    @classmethod
    def read(cls, path: Path, model: Classifier, languages: str | None = None, *columns: Any) -> Quiz:
        """The quiz of a table; without languages, among the paper's five, or else the commonest of the model's."""
        table, chosen = read_labelled(path, *columns), choice(model, languages) or ()
        rows = zip(map(text_of, ByteColumn.of(table.urls)), table.languages.tolist(), strict=True)
        questions = {url: tag for url, tag in rows if url and tag}
        counts = Counter(tag for tag in questions.values() if tag in (chosen or model.languages_))
        among = chosen or (FIVE if {*FIVE} <= {*counts} else tuple(tag for tag, _ in counts.most_common(9)))
        if len(counts) < 2:
            needed = f"that the model knows, of {', '.join(among)}; found {', '.join(counts) or 'none'}"
            kind = UsageError if len(chosen) == 1 else BadTable
            raise kind(f"'{path}': a quiz needs URLs of two languages or more {needed}")
        return cls(questions, among, model, table.warnings)

    def draw(self, number: int, seed: int | None = None, evenly: bool = True) -> tuple[list[str], int]:
        """The URLs to ask about, in random order, as many of each language as there are, or any; and the seed."""
        rng = np.random.default_rng(seed := secrets.randbelow(1 << 32) if seed is None else seed)
        urls = rng.permutation(np.array([url for url, tag in self.questions.items() if tag in self.choices], object))
        if evenly:  # the first of every language, then the second of every language, and so on
            turns: defaultdict[str, count[int]] = defaultdict(count)
            turn = [next(turns[self.questions[url]]) for url in urls]
            urls = rng.permutation(urls[np.argsort(turn, kind="stable")][:number])
        return urls[:number].tolist(), seed

    def result(self, people: Mapping[str, Mapping[str, Any]], model_name: str, rounds: int = 1000) -> dict[str, Any]:
        """All figures of people and model on the URLs that everybody has answered, beside what the paper says."""
        urls = [url for url in next(iter(people.values())) if all(url in tags for tags in people.values())]
        languages = [self.questions[url] for url in urls]
        answers = {person: [tags[url] for url in urls] for person, tags in people.items()}
        answers[model_name] = answer(self.model, ByteColumn.from_rows(urls), self.choices, threshold=0).tags()
        order: dict[str | None, int] = {tag: number for number, tag in enumerate(self.choices)}
        columns = (np.array([order.get(tag, -1) for tag in tags], np.int64) for tags in (languages, *answers.values()))
        truth, yes = next(columns), {judge: measures.one_hot(next(columns), len(order)) for judge in answers}
        judged = {judge: measures.judge_all(truth, own) for judge, own in yes.items()}
        figure = partial(measures.bootstrap, rounds=rounds)
        scores = {judge: {key: figure(of, truth, own) for key, of in _SCORES.items()} for judge, own in yes.items()}
        more = {judge: {"f": row["macro_f"].value, "interval": [row["macro_f"].low, row["macro_f"].high],
                        "right": int((measures.one_hot(truth, len(order)) & yes[judge]).sum()),
                        "languages": {tag: {"n": n, "recall": measures.share_interval(round(by.recall * n), n)}
                                      for tag, by in zip(self.choices, judged[judge], strict=True)
                                      if (n := by.positives) >= 5}}
                for judge, row in scores.items()}  # fmt: skip
        pairs = {pair: figure(measures.correlation, *(yes[judge] for judge in pair)) for pair in combinations(yes, 2)}
        keys = ("human_f", "human_recall", *(f"correlation_{pair}" for pair in _PAIRS))
        theirs = {key: published_figure(key.replace("_", "-")).value for key in keys}
        return {
            "choices": list(self.choices), "n": len(urls), "published": theirs, "humans": {"f": theirs["human_f"]},
            "judges": {judge: row | more[judge] for judge, row in scores.items()},
            "correlations": [{"judges": list(pair), "value": value} for pair, value in pairs.items()],
            "languages": [{who: own[number].f for who, own in judged.items()}
                          | {"language": tag, "name": name(tag), "n": languages.count(tag)}
                          | {"humans": getattr(published_cell(2, "crawl", tag, "human"), "f", None)}
                          for number, tag in enumerate(self.choices)],
            "urls": [given | {"url": url, "language": tag, "answers": given}
                     for url, tag, *tags in zip(urls, languages, *answers.values(), strict=True)
                     for given in [dict(zip(answers, tags, strict=True))]],
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
    pairs += [[f"{pair} (the 2008 paper)", theirs[f"correlation_{key}"]] for key, pair in _PAIRS.items()]
    missed = [[row["language"], *(tag or "don't know" for tag in row["answers"].values()), row["url"]]
              for row in result["urls"] if {*row["answers"].values()} != {row["language"]}]  # fmt: skip
    people = map(Column, (*judges, "two people (the 2008 paper)"))
    return [
        Table(f"Scores on {result['n']} URLs", [text("Judge"), *map(Column, ("right", "F", "recall"))], scores, _NOTE),
        Table("F by language", [text("Language"), Column("URLs", "count"), *people], f),
        Table("Agreement", [text("Judges"), Column("correlation")], pairs, "Pearson's, over all language x URL."),
        Table("Where you disagree, or all were wrong", [*map(text, ("is", *judges, "URL"))], missed),
    ]
