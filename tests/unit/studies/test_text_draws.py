from __future__ import annotations

from pathlib import Path

import pytest
from tests.made_corpus import write_table
from tests.made_text import write_texts

from dragoman.errors import BadTable
from dragoman.identifiers.text.clean import clean
from dragoman.studies.text_draws import LENGTHS, Texts, load_texts

THREE = ("da", "en", "no")


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> Texts:
    return load_texts(write_texts(tmp_path_factory.mktemp("text")), THREE)


def test_training_text_has_the_asked_size_after_cleaning(texts: Texts) -> None:
    for size in (2_000, 6_000):  # less at most a word for each document
        drawn = texts.training(1, size)
        for language in THREE:
            parts = [clean(text) for text, label in zip(drawn.texts, drawn.labels, strict=True) if label == language]
            assert 0.93 * size <= sum(map(len, parts)) <= size
            assert len(parts) >= 15


def test_lines_of_two_languages_and_dialects_are_left_out(texts: Texts) -> None:
    assert not any("Same everywhere" in text for text in texts.training(0, 8_000).texts)
    assert sum(len(texts.sentences[tag, "udhr", half]) for tag in THREE for half in ("tune", "judge")) == 3 * 15


@pytest.mark.parametrize("lengths", [*LENGTHS, (5, 24)])
def test_sentences_have_the_asked_lengths(texts: Texts, lengths: tuple[int, int]) -> None:
    drawn = texts.testing(3, lengths, per_language=20)
    assert {label: drawn.labels.count(label) for label in drawn.labels} == dict.fromkeys(THREE, 20)
    assert all(lengths[0] <= len(text) <= lengths[1] for text in drawn.texts)


def test_the_same_seed_draws_the_same_and_another_something_else(texts: Texts) -> None:
    assert texts.training(1, 2_000) == texts.training(1, 2_000)
    assert texts.training(1, 2_000) != texts.training(2, 2_000)
    assert texts.testing(1, (20, 100)) == texts.testing(1, (20, 100))
    assert texts.testing(1, (20, 100)) != texts.testing(2, (20, 100))


def test_halves_share_no_sentence_and_no_page(texts: Texts) -> None:
    for tag in THREE:
        for source in ("tatoeba", "debian", "udhr"):
            tune, judge = (set(texts.sentences.get((tag, source, half), [])) for half in ("tune", "judge"))
            assert tune
            assert judge
            assert not tune & judge
    trained = "\n".join(texts.training(0, 6_000, half="tune").texts)
    for page in texts.whole(0, "judge").texts:
        assert page.splitlines()[0] not in trained


def test_what_is_drawn_for_a_language_does_not_depend_on_the_others(tmp_path: Path, texts: Texts) -> None:
    two = load_texts(write_texts(tmp_path), ("en", "no"))
    three = texts.training(4, 2_000)
    kept = [text for text, label in zip(three.texts, three.labels, strict=True) if label == "en"]
    assert kept == list(two.training(4, 2_000).texts[: len(kept)])


def test_missing_files_and_languages_are_told(tmp_path: Path) -> None:
    with pytest.raises(BadTable, match=r"has no pages\.parquet"):
        load_texts(tmp_path, THREE)
    write_texts(tmp_path)
    with pytest.raises(BadTable, match="no page in 'ru'"):
        load_texts(tmp_path, ("en", "ru"))
    write_table(tmp_path / "sentences.parquet", {"text": ["short"], "lang": ["en"], "source": ["debian-ddtp/en"]})
    with pytest.raises(BadTable, match="no sentences"):
        load_texts(tmp_path, ("en", "no")).testing(0, (20, 100))


def test_text_of_the_tests_kind_is_from_the_other_half_and_has_the_asked_size(texts: Texts) -> None:
    drawn = texts.training_sentences(1, 5_000)
    judged = {text for (_, _, half), pool in texts.sentences.items() if half == "judge" for text in pool}
    for language in THREE:
        parts = [text for text, label in zip(drawn.texts, drawn.labels, strict=True) if label == language]
        assert sum(map(len, parts)) == 5_000
        assert max(map(len, parts)) == 1_000
        assert not any(sentence in " ".join(parts) for sentence in judged if len(sentence) > 30)
    assert drawn == texts.training_sentences(1, 5_000) != texts.training_sentences(2, 5_000)
