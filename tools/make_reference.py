"""Writes the pages of docs/reference that come from the code: commands, Python, algorithms, features, files.

python tools/make_reference.py            write the pages
python tools/make_reference.py --check    fail when a page is out of date
"""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path

import reference_files
import reference_http
import reference_python
from click.testing import CliRunner

from dragoman.cli.main import COMMANDS, cli
from dragoman.errors import BadTable, UsageError
from dragoman.identifiers.algorithms import ALGORITHMS, make, parameters
from dragoman.identifiers.classifier import Classifier
from dragoman.identifiers.url import custom_features as custom
from dragoman.identifiers.url.algorithms.custom_columns import CUSTOM, SELECTION
from dragoman.identifiers.url.features import FEATURE_SETS
from dragoman.languages import FIVE, name

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
NOTE = "<!-- Written by tools/make_reference.py: change the code, then run it again. -->"


def help_of(*command: str) -> str:
    """What `--help` prints, at a width of its own so that no terminal changes the page."""
    os.environ["COLUMNS"] = "100"
    result = CliRunner().invoke(cli, [*command, "--help"], prog_name="dragoman", terminal_width=100)
    if result.exit_code:
        raise SystemExit(f"dragoman {' '.join(command)} --help failed: {result.output}")
    return "\n".join(line.rstrip() for line in result.stdout.splitlines())


def command_line() -> str:
    """Every command's help."""
    parts = [
        "# Command line",
        NOTE,
        "Data goes to stdout, talk to stderr. Exit codes: 0 done, 1 failed, 2 usage, 130 interrupted. An error is one "
        "line.\nOptions are added from version to version; what is here stays.",
        f"```text\n{help_of()}\n```",
    ]
    for command in COMMANDS:
        parts += [f"## dragoman {command}", f"```text\n{help_of(command)}\n```"]
    return "\n\n".join(parts) + "\n"


def feature_sets_of(kind: type[Classifier]) -> list[str]:
    """The feature sets that an algorithm takes: others are refused before it looks at a single URL."""
    if "features" not in parameters(kind.algorithm):
        return []
    found = []
    for features in FEATURE_SETS:
        try:
            make(kind.algorithm, features=features).fit([], [])
        except UsageError:
            continue
        except BadTable:  # nothing to learn from, but these features are welcome
            found.append(features)
    return found


def algorithms() -> str:
    """Every registered algorithm and feature set."""
    parts = [
        "# Algorithms and feature sets",
        NOTE,
        "Names are those of `dragoman train --algorithm NAME --features NAME` and of "
        "`dragoman.identifiers.algorithms.make(name)`.\nWhat the algorithms do is told in "
        "[Methods](../explanation/methods.md).",
        "| algorithm | what decides | explains its answers |\n|---|---|---|\n"
        + "\n".join(
            f"| [`{key}`](#{key}) | {ALGORITHMS.about(key)} | {'no' if kind.explain is Classifier.explain else 'yes'} |"
            for key, kind in ALGORITHMS.items()
        ),
        "| feature set | what it is |\n|---|---|\n"
        + "\n".join(f"| `{key}` | {FEATURE_SETS.about(key)} |" for key in FEATURE_SETS)
        + "\n\nThe custom-made features one by one: [the list](custom-features.md).",
    ]
    for key, kind in ALGORITHMS.items():
        parts += [f"## {key}", f"`{kind.__module__}.{kind.__name__}`: {ALGORITHMS.about(key)}."]
        rows = [f"| `{one.name}` | `{one.default!r}` |" for one in inspect.signature(kind).parameters.values()]
        parts.append("| parameter | default |\n|---|---|\n" + "\n".join(rows) if rows else "It has nothing to set.")
        if sets := feature_sets_of(kind):
            parts.append("Feature sets: " + ", ".join(f"`{one}`" for one in sets) + ".")
    return "\n\n".join(parts) + "\n"


def custom_features() -> str:
    """The custom-made features of five languages, by name."""
    names, chosen = custom.feature_names(FIVE), set(custom.selected_names(FIVE))
    families = inspect.getdoc(custom) or ""
    table = families[families.index("| family") : families.index("\n\nGreedy")]
    rows = [f"| {number} | `{one}` | {'yes' if one in chosen else ''} |" for number, one in enumerate(names, start=1)]
    languages = ", ".join(f"{language} ({name(language)})" for language in FIVE)
    parts = [
        "# Custom-made features",
        NOTE,
        f"The feature sets `{CUSTOM}` (all) and `{SELECTION}` (the paper's selection), for the five languages of the "
        f"paper:\n{languages}.\nWith n languages there are 13 n + 9 and 3 n of them, for at most "
        f"{custom.LANGUAGE_LIMIT} languages.",
        "The paper names the families and never lists its features. These are built from the same families:",
        table,
        "A feature is a count unless it says yes or no (1 or 0). A token is a word of the URL, as defined in\n"
        "[Reading URLs](../explanation/reading-urls.md); the top-level domain stands before the first slash.",
        "| number | feature | in the selection |\n|--:|---|---|\n" + "\n".join(rows),
    ]
    return "\n\n".join(parts) + "\n"


PAGES: dict[str, Callable[[], str]] = {
    "command-line.md": command_line,
    "python.md": lambda: reference_python.package(NOTE),
    "python-modules.md": lambda: reference_python.modules(NOTE),
    "integrations.md": lambda: reference_python.integrations(NOTE),
    "http.md": lambda: reference_http.page(NOTE),
    "tables.md": lambda: reference_files.tables(NOTE),
    "setup.md": lambda: reference_files.setup(NOTE),
    "algorithms.md": algorithms,
    "custom-features.md": custom_features,
}


def main() -> int:
    """Write or check the pages."""
    stale = []
    for file, page in PAGES.items():
        path, text = FOLDER / file, page()
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(file)
    if stale:
        print(f"out of date: {', '.join(stale)}; run python tools/make_reference.py")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
