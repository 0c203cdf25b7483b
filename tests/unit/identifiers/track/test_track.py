from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import BadModel, UnknownName, UsageError
from dragoman.identifiers import model_file as store
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.track import open_tracker, track
from dragoman.identifiers.track.choose import worthwhile
from dragoman.identifiers.track.decode import STYLES, PathSettings, best_path, plain_evidence, plain_path
from dragoman.identifiers.track.lexicon import Lexicon, words_of
from dragoman.identifiers.track.sentences import merged, sentences
from dragoman.identifiers.track.tokens import BOUNDARIES, code_points, plain_tokens, tokens
from dragoman.identifiers.track.tracker import AHEAD, WINDOW, Tracker, shipped
from dragoman.types import Span

GERMAN = "Der Hund und die Katze sind heute nicht im Garten, weil es seit Tagen regnet."
ENGLISH = "The dog and the cat are not in the garden today, because it has been raining for days."
FRENCH = "Le chien et le chat ne sont pas dans le jardin, parce qu'il pleut depuis des jours."
RUSSIAN = "Собака и кошка сегодня не в саду, потому что уже несколько дней идёт дождь."
HOSTILE = ["", " ", "\n\n", "1984", "…", "a", "\ud800", "x\ud800y", "\x00", "🌦🌦", "é" * 500, "z" * 3000, "'’-.",
           "日本語abc日本語", "ไทยไทย", "हिन्दी में", "A\nB\n\nC", "¿Qué? ¡No!", "\u202eمرحبا", "1 2 3 " * 100,
           "Hallo Welt. " + "&#" * 500 + "</body", "a 1" * 200,
           "a/b c_d x=y", "жabc/def_жg/h", "#日本語/abc", "/", "a/" * 300]  # fmt: skip


@cache
def small() -> Lexicon:
    texts = [GERMAN, ENGLISH, FRENCH, RUSSIAN, "日本語のテキストです。", "ภาษาไทย"]
    return Lexicon(words=50, grams=300).fit(texts, ["de", "en", "fr", "ru", "ja", "th"])


def shown(text: str, spans: list[Span]) -> list[tuple[str, str | None]]:
    return [(text[span.start : span.end], span.language) for span in spans]


def random_text(rng: random.Random) -> str:
    words = " ".join(
        [GERMAN, ENGLISH, FRENCH, RUSSIAN, "日本語 ไทย ¿no? x'y 12.5 — “q” (r) 3 \n \n\n . , a/b _c d=е "]
    ).split(" ")
    return " ".join(rng.choice(words) for _ in range(rng.randrange(60)))


@pytest.mark.parametrize("seed", range(20))
def test_the_compiled_tokens_costs_and_paths_equal_the_plain_ones(seed: int) -> None:
    rng = random.Random(seed)
    text = random_text(rng)
    found, plain = tokens(text), plain_tokens(text)
    for name in ("starts", "ends", "boundaries", "coded"):
        assert np.array_equal(getattr(found, name), getattr(plain, name))
    languages = tuple(rng.sample(small().languages_, rng.randint(1, 6)))
    costs = small().costs(code_points(text), found, languages)
    assert costs.tolist() == small().plain_costs(text, plain, languages)
    assert costs.tolist() == small().restricted(languages).costs(code_points(text), found, languages).tolist()
    columns = sorted(rng.sample(range(len(languages)), rng.randint(1, len(languages))))
    entering = np.array([rng.randrange(40) for _ in columns], np.int32)
    path = best_path(costs, found, np.array(columns, np.int32), PathSettings(), entering=entering)
    evidence, known = plain_evidence(costs.tolist(), plain, columns, PathSettings())
    states, cost = plain_path(
        evidence,
        plain.boundaries.tolist(),
        PathSettings(),
        PathSettings().beginning(np.zeros(len(columns), np.int32)).tolist(),
        entering.tolist(),
    )
    assert [style * len(columns) + one for style, one in zip(path.styles, path.columns, strict=True)] == states
    assert (path.cost, path.known.tolist()) == (cost, known)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_text_has_the_same_tokens_and_costs_both_ways(text: str) -> None:
    found, plain = tokens(text), plain_tokens(text)
    assert found.starts.tolist() == plain.starts.tolist()
    assert found.boundaries.tolist() == plain.boundaries.tolist()
    assert found.coded.tolist() == plain.coded.tolist()
    costs = small().costs(code_points(text), found, small().languages_)
    assert costs.tolist() == small().plain_costs(text, plain, small().languages_)


@given(st.text())
@settings(max_examples=150, deadline=None)
def test_spans_are_sorted_and_inside_the_text_and_hold_all_letters(text: str) -> None:
    check(text, track(text))
    check(text, track(text, "en,de"))


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_hostile_text_has_spans(text: str) -> None:
    check(text, track(text))


