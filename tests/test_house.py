"""The rules of the house: what CONTRIBUTING.md asks of the code, held by tests."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from rooms import limit_for, part_lines

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "dragoman"
MODULES = sorted(SOURCE.rglob("*.py"))
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
#: Private attributes of other packages, by file, and the package whose version they bind (an upper bound).
PRIVATE = {
    ("integrations/spark/runs.py", "_jvm"): "pyspark",
    ("integrations/spark/runs.py", "_jsc"): "pyspark",
    ("crawl/live/driver/connections.py", "_LenientHTTP11ClientFactory"): "scrapy",
    ("crawl/live/driver/connections.py", "_LenientHTTP11ClientProtocol"): "scrapy",
    ("crawl/live/driver/connections.py", "_giveUp"): "twisted",
    ("crawl/live/driver/connections.py", "_parser"): "twisted",
    ("crawl/live/driver/connections.py", "_quiescentCallback"): "twisted",
}
#: Public in spite of their underscore: those of named tuples.
PRIVATE_BY_NAME_ONLY = {"_replace", "_asdict", "_fields"}
#: The most lines that a part of the house may have (`python tools/rooms.py --lines`). They fall as code goes; why one
#: may rise: docs/decisions/0014-limits-per-room.md.
LONGEST = {
    "cli": 3_000,
    "crawl": 300,
    "crawl/frontier": 350,
    "crawl/live": 6_300,
    "crawl/simulate": 600,
    "crawl/strategies": 1_450,
    "crawl/synth": 750,
    "data": 50,
    "data/published": 50,
    "dragoman": 1_600,
    "evaluate": 900,
    "identifiers": 1_400,
    "identifiers/text": 5_850,
    "identifiers/track": 2_250,
    "identifiers/url": 4_150,
    "integrations": 550,
    "integrations/spark": 950,
    "kernels": 2_950,
    "label": 1_650,
    "report": 2_000,
    "serve": 2_900,
    "studies": 800,
    "studies/crawling_2007": 1_600,
    "studies/hayati_2004": 1_450,
    "studies/hmm_2004": 1_450,
    "studies/url_2008": 2_800,
    "tables": 2_250,
    "tables/labelled": 500,
    "tables/parquet": 850,
    "web": 1_300,
}
#: A limit that is so many lines above what there is has to fall.
SLACK = 150
#: Words that say nothing about what a variable holds, and the few that stay: `kept` are parameters that model files
#: have, `place` is the part of a URL that a token stands in (`Place`), as features and models name it.
VAGUE = {"every", "found", "kept", "one", "place", "said", "some", "told", "what"}
VAGUE_BUT_KNOWN = {
    ("identifiers/text/algorithms/text.py", "kept"),
    ("identifiers/url/algorithms/nearest.py", "kept"),
    ("identifiers/url/places.py", "place"),
    ("identifiers/url/tokens.py", "place"),
}
#: Names that say nothing about what is inside.
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "misc"}
#: Folders of somebody's machine. The made-up one is an example of a URL that is no page.
MACHINE = re.compile(r"(?<![\w.])(/root|/home/(?!somebody/)[a-z]\w*|/Users/\w+|[A-Z]:\\Users\\\w+)[/\\]")
#: Where packages come from is the business of whoever installs them, not of this repository.
INDEX = re.compile(r"--(extra-)?index-url|--find-links|--trusted-host|python[h]osted\.org|registry\.np[m]js\.org")


def tracked() -> list[Path]:
    """The files that the repository has; all below the folder where it is no repository."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listing.returncode:
        pytest.skip("not in a repository: nobody knows which files belong to it")
    paths = [ROOT / name.decode() for name in listing.stdout.split(b"\0") if name]
    return [path for path in paths if path.is_file()]


def written(path: Path) -> str:
    """The text of a file; nothing for what is no text."""
    content = path.read_bytes()
    return "" if b"\0" in content else content.decode("utf-8", "replace")


