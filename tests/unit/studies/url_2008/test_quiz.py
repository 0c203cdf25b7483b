from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dragoman.errors import BadTable, UnknownLanguage
from dragoman.studies.url_2008.quiz import (
    Answer,
    Stop,
    ask,
    draw,
    published,
    read_answer,
    read_answers,
    score,
    to_lines,
    together,
)

CHOICES = ("en", "de", "fr")
URLS = [f"http://{number}.org/" for number in range(30)]
LABELS: Sequence[str | None] = (*["en"] * 20, *["de"] * 6, *["fr"] * 2, "ru", None)


def test_urls_are_drawn_evenly_and_others_fill_up() -> None:
    rows = draw(URLS, LABELS, CHOICES, 12)
    assert Counter(LABELS[row] for row in rows) == {"en": 5, "de": 5, "fr": 2}
    assert len(set(rows)) == 12


def test_urls_as_they_come_follow_the_file() -> None:
    counts = Counter(LABELS[row] for row in draw(URLS, LABELS, CHOICES, 28, evenly=False))
    assert counts == {"en": 20, "de": 6, "fr": 2}


def test_the_seed_decides_which_urls_and_in_which_order() -> None:
    first, again, other = (draw(URLS, LABELS, CHOICES, 9, seed) for seed in (1, 1, 2))
    assert first == again != other
    assert [LABELS[row] for row in first] != sorted(str(LABELS[row]) for row in first)


def test_no_url_is_drawn_twice_and_none_of_another_language() -> None:
    rows = draw(["a", "a", "b", "c", ""], ["en", "en", "de", "ru", "en"], CHOICES, 10)
    assert sorted(rows) == [0, 2]


@pytest.mark.parametrize("text", ["2", " 2\n", "de", "DE", "deu", "German", "Deutsch", "de-AT", "ger"])
def test_a_language_is_a_number_or_any_of_its_names(text: str) -> None:
    assert read_answer(text, CHOICES) == "de"


@pytest.mark.parametrize("text", ["", "\n", "  "])
def test_enter_is_dont_know(text: str) -> None:
    assert read_answer(text, CHOICES) is None


@pytest.mark.parametrize("text", ["0", "4", "-1", "99999999999999999999", "ru", "xyzzy", "²", "x" * 1000, "\x00"])
def test_anything_that_is_no_choice_is_refused(text: str) -> None:
    with pytest.raises(UnknownLanguage):
        read_answer(text, CHOICES)


@pytest.mark.parametrize("text", ["q", "Q\n", "quit"])
def test_q_stops(text: str) -> None:
    with pytest.raises(Stop):
        read_answer(text, CHOICES)


def asked(lines: list[str | type[BaseException]]) -> tuple[list[str | None], str]:
    said: list[str] = []
    script: Iterator[str | type[BaseException]] = iter(lines)

    def read() -> str:
        line = next(script, "")
        if isinstance(line, str):
            return line
        raise line

    questions = [("http://a.de/", "de"), ("http://b.fr/", "fr"), ("http://c.com/", "en")]
    found = ask(questions, CHOICES, read, said.append)
    assert [one.url for one in found] == [url for url, _ in questions][: len(found)]
    return [one.said for one in found], "".join(said)


def test_all_questions_are_asked_in_order() -> None:
    answers, said = asked(["de\n", "\n", "1\n"])
    assert answers == ["de", None, "en"]
    assert said.index("http://a.de/") < said.index("http://b.fr/") < said.index("http://c.com/")
    assert "1 English  2 German  3 French" in said


def test_unknown_input_asks_again() -> None:
    answers, said = asked(["russian\n", "nonsense\n", "2\n", "q\n"])
    assert answers == ["de"]
    assert said.count("Not one of the choices") == 2


@pytest.mark.parametrize("end", ["q\n", "", KeyboardInterrupt])
def test_stopping_keeps_what_was_answered(end: str | type[BaseException]) -> None:
    assert asked(["de\n", end])[0] == ["de"]
    assert asked([end])[0] == []


def test_answers_are_kept_and_read_again(tmp_path: Path) -> None:
    answers = [Answer("http://é.de/\x1b", "de", None, CHOICES), Answer("http://b.fr/", "fr", "en", CHOICES)]
    path = tmp_path / "answers.jsonl"
    path.write_bytes(to_lines(answers))
    assert read_answers(path) == answers
    path.write_bytes(to_lines([*answers, answers[0]]))
    assert read_answers(path) == answers


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"\xff\xfe", b"{}\n", b"[1]\n", b'{"url": "a", "language": "zz", "answer": null}\n', b"x"]
)
def test_a_file_that_holds_no_answers_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadTable, match=r"answers\.jsonl'"):
        read_answers(path)


def test_people_are_compared_on_what_both_answered() -> None:
    one, two = ([Answer(url, "de", said, CHOICES) for url in urls] for urls, said in (("abc", "de"), ("cxa", "fr")))
    assert {name: [a.url for a in answers] for name, answers in together({"1": one, "2": two}).items()} == {
        "1": ["a", "c"],
        "2": ["a", "c"],
    }


def test_scores_are_the_papers_measures() -> None:
    truths = ["en", "en", "de", "de", "fr", "fr"]
    person: list[str | None] = ["en", "de", "de", "de", None, "fr"]
    result = score(URLS[:6], truths, {"you": person, "model": truths}, CHOICES, rounds=100)
    you, model = result.scores["you"], result.scores["model"]
    assert you.accuracy.value == pytest.approx(4 / 6)
    assert you.recall.value == pytest.approx((0.5 + 1 + 0.5) / 3)
    # en: R .5, no false alarm, F 2/3. de: R 1, p(-|-) 3/4, P .8, F 8/9. fr: R .5, F 2/3.
    assert you.macro_f.value == pytest.approx((2 / 3 + 8 / 9 + 2 / 3) / 3)
    assert (model.macro_f.value, model.accuracy.value) == (1, 1)
    assert you.accuracy.low < you.accuracy.value < you.accuracy.high
    assert 0 < result.correlations["you", "model"].value < 1
    assert result.missed == [1, 4]
    assert you.by_language == {}, "two URLs say nothing about a language"


def test_a_language_with_enough_urls_has_its_recall() -> None:
    said = ["en", "en", "en", "en", "de", "de"]
    result = score(URLS[:6], ["en"] * 5 + ["de"], {"you": said}, CHOICES, rounds=20)
    n, recall = result.scores["you"].by_language["en"]
    assert (n, recall.value) == (5, 0.8)
    assert recall.low < 0.8 < recall.high


def test_two_judges_who_say_the_same_agree_wholly() -> None:
    said: list[str | None] = ["en", "de", None]
    result = score(URLS[:3], ["en", "de", "fr"], {"a": said, "b": said, "c": [None] * 3}, CHOICES, rounds=20)
    assert result.correlations["a", "b"].value == pytest.approx(1)
    assert set(result.correlations) == {("a", "b"), ("a", "c"), ("b", "c")}
    assert result.to_json()["correlations"][1]["value"] is None, "who says nothing correlates with nobody"


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_answers_give_a_result_without_figures_rather_than_an_error(n: int) -> None:
    result = score(URLS[:n], ["en"] * n, {"you": ["en"] * n, "model": ["de"] * n}, CHOICES, rounds=20)
    assert json.loads(json.dumps(result.to_json(), allow_nan=False))["n"] == n


def test_the_published_figures_are_those_of_the_paper() -> None:
    assert published() == {
        "human_f": 0.75,
        "human_recall": 0.67,
        "correlation_judges": 0.77,
        "correlation_best_first": 0.45,
        "correlation_best_second": 0.47,
    }