def check(text: str, spans: list[Span]) -> None:
    places = [place for span in spans for place in (span.start, span.end)]
    assert places == sorted(places)
    assert all(span.start < span.end for span in spans)
    assert not places or (places[0] >= 0 and places[-1] <= len(text))
    assert all(one.language != other.language for one, other in pairwise(spans))
    outside = set(range(len(text))).difference(*(range(span.start, span.end) for span in spans))
    assert all(text[place].isspace() for place in outside)
    assert not any(text[span.start].isspace() or text[span.end - 1].isspace() for span in spans if span.language)


def test_sentences_and_phrases_of_several_languages_are_told_apart() -> None:
    text = f"{GERMAN} {ENGLISH} {FRENCH}"
    assert shown(text, track(text)) == [(GERMAN, "de"), (ENGLISH, "en"), (FRENCH, "fr")]
    text = "Nous avons mangé à la maison because the restaurant was closed und das war auch gut so"
    assert [language for _, language in shown(text, track(text, "five"))] == ["fr", "en", "de"]


def test_a_quotation_is_a_span_with_its_marks() -> None:
    text = 'Er sagte mir gestern "I would like to stay at home" und ging dann doch nach Hause.'
    assert shown(text, track(text, "five"))[1] == ('"I would like to stay at home"', "en")


@pytest.mark.parametrize("text", [GERMAN, ENGLISH, FRENCH, RUSSIAN])
def test_text_in_one_language_is_one_span(text: str) -> None:
    many = "\n\n".join([text] * 5)
    assert track(many) == [Span(0, len(many), track(text)[0].language)]


def test_names_and_a_foreign_word_that_is_at_home_do_not_change_the_language() -> None:
    text = "Gestern hat Peter Smith in Washington mit Giuseppe Rossi einen Computer und ein Handy gekauft."
    assert shown(text, track(text)) == [(text, "de")]


def test_scripts_are_told_apart_without_spaces() -> None:
    text = "これは日本語の文章です。Это русский текст. ภาษาไทยเป็นภาษาที่สวยงาม"
    assert [language for _, language in shown(text, track(text))] == ["ja", "ru", "th"]


def test_letters_that_no_language_knows_have_none() -> None:
    text = f"{GERMAN} {RUSSIAN} {GERMAN}"
    assert [span.language for span in track(text, "de,it")] == ["de", None, "de"]
    formula = "Der Winkel β ist so groß wie der Winkel γ auf der anderen Seite."
    assert shown(formula, track(formula, "de,en")) == [(formula, "de")]


def test_text_without_letters_has_no_language() -> None:
    assert track("") == track(" \n\t") == []
    assert track(" 1984, 2001. ") == [Span(1, 12, None)]
    numbers = "12.5 | 13.5 | " * 40
    text = f"{GERMAN}\n{numbers}\n{GERMAN}"
    assert [span.language for span in track(text)] == ["de", None, "de"]
    assert [span.language for span in track(f"{GERMAN} 12.5 | 13.5 {GERMAN}")] == ["de"]


def test_languages_can_be_restricted_and_wrong_ones_are_refused() -> None:
    assert {span.language for span in track(GERMAN, ["fr", "en"])} <= {"fr", "en"}
    assert track(GERMAN, "eleven")[0].language == "de"
    with pytest.raises(UsageError, match="Unknown language"):
        track(GERMAN, "xx,de")
    with pytest.raises(UnknownName, match="sentences"):
        track(GERMAN, method="nonsense")
    with pytest.raises(UsageError, match="holds a model of 'cctld'"):
        track(GERMAN, method="hmm-network:cctld")


def test_the_network_of_the_paper_is_a_method() -> None:
    text = f"{GERMAN} {ENGLISH}"
    assert [span.language for span in track(text, "de,en", "hmm-network")] == ["de", "en"]


def test_a_page_has_spans_with_places_in_its_source() -> None:
    page = read_page(f"<p>{GERMAN}</p><p>{ENGLISH.replace('dog', 'd&#111;g')}</p>")
    first, second = track(page)
    assert (first.language, second.language) == ("de", "en")
    assert page.source[first.source_start : first.source_end] == GERMAN
    assert page.source[second.source_start : second.source_end] == ENGLISH.replace("dog", "d&#111;g")


def test_blocks_are_evidence() -> None:
    text = "Mein Haus ist sehr schön\nA house by the lake and nothing else"
    assert [text[span.start : span.end] for span in track(text, "de,en", lines=True)] == text.split("\n")


