"""What a page is judged by."""

from __future__ import annotations

import pytest

from dragoman.identifiers.text.blocks import running_text, weighed
from dragoman.identifiers.text.code_lines import is_code
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.language_names import is_of_names, without_menus

COMMANDS = """\
tar xvzf gentoo-0.9.12.tar.gz
git clone https://example.org/a.git && cd a
sudo apt-get install python3-venv
chmod +x run.sh
$ echo hello
>>> print(1)
for (int i = 0; i < n; i++) { sum += a[i]; }
SELECT name FROM users WHERE id = 3;
def main():
#include <stdio.h>
.menu { color: red; }
x += 1
{"a": 1, "b": [2, 3]}
cat /etc/passwd | grep root
""".splitlines()

PROSE = """\
Make sure that you cat-sit before you go.
Find the book / the film that you like best.
If you are here, then so am I; that is all.
Go to the shop and buy bread, milk and butter.
Der Preis (inkl. MwSt.) beträgt 12,50 € = 24 Mark.
I <3 you
See http://example.org/ for more.
Run tar xvzf gentoo-0.9.12.tar.gz to unpack it.
Test your French: how many words do you know?
Set and forget: the easiest way to cook rice
""".splitlines()


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_and_statements_are_code(line: str) -> None:
    assert is_code(line)


@pytest.mark.parametrize("line", PROSE)
def test_prose_is_no_code(line: str) -> None:
    assert not is_code(line)


def test_names_of_languages_are_known_in_their_own_words_and_in_english() -> None:
    for names in (
        "Deutsch",
        "日本語 (日本)",
        "Norsk bokmål / Nynorsk",
        "ENGLISH",
        "bahasa indonesia",
        "Tiếng Việt",
        "French",
    ):
        assert is_of_names(names), names
    for other in ("Deutsch als Fremdsprache", "Swedish chef recipes", "", "42"):
        assert not is_of_names(other), other


def test_two_names_in_a_sentence_stay_and_a_menu_goes() -> None:
    sentence = "He speaks English and French at home, and German, too."
    assert without_menus(sentence) == sentence
    assert without_menus("Hello. English · Deutsch · Русский · 中文 Bye.") == "Hello.  Bye."


def test_choices_menus_and_code_are_left_out_where_there_is_text() -> None:
    page = read_page(
        "<select><option>Aland<option>Benin</select><nav><a href=/>Home</a></nav>"
        "<p>The shop is closed on Mondays and on all holidays.<pre>rm -rf build</pre>"
    )
    assert running_text(page).text == "The shop is closed on Mondays and on all holidays."


def test_where_there_is_nothing_else_what_is_left_counts() -> None:
    assert (
        running_text(read_page("<select><option>Ein Zimmer<option>Zwei Zimmer</select>")).text
        == "Ein Zimmer\nZwei Zimmer"
    )
    assert running_text(read_page("<title>Ein Haus</title><ul><li>Deutsch<li>English</ul>")).text == "Ein Haus"
    assert running_text(read_page("")).text == ""


def test_a_link_that_promises_a_language_is_a_menu_of_languages() -> None:
    page = read_page("<a hreflang=fr href=/fr>En savoir plus</a><p>This is a page with some words.")
    assert running_text(page).text == "This is a page with some words."


def test_weights_follow_running_text() -> None:
    text = weighed(
        "Kontakt\nDas ist ein ganzer Satz, der etwas sagt und zählt.\nWir verwenden Cookies auf dieser Seite hier."
    )
    weights = dict(zip(text.pieces, text.weights, strict=True))
    contact, sentence, notice = weights
    assert weights[sentence] > 20 * weights[notice] > 0
    assert weights[sentence] > 20 * weights[contact] > 0


def test_a_page_of_a_million_tags_takes_its_time_but_ends() -> None:
    page = read_page("<select>" * 50_000 + "<a href=/>" * 50_000 + "<nav><pre>" * 10_000 + "Das ist ein Satz.")
    assert running_text(page).text == "Das ist ein Satz."
