"""What README.md and docs say is so: pages are up to date, links lead somewhere, examples run, commands exist."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from dragoman.cli.main import COMMANDS, cli
from dragoman.identifiers.url.address import read_address
from dragoman.identifiers.url.tokens import tokens

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
REPORTS = [*sorted((ROOT / "papers").rglob("*.md")), *sorted((ROOT / "benchmarks").rglob("*.md"))]
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def run_tool(script: str, *arguments: str) -> None:
    command = [sys.executable, str(ROOT / "tools" / script), "--check", *arguments]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_generated_pages_are_up_to_date() -> None:
    run_tool("make_reference.py")


def test_figures_are_those_of_the_files_that_commands_write() -> None:
    run_tool("figures.py")


def test_readme_has_no_figure_that_somebody_typed() -> None:
    """Shares and rates stand between marks (tools/figures.py), in a block that is run, or are what an option takes."""
    text = FENCE.sub("", (ROOT / "README.md").read_text(encoding="utf-8"))
    right = r"<!-- figure: .*?<!-- /figure -->|`[^`]*`|accepting everything gives .667|\(data CC.*?\)|\(CC.*?\)"
    text = re.sub(right, "", text, flags=re.DOTALL)
    assert re.findall(r"(?<![\w.])\.\d+|\d[\d.,]* (?:%|million|times)|\b\d{1,3}(?:,\d{3})+", text) == []


def groups() -> dict[str, list[Path]]:
    """The pages whose examples run together: some folders to one worker, the others to another."""
    slow = [page for page in PAGES if page.parent.name in ("docs", "how-to")]
    rest = [
        page for page in PAGES if page not in slow and page.name != "CHANGELOG.md" and "decisions" not in page.parts
    ]
    return {"tutorial and how-to": slow, "the others": rest}


@pytest.mark.parametrize("group", groups())
def test_examples_of_all_pages_run_and_print_what_the_pages_say(group: str) -> None:
    run_tool("refresh_examples.py", *map(str, groups()[group]))


def anchors(path: Path) -> set[str]:
    """The anchors that headings get: lower case, spaces to hyphens, other punctuation gone."""
    headings = re.findall(r"^#+ +(.+)$", FENCE.sub("", path.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, *REPORTS], ids=name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = unquote(link).partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.is_relative_to(ROOT), link
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_every_page_of_docs_is_reached_from_the_index() -> None:
    reached, waiting = set[Path](), [ROOT / "docs" / "index.md"]
    while waiting:
        page = waiting.pop()
        if page in reached or page.suffix != ".md":
            continue
        reached.add(page)
        links = LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8")))
        waiting += [
            (page.parent / link.partition("#")[0]).resolve() for link in links if not re.match(r"[a-z]+:", link)
        ]
    assert [name(page) for page in PAGES if page.parts[-2] != ROOT.name and page not in reached] == []


def commands() -> Iterator[tuple[str, str]]:
    """(page, command line) for every command of ours that is shown."""
    for page in PAGES:
        for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
            if fence[1].strip() in ("console", "sh"):
                prompt = r"\$ " if fence[1].strip() == "console" else ""
                for line in re.findall(rf"^{prompt}(.*)$", fence[2], re.MULTILINE):
                    yield from ((name(page), part) for part in re.findall(r"(?<![\w/.'-])dragoman [a-z][^|>#;]*", line))


def test_a_block_of_shell_can_be_pasted() -> None:
    """Lines begin with a command, not with a prompt, and what follows it is no output."""
    odd = []
    for page in PAGES:
        for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
            if fence[1].strip() == "sh":
                checked = subprocess.run(["sh", "-n"], input=fence[2], capture_output=True, text=True, check=False)
                if checked.returncode or re.search(r"^[$>%] ", fence[2], re.MULTILINE):
                    odd.append(f"{name(page)}: {fence[2][:60]}")
    assert odd == []


def test_commands_that_are_shown_are_known_with_their_options() -> None:
    shown = list(commands())
    assert {line.split()[1] for _, line in shown} >= {"url", "train", "evaluate", "models"}
    for page, line in shown:
        _, command, *arguments = shlex.split(line)
        assert command in COMMANDS, f"{page}: {line}"
        found = cli.get_command(click.Context(cli), command)
        assert found is not None
        options = {flag: one for one in found.params for flag in (*one.opts, *one.secondary_opts)}
        for place, argument in enumerate(arguments):
            if argument.startswith("-") and argument != "-":
                option, _, _ = argument.partition("=")
                assert option in options, f"{page}: {line}"
                kind = options[option].type
                if isinstance(kind, click.Choice):
                    assert arguments[place + 1] in kind.choices, f"{page}: {line}"


def test_the_table_of_hostile_inputs_is_true() -> None:
    text = (ROOT / "docs" / "explanation" / "reading-urls.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| `(b?['\"].*?)` \| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    assert len(rows) > 30
    for literal, kind, told in rows:
        value = ast.literal_eval(literal)
        url = value if isinstance(value, bytes) else value.encode()
        assert read_address(url).kind == kind, literal
        found = ", ".join(f"{token.text} ({token.place})" for token in tokens(url))
        assert (found or "none") == told, literal


def test_the_paper_has_74_custom_features_and_the_page_lists_them() -> None:
    text = (ROOT / "docs" / "reference" / "custom-features.md").read_text(encoding="utf-8")
    numbers = [int(number) for number in re.findall(r"^\| (\d+) \| `", text, re.MULTILINE)]
    assert numbers == list(range(1, 75))


def test_every_decision_is_in_the_list() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert [path.name for path in folder.glob("0*.md") if path.name not in index] == []


def test_pages_name_no_place_of_the_machine_they_were_written_on() -> None:
    private = re.compile(r"(?<![\w.])/(?:root|tmp|work)/|/home/(?!somebody)")
    assert [name(page) for page in PAGES if private.search(page.read_text(encoding="utf-8"))] == []


@pytest.mark.slow
def test_the_site_can_be_built_and_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("furo")
    pytest.importorskip("myst_parser")

    def sphinx(builder: str, *more: str) -> Path:
        command = [sys.executable, "-m", "sphinx", "--quiet", "--builder", builder, "--conf-dir", str(ROOT / "docs")]
        command += ["--doctree-dir", str(tmp_path / "trees"), str(ROOT), str(tmp_path / builder), *more]
        done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert done.returncode == 0, done.stderr[-4000:]
        return tmp_path / builder

    # First every page is read and every link and anchor looked up, and nothing written; then one page is.
    sphinx("dummy", "--fail-on-warning")
    site = sphinx("html", str(ROOT / "docs" / "index.md"))
    first = (site / "docs" / "index.html").read_text(encoding="utf-8")
    loaded = re.findall(r"<(?:script|link|img|iframe)\b[^>]*?\b(?:src|href)=\"([^\"]+)\"", first)
    assert len(loaded) > 5
    assert [one for one in loaded if re.match(r"(?:[a-z]+:)?//", one)] == []
    styles = "".join(path.read_text(encoding="utf-8") for path in (site / "_static").rglob("*.css"))
    assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)]*", styles) == []
