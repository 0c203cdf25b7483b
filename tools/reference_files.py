"""The page of docs/reference about the tables that Dragoman writes: each is written once, small, and its columns read.

Used by tools/make_reference.py. A column without a line here, or a line without a column, is an error: so the page
cannot forget one.
"""

from __future__ import annotations

import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from click.testing import CliRunner
from try_extras import EXAMPLES

from dragoman.cli.main import cli
from dragoman.crawl.live.state.catalogue import DecisionRows, export_catalogue
from dragoman.crawl.live.state.store import CrawlAnswer, Store
from dragoman.types import Decision

ROOT = Path(__file__).resolve().parents[1]
#: For each table its heading, where it is, what it has a row for, and what its columns are.
TABLES: dict[str, tuple[str, str, dict[str, str]]] = {
    "url": (
        "Labelled URLs",
        "`dragoman url FILE -o FILE` adds these behind the columns that are there. In JSON lines of URLs from the\n"
        "command line or a text, `url` comes first. With `--language` and `--precision` or `--recall` the first is\n"
        "`wanted`, true or false.",
        {
            "language": "the BCP 47 tag; null: no answer",
            "probability": "of that language, or of the likeliest one where it is below the threshold; null: nothing "
            "to judge by",
        },
    ),
    "top": (
        "With --top and --explain",
        "`dragoman url --top 2 --explain -o FILE.parquet` has these too. They are JSON text, except in JSON lines.",
        {
            "scores": "the likeliest languages with their probabilities",
            "contributions": "what spoke for and against the likeliest languages: feature, language, weight",
        },
    ),
    "sites": (
        "Sites",
        "`dragoman url FILE --by-site -o FILE` has a row for each host.",
        {
            "host": "lower case, punycode undone, without `www.`; null: URLs without one",
            "urls": "how many URLs are on it",
            "language": "what most of them were answered with",
            "share": "its share of the host's URLs",
            "shares": "the share of every language with 1 % or more; JSON text",
            "unanswered": "URLs without an answer",
        },
    ),
    "pages": (
        "Pages",
        "`dragoman page FILE... -o FILE` has a row for each document, and for each HTTP answer of a web archive.",
        {
            "source": "the file, or the URL in a web archive",
            "language": "of the text; null: no answer",
            "probability": "of that language; null: nothing to judge by",
            "declared": "what the page says about itself",
            "charset": "in which it was read",
        },
    ),
    "catalogue": (
        "Catalogue of a crawl",
        "`catalogue/part-*.parquet` in the folder of `dragoman crawl` has a row for each answer, in the order in which "
        "they came.",
        {
            "url": "what was asked for",
            "final_url": "where redirects led",
            "time": "when the answer came",
            "status": "of HTTP; null: there was no answer",
            "language": "of the page's text; null: none",
            "probability": "of that language",
            "declared": "the language that the page says it is in",
            "charset": "in which it was read",
            "bytes": "of the body",
            "digest": "SHA-1 of the body as the WARC file has it; equal digests are equal pages",
            "server": "host, with the port if it is not the usual one",
            "depth": "links from the seeds",
            "parent": "the page on which the URL was first found; null: a seed",
            "url_guess": "the language that the URL alone seemed to have, before the fetch",
            "relevant": "true: a page in a wanted language",
            "reason": "why it is no page (an error, a picture, a duplicate ...); null: it is one",
            "warc": "the WARC file",
            "warc_offset": "where the response record begins in it",
            "warc_length": "how many bytes the (compressed) record has",
            "languages": "the share of each language of the running text, as JSON; null: no page",
            "script": "in which the text is written, by ISO 15924 (`Latn`); null: no page, or no language",
        },
    ),
    "decisions": (
        "Decisions of a crawl",
        "`decisions/part-*.parquet` has a row for each link that was shown to the strategy.",
        {
            "page": "where the link is; null: a seed",
            "url": "where it leads",
            "priority": "with which it was queued, more is sooner; null: rejected",
            "reason": "why, in words",
        },
    ),
    "curves": (
        "Curves of a simulation",
        "`curves.parquet` in the folder of `dragoman simulate`: a row for every so many pages of each crawl.",
        {
            "strategy": "its name",
            "tolerance": "its T",
            "pages": "fetched so far",
            "relevant": "wanted pages among them",
            "coverage": "share of all wanted pages",
            "harvest": "share of the fetched pages that are wanted",
            "queue": "URLs that wait",
            "servers": "that were asked so far",
        },
    ),
    "misses": (
        "What a simulation missed",
        "`misses.parquet`: a row for each distance from the seeds.",
        {
            "strategy": "its name",
            "tolerance": "its T",
            "distance": "links from the seeds, at most",
            "missed": "share of the wanted pages within that distance that were not fetched",
        },
    ),
    "events": (
        "Events of a simulation",
        "`events.parquet`, with `--events`: a row for each page, in the order of the crawl.",
        {
            "strategy": "its name",
            "tolerance": "its T",
            "step": "place in the crawl, from 0",
            "page": "number of the page in the graph",
            "server": "number of its server",
            "relevant": "true: a wanted page",
        },
    ),
}


