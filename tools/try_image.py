"""Builds the image of Containerfile with podman or docker and asks it for a language; says so where neither is there.

python tools/try_image.py
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NAME = "dragoman-tried"


def main() -> int:
    """Build it, and let it judge a URL."""
    engine = shutil.which("podman") or shutil.which("docker")
    if engine is None:
        print("skipped: neither podman nor docker is here")
        return 0
    build = [engine, "build", "--tag", NAME, "--file", "Containerfile", "."]
    subprocess.run(build, cwd=ROOT, check=True)  # noqa: S603
    ask = [engine, "run", "--rm", NAME, "url", "http://www.beispiel.de/garten", "--format", "jsonl"]
    told = subprocess.run(ask, capture_output=True, text=True, check=True).stdout  # noqa: S603
    print(told, end="")
    return int('"language": "de"' not in told)


if __name__ == "__main__":
    sys.exit(main())
