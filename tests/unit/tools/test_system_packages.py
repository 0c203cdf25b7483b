from __future__ import annotations

import os
import subprocess
from pathlib import Path

import install_system_packages as packages
import pytest

ROOT = Path(__file__).resolve().parents[3]


def test_one_line_says_what_is_about_to_be_installed_and_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines_before: list[str] = []

    def install(names: list[str]) -> None:
        lines_before.extend(capsys.readouterr().err.splitlines())

    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/java" if name == "java" else None)
    monkeypatch.setattr(packages, "install", install)
    packages.main()
    assert lines_before == [
        "Installing system packages: chromium (for tests of the page in a browser); SYSTEM=no leaves them out"
    ]


def test_what_is_there_is_left_alone_without_a_word(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    monkeypatch.setattr(packages, "install", pytest.fail)
    packages.main()
    assert capsys.readouterr().err == ""


def test_make_test_asks_for_system_packages_unless_told_not_to_and_says_why_tests_are_skipped() -> None:
    command = ["make", "--dry-run", "--always-make", "--no-print-directory", "SYSTEM=no", "test"]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    printed = subprocess.run(command, cwd=ROOT, env=alone, capture_output=True, encoding="utf-8", check=True).stdout
    assert 'if [ "no" != no ]; then .venv/bin/python tools/install_system_packages.py' in printed
    assert " -rs " in printed.splitlines()[-1]
