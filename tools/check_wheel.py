"""Builds the wheel, installs it alone into a new environment and tries it as a stranger would.

    python tools/check_wheel.py

Fails where the wheel carries something it should not, does not work with the core's dependencies alone, or where a
missing extra is not told in one line.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def run(*command: str | Path, code: int = 0) -> str:
    """The output of a command that must end with this exit code."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode != code:
        sys.exit(f"{command} ended with {done.returncode}, not {code}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def main() -> None:
    """Build, install, try."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT)
        wheel = next(folder.glob("*.whl"))
        if "-py3-none-" not in wheel.name:
            sys.exit(f"{wheel.name} is not a wheel for every Python 3")
        files = zipfile.ZipFile(wheel).namelist()
        foreign = [file for file in files if not file.startswith(("dragoman/", "dragoman-"))]
        if foreign or not any("kernels/native" in file for file in files):
            sys.exit(f"{wheel.name} has {foreign or 'no kernels'}")
        venv.create(folder / "env", with_pip=True)
        python = folder / "env" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
        run(python, "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", wheel)
        packages = {
            row["name"].lower() for row in json.loads(run(python, "-m", "pip", "list", "--format=json").split("\n")[0])
        }
        if extra := packages & {"pyarrow", "scipy", "scikit-learn", "matplotlib", "pandas"}:
            sys.exit(f"the core brought {extra} along")
        answer = run(python, "-m", "dragoman", "url", "http://www.beispiel.de/haus-und-garten")
        if json.loads(answer)["language"] != "de":
            sys.exit(f"unexpected answer: {answer}")
        told = run(python, "-m", "dragoman", "train", "x.parquet", "-o", folder / "m.dragoman", code=1)
        if "pip install 'dragoman[" not in told or len(told.strip().splitlines()) != 1:
            sys.exit(f"a missing extra is not told in one line: {told}")
        print(f"{wheel.name}: {wheel.stat().st_size:,} bytes, works with {', '.join(sorted(packages))}")


if __name__ == "__main__":
    main()
