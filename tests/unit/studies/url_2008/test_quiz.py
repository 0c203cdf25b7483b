from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.made_corpus import write_table

import dragoman
from dragoman.errors import BadTable
from dragoman.languages import FIVE
from dragoman.measures import plain
from dragoman.studies.url_2008.quiz import SHIPPED, Quiz, quiz_tables, replayed

MODEL = dragoman.load_model("cctld")
QUESTIONS = {"http://a.de/": "de", "http://b.fr/": "fr", "http://c.it/": "it", "http://d.com/": "de"}


def made() -> Quiz:
    return Quiz(QUESTIONS, ("de", "fr", "it"), MODEL)


def test_the_urls_that_ship_are_of_the_papers_five_languages() -> None:
    quiz = Quiz.read(SHIPPED, MODEL)
    assert quiz.choices == FIVE
    assert {*quiz.questions.values()} == {*FIVE}


def test_without_the_five_the_commonest_that_the_model_has_are_the_choice(tmp_path: Path) -> None:
    columns = {"url": [f"http://{number}.org/" for number in range(6)], "lang": ["pt", "pt", "nl", "vo", "pt", "nl"]}
    assert Quiz.read(write_table(tmp_path / "own.csv", columns), dragoman.load_model()).choices == ("pt", "nl")


@pytest.mark.parametrize("languages", [["de", "de"], ["de", "vo"], ["vo", "vo"]])
def test_a_table_with_less_than_two_known_languages_is_no_quiz(tmp_path: Path, languages: list[str]) -> None:
    path = write_table(tmp_path / "own.csv", {"url": ["http://a.de/", "http://b.de/"], "lang": languages})
    with pytest.raises(BadTable, match="two languages or more"):
        Quiz.read(path, MODEL)


def test_only_urls_of_the_choices_are_drawn_each_once_and_the_seed_decides() -> None:
    quiz = Quiz(QUESTIONS, ("de", "fr"), MODEL)
    assert sorted(quiz.draw(9, seed=1)[0]) == ["http://a.de/", "http://b.fr/", "http://d.com/"]
    assert quiz.draw(9, seed=1) == quiz.draw(9, seed=1)
    assert {tuple(quiz.draw(9, seed)[0]) for seed in range(20)} > {tuple(quiz.draw(9, seed=1)[0])}


def test_people_are_compared_on_what_all_have_answered() -> None:
    anna = {"http://a.de/": "de", "http://b.fr/": None, "http://c.it/": "it"}
    ben = {"http://c.it/": "fr", "http://a.de/": "de"}
    result = made().result({"anna": anna, "ben": ben}, "model cctld", rounds=5)
    assert [row["url"] for row in result["urls"]] == ["http://a.de/", "http://c.it/"]
    assert [row["answers"] for row in result["urls"]] == [
        {"anna": "de", "ben": "de", "model cctld": "de"},
        {"anna": "it", "ben": "fr", "model cctld": "it"},
    ]
    assert [row["judges"] for row in result["correlations"]] == [
        ["anna", "ben"], ["anna", "model cctld"], ["ben", "model cctld"],
    ]  # fmt: skip


def test_urls_are_drawn_evenly_and_other_languages_fill_up() -> None:
    languages = [*["en"] * 20, *["de"] * 6, *["fr"] * 2]
    quiz = Quiz({f"http://{number}.org/": tag for number, tag in enumerate(languages)}, ("en", "de", "fr"), MODEL)
    drawn, _ = quiz.draw(12, seed=0)
    assert Counter(quiz.questions[url] for url in drawn) == {"en": 5, "de": 5, "fr": 2}
    assert len(set(drawn)) == 12
    assert sorted(quiz.draw(28, seed=0, evenly=False)[0]) == sorted(quiz.questions)


