"""What other packages add, one file each and no C, used at once by the command line; and refused where it breaks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.added_packages import added_package
from tests.made_corpus import write_labelled
from tests.made_urls import Labelled

DRAGOMAN = [sys.executable, "-c", "from dragoman.cli.main import main; main()"]

CLASSIFIERS = '''
import numpy as np

from dragoman.identifiers.classifier import Classifier, batch, encode_labels
from dragoman.identifiers.url.address import read_address
from dragoman.types import Scores


class Domain(Classifier):
    """How often each language had the last letters of the host."""

    algorithm = "domain"

    def __init__(self, letters=2):
        self.letters = letters

    def _end(self, row):
        return read_address(row).host[-self.letters :]

    def fit(self, inputs, labels):
        rows = batch(inputs)
        self.languages_, truth = encode_labels(labels, len(rows))
        self.ends_ = sorted({self._end(row) for row in rows})
        self.counts_ = np.zeros((len(self.ends_), len(self.languages_)))
        for row, column in zip(rows, truth):
            if column >= 0:
                self.counts_[self.ends_.index(self._end(row)), column] += 1
        return self

    def plain_scores(self, row):
        end = self._end(row)
        if read_address(row).kind == "web":
            known = self.counts_[self.ends_.index(end)] if end in self.ends_ else np.zeros(len(self.languages_))
        else:
            known = np.full(len(self.languages_), np.nan)
        return np.log1p(known).tolist()


class Letters(Domain):
    """The same for the last letters of a text."""

    algorithm = "letters"
    reads = "text"

    def _end(self, row):
        return row.decode("utf-8", "replace")[-self.letters :]

    def plain_scores(self, row):
        end = self._end(row)
        return self.counts_[self.ends_.index(end)].tolist() if end in self.ends_ else [0.0] * len(self.languages_)


class Forgetful(Domain):
    algorithm = "forgetful"

    def fit(self, inputs, labels):
        super().fit(inputs, labels)
        self.counts, self.counts_ = self.counts_, self.counts_[:1]
        return self

    def plain_scores(self, row):
        return self.counts[0].tolist()


class Wrong(Domain):
    algorithm = "wrong"

    def scores(self, inputs):
        return Scores(self.languages_, np.ones((len(batch(inputs)), len(self.languages_)), np.float32))


class Breaking(Domain):
    algorithm = "breaking"

    def fit(self, inputs, labels):
        return labels["none"]


class Renamed(Domain):
    algorithm = "else"


class Picky(Domain):
    algorithm = "picky"
    reads = "minds"


class Unfinished(Classifier):
    algorithm = "unfinished"
'''
FEATURES = '''
from dragoman.identifiers.url.features import FeatureSet


class Pairs(FeatureSet):
    """Two characters in a row."""

    name = "pairs"

    def names(self, url):
        text = url.decode("utf-8", "replace").lower()
        return [text[at : at + 2] for at in range(len(text) - 1)]


class Numbers(Pairs):
    name = "numbers"

    def names(self, url):
        return [1, 2]


class Nameless(FeatureSet):
    name = "nameless"
'''
IDENTIFIERS = '''
from dragoman.identifiers.text.page_identifier import PageIdentifier


class Umlauts(PageIdentifier):
    """German if there is an umlaut."""

    algorithm = "umlauts"

    def codes(self):
        return ["deu", "eng"]

    def ranked(self, text, among):
        german = 0.9 if any(letter in text for letter in "äöüß") else 0.2
        return [("deu", german), ("eng", 1 - german)]


class Tongueless(Umlauts):
    algorithm = "tongueless"

    def codes(self):
        return ["volapukish"]


class Mute(Umlauts):
    algorithm = "mute"

    def ranked(self, text, among):
        return [("fra", 1.0)]


class Halfway(PageIdentifier):
    algorithm = "halfway"
'''
TRACKERS = '''
from dragoman.identifiers.track.language_tracker import LanguageTracker
from dragoman.types import Span


class Lines(LanguageTracker):
    """Every line by itself: German if it has an umlaut."""

    name = "lines"

    def spans(self, text, lines=False):
        spans, start = [], 0
        for line in text.splitlines(keepends=True):
            if line.strip():
                german = any(letter in line for letter in "äöüß")
                spans.append(Span(start, start + len(line.rstrip()), "de" if german else "en"))
            start += len(line)
        return spans


class Overlapping(Lines):
    name = "overlapping"

    def spans(self, text, lines=False):
        return [Span(0, 5, "de"), Span(3, 8, "en")]


class Endless(LanguageTracker):
    name = "endless"
'''


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("added")
    added_package(
        folder, "my_classifiers", CLASSIFIERS, "dragoman.algorithms", domain="Domain", letters="Letters",
        forgetful="Forgetful", wrong="Wrong", breaking="Breaking", renamed="Renamed", picky="Picky",
        unfinished="Unfinished", absent="Absent",
    )  # fmt: skip
    added_package(
        folder, "my_features", FEATURES, "dragoman.features", pairs="Pairs", numbers="Numbers", nameless="Nameless"
    )
    added_package(
        folder, "my_identifiers", IDENTIFIERS, "dragoman.page_identifiers", umlauts="Umlauts", tongueless="Tongueless",
        mute="Mute", halfway="Halfway",
    )  # fmt: skip
    return added_package(
        folder, "my_trackers", TRACKERS, "dragoman.trackers", lines="Lines", overlapping="Overlapping",
        endless="Endless",
    )  # fmt: skip


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory, six_languages: Labelled) -> Path:
    return write_labelled(tmp_path_factory.mktemp("urls") / "urls.parquet", six_languages)


def run(environment: dict[str, str], *arguments: str | Path, code: int = 0, given: str | None = None) -> str:
    """What a command writes to stdout; with another exit code its one line of stderr."""
    command = [*DRAGOMAN, *map(str, arguments)]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, input=given, timeout=120)
    assert ran.returncode == code, ran.stderr
    if code == 0:
        return ran.stdout
    *before, last = ran.stderr.splitlines()
    assert all(line.startswith("dragoman: ") for line in before), ran.stderr
    return last


def test_a_classifier_is_trained_and_answers(environment: dict[str, str], urls: Path, tmp_path: Path) -> None:
    model = tmp_path / "domain.dragoman"
    assert "domain, 6 languages" in run(
        environment, "train", urls, "-o", model, "--algorithm", "domain", "--param", "letters=3"
    )
    answer = json.loads(run(environment, "url", "--model", model, "http://a.example.it/"))
    assert answer["language"] == "it"
    assert json.loads(run(environment, "models", model, "--format", "json"))["about"].startswith("How often each")
    judged = json.loads(run(environment, "evaluate", urls, "--model", model, "--format", "json"))
    assert judged["models"][str(model)]["best"]["accuracy"] > 0.3


def test_a_classifier_of_texts_is_a_method_of_page_once_it_is_trained(
    environment: dict[str, str], tmp_path: Path
) -> None:
    rows = [{"text": f"{word} {n}en", "lang": "de"} for n, word in enumerate(["haben", "gehen", "sehen"] * 9)]
    rows += [{"text": f"{word} {n}ed", "lang": "en"} for n, word in enumerate(["have", "go", "see"] * 9)]
    table = tmp_path / "texts.jsonl"
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    model = tmp_path / "letters.dragoman"
    assert "letters, 2 languages, 54 texts" in run(environment, "train", table, "-o", model, "--algorithm", "letters")
    found = json.loads(run(environment, "page", "-", "--method", model, given="wir reden"))
    assert found["language"] == "de"
    assert "reads text, not URLs" in run(environment, "url", "--model", model, "http://a.de/", code=2)


@pytest.mark.parametrize("algorithm", ["naive-bayes", "nearest"])
def test_a_feature_set_serves_algorithms_that_are_there(
    environment: dict[str, str], urls: Path, tmp_path: Path, algorithm: str
) -> None:
    model = tmp_path / "pairs.dragoman"
    run(environment, "train", urls, "-o", model, "--algorithm", algorithm, "--features", "pairs")
    answer = json.loads(run(environment, "url", "--model", model, "http://a.ru/", "--threshold", "0"))
    assert answer["language"] == "ru"


def test_a_model_says_what_it_misses_where_the_package_is_not_installed(
    environment: dict[str, str], urls: Path, tmp_path: Path
) -> None:
    import os

    model = tmp_path / "domain.dragoman"
    run(environment, "train", urls, "-o", model, "--algorithm", "domain")
    message = run(dict(os.environ), "url", "--model", model, "http://a.it/", code=1)
    assert "needs an algorithm that this Dragoman does not have: 'domain'" in message


def test_a_page_identifier_is_a_method_of_page(environment: dict[str, str]) -> None:
    found = json.loads(run(environment, "page", "-", "--method", "umlauts", given="Das Wetter ist schön."))
    assert (found["language"], round(found["probability"], 2)) == ("de", 0.9)
    assert json.loads(run(environment, "page", "-", "--method", "umlauts", given="12"))["language"] is None
    assert "Did you mean 'umlauts'?" in run(environment, "page", "-", "--method", "umlaut", given="a", code=2)


def test_a_tracker_is_a_method_of_track(environment: dict[str, str]) -> None:
    found = json.loads(run(environment, "track", "-", "--method", "lines", given="Schön hier.\nIt is fine.\n"))
    assert found["spans"] == [
        {"start": 0, "end": 11, "language": "de", "probability": None},
        {"start": 12, "end": 23, "language": "en", "probability": None},
    ]
    assert "takes nothing behind a colon" in run(environment, "track", "-", "--method", "lines:x", given="a", code=2)


def test_the_list_of_algorithms_has_what_was_added_and_what_is_wrong_with_it(environment: dict[str, str]) -> None:
    listed = run(environment, "models", "--algorithms").splitlines()
    assert "  domain             How often each language had the last letters of the host." in listed
    assert "  pairs              Two characters in a row." in listed
    assert any("The algorithm 'unfinished' of the package 'my_classifiers' cannot be used" in line for line in listed)


BROKEN = {
    "forgetful": "read again from a file, it has other scores|has no attribute 'counts'",
    "wrong": "`scores` differs from `plain_scores`",
    "breaking": "IndexError: only integers",
    "renamed": "Renamed.algorithm is 'else', not 'renamed'",
    "picky": "Picky.reads is 'minds', not urls or text",
    "unfinished": "Unfinished lacks fit, plain_scores",
    "absent": "AttributeError: module 'my_classifiers' has no attribute 'Absent'",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_classifier_that_breaks_the_contract_is_refused_and_nothing_is_written(
    environment: dict[str, str], urls: Path, tmp_path: Path, name: str
) -> None:
    message = run(environment, "train", urls, "-o", tmp_path / "m", "--algorithm", name, code=2)
    assert name in message
    assert any(part in message for part in BROKEN[name].split("|")), message
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "problem"), [("numbers", "`names` gives int, not str"), ("nameless", "Nameless lacks names")]
)
def test_a_feature_set_that_breaks_the_contract_is_refused(
    environment: dict[str, str], urls: Path, tmp_path: Path, name: str, problem: str
) -> None:
    arguments = ("train", urls, "-o", tmp_path / "m", "--algorithm", "naive-bayes", "--features", name)
    assert run(environment, *arguments, code=2) == (
        f"dragoman: The feature set '{name}' of the package 'my_features' cannot be used: {problem}"
    )


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("tongueless", "none of its `codes` is a language"),
        ("mute", "`ranked` names none of its own `codes`"),
        ("halfway", "Halfway lacks codes, ranked"),
    ],
)
def test_a_page_identifier_that_breaks_the_contract_is_refused(
    environment: dict[str, str], name: str, problem: str
) -> None:
    assert run(environment, "page", "-", "--method", name, given="Guten Tag", code=2) == (
        f"dragoman: The method '{name}' of the package 'my_identifiers' cannot be used: {problem}"
    )


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("overlapping", "`spans` gives 3 to 8 behind 5 in a text of 27 characters"),
        ("endless", "Endless lacks spans"),
    ],
)
def test_a_tracker_that_breaks_the_contract_is_refused(environment: dict[str, str], name: str, problem: str) -> None:
    assert run(environment, "track", "-", "--method", name, given="Guten Tag", code=2) == (
        f"dragoman: The method '{name}' of the package 'my_trackers' cannot be used: {problem}"
    )


@pytest.mark.slow
def test_the_contract_tests_find_what_was_added_and_it_passes_them(tmp_path: Path) -> None:
    added_package(tmp_path, "my_classifiers", CLASSIFIERS, "dragoman.algorithms", domain="Domain")
    environment = added_package(tmp_path, "my_features", FEATURES, "dragoman.features", pairs="Pairs")
    here = Path(__file__).resolve().parent
    tests = [str(here / f"test_{family}.py") for family in ("classifiers", "feature_sets")]
    ran = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-vv",
            "-p",
            "no:cacheprovider",
            *tests,
            "-k",
            "domain or bayes:pairs and bit",
        ],
        capture_output=True,
        text=True,
        env=environment,
        cwd=here.parents[1],
    )
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert "test_compiled_equals_plain_to_the_last_bit[domain] PASSED" in ran.stdout
    assert "test_compiled_equals_plain_to_the_last_bit[naive-bayes:pairs] PASSED" in ran.stdout
