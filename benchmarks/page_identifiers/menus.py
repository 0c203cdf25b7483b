"""Real pages with what flips identifiers on the web put into them: menus of languages, choices, notices, code.

    python benchmarks/page_identifiers/menus.py [--data ../shared/data/text] [--pages 300] [--seed 5] [-o DIR]

Pages of pages.parquet with 200 characters of text and more, as many of each language and source as there are, each once
as it is and once with a menu of 5 to 60 names of languages, a notice about cookies in English, a choice of countries or
commands put into it, of which its text may be the smaller part (it is cut to its first paragraphs). Told: how many are
right by their visible text and by their running text; how many of them cut to their first 20 characters by text alone
and by all witnesses together, the language that they declare being the true one; and how often `track` and `page` agree
on the longest line of each. Says so and ends well where the data is not there.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from dragoman.errors import need
from dragoman.identifiers.text.document import read_page
from dragoman.identifiers.text.identify import identify_text, open_method
from dragoman.identifiers.track import track
from dragoman.label.pages import identify_page
from dragoman.languages import find
from dragoman.types import Page

HERE = Path(__file__).resolve().parent
#: Sixty names of languages.
NAMES = (
    "English Deutsch Français Español Italiano Português Русский Українська 中文 日本語 한국어 العربية עברית Ελληνικά "
    "Türkçe Polski Čeština Magyar Română Български Српски Hrvatski Slovenščina Slovenčina Nederlands Svenska Dansk "
    "Norsk Suomi Eesti Latviešu Lietuvių Íslenska Gaeilge Català Euskara Galego Shqip Македонски Беларуская Қазақ "
    "Тоҷикӣ O‘zbek Azərbaycan ქართული Հայերեն فارسی اردو हिन्दी বাংলা தமிழ் తెలుగు ไทย Việt Indonesia Melayu Filipino "
    "Kiswahili Afrikaans Монгол"
)
NOTICE = (
    '<div class="cookie-banner"><p>We use cookies to make this site work and to understand how it is used. You can '
    "accept all of them or choose which ones you allow. More about this is in our privacy policy.</p></div>"
)
COUNTRIES = (
    "Austria Belgium Canada Denmark Egypt Finland Greece Hungary Iceland Japan Kenya Latvia Mexico Norway Oman Peru"
)
CODE = "<pre>tar xvzf tool-1.2.tar.gz\ncd tool-1.2\n./configure --prefix=/usr\nmake && sudo make install</pre>"
#: Characters of text that are left of a page beside all that.
LEFT = 400


def chosen(path: Path, number: int, seed: int) -> list[tuple[str, str]]:
    """(language, html) of some pages, spread over languages and sources."""
    table = need("bulk", "pyarrow.parquet").read_table(path, columns=["html", "lang", "source"]).to_pylist()
    known, groups = set(open_method().languages_), dict[tuple[str, str], list[str]]()
    for row in table:
        tag = find(row["lang"])
        if tag in known:
            groups.setdefault((str(tag), row["source"]), []).append(row["html"])
    rng, found = random.Random(seed), list[tuple[str, str]]()
    for rows in groups.values():
        rng.shuffle(rows)
    while len(found) < number and any(groups.values()):
        for (tag, _), rows in sorted(groups.items()):
            if rows and len(found) < number:
                html = re.sub(r"(?i)<(html|body|meta)\b[^>]*>", "", rows.pop())
                if len(read_page(html, "text/html").text) >= 200:
                    found.append((tag, html))
    return found


def crowded(html: str, rng: random.Random) -> str:
    """The first paragraphs of a page between menus, a notice, a choice and commands."""
    names = rng.sample(NAMES.split(), rng.randint(5, 60))
    links = " ".join(f'<a href="/{place}">{name}</a>' for place, name in enumerate(names))
    items = "".join(f'<li><a href="/{place}">{name}</a></li>' for place, name in enumerate(names))
    options = "".join(f"<option>{name}" for name in rng.choice([names, COUNTRIES.split()]))
    text, kept = read_page(html, "text/html").text, list[str]()
    for line in text.splitlines():
        kept.append(f"<p>{escape(line)}</p>")
        if sum(map(len, kept)) >= LEFT:
            break
    menu = rng.choice([f"<ul>{items}</ul>", f"<div>{links}</div>", f"<select>{options}</select>"])
    return f"{menu}<main>{''.join(kept)}</main>{rng.choice([NOTICE, CODE, ''])}<select>{options}</select>"


def right(pages: Iterable[tuple[str, Page]], visible: bool = False) -> int:
    """How many pages have their language, by running or by all visible text."""
    rows = list(pages)
    answers = identify_text([page.text if visible else page for _, page in rows])
    return sum(found.language == tag for found, (tag, _) in zip(answers, rows, strict=True))


def agreement(pages: Iterable[tuple[str, Page]]) -> tuple[int, int, int]:
    """(texts, most, all): how often most letters of a text, or all, have the language that the whole is told as."""
    count = most = whole = 0
    for _, page in pages:
        text = max(page.text.splitlines(), key=len)[:1000]
        language = identify_text(text).language
        letters: dict[str | None, int] = {}
        for span in track(text):
            letters[span.language] = letters.get(span.language, 0) + span.end - span.start
        count += 1
        most += bool(letters) and max(letters, key=lambda one: letters[one]) == language
        whole += set(letters) == {language}
    return count, most, whole


def main() -> int:
    """Read, crowd, judge, tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/text"))
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("-o", "--output", type=Path, default=HERE / "results")
    asked = parser.parse_args()
    file = asked.data / "pages.parquet"
    if not file.exists():
        print(f"skipped: there is no {file}")
        return 0
    rows, rng = chosen(file, asked.pages, asked.seed), random.Random(asked.seed)
    plain = [(tag, read_page(html, "text/html")) for tag, html in rows]
    full = [(tag, read_page(crowded(html, rng), "text/html")) for tag, html in rows]
    short = [(tag, read_page(f"<html lang={tag}><p>{page.text.strip()[:20]}", "text/html")) for tag, page in plain]
    texts, most, whole = agreement(plain)
    figures: dict[str, Any] = {
        "pages": len(rows),
        "as they are, visible text": right(plain, visible=True),
        "as they are, running text": right(plain),
        "crowded, visible text": right(full, visible=True),
        "crowded, running text": right(full),
        "20 characters, text alone": right(short),
        "20 characters, all witnesses": sum(identify_page(page).fused["language"] == tag for tag, page in short),
        "lines": texts,
        "lines of which most is tracked as the whole is told": most,
        "lines of which all is": whole,
    }
    for name, value in figures.items():
        print(f"{name:55} {value:5}")
    asked.output.mkdir(parents=True, exist_ok=True)
    (asked.output / "menus.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