def run(*arguments: str) -> None:
    """A command that must not fail."""
    result = CliRunner().invoke(cli, list(arguments), prog_name="dragoman")
    if result.exit_code:
        raise SystemExit(f"dragoman {' '.join(arguments)}: {result.output}")


def write_all(folder: Path) -> dict[str, Path]:
    """Every table, written by the command or the function that always writes it."""
    urls, page = folder / "urls.csv", folder / "page.html"
    urls.write_text("url\nhttp://www.beispiel.de/wetter\n", encoding="utf-8")
    page.write_text("<p>Das Wetter wird morgen besser.", encoding="utf-8")
    made = {name: folder / f"{name}.parquet" for name in ("url", "top", "sites", "pages")}
    run("url", str(urls), "-o", str(made["url"]))
    run("url", str(urls), "--top", "2", "--explain", "-o", str(made["top"]))
    run("url", str(urls), "--by-site", "-o", str(made["sites"]))
    run("page", str(page), "-o", str(made["pages"]))
    run(
        "simulate", "--synth", "--pages", "2000", "--strategy", "bfs", "--no-plots", "--events", "-o", str(folder / "s")
    )
    made |= {name: folder / "s" / f"{name}.parquet" for name in ("curves", "misses", "events")}
    store = Store(folder, {"languages": ["th"]})
    numbers = store.register([("http://a.example/", 0.0, None)], depth=0, parent=None)
    store.save(CrawlAnswer(numbers[0], numbers[0], 0.0))
    export_catalogue(store, folder / "catalogue", all_rows=True)
    rows = DecisionRows(store, folder / "decisions")
    rows.add(None, [Decision(numbers[0], numbers[0], 1.0, "seed")])
    rows.close()
    store.close()
    return made | {name: folder / name / "part-00000.parquet" for name in ("catalogue", "decisions")}


def kind_of(kind: Any) -> str:
    """A type of Arrow in few words."""
    text = str(kind).replace("large_", "")
    if text.startswith("dictionary"):
        return "string, dictionary-encoded"
    return text.replace("<", " of ").replace(">", "").replace("item: ", "").replace("element: ", "")


