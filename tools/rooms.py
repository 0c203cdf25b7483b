"""The graph of the rooms of src/dragoman: who imports from whom, read from the code.

    python tools/rooms.py
    python tools/rooms.py --lines           the limits that tests/test_house.py may have today
    python tools/rooms.py --since 805a07f   of each room, how many lines are as old as that commit, and how many newer
    python tools/rooms.py --code 164a78d crawl/live/cluster     the lines of a folder at a commit, by what they are

An edge is an import, wherever it stands (in functions too), a public name taken through `dragoman` itself, or a name
in a string, such as "dragoman.web.graph:Graph". The order is that of the import-linter contract in pyproject.toml: an
edge against it fails, and so does a string that holds the name of a class of a later room. import-linter does not see
strings; this does.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "dragoman"
#: Not a room: the door, which shows names of all rooms.
DOOR = "__init__"
#: A string that names a module or something in it; what follows the room does not matter.
NAMED = re.compile(rf"{PACKAGE}\.([a-z_]+)(?:[.:][\w.:]*)?")
#: A class name that is no everyday word: two capitals at least, so `Text` in a heading is not taken for the class.
CLASS = re.compile(r"[A-Z]\w*[a-z]\w*[A-Z]\w*")


@dataclass(frozen=True)
class Edge:
    """One place where a room uses another."""

    room: str
    uses: str
    #: File and line, and what stands there.
    where: str
    text: str
    in_string: bool = False


@dataclass
class Room:
    """A room: its modules, their lines, what its first line says, and the classes that it defines."""

    name: str
    about: str = ""
    files: int = 0
    lines: int = 0
    classes: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Graph:
    """The rooms from the top of the house to its foundation, each with its floor, and their edges."""

    rooms: dict[str, Room]
    floors: dict[str, int]
    edges: list[Edge]

    def counts(self) -> Counter[tuple[str, str]]:
        """How often each room uses each other."""
        return Counter((edge.room, edge.uses) for edge in self.edges)

    def wrong(self) -> list[Edge]:
        """The edges that do not go down."""
        return [edge for edge in self.edges if self.floors[edge.room] <= self.floors[edge.uses]]


def floors(project: Path = ROOT / "pyproject.toml") -> dict[str, int]:
    """The floor of every room: 0 for the lowest. Rooms of one floor do not use each other."""
    contracts = tomllib.loads(project.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract.get("containers") == [PACKAGE])
    return {room.strip(): len(layers) - 1 - row for row, layer in enumerate(layers) for room in layer.split("|")}


def room_of(path: Path, source: Path) -> str:
    """The room of a file: the folder or the module directly below the package."""
    return path.relative_to(source).parts[0].removesuffix(".py")


def read_rooms(source: Path = ROOT / "src" / PACKAGE, project: Path = ROOT / "pyproject.toml") -> Graph:
    """The graph of the code below `source`."""
    order = floors(project)
    files = {path: path.read_text(encoding="utf-8") for path in sorted(source.rglob("*.py"))}
    trees = {path: ast.parse(text) for path, text in files.items()}
    if unplaced := {room_of(path, source) for path in files} - {*order, DOOR}:
        raise SystemExit(f"not in the contract of {project.name}: {', '.join(sorted(unplaced))}")
    shown = _shown_at_the_door(trees.get(source / f"{DOOR}.py"))
    rooms = {name: Room(name) for name in order}
    for path, tree in trees.items():
        if (name := room_of(path, source)) == DOOR:
            continue
        room = rooms[name]
        room.files += 1
        room.lines += files[path].count("\n")
        room.classes |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        if len(path.relative_to(source).parts) == 1 or (path.parent.parent == source and path.stem == DOOR):
            room.about = (ast.get_docstring(tree) or "").partition("\n")[0]
    edges = []
    for path, tree in trees.items():
        if (name := room_of(path, source)) != DOOR:
            edges += [edge for edge in _edges(name, path.relative_to(source), tree, rooms, shown) if edge.uses != name]
    return Graph(rooms, order, edges)


def _shown_at_the_door(tree: ast.Module | None) -> dict[str, str]:
    """The room of every public name: the strings "dragoman.room.module:name" of the door."""
    if tree is None:
        return {}
    pairs = [
        (key.value, match[1])
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(value, ast.Constant) and isinstance(value.value, str)
        if (match := NAMED.fullmatch(value.value))
    ]
    return {str(name): room for name, room in pairs}


def _edges(name: str, path: Path, tree: ast.Module, rooms: dict[str, Room], shown: dict[str, str]) -> Iterator[Edge]:
    """What the module of a room uses, its own room included."""
    prose = set(_prose(tree))
    for node in ast.walk(tree):
        if not hasattr(node, "lineno") or node in prose:
            continue
        where = f"{path}:{node.lineno}"
        for target in _imported(node):
            parts = target.split(".")
            uses = parts[1] if len(parts) > 1 and parts[0] == PACKAGE else ""
            uses = uses if uses in rooms else shown.get(uses, "")
            if uses:
                yield Edge(name, uses, where, target)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            match = NAMED.fullmatch(node.value)
            if match and match[1] in rooms:
                yield Edge(name, match[1], where, node.value, in_string=True)
            elif CLASS.fullmatch(node.value) and node.value not in rooms[name].classes:
                for other in rooms.values():
                    if node.value in other.classes:
                        yield Edge(name, other.name, where, node.value, in_string=True)


def _imported(node: ast.AST) -> list[str]:
    """The full names that a node brings in: `import a.b`, `from a import b`, or `dragoman.b` as an expression."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        if node.level:
            raise SystemExit(f"line {node.lineno}: relative imports hide their room")
        # one import, however many names: but from the package itself, every name may be of another room
        return [f"{node.module}.{alias.name}" for alias in node.names][: None if node.module == PACKAGE else 1]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == PACKAGE:
        return [f"{PACKAGE}.{node.attr}"]
    return []