def run_rooms(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools" / "rooms.py"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, encoding="utf-8", check=False)


def test_no_room_uses_a_later_one() -> None:
    printed = run_rooms()
    assert printed.returncode == 0, printed.stderr
    assert " identifiers " in printed.stdout


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("from dragoman.crawl.frontier import Frontier", "imports 'dragoman.crawl.frontier.Frontier'"),
        ("def later():\n    import dragoman.cli.main", "imports 'dragoman.cli.main'"),
        ("from dragoman import Frontier", "imports 'dragoman.Frontier'"),
        ("import dragoman\nfrontier = dragoman.Frontier", "imports 'dragoman.Frontier'"),
        ('WHERE = "dragoman.crawl.frontier:Frontier"', "names in a string 'dragoman.crawl.frontier:Frontier'"),
        ('name = f"dragoman.crawl.{word}"', "names in a string 'dragoman.crawl.'"),
        ('is_it = type(thing).__name__ == "FairFrontier"', "names in a string 'FairFrontier'"),
        ('"""Like dragoman.crawl.frontier."""\nfrom dragoman.errors import X\nimport json', None),
        ('__all__ = ["FairFrontier"]', None),
    ],
)
def test_what_goes_against_the_order_is_told(tmp_path: Path, code: str, complaint: str | None) -> None:
    files = {
        "__init__.py": 'PLACES = {"Frontier": "dragoman.crawl.frontier:Frontier"}',
        "web/__init__.py": code,
        "crawl/frontier.py": "class FairFrontier:\n    pass",
        "cli/main.py": "from dragoman.web import anything",
        "errors.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    printed = run_rooms(tmp_path)
    assert printed.returncode == (1 if complaint else 0), printed.stderr
    assert (f"web {complaint}, but" in printed.stderr) if complaint else not printed.stderr


def test_a_class_name_occurs_once() -> None:
    modules: dict[str, list[str]] = defaultdict(list)
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                modules[node.name].append(str(path.relative_to(SOURCE)))
    several = {name: paths for name, paths in modules.items() if len(paths) > 1}
    assert not several


def test_a_module_reads_in_one_sitting() -> None:
    lengths = {path.relative_to(SOURCE).as_posix(): written(path).count("\n") for path in MODULES}
    assert not {name: lines for name, lines in lengths.items() if lines > 400}


def test_a_part_of_the_house_is_no_longer_than_it_was() -> None:
    lines = part_lines()
    complaints = []
    for part in sorted({*lines, *LONGEST}):
        present, limit = lines.get(part, 0), LONGEST.get(part, 0)
        if present > limit:
            complaints.append(
                f"{part} has {present:,} lines, {limit:,} are allowed: merge what stands twice, take out what nobody "
                "uses, move to tools or benchmarks what only they use. If it is a feature, raise the limit to "
                f"{limit_for(present):,} and name the feature in docs/decisions/0014-limits-per-room.md"
            )
        elif limit - present >= SLACK:
            complaints.append(f"{part} has {present:,} lines: lower its limit from {limit:,} to {limit_for(present):,}")
    assert not complaints, "\n".join(complaints)


def quiz_lines(path: Path) -> list[str]:
    """The lines of a file that are the quiz's: all of its own files, else its models, its view, and who names it."""
    text = written(path)
    if path.stem == "quiz":
        return text.splitlines()
    parts = re.findall(
        r"^class Quiz(?:.*\n)(?:(?: .*)?\n)*|^<section id=\"view-quiz(?:.*\n)*?</section>", text, re.MULTILINE
    )
    return [line for line in text.splitlines() if "quiz" in line.lower()] + [
        line for part in parts for line in part.splitlines() if "quiz" not in line.lower()
    ]


def test_the_quiz_is_short() -> None:
    files = [path for path in SOURCE.rglob("*") if path.suffix in (".py", ".js", ".css", ".html")]
    own = [path for path in files if path.stem == "quiz"]
    assert len(own) == 5
    assert sum(written(path).count("\n") for path in own) <= 300
    lines = [line for path in files for line in quiz_lines(path) if line.strip()]
    assert len(lines) <= 300, "with models, markup, styles and every line of other files that names it"


def bound_names(tree: ast.Module) -> Iterator[str]:
    """The names that a module gives to variables, parameters, attributes and functions, without leading underscores."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield (node.id if isinstance(node, ast.Name) else node.attr).lstrip("_")
        elif isinstance(node, ast.arg):
            yield node.arg.lstrip("_")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name.lstrip("_")


def test_names_say_what_they_hold() -> None:
    bound = {
        (path.relative_to(SOURCE).as_posix(), name)
        for path in MODULES
        for name in bound_names(ast.parse(written(path)))
        if name in VAGUE
    }
    assert not bound - VAGUE_BUT_KNOWN, "call these by a noun that says what they hold"
    assert not VAGUE_BUT_KNOWN - bound, "these are gone: take them out of the list"


def private_names(tree: ast.Module, own: set[str]) -> Iterator[str]:
    """The private attributes in a module that nothing of ours defines, and private names that it imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr not in own | PRIVATE_BY_NAME_ONLY:
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and not (node.module or "").startswith("dragoman"):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("getattr", "hasattr", "setattr"):
            yield from (str(part.value) for part in node.args[1:2] if isinstance(part, ast.Constant))


def test_private_names_of_other_packages_bind_their_version() -> None:
    trees = {path: ast.parse(written(path)) for path in MODULES}
    own = {
        getattr(node, "name", getattr(node, "attr", getattr(node, "id", "")))
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        or (isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store))
    }
    used = {
        (path.relative_to(SOURCE).as_posix(), name)
        for path, tree in trees.items()
        for name in private_names(tree, own)
        if re.match(r"_(?!_)", name)
    }
    assert {place: PRIVATE.get(place) for place in used} == PRIVATE
    project = written(ROOT / "pyproject.toml")
    assert not [package for package in PRIVATE.values() if not re.search(rf'"{package}>=[\d.]+,<', project)]