def test_long_texts_are_tracked_in_windows_with_the_same_result() -> None:
    rng = random.Random(4)
    parts = [rng.choice([GERMAN, ENGLISH, FRENCH]) for _ in range(3 * (WINDOW + AHEAD) // 80)]
    text = " ".join(parts)
    truth = merged(_spans(parts))
    assert track(text, "de,en,fr") == truth
    small_pieces = (text[at : at + 1000] for at in range(0, len(text), 1000))
    assert list(Tracker(languages="de,en,fr").stream(small_pieces)) == truth


def _spans(parts: list[str]) -> list[Span]:
    found, at = [], 0
    for part in parts:
        found.append(Span(at, at + len(part), {GERMAN: "de", ENGLISH: "en", FRENCH: "fr"}[part]))
        at += len(part) + 1
    return found


@pytest.mark.parametrize(
    "text", ["z" * 300_000, "1 " * 150_000, "日" * 200_000], ids=["one word", "digits", "no spaces"]
)
def test_long_texts_without_a_place_to_cut_end(text: str) -> None:
    check(text, track(text))


def test_tracking_twice_gives_the_same() -> None:
    text = f"{GERMAN} {ENGLISH}"
    tracker = open_tracker(languages="eleven")
    assert tracker(text, False) == tracker(text, False) == track(text, "eleven")


def test_sentences_are_cut_where_spans_would_be() -> None:
    text = 'One. "Two?" Three e.g. four\n\nFive'
    assert [text[start:end] for start, end in sentences(text)] == ["One.", '"Two?"', "Three e.g.", "four", "Five"]
    assert sentences("...") == sentences("") == []


def test_each_sentence_by_itself_is_a_method() -> None:
    text = f"{GERMAN} {ENGLISH}"
    assert shown(text, track(text, "five", "sentences")) == [(GERMAN, "de"), (ENGLISH, "en")]


def test_a_language_must_be_worth_naming() -> None:
    text = f"{GERMAN} {ENGLISH}"
    lexicon = shipped()
    found = tokens(text)
    costs = lexicon.costs(code_points(text), found, lexicon.languages_)
    kept = worthwhile(costs, found, lexicon.languages_, PathSettings())
    assert [lexicon.languages_[one] for one in kept] == ["de", "en"]


def test_changing_to_a_language_with_few_letters_costs_more() -> None:
    few = PathSettings().entering(np.array([10_000, 10]), ["de", "fr"])
    assert few[0] == 0 < few[1]
    assert PathSettings().entering(np.array([500, 500]), ["de", "fr"]).tolist() == [0, 0]


def test_changing_to_a_near_relative_with_few_letters_costs_more_still() -> None:
    letters = np.array([10_000, 10])
    danish, finnish = (PathSettings().entering(letters, ["no", other])[1] for other in ("da", "fi"))
    assert danish > finnish
    assert PathSettings().entering(np.array([500, 500]), ["no", "da"]).tolist() == [0, 0]


def test_words_in_addresses_paths_and_code_say_nothing() -> None:
    coded = "#option /usr/share/document-name user_name@example.org key=value $HOME"
    text = f"Das Haus {coded} und/oder 日本語/日本 слово/слово Ende."
    found = tokens(text)
    said = [text[start:end] for start, end, one in zip(found.starts, found.ends, found.coded, strict=True) if not one]
    assert said == ["Das", "Haus", *"日本語日本", "слово", "слово", "Ende"]
    page = f"{GERMAN}\n\n/usr/share/common-licenses/the_name_of_the_file\n\n{GERMAN}"
    assert [span.language for span in track(page)] == ["de", None, "de"]
    sentence = GERMAN.replace("weil", "siehe /usr/share/common-licenses/the_name_of_the_file, weil")
    assert [span.language for span in track(sentence)] == ["de"]


def test_a_line_in_latin_letters_is_never_of_a_language_in_other_letters() -> None:
    lexicon = shipped()
    text = "LibreOffice Help content debug info SELinux iptables"
    costs = lexicon.costs(code_points(text), tokens(text), lexicon.languages_)
    latin = lexicon.latin(lexicon.languages_) == 1
    assert {"de", "en", "vi", "tr", "sr"} <= {tag for tag, own in zip(lexicon.languages_, latin, strict=True) if own}
    assert (costs[:, ~latin].min(axis=1) > costs[:, latin].min(axis=1)).all()


def test_settings_are_whole_numbers_for_the_loops() -> None:
    assert len(PathSettings().switching()) == len(STYLES) * len(BOUNDARIES) + 2
    assert PathSettings().changed(most=1.0).limits().tolist()[0] == 16


def test_words_are_small_and_runs_without_spaces_stay_together() -> None:
    assert words_of("L'ÉTÉ — Straße, 日本語! İx") == ["l", "été", "straße", "日本語", "ix"]


def test_a_lexicon_that_is_cut_or_altered_is_refused() -> None:
    content = store.to_bytes(small())
    assert store.to_bytes(store.from_bytes(content)) == content
    with pytest.raises(BadModel):
        store.from_bytes(content[:-40])


def test_what_a_lexicon_cannot_be_is_refused() -> None:
    with pytest.raises(UsageError, match="order"):
        Lexicon(order=9).fit([GERMAN, ENGLISH], ["de", "en"])