def test_figures_are_the_papers_measures() -> None:
    truths = dict(zip("abcdef", ["en", "en", "de", "de", "fr", "fr"], strict=True))
    person = dict(zip("abcdef", ["en", "de", "de", "de", None, "fr"], strict=True))
    people: dict[str, dict[str, Any]] = {
        "you": dict(person),
        "sure": dict(truths),
        "again": dict(truths),
        "silent": dict.fromkeys(truths),
    }
    result = Quiz(truths, ("en", "de", "fr"), MODEL).result(people, "model", rounds=100)
    you, sure = result["judges"]["you"], result["judges"]["sure"]
    assert you["accuracy"].value == pytest.approx(4 / 6)
    assert you["right"] == 4
    assert you["recall"].value == pytest.approx((0.5 + 1 + 0.5) / 3)
    # en: R .5, no false alarm, F 2/3. de: R 1, p(-|-) 3/4, P .8, F 8/9. fr: R .5, F 2/3.
    assert [row["you"] for row in result["languages"]] == pytest.approx([2 / 3, 8 / 9, 2 / 3])
    assert you["macro_f"].value == pytest.approx((2 / 3 + 8 / 9 + 2 / 3) / 3)
    assert (sure["macro_f"].value, sure["accuracy"].value) == (1, 1)
    assert you["accuracy"].low < you["accuracy"].value < you["accuracy"].high
    agreement = {tuple(row["judges"]): row["value"] for row in plain(result)["correlations"]}
    assert 0 < agreement["you", "sure"] < 1
    assert agreement["sure", "again"] == pytest.approx(1)
    assert agreement["you", "silent"] is None, "who says nothing correlates with nobody"


def test_the_papers_people_stand_beside_ours() -> None:
    result = made().result({"you": dict.fromkeys(QUESTIONS)}, "model", rounds=5)
    assert result["published"] == {
        "human_f": 0.75,
        "human_recall": 0.67,
        "correlation_judges": 0.77,
        "correlation_best_first": 0.45,
        "correlation_best_second": 0.47,
    }
    assert [row["humans"] for row in result["languages"]] == [0.82, 0.70, 0.86]
    text = "\n".join(table.to_text() for table in quiz_tables(result))
    assert "two people (the 2008 paper, its URLs)" in text
    assert "the second with the best algorithm (the 2008 paper)" in text


def test_whoever_read_the_figures_before_still_finds_them() -> None:
    questions = {f"http://{number}.de/": "de" for number in range(6)} | {"http://b.fr/": "fr"}
    answers = dict.fromkeys(questions, "de") | {"http://0.de/": None}
    result = plain(Quiz(questions, ("de", "fr"), MODEL).result({"you": answers}, "model", rounds=20))
    you = result["judges"]["you"]
    assert (you["f"], you["interval"]) == (you["macro_f"], you["macro_f_interval"])
    assert you["languages"]["de"]["n"] == 6
    assert you["languages"]["de"]["recall"] == pytest.approx(5 / 6, abs=1e-6)
    low, high = you["languages"]["de"]["recall_interval"]
    assert low < 5 / 6 < high
    assert set(you["languages"]) == {"de"}, "the recall of a single URL says nothing"
    assert result["humans"] == {"f": 0.75}
    assert [(row["you"], row["model"]) for row in result["urls"]][:2] == [(None, "de"), ("de", "de")]


def test_a_person_may_be_called_like_a_column() -> None:
    row = made().result({"url": {"http://a.de/": "fr"}}, "language", rounds=5)["urls"][0]
    assert (row["url"], row["language"], row["answers"]) == ("http://a.de/", "de", {"url": "fr", "language": "de"})


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_answers_give_a_result_without_figures_rather_than_an_error(n: int) -> None:
    result = plain(made().result({"you": dict.fromkeys(list(QUESTIONS)[:n], "fr")}, "model", rounds=20))
    assert json.loads(json.dumps(result, allow_nan=False))["n"] == n


def test_kept_answers_are_read_by_url(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    rows = [
        {"url": "http://é.de/\x1b", "language": "German", "answer": None, "choices": ["de", "en"]},
        {"url": "http://b.fr/", "language": "fr", "answer": "en", "choices": ["de", "en"]},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    quiz, people = replayed([path], MODEL, None)
    assert quiz.questions == {"http://é.de/\x1b": "de", "http://b.fr/": "fr"}
    assert quiz.choices == ("de", "en")
    assert people == {"answers": {"http://é.de/\x1b": None, "http://b.fr/": "en"}}


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"\xff\xfe", b"{}\n", b"[1]\n", b'{"url": "a", "language": "de", "answer": null}\n', b"x"]
)
def test_a_file_that_holds_no_answers_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadTable, match=r"answers\.jsonl'"):
        replayed([path], MODEL, None)