def _prose(tree: ast.Module) -> Iterator[ast.AST]:
    """The docstrings, and the strings of __all__: they name things, but nothing follows them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
        elif isinstance(node, ast.Assign) and any(getattr(goal, "id", "") == "__all__" for goal in node.targets):
            yield from ast.walk(node.value)


def part_lines(source: Path = ROOT / "src" / PACKAGE) -> dict[str, int]:
    """The lines of each part of the house: a room, or a folder in a room; modules beside folders are the room's own."""
    lines: Counter[str] = Counter()
    for path in sorted(source.rglob("*.py")):
        folders = path.relative_to(source).parts[:-1]
        lines["/".join(folders[:2]) or PACKAGE] += path.read_text(encoding="utf-8").count("\n")
    return dict(sorted(lines.items()))


def lines_since(commit: str, source: Path = ROOT / "src" / PACKAGE) -> dict[str, tuple[int, int]]:
    """Of each room, the lines that a commit had already, wherever they stood, and those that came later."""
    counted: dict[str, list[int]] = {}
    for path in sorted(source.rglob("*.py")):
        blame = ["git", "blame", "-w", "-M", "-C", f"{commit}..HEAD", "--", str(path)]
        ended = subprocess.run(blame, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)  # noqa: S603
        told = ended.stdout.splitlines()
        earlier = sum(line.startswith("^") for line in told)
        room = counted.setdefault(room_of(path, source), [0, 0])
        room[0] += earlier
        room[1] += len(told) - earlier
    return {room: (earlier, later) for room, (earlier, later) in counted.items()}


class LineCount(NamedTuple):
    """The lines of a module, those that are neither blank nor a comment, and those of them that are no docstring."""

    lines: int
    written: int
    code: int