def test_names_of_files_and_folders_say_what_is_inside() -> None:
    named = {part for path in tracked() for part in path.relative_to(ROOT).with_suffix("").parts}
    assert not named & EMPTY_NAMES


@pytest.mark.parametrize("pattern", [MACHINE, INDEX], ids=["folders of a machine", "where packages come from"])
def test_nothing_tells_on_whose_machine_it_was_written(pattern: re.Pattern[str]) -> None:
    own = Path(__file__).resolve()
    assert not [f"{path}: {match[0]}" for path in tracked() if path != own and (match := pattern.search(written(path)))]


def test_the_host_that_packages_are_installed_from_is_not_named() -> None:
    command = [sys.executable, "-m", "pip", "config", "list"]
    settings = subprocess.run(command, capture_output=True, encoding="utf-8", check=False).stdout
    hosts = {urlsplit(url).hostname for url in re.findall(r"https?://[^\s']+", settings)} - {None, "localhost"}
    if not hosts:
        pytest.skip("packages are installed from where pip finds them by itself")
    assert not [f"{path}: {host}" for path in tracked() for host in hosts if str(host) in written(path)]


def test_checks_of_a_push_are_make_targets() -> None:
    targets = set(re.findall(r"^([a-z][\w-]*):", written(ROOT / "Makefile"), re.MULTILINE))
    workflow = written(ROOT / ".github" / "workflows" / "checks.yml")
    steps = re.findall(r"run: (.*)", workflow)
    called = {name for step in steps for name in re.findall(r"make ([\w-]+)", step)}
    called |= {name.strip() for listed in re.findall(r"target: \[(.*)\]", workflow) for name in listed.split(",")}
    assert steps
    assert all(step.startswith("make ") for step in steps)
    assert (
        called
        == {"lint", "docs", "test", "test-slow", "test-core", "test-lowest", "extras", "image", "wheel"} & targets
    )
    sentence = CONTRIBUTING.partition("Every push runs ")[2].partition("(")[0] + CONTRIBUTING.partition("3.13), ")[2]
    assert set(re.findall(r"`(?:make )?([\w-]+)`", sentence.partition("([checks.yml]")[0])) == called


def test_every_python_that_is_claimed_is_tested() -> None:
    project = tomllib.loads(written(ROOT / "pyproject.toml"))["project"]
    claimed = [one.rpartition(" ")[2] for one in project["classifiers"] if ":: Python :: 3." in one]
    tested = re.search(r"python: \[(.*)\]", written(ROOT / ".github" / "workflows" / "checks.yml"))
    assert tested
    assert re.findall(r'"([\d.]+)"', tested[1]) == claimed


def test_the_lowest_versions_are_those_of_the_project_file() -> None:
    command = [sys.executable, str(ROOT / "tools" / "lowest_versions.py"), "--check"]
    checked = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_what_is_cited_has_the_version_and_the_licence_of_the_package() -> None:
    project = tomllib.loads(written(ROOT / "pyproject.toml"))["project"]
    cited = dict(re.findall(r'^(\w+): "?([^"\n]+)"?$', written(ROOT / "CITATION.cff"), re.MULTILINE))
    assert (cited["version"], cited["license"]) == (project["version"], project["license"])


def families() -> list[tuple[str, str, str, str]]:
    """(class, its methods, file of the registry, group of entry points) of each row of the table in CONTRIBUTING.md."""
    rows = re.findall(r"^\| .* \| `([\w.]+)`: (.*) \| `(.*\.py)` \| `(dragoman\.\w+)` \|", CONTRIBUTING, re.MULTILINE)
    return [(name, methods.replace("`", ""), file, group) for name, methods, file, group in rows]


