"""The weighed parts: the same on every path, explained in words, calibrated by context."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.made_urls import HOSTILE, labelled_urls
from tests.property.test_any_bytes import ANY_BYTES

from dragoman import kernels
from dragoman.columns import ByteColumn
from dragoman.errors import BadModel, BadTable, UsageError
from dragoman.identifiers import model_file as store
from dragoman.identifiers.calibration import softmax
from dragoman.identifiers.model_file import to_bytes
from dragoman.identifiers.url.parts.classifier import WeighedParts, coarse_contexts
from dragoman.identifiers.url.parts.code_book import CodeBook, UrlNames
from dragoman.identifiers.url.parts.domains import domain_priors
from dragoman.identifiers.url.parts.material import Material, WordWeights
from dragoman.identifiers.url.parts.training import RowWeights, packed_rows, packed_words, sparsify
from dragoman.identifiers.url.parts.weighing import Weighing

DATA = labelled_urls(("de", "en", "es", "fr", "it", "ru"))
#: Sites below `ac.uk`, so that it is a domain by itself.
COLLEGES = [f"http://{name}.college{name}.ac.uk/" for name in "abcdefghijklmnopqrstuvwxyz"]
PIECES = (
    "/web/2016/http:// /https:/ "
    "https:// www. de. m. uk.wikipedia.org example.com naver.com blogspot.com / /de/ /de-at /ch/fr/ /TR/ /id/ 12 ? & ; "
    "cs. it. .edu .ac.uk ac.uk .AC.uk ru. gov.za spoti.fi asahi.com /ajw -ca.html .uk.md en-int "
    "manuals-jp/ shop_fr/ am-pm sr-latn-rs zh_Hant_HK -latn- cat.elpais.com cs.stackexchange.com es-la befr 3/ "
    "# = lang hl deutsch -in- hindi _de .fr .html index fr_ wetter %D0%BB%D0%B5%D1%81 %E6%BC%A2 - _ ."
)
#: URLs with codes, sites and scripts in all kinds of places.
CODED = st.lists(st.sampled_from(PIECES.split(" ")), max_size=14).map(lambda pieces: "".join(pieces).encode())


@pytest.fixture(scope="module")
def model() -> WeighedParts:
    urls, labels = [*DATA.urls, *COLLEGES], [*DATA.labels, *(["en"] * len(COLLEGES))]
    return WeighedParts(seed=3, host_bits=12, path_bits=12).fit(urls, labels)


def bits(matrix: object) -> list[bytes]:
    array = np.asarray(matrix, np.float32)
    return [row.tobytes() for row in np.where(np.isnan(array), np.float32(np.nan), array)]


@settings(max_examples=400, deadline=None)
@given(rows=st.lists(st.one_of(CODED, ANY_BYTES), min_size=1, max_size=4))
@example(rows=[row for row in HOSTILE.values() if len(row) < 1000])
def test_plain_scores_and_contexts_equal_compiled_ones(model: WeighedParts, rows: list[bytes]) -> None:
    scores, contexts = model.scores_and_contexts(ByteColumn.from_rows(rows))
    assert bits([model.plain_scores(row) for row in rows]) == bits(scores.matrix)
    for row, context, silent in zip(rows, contexts, np.isnan(scores.matrix[:, 0]), strict=True):
        assert silent or Weighing(row, model.tables_).context == context


@settings(max_examples=200, deadline=None)
@given(
    hosts=st.lists(st.one_of(CODED, ANY_BYTES), min_size=1, max_size=4), paths=st.lists(CODED, min_size=1, max_size=9)
)
@example(
    hosts=[b"http://de.wetter-garten.blogspot.com", b"", b"mailto:a@b.de"], paths=[b"", b"/", b"/fr/wald", b"?hl=it"]
)
def test_urls_of_a_host_behind_each_other_are_answered_as_each_alone(
    model: WeighedParts, hosts: list[bytes], paths: list[bytes]
) -> None:
    rows = [host + path for host in hosts for path in paths]
    together, contexts = model.scores_and_contexts(ByteColumn.from_rows(rows))
    alone = [model.scores_and_contexts(ByteColumn.from_rows([row])) for row in rows]
    assert bits(together.matrix) == bits([scores.matrix[0] for scores, _ in alone])
    assert contexts.tolist() == [int(context[0]) for _, context in alone]


def test_the_bulk_path_gives_the_decisions_of_the_scores(model: WeighedParts) -> None:
    urls = ByteColumn.of([*labelled_urls(("de", "fr", "ru"), seed=9).urls, "mailto:a@b.de", "", "http://192.0.2.7/"])
    best, probability = model.best(urls)
    assert best.tolist() == model.scores(urls).best.tolist()
    np.testing.assert_allclose(probability, model.probabilities(urls).max(axis=1), rtol=2e-5)
    assert best[-3:].tolist() == [-1, -1, -1]
    assert np.isnan(probability[-3:]).all()


def test_the_bulk_path_chooses_among_some_languages(model: WeighedParts) -> None:
    urls = ByteColumn.of(labelled_urls(("de", "fr", "ru"), seed=9).urls)
    best, probability = model.best(urls, ("ru", "de"))
    some = model.probabilities(urls)[:, [model.languages_.index(tag) for tag in ("ru", "de")]]
    assert best.tolist() == some.argmax(axis=1).tolist()
    np.testing.assert_allclose(probability, some.max(axis=1) / some.sum(axis=1), rtol=2e-5)


@pytest.mark.parametrize("languages", [6, 100, 150, 250])
def test_the_plain_loops_give_the_same_bits_as_those_of_the_processor(languages: int) -> None:
    tags = [f"q{chr(97 + number // 26)}{chr(97 + number % 26)}" for number in range(languages)]
    labels = [tags[number * 7 % languages] for number in range(len(DATA.urls))]
    model = WeighedParts(seed=3, host_bits=12, path_bits=12).fit(DATA.urls, labels)
    words = "/".join(url[:6:-1] for url in DATA.urls[:300])  # unheard ones: more n-grams than are summed in one go
    urls = ByteColumn.of([*labelled_urls(("de", "fr", "ru"), seed=9).urls, f"http://example.org/{words}"])
    fast = model.best(urls)
    kernels.choose(plain=True)
    try:
        again = model.best(urls)
        reopened = store.from_bytes(store.to_bytes(model))  # rows are packed for the loops that are chosen then
        assert isinstance(reopened, WeighedParts)
        other_rows = reopened.best(urls)
    finally:
        kernels.choose(plain=False)
    for answers in (again, other_rows):
        assert [part.tobytes() for part in answers] == [part.tobytes() for part in fast]


@pytest.mark.parametrize(
    "piece", ["wetter", "a", "a1b", "7", "dQw4w9WgXcQ", "iPhone", "g\u00e4rten", "--%41:", "q" * 150]
)
def test_a_url_is_read_alike_wherever_the_blocks_of_its_bytes_end(model: WeighedParts, piece: str) -> None:
    rows = [f"http://wetter.de/{'-' * before}{piece}/{piece}-garten4{piece}".encode() for before in range(70)]
    expected = bits([model.plain_scores(row) for row in rows])
    for plain in (False, True):
        kernels.choose(plain=plain)
        try:
            assert bits(model.scores(ByteColumn.of(rows)).matrix) == expected
        finally:
            kernels.choose(plain=False)


def test_it_learns_words_codes_and_domains(model: WeighedParts) -> None:
    assert model.predict(["http://example.com/wetter-garten", "http://example.com/ru/", "http://example.fr/"]) == [
        "de",
        "ru",
        "fr",
    ]
    assert model.predict(["http://example.com/погода", "http://ru.wikipedia.org/"]) == ["ru", "ru"]


def test_an_explanation_names_words_codes_and_domains_and_sums_to_the_score(model: WeighedParts) -> None:
    url = b"https://de.example.fr/ch-it/wetter/unheard_es.html"
    said = model.explain(url)
    names = {"code:de.", "host:example", ".fr", "locale:ch-it", "word:wetter", "word:unheard", "code:es", "(prior)"}
    assert {one.feature for one in said} == names
    for language, score in zip(model.languages_, model.plain_scores(url), strict=True):
        assert sum(one.weight for one in said if one.language == language) == pytest.approx(score, abs=1e-5)
    assert "site:spiegel.de" in {one.feature for one in model.explain(b"https://www.spiegel.de/")}
    assert "country:/at/" in {one.feature for one in model.explain(b"https://example.com/at/")}
    assert model.explain(b"mailto:a@b.de") == []


def test_a_model_keeps_its_sharpness_in_its_file(model: WeighedParts) -> None:
    again = store.from_bytes(store.to_bytes(model))
    assert isinstance(again, WeighedParts)
    urls = ByteColumn.of(DATA.urls)
    truth = np.array([model.languages_.index(tag) for tag in DATA.labels])
    again.calibrate(urls, truth)
    assert len(set(again.sharpness_.tolist())) > 1 or again.sharpness_[0] != 1
    last = store.from_bytes(store.to_bytes(again))
    assert isinstance(last, WeighedParts)
    assert last.best(urls)[1].tobytes() == again.best(urls)[1].tobytes()
    expected = softmax(again.scores(urls).matrix * again.sharpness_[again.scores_and_contexts(urls)[1]][:, None])
    np.testing.assert_allclose(again.probabilities(urls), expected, rtol=1e-5)


def test_contexts_are_taken_together_for_calibration() -> None:
    contexts = np.arange(36, dtype=np.uint8)
    assert len(set(coarse_contexts(contexts).tolist())) == 18
    assert coarse_contexts(contexts)[[6, 12]].tolist() == [6, 6]


def test_given_material_decides_about_words_that_no_url_has() -> None:
    urls, tags = ByteColumn.of(DATA.urls), tuple(sorted(set(DATA.labels)))
    truth = np.array([tags.index(tag) for tag in DATA.labels])
    codes = CodeBook.shipped(tags)
    words = WordWeights.of({"schmetterling": {"de": 7.0}, "farfalla": {"it": 7.0, "es": 0.5}}, tags)
    material = Material(tags, words, codes, UrlNames.shipped(), domain_priors(urls, truth, tags, codes.countries))
    ones = np.ones(len(urls), np.float32)
    model = WeighedParts(host_bits=12, path_bits=12).fit(urls, DATA.labels, material, RowWeights(ones, ones, 0 * ones))
    assert model.predict(["http://example.com/schmetterling", "http://example.com/farfalla"]) == ["de", "it"]
    fewer = [None if tag == "it" else tag for tag in DATA.labels]
    with pytest.raises(BadTable, match="No URL is labelled it"):
        WeighedParts().fit(urls, fewer, material)


def test_rows_of_host_n_grams_that_say_little_are_left_out_and_still_count() -> None:
    model = WeighedParts(host_bits=12, path_bits=12, host_kept=50, path_kept=70).fit(DATA.urls, DATA.labels)
    tables = model.tables_
    assert (len(tables.host_rows), len(tables.path_rows)) == (50, 70)
    assert tables.host_index.rows(range(1 << 12)) == list(range(50))
    for url in DATA.urls[:40]:
        assert model.plain_scores(url.encode()) == model.scores([url]).matrix[0].tolist()
    with pytest.raises(UsageError, match="one row"):
        WeighedParts(host_kept=0).fit(DATA.urls, DATA.labels)


def test_tables_that_are_too_small_or_too_large_are_refused() -> None:
    for wrong in ({"host_bits": 5}, {"path_bits": 40}):
        with pytest.raises(UsageError, match="6 to 24 bits"):
            WeighedParts(**wrong).fit(DATA.urls, DATA.labels)


def test_numbers_that_lead_outside_are_refused(model: WeighedParts) -> None:
    header, arrays = model.state()
    beyond = {
        "words": 200,
        "host-languages": 200,
        "path-rows": 200,
        "code_language": 200,
        "script-languages": 200,
        "word-counts": 9,
        "word-halves": 9,
        "host-said": 255,
        "domain-kinds": 3,
    }
    for name, number in beyond.items():
        wrong = arrays[name].copy()
        wrong.flat[0] = number
        other = WeighedParts()
        other.languages_ = model.languages_
        with pytest.raises(ValueError, match="do not fit"):
            other.restore(header, arrays | {name: wrong})
    with pytest.raises(BadModel):
        store.from_bytes(store.to_bytes(model)[:-1])


def test_the_sixteen_weights_farthest_from_the_median_are_left() -> None:
    rows = np.array([[5.0, *[1.0] * 15, -9, 2, 3, 4, 0, 6, 7, *range(8, 15)], [0.0] * 30], np.float32)
    kept = sparsify(rows)
    assert kept.sum(axis=1).tolist() == [16, 0]
    median = 1.0
    assert rows[0, [16, 29, 0]].tolist() == [-9 - median, 14 - median, 5 - median]
    packed, step = packed_rows(rows)
    assert packed[0, :2].tolist() == [29, 28]
    assert packed[0, 16:].view(np.int8)[0] == 127
    assert step == pytest.approx(13 / 127)
    assert not packed[1, 16:].any()


def test_a_known_word_stays_known_where_its_weight_is_nothing() -> None:
    words = WordWeights.of({"haus": {"de": 1.0, "en": 0.5}, "nada": {"es": 1.0}}, ("de", "en", "es"))
    weights = np.where(words.languages == 2, np.float32(0), words.weights)
    packed, _ = packed_words(words, weights)
    assert sorted(packed.counts.tolist()) == [1, 2]


def test_a_doubted_label_that_contradicts_the_rest_teaches_little() -> None:
    urls = ByteColumn.of([*DATA.urls, *(["http://garten-haus.de/blumen-wiese"] * 8)])
    labels = [*DATA.labels, *(["fr"] * 8)]
    ones = np.ones(len(urls), np.float32)
    doubt = np.where(np.arange(len(urls)) < len(DATA.urls), 0, 1).astype(np.float32)
    asked = ByteColumn.of(["http://garten-haus.de/blumen-wiese"])
    french = []
    for doubts in (0 * ones, doubt):
        model = WeighedParts(host_bits=12, path_bits=12, domain_dropped=0.0).fit(
            urls, labels, counted=RowWeights(ones, ones, doubts)
        )
        french.append(model.scores(asked).matrix[0, model.languages_.index("fr")])
    assert french[1] < french[0]


def test_runs_that_go_on_beside_each_other_give_the_same_bytes() -> None:
    first, second = (
        WeighedParts(seed=3, host_bits=12, path_bits=12, runs=3, epochs=1).fit(DATA.urls, DATA.labels) for _ in range(2)
    )
    assert to_bytes(first) == to_bytes(second)


def test_words_under_generic_domains_lean_to_the_web_as_it_is_and_one_word_less() -> None:
    model = WeighedParts(seed=3, host_bits=12, path_bits=12).fit(DATA.urls, DATA.labels)
    before, english, russian = model.tables_.bias.copy(), *map(model.languages_.index, ("en", "ru"))
    sizes = np.where(np.arange(len(model.languages_)) == english, 100.0, 1.0)
    model.lean(sizes, 10.0, 2 * sizes, np.ones(len(sizes)))
    gained = (model.tables_.bias - before)[:, english] - (model.tables_.bias - before)[:, russian]
    urls = [
        "http://example.ru/yoga-mat",
        "http://example.com/yoga-mat",
        "http://example.com/feed",
        "http://example.com/",
    ]
    contexts = model.scores_and_contexts(ByteColumn.of(urls))[1]
    assert gained[contexts] == pytest.approx(np.log([10, 100, 10, 1]), abs=1e-5)


def test_a_code_in_the_name_of_a_file_is_explained_as_it_is_written(model: WeighedParts) -> None:
    names = {part.feature for part in model.explain(b"http://example.com/haus.fr.html?lang=it")}
    assert {"code:.fr", "code:=it"} <= names
