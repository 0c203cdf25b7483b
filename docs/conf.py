"""How the pages become a site: `make docs`.

The source is the whole repository, so that links from a page to a report of `papers` or `benchmarks` stay what they
are on disk; only the Markdown files below are read. Pages are plain Markdown without directives: the contents at the
side are made here. Nothing is loaded from elsewhere, neither when the site is built nor when it is read, and it can be
opened from the disk, search and all.
"""

from __future__ import annotations

import re
from importlib.metadata import version as installed
from pathlib import Path
from typing import TYPE_CHECKING

from pygments.lexers.special import TextLexer

if TYPE_CHECKING:
    from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parents[1]

project = "Dragoman"
author = "the Dragoman authors"
version = release = installed("dragoman")
html_title = f"Dragoman {release}"
language = "en"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "docs/index"
include_patterns = ["docs/**.md", "papers/**.md", "benchmarks/**.md", "CHANGELOG.md", "CONTRIBUTING.md"]
exclude_patterns = [".*", "build", "dist", "demo", "out", "src", "tests", "tools", "examples", "**/__pycache__"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

html_theme = "furo"
html_theme_options = {"navigation_with_keys": True}
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False
smartquotes = False  # options begin with two hyphens
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_extra_path = ["site/root"]
templates_path: list[str] = []
highlight_language = "text"
pygments_style = "friendly"
pygments_dark_style = "monokai"

#: The contents, in the order in which somebody would read them; a pattern takes what is left of a folder.
CONTENTS = {
    "Begin": ["tutorial"],
    "By what you do": ["for/corpus-builders", "for/archivists", "for/crawler-engineers", "for/researchers"],
    "How to": [
        "how-to/label-a-file",
        "how-to/choose-sites",
        "how-to/pages",
        "how-to/track",
        "how-to/find-translations",
        "how-to/common-crawl",
        "how-to/simulate-a-crawl",
        "how-to/crawl",
        "how-to/crawl-with-several-machines",
        "how-to/*",
    ],
    "Explanation": [
        "explanation/honest-answers",
        "explanation/honest-limits",
        "explanation/measures",
        "explanation/reading-urls",
        "explanation/methods",
        "explanation/the-url-model",
        "explanation/the-text-model",
        "explanation/tracking",
        "explanation/strategies",
        "explanation/synthetic-web",
        "explanation/*-20*",
        "explanation/*",
    ],
    "Reference": ["reference/command-line", "reference/setup", "reference/python", "reference/*"],
    "Studies of the papers": ["/papers/README", "/papers/*/README", "/papers/*/report"],
    "Measurements": ["/benchmarks/**/*"],
    "About": ["/CHANGELOG", "/CONTRIBUTING", "decisions/README", "decisions/0*"],
}


def listed(patterns: list[str]) -> list[str]:
    """The pages that patterns name, each once, in their order; a pattern with a slash in front begins at the root."""
    found: dict[str, None] = {}
    for pattern in patterns:
        base = ROOT if pattern.startswith("/") else ROOT / "docs"
        paths = sorted(base.glob(f"{pattern.strip('/')}.md"))
        found |= dict.fromkeys(f"/{path.relative_to(ROOT).with_suffix('').as_posix()}" for path in paths)
    return list(found)


def contents(app: Sphinx, name: str, source: list[str]) -> None:
    """The table of contents, put behind the text of the first page."""
    if name == root_doc:
        for caption, patterns in CONTENTS.items():
            lines = "\n".join(listed(patterns))
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def mended(app: Sphinx, name: str, source: list[str]) -> None:
    """Mend what a site cannot have: files without a title, links to folders, and links to README.md."""

    def link(match: re.Match[str]) -> str:
        target = (ROOT / name).parent / match[2]
        if target.is_dir():
            return f"`{match[1].strip('`')}`"
        return (
            f"[{match[1]}]({'../' * name.count('/')}docs/index.md)"
            if target.resolve() == ROOT / "README.md"
            else match[0]
        )

    if not re.match(r"\s*(<!--.*?-->\s*)*# ", source[0], re.DOTALL):  # a table that a benchmark wrote
        source[0] = f"# {name.rpartition('/')[2].replace('_', ' ')}\n\n{source[0]}"
    source[0] = re.sub(r"\[([^\]\[]+)\]\(([^)#:\s]+)\)", link, source[0])


def setup(app: Sphinx) -> None:
    """What Sphinx calls first."""
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", contents)
    app.connect("source-read", mended)
