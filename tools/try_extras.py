"""Installs each extra alone into a fresh environment and runs its example there: make extras.

    python tools/try_extras.py [NAME...]

The examples are those of docs/reference/setup.md, which takes them from here; each starts in an empty folder. What they
print must hold the words beside them. An example that needs a program which is not there (Java) is passed over.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
#: Extras for working on Dragoman itself.
NOT_FOR_USERS = {"dev", "docs", "test"}
#: Programs that an example needs.
PROGRAMS = {"spark": "java"}

_TABLE = """printf 'url\\nhttp://www.beispiel.de/haus-und-garten\\n' > urls.csv
"""
_LABELLED = """for n in 1 2 3 4 5 6 7 8 9; do
  echo "http://www.haus$n.de/garten-$n,de"; echo "http://www.maison$n.fr/jardin-$n,fr"
done | sed '1i url,lang' > labelled.csv
"""
#: What to paste into a shell, and words that come out.
EXAMPLES = {
    "bulk": (
        """python -c "import pyarrow as pa, pyarrow.parquet as pq
pq.write_table(pa.table({'url': ['http://www.beispiel.de/haus-und-garten']}), 'urls.parquet')"
dragoman url urls.parquet -o labelled.parquet
python -c "import pyarrow.parquet as pq; print(pq.read_table('labelled.parquet').to_pylist())"
""",
        "'language': 'de'",
    ),
    "remote": (
        _TABLE
        + """python -c "import dragoman, fsspec
dragoman.label_file('urls.csv', 'memory://bucket/labelled.csv')
print(fsspec.open('memory://bucket/labelled.csv', 'rt').open().read())"
""",
        "garten,de,",
    ),
    "train": (
        _LABELLED
        + """dragoman train labelled.csv -o my.dragoman --held-out 0.3
dragoman evaluate labelled.csv --model my.dragoman
dragoman url http://www.haus.de/garten --model my.dragoman
""",
        '"language": "de"',
    ),
    "dictionaries": (
        _LABELLED
        + """dragoman train labelled.csv -o tree.dragoman --algorithm decision-tree --held-out 0.3
dragoman url http://www.haus.de/garten --model tree.dragoman
""",
        '"language": "de"',
    ),
    "page": (
        """printf '<p>Nous avons bu un caf\\351 au march\\351, et il \\351tait tr\\350s bon.' > page.html
dragoman page page.html
""",
        '"language": "fr"',
    ),
    "plot": (
        """dragoman simulate --synth --pages 2000 --strategy bfs --strategy scout -o simulated
ls simulated
""",
        ".svg",
    ),
    "crawl": (
        """python {root}/examples/crawl_a_small_web.py
""",
        "pages",
    ),
    "serve": (
        """dragoman serve --port 8765 & sleep 8
python -c "import urllib.request as r; print(r.urlopen('http://127.0.0.1:8765/v1/url?u=http://www.beispiel.de/garten').read())"
kill $!
""",
        '"language":"de"',
    ),
    "cluster": (
        """python -c "import ray, dragoman.crawl.live.cluster.worker; print('ready')"
""",
        "ready",
    ),
    "duckdb": (
        """python -c "import duckdb; from dragoman.integrations.duckdb import register
con = duckdb.connect(); register(con)
print(con.sql(\\"select dragoman_language('http://www.beispiel.de/garten')\\").fetchall())"
""",
        "('de',)",
    ),
    "polars": (
        """python -c "import polars as pl, dragoman.integrations.polars
print(pl.DataFrame({'url': ['http://www.beispiel.de/garten']}).with_columns(pl.col('url').dragoman.language()))"
""",
        "de",
    ),
    "spark": (
        """SPARK_LOCAL_IP=127.0.0.1 PYSPARK_PYTHON=python python -c "from pyspark.sql import SparkSession
from dragoman.integrations.spark import identify
spark = SparkSession.builder.master('local[1]').getOrCreate()
print(identify(spark.createDataFrame([('http://www.beispiel.de/garten',)], ['url']), 'url').collect())"
""",
        "language='de'",
    ),
    "datatrove": (
        """python -c "from datatrove.data import Document
from dragoman.integrations.datatrove import UrlLanguageFilter
print(UrlLanguageFilter('de').filter(Document('', '1', metadata={'url': 'http://www.beispiel.de/garten'})))"
""",
        "True",
    ),
    "peers": (
        """echo 'Der Hund spielt im Garten, weil heute die Sonne scheint.' | dragoman page - --method py3langid
""",
        '"language": "de"',
    ),
    "all": (
        _LABELLED
        + """dragoman train labelled.csv -o my.dragoman --held-out 0.3
dragoman evaluate labelled.csv --model my.dragoman -o report
dragoman papers
""",
        "url-2008",
    ),
}


def try_extra(name: str) -> str | None:
    """None if the example of an extra runs where nothing else is installed, else what went wrong."""
    lines, words = EXAMPLES[name]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        venv.create(place / "env", with_pip=True)
        tools = place / "env" / "bin"
        install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--constraint"]
        wanted = f"{ROOT}[{name}]"
        command = [str(tools / "python"), *install, str(ROOT / "constraints.txt"), wanted]
        installed = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if installed.returncode:
            return f"it cannot be installed:\n{installed.stderr[-2000:]}"
        (place / "empty").mkdir()
        path = f"{tools}{os.pathsep}{os.environ['PATH']}"
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")} | {"PATH": path}
        # A service that an example leaves behind when it fails would keep its output open, and this would wait for it.
        ending = "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n"
        shell = ["bash", "-e", "-o", "pipefail", "-c", ending + lines.replace("{root}", str(ROOT))]
        ran = subprocess.run(  # noqa: S603
            shell, cwd=place / "empty", env=environment, capture_output=True, text=True, check=False
        )
        if ran.returncode or words not in ran.stdout:
            return (
                f"its example ended with {ran.returncode} and without '{words}':\n{(ran.stdout + ran.stderr)[-2000:]}"
            )
    return None


def main() -> None:
    """Try those that are named, or all."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [name for name in project["optional-dependencies"] if name not in NOT_FOR_USERS]
    if unknown := {*extras, *sys.argv[1:]} - EXAMPLES.keys():
        sys.exit(f"No example for {', '.join(sorted(unknown))}: write one in {Path(__file__).name}")
    failed = 0
    for name in sys.argv[1:] or extras:
        if name in PROGRAMS and shutil.which(PROGRAMS[name]) is None:
            print(f"{name}: passed over, there is no {PROGRAMS[name]}", flush=True)
            continue
        problem = try_extra(name)
        failed += problem is not None
        print(f"{name}: {problem or 'works alone'}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
