"""Pages of docs/reference about Python: every public name with its signature and its docstring.

Used by tools/make_reference.py. What is listed here is what programs may rely on.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import re
import sys
from types import ModuleType
from typing import Any

import dragoman

#: How parameters that take any number of arguments are written.
STARS: dict[Any, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
#: What other rooms offer to programs, in the order of the page: a heading, then modules with their names.
MODULES: dict[str, dict[str, tuple[str, ...]]] = {
    "URLs and models": {
        "dragoman.identifiers.url.address": ("read_address",),
        "dragoman.identifiers.url.tokens": ("tokens",),
        "dragoman.identifiers.algorithms": ("make", "make_spec"),
        "dragoman.identifiers.operating": ("operating_point",),
        "dragoman.languages": ("normalise", "parse_list", "name"),
    },
    "Methods of one's own": {
        "dragoman.identifiers.classifier": ("Classifier",),
        "dragoman.identifiers.url.features": ("FeatureSet",),
        "dragoman.identifiers.text.page_identifier": ("PageIdentifier",),
        "dragoman.identifiers.track.language_tracker": ("LanguageTracker",),
        "dragoman.registry": ("Registry", "Member"),
    },
    "Pages": {
        "dragoman.identifiers.text.document": ("read_page",),
        "dragoman.identifiers.text.charset": ("decode",),
        "dragoman.identifiers.text.identify": ("open_method",),
        "dragoman.identifiers.text.charset_rule": ("CharsetRule",),
        "dragoman.identifiers.track.tracker": ("Tracker",),
        "dragoman.types": ("Page", "Link", "TextMap"),
    },
    "Graphs": {
        "dragoman.web.graph": ("Graph",),
        "dragoman.web.graph_file": ("read_graph", "write_graph"),
        "dragoman.web.inlinks": ("by_inlinks",),
    },
    "Crawls": {
        "dragoman.types": ("Fetched", "Candidate", "Decision", "Decisions", "Shift"),
        "dragoman.crawl.records": ("ServerRule", "ServerRecords"),
        "dragoman.crawl.strategies": ("LinkStrategy", "StrategyOptions", "ScoutTuning"),
        "dragoman.crawl.strategies.server_based": ("ConservativeServer",),
        "dragoman.crawl.strategies.scout": ("Scout",),
        "dragoman.crawl.frontier": ("Frontier",),
        "dragoman.crawl.simulate": ("simulate",),
        "dragoman.crawl.synth": ("Recipe", "make"),
    },
    "Figures": {
        "dragoman.measures": ("balanced_precision", "f_measure"),
        "dragoman.evaluate.judging": ("evaluate",),
        "dragoman.evaluate.splits": ("sites_of", "held_out"),
    },
}
#: The integrations: the module, its names, and the extra that it needs.
INTEGRATIONS: dict[str, tuple[tuple[str, ...], str]] = {
    "dragoman.integrations.duckdb": (("register",), "duckdb"),
    "dragoman.integrations.polars": (("Languages",), "polars"),
    "dragoman.integrations.spark": (
        (
            *("identify", "label_index", "site_counts", "known_sites", "seeds", "index_pages", "archive_pages"),
            *("crawl_pages", "archive_links", "merge_catalogues", "waiting_urls", "rescore"),
        ),
        "spark",
    ),
    "dragoman.integrations.spark.files": (("label_files",), "spark"),
    "dragoman.integrations.datatrove": (
        ("UrlLanguageFilter", "UrlLanguageLabeller", "TextLanguageLabeller"),
        "datatrove",
    ),
    "dragoman.integrations.scrapy": (("Addon",), "crawl"),
}


def markdown(text: str) -> str:
    """A docstring as Markdown: examples become blocks of code, everything else is Markdown already."""
    out: list[str] = []
    example = False
    for line in text.splitlines():
        if line.startswith(">>>") and not example:
            out += ["```pycon", line]
            example = True
        elif example and not line.strip():
            out += ["```", ""]
            example = False
        else:
            out.append(line)
    return "\n".join([*out, "```"] if example else out)


def shown(value: Any) -> str:
    """A default or annotation as somebody would write it."""
    return value.replace("npt.", "") if isinstance(value, str) else inspect.formatannotation(value)


def signature(name: str, thing: Any) -> str:
    """How it is called, on one line where it fits, else one argument per line."""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return name
    parts, seen_star = [], False
    for one in found.parameters.values():
        if one.name in ("self", "cls"):
            continue
        if one.kind is one.KEYWORD_ONLY and not seen_star:
            parts.append("*")
        seen_star = seen_star or one.kind in (one.KEYWORD_ONLY, one.VAR_POSITIONAL)
        text = STARS.get(one.kind, "") + one.name
        if one.annotation is not one.empty:
            text += f": {shown(one.annotation)}"
        if one.default is not one.empty:
            plain = isinstance(one.default, int | float | str | tuple | bool | type(None))
            text += " = " + (repr(one.default) if plain else "...")
        parts.append(text)
    end = (
        ""
        if found.return_annotation is found.empty or inspect.isclass(thing)
        else f" -> {shown(found.return_annotation)}"
    )
    line = f"{name}({', '.join(parts)}){end}"
    return line if len(line) <= 100 else f"{name}(\n    " + ",\n    ".join(parts) + f",\n){end}"


def members(kind: type[Any]) -> list[str]:
    """The public methods and properties of a class that are its own, one bullet each."""
    out = []
    for name, one in vars(kind).items():
        if name.startswith("_"):
            continue
        if isinstance(one, property):
            called, told = name, inspect.getdoc(one)
        elif isinstance(one, classmethod | staticmethod) or inspect.isfunction(one):
            function = getattr(kind, name)
            called, told = (
                signature(name, function),
                inspect.getdoc(function),
            )
        else:
            continue
        if told:
            first = " ".join(told.partition("\n\n")[0].split())
            line = " ".join(called.split()).replace("( ", "(").replace(", )", ")")
            out.append(f"- `{line}`: {first}")
    return out


def fields(kind: type[Any]) -> list[str]:
    """The fields of a dataclass with their types, defaults, and what the comment before them (`#: ...`) says."""
    if not dataclasses.is_dataclass(kind):
        return []
    said = {}
    for comment, name in re.findall(r"^((?: +#: .*\n)+) +(\w+):", inspect.getsource(kind), re.MULTILINE):
        said[name] = " ".join(line.strip().removeprefix("#: ") for line in comment.splitlines())
    out = []
    for one in dataclasses.fields(kind):
        if not one.name.startswith("_"):
            plain = isinstance(one.default, int | float | str | tuple | type(None))
            default = f" = {one.default!r}" if plain else ""
            out.append(
                f"- `{one.name}: {shown(one.type)}{default}`" + (f": {said[one.name]}" if one.name in said else "")
            )
    return out


def entry(path: str, thing: Any) -> list[str]:
    """The section of one public name."""
    parts = [f"### {path}"]
    if isinstance(thing, str | type(str)) and not inspect.isclass(thing):
        return [*parts, f"`{thing!r}`"]
    if inspect.isclass(thing) and thing is str:
        return [*parts, "A language is its BCP 47 tag: `de`, `pt`, `zh`. It is a `str`."]
    short = path.rpartition(".")[2]
    if inspect.isclass(thing) and dataclasses.is_dataclass(thing):
        parts.append(f"```text\nclass {short}\n```")
    else:
        parts.append(f"```text\n{'class ' if inspect.isclass(thing) else ''}{signature(short, thing)}\n```")
    if told := inspect.getdoc(thing):
        parts.append(markdown(told))
    if inspect.isclass(thing) and (held := fields(thing)):
        parts += ["Fields:", "\n".join(held)]
    if inspect.isclass(thing) and not issubclass(thing, BaseException) and (more := members(thing)):
        parts += ["Methods and properties:", "\n".join(more)]
    return parts


def first_line(thing: Any) -> str:
    """What the table says of a name."""
    if thing is str:
        return "a BCP 47 tag"
    return " ".join((inspect.getdoc(thing) or "").partition("\n\n")[0].split()).replace("|", "\\|")


def anchor(path: str) -> str:
    """The anchor of a heading that is the path."""
    return re.sub(r"[^\w\- ]", "", path.lower())


def package(note: str) -> str:
    """The page of `dragoman` itself."""
    names = [name for name in dragoman.__all__ if name != "__version__"]
    kinds = {
        "Functions": [n for n in names if not inspect.isclass(getattr(dragoman, n))],
        "Values": [n for n in names if inspect.isclass(k := getattr(dragoman, n)) and not issubclass(k, BaseException)],
        "Errors": [n for n in names if inspect.isclass(k := getattr(dragoman, n)) and issubclass(k, BaseException)],
    }
    parts = [
        "# Python: dragoman",
        note,
        "Everything that `import dragoman` offers. Names are imported when they are first used, so the import itself "
        "costs\nnext to nothing. `dragoman.__version__` is the version. What other modules offer is in "
        "[Python: modules](python-modules.md).",
    ]
    for heading, listed in kinds.items():
        rows = [f"| [`{n}`](#{anchor(f'dragoman.{n}')}) | {first_line(getattr(dragoman, n))} |" for n in listed]
        parts += [f"## {heading}", "| name | what it is |\n|---|---|\n" + "\n".join(rows)]
        for name in listed:
            parts += entry(f"dragoman.{name}", getattr(dragoman, name))
    return "\n\n".join(parts) + "\n"


def opening(module: ModuleType) -> str:
    """What a module's docstring says first."""
    return markdown(inspect.getdoc(module) or "")


