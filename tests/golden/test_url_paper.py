"""The worked examples and definitions of the URL paper (2008), to the letter."""

from __future__ import annotations

import numpy as np
import pytest

from dragoman import measures
from dragoman.columns import ByteColumn
from dragoman.identifiers.url.algorithms.cctld import CountryCode, CountryCodePlus
from dragoman.identifiers.url.custom_features import feature_names, selected_names, word_keys
from dragoman.identifiers.url.dictionaries import TRAINED_LENGTH, TRAINED_PURITY, TRAINED_SHARE, trained_dictionary
from dragoman.identifiers.url.features import feature_set, trigrams_of
from dragoman.identifiers.url.tokens import STOP_WORDS, tokens
from dragoman.languages import FIVE

CCTLD = {
    "en": {"au", "ie", "nz", "us", "gov", "mil", "gb", "uk"},
    "de": {"de", "at"},
    "fr": {"fr", "tn", "dz", "mg"},
    "es": {"es", "cl", "mx", "ar", "co", "pe", "ve"},
    "it": {"it"},
}


def words(url: str) -> list[str]:
    return [token.text for token in tokens(url.encode())]


def names(features: str, url: str) -> list[str]:
    return [name for name, _ in feature_set(features).named(url.encode())]


# Section 3.1: tokens and trigrams.


def test_the_tokens_of_the_papers_example() -> None:
    assert words("http://www.internetwordstats.com/africa2.htm") == ["internetwordstats", "com", "africa"]


def test_the_special_words_are_the_papers() -> None:
    assert {"www", "index", "html", "htm", "http", "https"} == STOP_WORDS
    assert words("https://www.a.example/http/https/www/index.html/index.htm/WWW") == ["example"]


def test_tokens_shorter_than_two_letters_are_dropped() -> None:
    assert words("http://a.bc.d/e/fg/1h2/ij") == ["bc", "fg", "ij"]


def test_the_trigrams_of_weather() -> None:
    expected = ["_we", "wea", "eat", "ath", "the", "her", "er_"]
    assert list(trigrams_of("weather")) == expected
    assert names("trigrams", "weather") == expected


def test_the_trigrams_of_the_shortest_token() -> None:
    assert names("trigrams", "http://de/") == ["_de", "de_"]


def test_a_trigram_with_a_hyphen_is_found_over_the_raw_url_only() -> None:
    url = "http://www.hi-fly.de"
    assert "hi-" in names("raw-trigrams", url)
    assert "hi-" not in names("trigrams", url)
    assert {"_hi", "hi_", "_fl", "fly", "ly_", "_de", "de_"} == set(names("trigrams", url))


def test_placed_words_keep_the_parts_apart() -> None:
    assert names("placed-words", "http://it.example.it/it") == ["host:it", "host:example", "tld:it", "path:it"]


# Section 3.1: custom-made features.


def test_there_are_74_custom_features() -> None:
    found = feature_names(FIVE)
    assert len(found) == len(set(found)) == 74


def test_the_selection_has_15_features_of_three_families() -> None:
    found = selected_names(FIVE)
    assert len(found) == len(set(found)) == 15
    assert set(found) <= set(feature_names(FIVE))
    for family in ("host code", "spelling", "trained"):
        assert [name for name in found if name.startswith(family)] == [f"{family} {language}" for language in FIVE]


def test_the_trained_dictionarys_thresholds_are_the_papers() -> None:
    assert (TRAINED_SHARE, TRAINED_PURITY, TRAINED_LENGTH) == (0.0001, 0.8, 3)


def trained(pages: dict[str, tuple[int, int]], size: int) -> tuple[set[str], set[str]]:
    """The trained words of two languages with `size` URLs each; pages[word] is in so many URLs of each."""
    urls, truth = [], []
    for language in range(2):
        texts = [f"http://h.x/{language}" for _ in range(size)]
        place = 0
        for word, counts in pages.items():
            for _ in range(counts[language]):
                texts[place] += f"/{word}"
                place += 1
        urls += texts
        truth += [language] * size
    sets = trained_dictionary(2, ByteColumn.from_rows(urls), np.array(truth, np.int64))
    key = {word: int(word_keys([word])[0]) for word in pages}
    first, second = ({word for word in pages if key[word] in found.tolist()} for found in sets)
    return first, second


def test_a_trained_word_stands_in_one_of_ten_thousand_urls() -> None:
    assert trained({"rare": (1, 0)}, 10_000) == ({"rare"}, set())
    assert trained({"rare": (1, 0)}, 10_001) == (set(), set())


def test_four_of_five_of_a_trained_words_urls_are_the_languages() -> None:
    pages = {f"w{'abcdefghij'[k % 10]}{'abcdefghij'[k // 10]}": (4 * k, k) for k in range(1, 23)}
    assert trained(pages, 2_000) == (set(pages), set())
    assert trained({"pure": (0, 4), "mixed": (79, 21), "other": (20, 80)}, 500) == (set(), {"pure", "other"})


