"""The benchmark of links, on an archive that is made here."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
from tests.made_archives import answer, packed

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "links" / "evidence.py"
GERMAN = "Das Museum öffnet um zehn Uhr morgens, und Kinder brauchen keine Karte."
ENGLISH = "The museum opens at ten in the morning, and children need no ticket."


def test_rows_are_made_of_an_archive_and_judged(tmp_path: Path) -> None:
    pages = []
    for host in range(12):
        text, code = (GERMAN, "de") if host % 2 else (ENGLISH, "en")
        links = ""
        for other in (host, (host + 1) % 12, (host + 3) % 12):
            there, anchor = ("de", "Deutsch") if other % 2 else ("en", "English")
            links += "".join(f'<a href="http://h{other}.example/{there}/{name}">{anchor}</a>' for name in "ab")
        for name in ("a", "b"):
            body = f"<html><body><p>{text}</p><p>{text}</p>{links}</body></html>".encode()
            pages.append(answer(f"http://h{host}.example/{code}/{name}", body))
    (tmp_path / "a.warc.gz").write_bytes(packed(*pages))
    command = [sys.executable, str(SCRIPT), "--warc", "a.warc.gz", "-o", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = pq.read_table(tmp_path / "links.parquet").to_pylist()
    assert len(rows) == 24 * 5
    assert {row["language"] for row in rows} == {"de", "en"}
    found = json.loads((tmp_path / "out" / "evidence.json").read_text(encoding="utf-8"))
    kinds = found["parts"]["all"]["kinds"]
    assert kinds["anchor"]["right_of_answered"] == 1
    assert kinds["together"]["right_of_all"] >= kinds["source"]["right_of_all"]
