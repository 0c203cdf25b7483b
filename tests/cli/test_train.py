from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.made_corpus import write_labelled, write_table
from tests.made_urls import Labelled, labelled_texts, labelled_urls
from tests.refusals import refused

from dragoman.cli.main import cli
from dragoman.identifiers import model_file as store
from dragoman.identifiers.algorithms import ALGORITHMS

DRAGOMAN = [sys.executable, "-c", "from dragoman.cli.main import main; main()"]


def run(*args: str | Path | int) -> Result:
    return CliRunner().invoke(cli, ["train", *map(str, args)])


@pytest.fixture
def urls(tmp_path: Path, six_languages: Labelled) -> Path:
    return write_labelled(tmp_path / "urls.parquet", six_languages)


def test_train_then_models_then_url_then_evaluate_in_processes_of_their_own(urls: Path, tmp_path: Path) -> None:
    model = tmp_path / "mine.dragoman"

    def call(*args: str | Path) -> str:
        done = subprocess.run([*DRAGOMAN, *map(str, args)], capture_output=True, text=True, check=True)
        return done.stdout

    report = call("train", urls, "-o", model, "--algorithm", "naive-bayes", "--features", "words", "--cap", "99")
    assert "Mean F" in report
    assert f"{model}: naive-bayes, 6 languages, 360 URLs" in report
    known = json.loads(call("models", model, "--format", "json"))
    assert known["digest"].startswith(report.rsplit(" ", 1)[1].strip())
    assert known["notes"]["held_out"]["best"]["macro_f"] > 0.6
    answer = json.loads(call("url", "--model", model, "http://www.example.org/wetter-garten"))
    assert answer["language"] == "de"
    judged = json.loads(call("evaluate", urls, "--model", model, "--format", "json"))
    assert judged["models"][str(model)]["best"]["macro_f"] > 0.9


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_can_be_trained(algorithm: str, urls: Path, tmp_path: Path) -> None:
    table = urls
    if ALGORITHMS.reads(algorithm) == "text":
        texts = labelled_texts(("de", "en", "es"))
        table = write_table(tmp_path / "texts.jsonl", {"text": list(texts.urls), "lang": list(texts.labels)})
    elif algorithm == "decision-tree":  # the dictionaries of few and small languages load faster
        table = write_labelled(tmp_path / "three.parquet", labelled_urls(("af", "en", "vi")))
    result = run(table, "-o", tmp_path / "m", "--algorithm", algorithm, "--seed", 3)
    assert result.exit_code == 0, result.stderr
    assert store.load(tmp_path / "m").algorithm == algorithm


def test_what_a_terminal_shows_has_no_markup(urls: Path, tmp_path: Path) -> None:
    shown = run(urls, "-o", tmp_path / "m", "--algorithm", "naive-bayes").stdout
    assert shown.startswith("Quality, one yes or no per language\n")
    assert "\\" not in shown


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
def test_every_format_gives_the_same_model(suffix: str, urls: Path, six_languages: Labelled, tmp_path: Path) -> None:
    other = write_labelled(tmp_path / f"urls{suffix}", six_languages)
    for path, name in ((urls, "a"), (other, "b")):
        assert run(path, "-o", tmp_path / name, "--algorithm", "naive-bayes").exit_code == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_without_a_site_column_sites_are_registered_domains(six_languages: Labelled, tmp_path: Path) -> None:
    table = write_table(tmp_path / "urls.csv", {"address": six_languages.urls, "tongue": six_languages.labels})
    result = run(table, "-o", tmp_path / "m", "--column", "address", "--label-column", "tongue", "--cap", "2")
    assert result.exit_code == 0, result.stderr
    assert "held out" in result.stderr
    assert store.load(tmp_path / "m").notes_["rows"] <= 2 * len(set(six_languages.sites))


def test_languages_are_those_asked_for_under_any_name(urls: Path, tmp_path: Path) -> None:
    result = run(urls, "-o", tmp_path / "m", "--languages", "German,fra,en", "--algorithm", "naive-bayes")
    assert result.exit_code == 0, result.stderr
    assert store.load(tmp_path / "m").languages_ == ("de", "en", "fr")


def test_parameters_reach_the_algorithm(urls: Path, tmp_path: Path) -> None:
    result = run(urls, "-o", tmp_path / "m", "--algorithm", "naive-bayes", "--param", "smoothing=0.5")
    assert result.exit_code == 0, result.stderr
    assert store.load(tmp_path / "m").get_params()["smoothing"] == 0.5