def modules(note: str) -> str:
    """The page of the other modules."""
    parts = [
        "# Python: modules",
        note,
        "What programs can use beyond [`dragoman` itself](python.md): reading URLs and pages, graphs, strategies and\n"
        "the queue of a crawl, figures. Each section names the module to import from. What is not listed may change.",
    ]
    for heading, listed in MODULES.items():
        parts.append(f"## {heading}")
        for path, names in listed.items():
            module = importlib.import_module(path)
            for name in names:
                parts += entry(f"{path}.{name}", getattr(module, name))
    return "\n\n".join(parts) + "\n"


def imported(path: str) -> ModuleType:
    """A module of ours; the class that datatrove's blocks derive from is made up where datatrove is not installed."""
    try:
        return importlib.import_module(path)
    except dragoman.MissingExtra:
        base, step = "datatrove.pipeline.filters.base_filter", "datatrove.pipeline.base"
        for name in ("datatrove", "datatrove.pipeline", "datatrove.pipeline.filters", base, step):
            sys.modules.setdefault(name, ModuleType(name))
        sys.modules[base].BaseFilter = type("BaseFilter", (), {})  # type: ignore[attr-defined]
        sys.modules[step].PipelineStep = type("PipelineStep", (), {})  # type: ignore[attr-defined]
        return importlib.import_module(path)


def integrations(note: str) -> str:
    """The page of the integrations."""
    parts = [
        "# Python: integrations",
        note,
        "Dragoman inside other engines. Each needs an extra of its own. How to use them: "
        "[DuckDB and Polars](../how-to/duckdb-and-polars.md), [Spark](../how-to/spark.md), "
        "[Scrapy](../how-to/crawl.md#in-spiders-of-your-own).",
    ]
    for path, (names, extra) in INTEGRATIONS.items():
        module = imported(path)
        parts += [f"## {path}", f"`pip install 'dragoman[{extra}]'`", opening(module)]
        for name in names:
            parts += entry(f"{path}.{name}", getattr(module, name))
    return "\n\n".join(parts) + "\n"
