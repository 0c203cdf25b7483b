"""`dragoman sites`: lists of sites that people can read and a crawl can begin with."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from tests.refusals import refused

from dragoman.cli.main import cli
from dragoman.crawl.live.state.targets import read_seeds

URLS = """https://www.garten-zeitung.de/rosen-im-winter
https://www.garten-zeitung.de/tipps-fuer-den-balkon
https://www.garten-zeitung.de/gemuese-und-kraeuter
https://museum.example.org/de/ausstellungen-und-fuehrungen
https://museum.example.org/de/oeffnungszeiten-und-preise
https://museum.example.org/de/anfahrt-mit-der-bahn
https://museum.example.org/fr/expositions-et-visites
https://museum.example.org/fr/heures-ouverture-et-tarifs
https://museum.example.org/fr/comment-venir-au-musee
mailto:somebody@example.org
"""


def test_a_list_has_hosts_and_parts_of_hosts_and_a_crawl_reads_it(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(URLS, encoding="utf-8")
    told = CliRunner().invoke(cli, ["sites", str(tmp_path / "urls.txt"), "--languages", "German"], prog_name="dragoman")
    assert told.exit_code == 0, told.stderr
    addresses = ["https://www.garten-zeitung.de/", "https://museum.example.org/de/"]
    listed = [f"- {one}" for one in sorted(addresses)]
    assert told.stdout.splitlines()[:5] == ["# Web Language: German", "", "Other:", *listed]
    assert set(read_seeds(told.stdout.splitlines(), "list.md")) == set(addresses)


def test_all_languages_go_to_a_folder(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(URLS, encoding="utf-8")
    command = ["sites", str(tmp_path / "urls.txt"), "-o", str(tmp_path / "lists")]
    assert CliRunner().invoke(cli, command, prog_name="dragoman").exit_code == 0
    assert sorted(path.name for path in (tmp_path / "lists").iterdir()) == ["french.md", "german.md"]
    assert "- https://museum.example.org/fr/\n" in (tmp_path / "lists" / "french.md").read_text(encoding="utf-8")


def test_several_lists_need_a_folder(tmp_path: Path) -> None:
    (tmp_path / "urls.txt").write_text(URLS, encoding="utf-8")
    assert "-o DIR" in refused(CliRunner().invoke(cli, ["sites", str(tmp_path / "urls.txt")], prog_name="dragoman"), 2)


def test_a_language_that_the_model_does_not_have_is_said() -> None:
    command = ["sites", "http://a.de/", "--model", "cctld", "--languages", "th"]
    assert "does not have the language 'th'" in refused(CliRunner().invoke(cli, command, prog_name="dragoman"), 2)
