from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from tests.made_urls import labelled_texts

from dragoman.errors import MissingExtra, UnknownName, UsageError
from dragoman.identifiers import model_file as store
from dragoman.identifiers.text import peers
from dragoman.identifiers.text.algorithms.text import Text
from dragoman.identifiers.text.identify import (
    PAGE_IDENTIFIERS,
    answer_texts,
    identify_text,
    identify_text_column,
    method_names,
    open_method,
)

#: One line that means nothing special for each of some languages, scripts included.
LINES = {
    "de": "Heute Morgen bin ich mit dem Fahrrad in die Stadt gefahren.",
    "en": "This morning I went into town on my bicycle with my sister.",
    "es": "Esta mañana fui a la ciudad en bicicleta con mi hermana.",
    "fr": "Ce matin je suis allé en ville à vélo avec ma sœur.",
    "it": "Questa mattina sono andato in città in bicicletta con mia sorella.",
    "nl": "Vanmorgen ben ik met de fiets naar de stad gegaan.",
    "sv": "I morse cyklade jag till staden tillsammans med min syster.",
    "fi": "Tänä aamuna menin kaupunkiin pyörällä siskoni kanssa.",
    "pl": "Dziś rano pojechałem do miasta rowerem z moją siostrą.",
    "ru": "Сегодня утром я поехал в город на велосипеде с сестрой.",
    "uk": "Сьогодні вранці я поїхав до міста на велосипеді з сестрою.",
    "el": "Σήμερα το πρωί πήγα στην πόλη με το ποδήλατο.",
    "he": "הבוקר נסעתי העירה באופניים עם אחותי.",
    "ar": "ذهبت هذا الصباح إلى المدينة بالدراجة مع أختي.",
    "hi": "आज सुबह मैं अपनी बहन के साथ साइकिल से शहर गया।",
    "th": "เช้านี้ฉันขี่จักรยานเข้าเมืองกับน้องสาว",
    "ka": "დღეს დილით ველოსიპედით წავედი ქალაქში.",
    "ko": "오늘 아침에 동생과 함께 자전거를 타고 시내에 갔다.",
    "ja": "今朝、妹と一緒に自転車で町へ行きました。",
    "zh": "今天早上我和妹妹骑自行车进城了。",
}


@pytest.mark.parametrize("tag", LINES)
def test_the_shipped_model_tells_a_plain_sentence(tag: str) -> None:
    found = identify_text(LINES[tag])
    assert found.language == tag
    assert found.probability is not None
    assert found.probability > 0.5


def test_the_shipped_model_has_a_hundred_languages_and_more() -> None:
    assert len(open_method().languages_) >= 100


def test_text_without_letters_has_no_language() -> None:
    for text in ("", "12 + 30 = 42", "...", "😀", None):
        found = identify_text([text])[0]
        assert (found.language, found.probability) == (None, None)


def test_bytes_strings_lists_and_columns_give_the_same() -> None:
    texts = list(LINES.values())
    expected = [identify_text(text) for text in texts]
    assert identify_text(texts) == expected
    assert identify_text([text.encode() for text in texts]) == expected
    assert identify_text(pa.array(texts)) == expected
    language, probability = identify_text_column(pa.array([*texts, None]))
    assert language.to_pylist() == [*LINES, None]
    assert probability.to_pylist()[-1] is None
    assert answer_texts(texts).tags() == list(LINES)


def test_languages_threshold_top_and_explain() -> None:
    found = identify_text(LINES["nl"], languages="five, nl", top=3, explain=True)
    assert found.language == "nl"
    assert next(iter(found.scores)) == "nl"
    assert len(found.scores) == 3
    assert found.contributions
    assert identify_text("a", threshold=1.0).language is None
    assert identify_text(LINES["nl"], languages="eleven").language == "nl"


def test_an_unknown_method_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="heliport"):
        identify_text("x", method="helioport")


def test_a_model_of_urls_is_refused() -> None:
    from dragoman.identifiers.url.algorithms.cctld import CountryCode

    with pytest.raises(UsageError, match="reads urls, not text"):
        identify_text("x", method=CountryCode.ready())


def test_a_page_of_another_script_full_of_commands_keeps_its_language() -> None:
    commands = "Configure the package manager and reboot the machine after the installation has finished. "
    for tag in ("ru", "el", "ja", "ko"):
        assert identify_text(f"{LINES[tag]} {commands * 2}").language == tag
    assert identify_text(f"{commands * 8} {LINES['ru']}").language == "en"


def test_a_model_file_is_a_method(tmp_path: Path) -> None:
    data = labelled_texts(("de", "fr"))
    store.save(Text().fit(data.urls, data.labels), tmp_path / "own.dragoman")
    assert identify_text(data.urls[0], method=tmp_path / "own.dragoman").language == data.labels[0]


@pytest.mark.parametrize("name", ["py3langid", "pycld2", "fasttext"])
def test_a_peer_answers_behind_the_same_interface(name: str) -> None:
    try:
        model = open_method(name)
    except MissingExtra:
        pytest.skip(f"{name} is not installed")
    some = {tag: line for tag, line in LINES.items() if tag in ("de", "en", "ru", "el", "ja")}
    assert [one.language for one in identify_text(list(some.values()), method=name)] == list(some)
    assert identify_text("12 + 30", method=name).language is None
    assert identify_text(LINES["de"], method=name, languages="de,nl").language == "de"
    assert model.reads == "text"
    with pytest.raises(UsageError, match="cannot be trained"):
        model.fit([], [])


def test_a_peer_that_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycld2", None)
    with pytest.raises(MissingExtra, match=r"dragoman\[peers\]"):
        peers.Cld2()


def test_opening_a_text_model_imports_no_other_algorithm() -> None:
    code = (
        "import sys; from dragoman.identifiers.text.identify import identify_text; identify_text('Guten Tag'); "
        "print(*(name for name in sys.modules if '.algorithms.' in name or '.track.' in name or 'peers' in name))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    mine = "dragoman.identifiers.text.algorithms."
    assert ran.stdout.split() == [f"{mine}text"]


def test_every_method_has_a_name_once() -> None:
    names = method_names()
    assert names[0] == "default"
    assert len(set(names)) == len(names)
    assert {"text", *PAGE_IDENTIFIERS} <= set(names)


def test_the_model_of_the_tracker_is_no_method() -> None:
    assert "track" not in method_names()
    with pytest.raises(UnknownName, match="method"):
        identify_text("x", method="track")
