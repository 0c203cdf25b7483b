"""`dragoman pairs` on archives whose pages are translations of each other, or only look so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from tests.made_archives import answer, packed
from tests.refusals import refused

from dragoman.cli.main import cli
from dragoman.web.translations import without_code

ENGLISH = "The museum opens at ten in the morning, and the entrance is free for children and their parents."
GERMAN = "Das Museum öffnet um zehn Uhr morgens, und der Eintritt ist für Kinder und ihre Eltern frei."
FRENCH = "Le musée ouvre à dix heures du matin, et l'entrée est gratuite pour les enfants et leurs parents."


def page(url: str, text: str, *alternates: tuple[str, str]) -> bytes:
    links = "".join(f'<link rel="alternate" hreflang="{code}" href="{there}">' for code, there in alternates)
    return answer(url, f"<html><head><meta charset=utf-8>{links}</head><body><p>{text}</p></body></html>".encode())


def told(folder: Path, *records: bytes, options: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    (folder / "a.warc.gz").write_bytes(packed(*records))
    result = CliRunner().invoke(cli, ["pairs", str(folder / "a.warc.gz"), *options], prog_name="dragoman")
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_addresses_that_differ_by_a_code_are_pairs_where_the_texts_are_in_these_languages(tmp_path: Path) -> None:
    rows = told(
        tmp_path,
        page("http://a.example/en/visit", ENGLISH),
        page("http://a.example/de/visit", GERMAN),
        page("http://a.example/en/shop", ENGLISH),
        page("http://a.example/de/shop", ENGLISH),  # the English page under a German address
        page("http://b.example/visit", ENGLISH),
        page("http://b.example/fr/visit", FRENCH),
    )
    assert [(row["url"], row["translation"], row["evidence"]) for row in rows] == [
        ("http://a.example/de/visit", "http://a.example/en/visit", "path"),
        ("http://b.example/visit", "http://b.example/fr/visit", "path"),
    ]
    assert rows[0]["offset"] > 0 == rows[0]["translation_offset"]
    assert rows[0]["archive"] == "a.warc.gz"


def test_versions_that_pages_name_are_pairs(tmp_path: Path) -> None:
    english, german, french = "http://a.example/about", "http://a.example/ueber-uns", "http://a.example/a-propos"
    named = (("de", german), ("fr", french), ("x-default", english), ("it", "http://a.example/not-fetched"))
    rows = told(
        tmp_path, page(english, ENGLISH, *named), page(german, GERMAN, ("en", english)), page(french, ENGLISH),
        options=("--languages", "en,de,French"),
    )  # fmt: skip
    assert [(row["url"], row["translation"], row["mutual"]) for row in rows] == [(english, german, True)]
    assert rows[0]["language"] == "en"


def test_codes_are_read_where_sites_write_them() -> None:
    assert without_code("http://example.org/a/b/en") == ("http://example.org/a/b/en", None)
    assert without_code("http://example.org/x?id=3&lang=th") == ("http://example.org/x?id=3", "th")
    assert without_code("http://example.org/pt-br/x") == ("http://example.org/x", "pt")
    assert without_code("http://it.com/x") == ("http://it.com/x", None)


def test_what_holds_no_pages_is_refused(tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        return refused(CliRunner().invoke(cli, ["pairs", *arguments], prog_name="dragoman"), 2)

    assert "give a WARC" in run(str(tmp_path / "nope.warc.gz"))
    (tmp_path / "a.warc.gz").write_bytes(packed(page("http://a.example/", ENGLISH)))
    assert "two languages or more" in run(str(tmp_path / "a.warc.gz"), "--languages", "th")


def test_an_archive_is_not_written_over_and_counts_have_their_nouns(tmp_path: Path) -> None:
    archive = tmp_path / "a.warc.gz"
    archive.write_bytes(content := packed(page("http://a.example/en/visit", ENGLISH)))
    found = CliRunner().invoke(cli, ["pairs", str(archive), "-o", str(archive)], prog_name="dragoman")
    assert "would be lost: give the output another name" in refused(found, 2)
    assert archive.read_bytes() == content
    assert "note: 1 page, 0 pairs" in CliRunner().invoke(cli, ["pairs", str(archive)], prog_name="dragoman").stderr