def test_a_file_without_the_column_says_which_it_has(tmp_path: Path) -> None:
    table = write_table(tmp_path / "urls.csv", {"address": ["http://a.de/"], "lang": ["de"]})
    message = refused(run(table, "-o", tmp_path / "m"), 2)
    assert "'url'" in message
    assert "address" in message


def test_a_file_without_labels_says_what_is_needed(tmp_path: Path) -> None:
    table = write_table(tmp_path / "urls.csv", {"url": ["http://a.de/"], "note": ["x"]})
    message = refused(run(table, "-o", tmp_path / "m"), 2)
    assert "has no labels: no column 'lang'" in message
    assert "url, note" in message
    table = write_table(tmp_path / "more.csv", {"url": ["http://a.de/", "http://b.de/"], "lang": ["x1", ""]})
    assert "has no labels: column 'lang' holds 'x1'" in refused(run(table, "-o", tmp_path / "m"))


def test_a_file_of_one_language_says_which_and_that_two_are_needed(tmp_path: Path) -> None:
    table = write_table(tmp_path / "urls.csv", {"url": ["http://a.de/", "http://b.de/"], "lang": ["de", "de"]})
    message = refused(run(table, "-o", tmp_path / "m"))
    assert "two languages or more; found only 'de' in 2 rows" in message
    assert not (tmp_path / "m").exists()


def test_an_empty_file_a_folder_and_no_file_are_one_line_each(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_bytes(b"")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 but not really")
    for name, code in {"empty.csv": 1, "broken.parquet": 1, "missing.csv": 2, ".": 1}.items():
        refused(run(tmp_path / name, "-o", tmp_path / "m"), code)


@pytest.mark.parametrize(
    ("args", "needle"),
    [
        (["--algorithm", "naive-bayse"], "Did you mean 'naive-bayes'?"),
        (["--features", "wrods"], "Did you mean 'words'?"),
        (["--param", "strenght=1"], "has no parameter 'strenght'; it takes"),
        (["--param", "strength"], "--param takes NAME=VALUE, not 'strength'"),
        (["--algorithm", "cctld", "--param", "x=1"], "has nothing to set"),
        (["--held-out", "2"], "--held-out"),
        (["--cap", "0"], "--cap"),
        (["--seed", "-1"], "--seed"),
        (["-o", "."], "is a folder: give the name of a file for the model"),
    ],
)
def test_bad_arguments_are_usage_and_said_before_the_file_is_read(args: list[str], needle: str, tmp_path: Path) -> None:
    message = refused(run(tmp_path / "missing.parquet", "-o", tmp_path / "m", *args), 2)
    assert needle in message


def test_an_unknown_language_is_usage(urls: Path, tmp_path: Path) -> None:
    assert "Unknown language 'xqz'" in refused(run(urls, "-o", tmp_path / "m", "--languages", "en,xqz"), 2)


def test_a_missing_folder_is_said_before_any_work(urls: Path, tmp_path: Path) -> None:
    assert "No such folder" in refused(run(urls, "-o", tmp_path / "no" / "m"), 2)


def test_a_row_that_is_no_url_harms_nobody(six_languages: Labelled, tmp_path: Path) -> None:
    urls = [*six_languages.urls, "", "mailto:x", "\x00", "http://[::1"]
    table = write_table(tmp_path / "urls.jsonl", {"url": urls, "lang": [*six_languages.labels, "de", "fr", "en", "it"]})
    result = run(table, "-o", tmp_path / "m", "--algorithm", "naive-bayes")
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize("sites", [1, 2, 3, 4])
def test_with_too_few_sites_to_judge_by_it_says_so_and_writes_the_model(sites: int, tmp_path: Path) -> None:
    hosts = [f"{name}{number}.de" for number in range(sites) for name in ("haus", "maison")]
    table = write_table(
        tmp_path / "urls.csv", {"url": [f"http://{host}/" for host in hosts], "lang": ["de", "fr"] * sites}
    )
    result = run(table, "-o", tmp_path / "m", "--algorithm", "naive-bayes")
    assert result.exit_code == 0, result.stderr
    assert "too few sites" in result.stderr
    assert result.stdout.count("\n") == 1  # no figures, only what was written
    assert store.load(tmp_path / "m").languages_ == ("de", "fr")
    shown = CliRunner().invoke(cli, ["models", str(tmp_path / "m")])
    assert shown.exit_code == 0, shown.output