def line_count(text: str) -> LineCount:
    """Count the lines of a module. A line with code and a comment is code; a string over several lines is as many.

    >>> line_count("'What it is.'\\n\\n# why\\ntext = 'a'  # b\\n")
    LineCount(lines=4, written=2, code=1)
    """
    documented, written, lines = set[int](), set[int](), text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if ast.get_docstring(node) is not None else None
            documented |= set(range(first.lineno, (first.end_lineno or 0) + 1)) if first else set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT and token.string.strip():
            written |= {line for line in range(token.start[0], token.end[0] + 1) if lines[line - 1].strip()}
    return LineCount(len(lines), len(written), len(written - documented))


def code_at(commit: str, folder: str) -> dict[str, LineCount]:
    """The lines of the modules of a folder of the package, as they were at a commit."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout  # noqa: S603, S607

    below = f"src/{PACKAGE}/{folder}/"
    names = git("ls-tree", "-r", "--name-only", commit, below).splitlines()
    modules = {name.removeprefix(below): name for name in names if name.endswith(".py")}
    return {module: line_count(git("show", f"{commit}:{name}")) for module, name in modules.items()}


def limit_for(lines: int) -> int:
    """The limit of a part of the house that has so many lines: the next 50."""
    return -(-lines // 50) * 50


def table(graph: Graph) -> str:
    """A line per room, from the top: how large it is, and what it uses how often."""
    counts = graph.counts()
    lines = [f"{'floor':>5}  {'room':12}  {'files':>5}  {'lines':>6}  uses"]
    for name, room in graph.rooms.items():
        used = [f"{other} {counts[name, other]}" for other in graph.rooms if counts[name, other]]
        size = f"{room.files:5}  {room.lines:6}" if room.files else f"{'-':>5}  {'-':>6}"
        lines.append(f"{graph.floors[name]:5}  {name:12}  {size}  {', '.join(used) or '-'}")
    total = sum(room.lines for room in graph.rooms.values())
    strings = sum(edge.in_string for edge in graph.edges)
    lines.append(f"{len(counts)} edges, {len(graph.edges)} uses ({strings} of them in strings), {total} lines")
    return "\n".join(lines)


def main() -> int:
    """Print the graph; 1 if an edge goes against the order."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", type=Path, default=ROOT / "src" / PACKAGE)
    parser.add_argument("--lines", action="store_true", help="how long each part of a room is")
    parser.add_argument("--since", metavar="COMMIT", help="how many lines are as old as a commit, and how many newer")
    parser.add_argument("--code", nargs=2, metavar=("COMMIT", "FOLDER"), help="the lines of a folder at a commit")
    arguments = parser.parse_args()
    if arguments.code:
        modules = code_at(*arguments.code)
        modules["all"] = LineCount(*map(sum, zip(*modules.values(), strict=True)))
        print("| module | lines | neither blank nor a comment | nor a docstring |\n|---|--:|--:|--:|")
        print("\n".join(f"| `{name}` | {' | '.join(f'{count:,}' for count in row)} |" for name, row in modules.items()))
        return 0
    if arguments.since:
        by_room = lines_since(arguments.since, arguments.source)
        by_room["all"] = sum(pair[0] for pair in by_room.values()), sum(pair[1] for pair in by_room.values())
        print("| room | from then | since then |\n|---|--:|--:|")
        print("\n".join(f"| `{room}` | {earlier:,} | {later:,} |" for room, (earlier, later) in by_room.items()))
        return 0
    if arguments.lines:
        parts = part_lines(arguments.source)
        print("\n".join(f'    "{part}": {limit_for(lines):_},  # {lines}' for part, lines in parts.items()))
        print(f"{sum(parts.values()):,} lines")
        return 0
    graph = read_rooms(arguments.source)
    print(table(graph))
    for edge in graph.wrong():
        kind = "names in a string" if edge.in_string else "imports"
        print(f"{edge.where}: {edge.room} {kind} '{edge.text}', but {edge.uses} is not below it", file=sys.stderr)
    return 1 if graph.wrong() else 0


if __name__ == "__main__":
    sys.exit(main())
