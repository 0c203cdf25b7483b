"""A crawl for Thai pages of a small web that is played on this machine: no network is needed."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.live_web import serve, small_web

pages = int(sys.argv[1]) if len(sys.argv) > 1 else 400
with serve(small_web(pages)) as web, tempfile.TemporaryDirectory() as folder:
    relevant = int(web.relevant("th").sum())
    print(f"{len(web.urls)} pages on {web.graph.servers} hosts, {relevant} of them Thai; {len(web.seeds)} seeds")
    seeds = Path(folder) / "seeds.txt"
    seeds.write_text("\n".join(web.seeds), encoding="utf-8")
    command = [sys.executable, "-m", "dragoman", "crawl", "--language", "th", "--seeds", str(seeds), "-o", "small-web"]
    # Every name is this machine, and this machine may be asked as fast as it can answer.
    command += ["--resolve", "*=127.0.0.1", "--allow-private", "--delay", "0"]
    subprocess.run(command, check=True)  # noqa: S603
