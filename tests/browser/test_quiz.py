"""The quiz, answered by keys: F of the person and of the model are those of the library."""

from __future__ import annotations

from tests.browser.conftest import Looks

import dragoman
from dragoman.languages import FIVE
from dragoman.studies.url_2008.quiz import SHIPPED, Quiz


def written(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def test_a_quiz_by_keys_ends_with_the_librarys_figures(look: Looks) -> None:
    quiz = Quiz.read(SHIPPED, dragoman.load_model())
    truth = quiz.questions
    page = look.go("quiz")
    page.get_by_role("button", name="10 URLs").click()
    urls, said = [], []
    for number in range(10):
        page.wait_for_function(f"() => document.querySelector('.quiz .soft')?.textContent === '{number + 1} of 10'")
        url = page.inner_text("h2.asked")
        if number == 0:  # a slip of the finger, taken back
            page.keyboard.press("3")
            page.keyboard.press("Backspace")
        answer = None if number == 5 else truth[url] if number % 2 else FIVE[number % 5]
        page.keyboard.press("0" if answer is None else str(FIVE.index(answer) + 1))
        urls.append(url)
        said.append(answer)
    page.wait_for_selector(".scores")
    result = quiz.result({"you": dict(zip(urls, said, strict=True))}, "model", rounds=2)
    expected = [
        *(result["judges"][judge]["macro_f"].value for judge in ("you", "model")),
        result["published"]["human_f"],
    ]
    assert page.locator(".scores .number").all_inner_texts() == [written(value) for value in expected]
    assert expected[2] == 0.75
    right = [result["judges"][judge]["right"] for judge in ("you", "model")]
    assert page.inner_text(".quiz h2") == f"You {right[0]} of 10, the model {right[1]} of 10"
    assert f"Your F is {written(expected[0])}, with {right[0]}0 % right." in page.inner_text(".quiz")
    assert page.evaluate("document.activeElement.textContent").startswith("You ")
    assert "Model “default”" in page.inner_text("footer")
    wrong = page.locator("td.url").all_inner_texts()
    missed = [row["url"] for row in result["urls"] if {*row["answers"].values()} != {row["language"]}]
    assert wrong == missed


def test_stopping_early_scores_what_was_answered(look: Looks) -> None:
    page = look.go("quiz")
    page.get_by_role("button", name="50 URLs").click()
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="German").click()
    page.get_by_role("button", name="Stop and score").click()
    page.wait_for_selector(".scores")
    assert page.inner_text(".quiz h2").startswith("You ")
    assert "So few say little" in page.inner_text(".quiz")
    assert "interval" not in page.inner_text(".quiz")
    page.get_by_role("button", name="Once more").click()
    assert page.get_by_role("button", name="20 URLs").is_visible()