def tables(note: str) -> str:
    """The page."""
    parts = [
        "# Tables",
        note,
        "The columns of the tables that Dragoman writes, with their types in Parquet. CSV, TSV and JSON lines have the "
        "same\nnames. Columns may be added in later versions; those that are here keep their names and meanings. Other "
        "files:\n[model files](model-format.md), [graph files](graph-format.md).",
    ]
    with tempfile.TemporaryDirectory() as name:
        written = write_all(Path(name))
        for key, (heading, about, meanings) in TABLES.items():
            path = written[key]
            schema = pq.read_schema(path)
            found = {field.name: field.type for field in schema}
            if key == "url":
                found.pop("url")
            if key == "top":
                found = {one: kind for one, kind in found.items() if one not in ("url", "language", "probability")}
            if found.keys() != meanings.keys():
                raise SystemExit(f"tools/reference_files.py: {heading}: {sorted(found.keys() ^ meanings.keys())}")
            rows = [f"| `{one}` | {kind_of(kind)} | {meanings[one]} |" for one, kind in found.items()]
            parts += [f"## {heading}", about, "| column | type | what it is |\n|---|---|---|\n" + "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


#: What each extra is for; the packages come from pyproject.toml.
EXTRAS = {
    "bulk": "Parquet and Arrow; `dragoman simulate`, `links` and `quiz`",
    "remote": "files of another file system (`s3://...`), to label and to train on",
    "train": "`dragoman train`, `evaluate` and the studies",
    "dictionaries": "training on custom-made features",
    "page": "detecting charsets",
    "plot": "pictures in reports",
    "crawl": "`dragoman crawl`, and the Scrapy add-on",
    "serve": "`dragoman serve`",
    "cluster": "a crawl on many machines, with Ray",
    "duckdb": "functions for DuckDB's SQL",
    "polars": "a namespace for Polars' expressions",
    "spark": "Spark data frames",
    "datatrove": "blocks for datatrove: a filter by URL, labels by URL and by text",
    "peers": "other identifiers to compare with",
    "all": "everything that the command line needs",
    "docs": "`make docs`",
}


def plain(requirement: str) -> str:
    """The name of a package, or of other extras, without versions."""
    return re.split(r"[<>=!]", requirement)[0].replace("dragoman[", "").strip("]").replace(",", ", ")


def setup(note: str) -> str:
    """Exit codes, extras, and what can be set where."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    names = [name for name in (*EXTRAS, *sorted(set(extras) - set(EXTRAS))) if name in extras and name != "dev"]
    rows = [f"| `{name}` | {EXTRAS.get(name, '')} | {', '.join(map(plain, extras[name]))} |" for name in names]
    parts = [
        "# Installation, exit codes, configuration",
        note,
        "## Extras",
        "`pip install dragoman` (in a clone `pip install .`) brings numpy, click and rich. Each extra, `pip install\n"
        "'dragoman[NAME]'`, brings more. What is missing is told when it is needed, in one line with the command that\n"
        "installs it.",
        "| extra | for | packages |\n|---|---|---|\n" + "\n".join(rows),
        "To see that an extra works, paste its lines into a shell; `make extras` does the same in fresh environments.",
        *(f"`{name}`:\n\n```sh\n{lines.replace('{root}/', '').strip()}\n```" for name, (lines, _) in EXAMPLES.items()),
        "## Exit codes",
        "| code | meaning |\n|--:|---|\n"
        "| 0 | done; also when whoever read the output had enough (`\\| head`) |\n"
        "| 1 | it failed: a file that is damaged or cannot be written, a package that is missing, a crawl without a "
        "page. `dragoman page` and `track` go on after a file that they cannot read, and end with 1 |\n"
        "| 2 | what was asked cannot be: an option, a name or a value, a file or a column that is not there; nothing "
        "was done |\n"
        "| 130 | interrupted with Ctrl-C |\n"
        "| 143 | told to stop (SIGTERM) |",
        "An error is one line on stderr that begins with `dragoman:` and says what was given, what is allowed and what "
        "to do.\nRows that cannot be read are no error: they get no language and are counted on stderr. A file given "
        "with `-o` is there\nwhole, or is what it was before.",
        "## Completion",
        "Where the shell completes, Tab proposes commands, options, languages (tags and English names, also after a "
        "comma),\nmodels, methods, strategies, algorithms, feature sets and papers. For bash, in `~/.bashrc`:",
        '```sh\neval "$(_DRAGOMAN_COMPLETE=bash_source dragoman)"\n```',
        "For zsh, in `~/.zshrc`, and for fish, in `~/.config/fish/completions/dragoman.fish`:",
        '```sh\neval "$(_DRAGOMAN_COMPLETE=zsh_source dragoman)"\n```\n\n'
        "```sh\n_DRAGOMAN_COMPLETE=fish_source dragoman | source\n```",
        "## Configuration",
        "There is no configuration file and no environment variable: what a command does is in its options, so a\n"
        "command line can be kept and run again (`NO_COLOR`, which all programs share, has `dragoman track` write\n"
        "codes in place of colours). Models are named by a name (`dragoman models`) or by a path. The\n"
        "Scrapy add-on reads these settings of a project:",
        "| setting | meaning | default |\n|---|---|---|\n"
        "| `DRAGOMAN_LANGUAGES` | list of wanted languages | none: it must be set |\n"
        "| `DRAGOMAN_STRATEGY` | a strategy of `dragoman crawl` | `scout` |\n"
        "| `DRAGOMAN_TOLERANCE` | pages before a server is given up | 10 |\n"
        "| `DRAGOMAN_QUOTAS` | dict of languages and the pages of each that are enough | none |\n"
        "| `DRAGOMAN_MODEL` | a URL model: name or path | `default` |",
        "## Languages",
        "A language is a BCP 47 tag in everything that comes out: `de`, `pt`, `zh`. What goes in may be a tag, an\n"
        "ISO 639 code of two or three letters, or a name in English or in the language itself: `de`, `deu`, `German`,\n"
        "`Deutsch`. Lists have commas. The presets `five` (en, de, fr, es, it), `eleven` and `default` (all that a\n"
        "model has) are lists too. Norwegian is one language, `no`; `nb` and `nn` are understood as it.",
    ]
    return "\n\n".join(parts) + "\n"