def test_a_trained_word_has_three_letters_and_counts_once_per_url() -> None:
    assert trained({"ab": (5, 0), "abc": (5, 0)}, 100) == ({"abc"}, set())
    urls = ByteColumn.from_rows(["http://h.x/word"] * 3 + ["http://h.x/word/word/word"] + ["http://h.x/"])
    first, second = trained_dictionary(2, urls, np.array([0, 0, 0, 1, 1], np.int64))
    assert (len(first), len(second)) == (0, 0), "3 of 3 against 1 of 2 is two thirds: repetitions do not count"


# Section 3.2: the baselines.


@pytest.mark.parametrize("kind", [CountryCode, CountryCodePlus])
def test_the_country_code_lists_are_the_papers_exactly(kind: type[CountryCode]) -> None:
    expected = {language: set(codes) for language, codes in CCTLD.items()}
    if kind is CountryCodePlus:
        expected["en"] |= {"com", "org"}
    rule = kind.ready(FIVE)
    letters = "abcdefghijklmnopqrstuvwxyz"
    domains = [a + b for a in letters for b in letters] + ["com", "org", "net", "gov", "mil", "edu", "info", "int"]
    yes = rule.scores([f"http://www.example.{domain}/de/fr" for domain in domains]).yes
    for column, language in enumerate(FIVE):
        assert {domain for domain, row in zip(domains, yes, strict=True) if row[column]} == expected[language]


def test_the_country_code_rule_looks_at_nothing_but_the_domain() -> None:
    rule = CountryCode.ready(FIVE)
    assert not rule.scores(["http://de.example.com/de/", "de", "http://de", "/de", "mailto:a@b.de"]).yes.any()
    assert rule.predict(["HTTP://USER@EXAMPLE.DE:80?fr"]) == ["de"]


def test_a_domain_in_its_own_letters_counts_too() -> None:
    rule = CountryCode.ready(("en", "ru"))
    assert rule.predict(["http://пример.рф/", "http://xn--e1afmkfd.xn--p1ai/", "http://a.su"]) == ["ru", "ru", "ru"]


# Section 4.2: measures.


def test_accepting_everything_gives_p_one_half_r_one_and_f_two_thirds() -> None:
    truth = np.array([True] * 3 + [False] * 97)
    found = measures.judge(truth, np.ones(100, np.bool_))
    assert (found.precision, found.recall, found.negative_success) == (0.5, 1.0, 0.0)
    assert round(found.f, 3) == 0.667
    assert found.ordinary_precision == 0.03


@pytest.mark.parametrize(("positives", "negatives"), [(10, 10), (40, 10), (10, 70), (50, 350)])
def test_balanced_precision_is_that_of_a_test_with_as_many_negatives(positives: int, negatives: int) -> None:
    rng = np.random.default_rng(positives + negatives)
    truth = np.array([True] * positives + [False] * negatives)
    answer = np.where(truth, rng.random(len(truth)) < 0.7, rng.random(len(truth)) < 0.3)
    # Every positive as often as there are negatives, and the other way round: both sides weigh the same.
    many_truth = np.concatenate([np.repeat(truth[:positives], negatives), np.repeat(truth[positives:], positives)])
    many_answer = np.concatenate([np.repeat(answer[:positives], negatives), np.repeat(answer[positives:], positives)])
    assert many_truth.mean() == 0.5
    found, balanced = measures.judge(truth, answer), measures.judge(many_truth, many_answer)
    brute = (many_truth & many_answer).sum() / many_answer.sum()
    assert found.precision == pytest.approx(brute, abs=1e-12)
    assert balanced.ordinary_precision == pytest.approx(found.precision, abs=1e-12)
    recall = (truth & answer).sum() / positives
    assert found.f == pytest.approx(2 / (1 / recall + 1 / brute), abs=1e-12)


def test_rows_of_a_confusion_matrix_need_not_sum_to_one() -> None:
    truth = np.array([0, 0, 1, 1], np.int64)
    answers = np.array([[True, True], [True, False], [False, False], [False, True]])
    found = measures.confusion(truth, answers)
    assert found.tolist() == [[1.0, 0.5], [0.0, 0.5]]
    assert found.sum(axis=1).tolist() == [1.5, 0.5]


def test_correlation_runs_over_all_language_and_url_indicators() -> None:
    first = np.array([[True, False], [False, True], [True, False]])
    second = np.array([[True, False], [True, False], [False, False]])
    a, b = first.ravel().astype(float), second.ravel().astype(float)
    by_hand = ((a - a.mean()) * (b - b.mean())).mean() / (a.std() * b.std())
    assert measures.correlation(first, second) == pytest.approx(by_hand)
    assert measures.correlation(first, first) == pytest.approx(1.0)
    assert measures.correlation(first, ~first) == pytest.approx(-1.0)
    assert np.isnan(measures.correlation(first, np.zeros_like(first)))