@pytest.mark.parametrize(("name", "methods", "file", "group"), families(), ids=lambda value: str(value))
def test_what_a_newcomer_is_told_about_a_family_is_so(name: str, methods: str, file: str, group: str) -> None:
    module, _, attribute = name.rpartition(".")
    base = getattr(importlib.import_module(f"dragoman.{module}"), attribute)
    assert set(methods.split(", ")) == set(base.__abstractmethods__)
    assert f'"{group}"' in written(SOURCE / file)


def test_every_family_is_in_the_table() -> None:
    groups = {match for path in MODULES for match in re.findall(r'^ +"(dragoman\.\w+)",$', written(path), re.MULTILINE)}
    assert groups == {group for *_, group in families()}


def test_every_target_that_a_newcomer_is_told_of_is_there() -> None:
    targets = set(re.findall(r"^([a-z][\w-]*):", written(ROOT / "Makefile"), re.MULTILINE))
    told = set(re.findall(r"^\| `make ([\w-]+)`", CONTRIBUTING, re.MULTILINE))
    assert told >= {"test", "test-slow", "lint"}
    assert told <= targets


def named_files(page: Path) -> set[str]:
    """The files and folders that a page names in code marks, but for what is made in `out`."""
    return set(re.findall(r"`(?!out/)((?:[\w.-]+/)+[\w.-]*|[\w-]+\.py)`", written(page)))


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/explanation/architecture.md"])
def test_files_that_pages_about_the_house_name_are_there(page: str) -> None:
    names = named_files(ROOT / page)
    assert names
    assert not [name for name in names if not any((base / name).exists() for base in (ROOT, SOURCE, ROOT / "tests"))]


def entered(*arguments: str) -> set[str]:
    """The files of src whose functions a command calls, in a process of its own."""
    code = (
        "import sys, threading\nfrom pathlib import Path\nfrom click.testing import CliRunner\n"
        "from dragoman.cli.main import cli\nsource, *arguments = sys.argv[1:]\nfiles = set()\n"
        "def note(frame, event, argument):\n"
        "    if event == 'call' and frame.f_code.co_name != '<module>':\n"
        "        files.add(frame.f_code.co_filename)\n"
        "threading.setprofile(note)\nsys.setprofile(note)\n"
        "result = CliRunner().invoke(cli, arguments)\nsys.setprofile(None)\n"
        "assert result.exit_code == 0, result.output\n"
        "print(*(Path(name).relative_to(source).as_posix() for name in files if name.startswith(source)))"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(SOURCE), *arguments], capture_output=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.split())


def named_under(heading: str, elsewhere: tuple[str, ...]) -> set[str]:
    """The files that the page of the rooms names under a heading, but for those that it only points to."""
    text = written(ROOT / "docs" / "explanation" / "architecture.md")
    part = text.partition(f"### {heading}\n")[2].partition("\n### ")[0]
    return {name for name in re.findall(r"`([\w/]+\.py)`", part) if not any(word in name for word in elsewhere)}


@pytest.mark.parametrize(
    ("heading", "command", "elsewhere"),
    [
        ("A URL", "url http://www.beispiel.de/haus-und-garten", ("url/parts/classifier.py", "url/identify.py")),
        ("A row of a Parquet file", "url in.parquet -o out.parquet", ("spark/files.py", "label/file.py")),
        ("A page", "page in.html", ("markup/tokenise.py", "label/spans.py", "identifiers/track/")),
    ],
)
def test_a_row_passes_the_files_that_the_page_names(
    tmp_path: Path, heading: str, command: str, elsewhere: tuple[str, ...]
) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"url": ["http://www.beispiel.de/haus-und-garten"] * 3})
    pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / "in.parquet")
    (tmp_path / "in.html").write_text("<p lang=da>Det er en dansk sætning, som er lang nok.", encoding="utf-8")
    arguments = [str(tmp_path / word) if re.match(r"(in|out)\.", word) else word for word in command.split()]
    named = named_under(heading, elsewhere)
    assert len(named) > 9
    assert not named - entered(*arguments)


@pytest.mark.slow
def test_a_link_of_a_crawl_passes_the_files_that_the_page_names(tmp_path: Path) -> None:
    pytest.importorskip("scrapy")
    from tests.live_crawls import command
    from tests.live_web import serve, small_web

    with serve(small_web(60, share=0.1, seed=5)) as web:
        line = command(tmp_path / "crawl", web, "--language", "th", "--allow-private")
        passed = entered(*line[3:])
    named = named_under("A link of a live crawl", ("simulate/plain.py",))
    assert len(named) > 15
    assert not named - passed
