"""A web of real pages: the translated manuals in Debian's packages, as files under hosts, with their true languages.

The packages are fetched with `apt-get download`, and only their HTML is unpacked, into `build/real-web`. A page belongs
to a host by book and translation (`gimp-2.example`), so that no host name gives a language away; three books whose
translations link to one another are a host each. Paths and links inside a book are its own. What joins the books is a
list of them on a host of its own, in English, with the translations of each by the name of their language.

A page is in the language of its translation, unless most of what it says stands word for word on the same page of the
English book: then nobody has translated it, and it is English.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from dragoman.identifiers.text.document import read_page
from dragoman.languages import find, name
from dragoman.web.addresses import canonical

HOME = Path(__file__).resolve().parents[2] / "build" / "real-web"
LIST = "books.example"
#: The front page of each program in the office help.
FRONT = "main0000.html"
#: The share of a page's letters in lines that the English page has too from which on it is taken for English.
UNTRANSLATED = 0.5

OFFICE = ("de", "en-us", "et", "fr", "om")
GIMP = ("de", "en", "fi", "lt", "nn")
APTITUDE = ("cs", "en", "es", "fi", "fr", "it", "ja", "nl", "ru")
FAQ = ("-de", "-fr", "-it", "-ja", "-ko", "-nl", "-pt", "-ru", "-zh-cn", "")
REFERENCE = ("de", "en", "es", "fr", "id", "it", "ja", "pt", "pt-br", "zh-cn", "zh-tw")
DEVELOPERS = ("-de", "-fr", "-it", "-ja", "-ru", "")
LILYPOND = ("-ca", "-cs", "-de", "-es", "-fr", "-hu", "-it", "-ja", "-nl", "-pt", "-zh", "")
GUIDE = ("-ca", "-de", "-es", "-fr", "-it", "-ja", "-ru", "-vi", "-zh-cn", "-zh-tw", "")


@dataclass(frozen=True)
class Book:
    """A manual: its packages, where their files are, and whether its translations share a host."""

    name: str
    packages: tuple[str, ...]
    root: str
    shared: bool = False


BOOKS = (
    Book("office", tuple(f"libreoffice-help-{one}" for one in OFFICE), "usr/share/libreoffice/help/"),
    Book("gimp", tuple(f"gimp-help-{one}" for one in GIMP), "usr/share/gimp/2.0/help/"),
    Book("aptitude", tuple(f"aptitude-doc-{one}" for one in APTITUDE), "usr/share/doc/aptitude/html/"),
    Book("faq", tuple(f"debian-faq{one}" for one in FAQ), "usr/share/doc/debian/FAQ/"),
    Book("handbook", ("debian-handbook",), "usr/share/doc/debian-handbook/html/"),
    Book("installation", ("installation-guide-amd64",), "usr/share/doc/installation-guide-amd64/"),
    Book(
        "reference", tuple(f"debian-reference-{one}" for one in REFERENCE), "usr/share/debian-reference/", shared=True
    ),
    Book("developers", tuple(f"developers-reference{one}" for one in DEVELOPERS), "usr/share/developers-reference/"),
    Book("guide", tuple(f"maint-guide{one}" for one in GUIDE), "usr/share/doc/"),
    Book("lilypond", tuple(f"lilypond-doc-html{one}" for one in LILYPOND), "usr/share/doc/lilypond/html/", shared=True),
    Book("apache", ("apache2-doc",), "usr/share/doc/apache2-doc/manual/", shared=True),
)
_IN_PATH = re.compile(r"^([a-z]{2}(?:[-_][A-Za-z]{2})?)/")
_IN_NAME = re.compile(r"\.([a-z]{2}(?:[-_][a-z]{2})?)\.html$")


@dataclass
class RealPage:
    """A page: where it is on the web, its true language and its links within the web."""

    url: str
    language: str
    translated: bool
    links: list[str]


def unpack() -> None:
    """Fetch and unpack what is not there yet."""
    for book in BOOKS:
        for package in book.packages:
            folder = HOME / "files" / package
            if folder.exists():
                continue
            (HOME / "packages").mkdir(parents=True, exist_ok=True)
            found = sorted((HOME / "packages").glob(f"{package}_*.deb"))
            if not found:
                command = ["apt-get", "download", "-qq", package]
                subprocess.run(command, cwd=HOME / "packages", check=True, stderr=subprocess.DEVNULL)
                found = sorted((HOME / "packages").glob(f"{package}_*.deb"))
            raw = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(found[-1])], check=True, capture_output=True).stdout
            with tarfile.open(fileobj=io.BytesIO(raw)) as archive:
                pages = [one for one in archive.getmembers() if one.isreg() and one.name.endswith(".html")]
                archive.extractall(folder, pages, filter="data")


def _code(path: str) -> str:
    """The language of a translation by the name of a file or its folder; English where it has none."""
    found = _IN_NAME.search(path) or _IN_PATH.match(path)
    code = find(found[1].replace("_", "-")) if found else None
    return code or "en"


def _pages_of(book: Book) -> Iterator[tuple[str, str, Path]]:
    """(code, path below the book, file) of each page, in order."""
    for package in book.packages:
        folder = HOME / "files" / package / book.root
        for file in sorted(folder.rglob("*.html")):
            path = str(file.relative_to(folder))
            yield _code(path), path, file


def placed(port: int) -> tuple[dict[str, Path], dict[tuple[str, str, str], str], dict[str, tuple[str, str]]]:
    """Files by URL, front pages by book, language and place, and of each URL (book, language)."""
    files: dict[str, Path] = {}
    first: dict[tuple[str, str, str], str] = {}
    about: dict[str, tuple[str, str]] = {}
    for book in BOOKS:
        numbers: dict[str, int] = {}
        ranks: dict[tuple[str, str, str], int] = {}
        for code, path, file in _pages_of(book):
            number = 1 if book.shared else numbers.setdefault(_folder(path, code), len(numbers) + 1)
            url = canonical(f"http://{book.name}-{number}.example:{port}/{path}")
            assert url is not None
            files[url], about[url] = file, (book.name, code)
            # The front page is the index that lies least deep, else the first page; the help has one per program.
            place = book.name, code, f"{number} {file.parent.name if file.name == FRONT else ''}"
            rank = (not file.name.startswith("index")) * 100 + path.count("/")
            if (book.name != "office" or file.name == FRONT) and rank < ranks.get(place, 1000):
                first[place], ranks[place] = url, rank
    return files, first, about


def _folder(path: str, code: str) -> str:
    return path.split("/")[0] if "/" in path else code


def listing(port: int, first: dict[tuple[str, str, str], str]) -> dict[str, bytes]:
    """The list of books: each with its translations by name."""
    text = "Here you find all the manuals that we publish, and the languages into which volunteers translated them."
    parts = [f"<title>All our manuals</title><p>{text}</p>"]
    for book in BOOKS:
        links = "".join(
            f'<li><a href="{escape(url)}">{name(code)}</a></li>'
            for (title, code, _), url in sorted(first.items())
            if title == book.name
        )
        parts.append(f"<p>The manual called {book.name} is there in these languages:</p><ul>{links}</ul>")
    return {f"http://{LIST}:{port}/": f"<!DOCTYPE html><html><body>{''.join(parts)}</body></html>".encode()}


def truths(port: int) -> dict[str, RealPage]:
    """Every page by URL; read once and kept, since it takes a minute."""
    kept = HOME / "pages.json"
    files, first, about = placed(port)
    if not kept.exists():
        read, places = _read(files, about), {url: place for place, url in enumerate(files)}
        rows = [[page.language, page.translated, [places[end] for end in page.links]] for page in read]
        kept.write_text(json.dumps(rows), encoding="utf-8")
    urls = list(files)
    pages = {}
    for url, (language, translated, links) in zip(urls, json.loads(kept.read_text(encoding="utf-8")), strict=True):
        pages[url] = RealPage(url, language, translated, [urls[end] for end in links])
    for url, body in listing(port, first).items():
        links = [canonical(link.url) for link in read_page(body, "text/html", url).links]
        pages[url] = RealPage(url, "en", True, [link for link in links if link])
    return pages


def _read(files: dict[str, Path], about: dict[str, tuple[str, str]]) -> list[RealPage]:
    """The pages in the order of their files; the English ones are read first, to be compared with."""
    texts: dict[str, set[str]] = {}
    pages = {}
    english = [url for url in files if about[url][1] == "en"]
    for url in [*english, *(url for url in files if about[url][1] != "en")]:
        book, code = about[url]
        page = read_page(files[url].read_bytes(), "text/html", url)
        lines = page.text.splitlines()
        same = f"{book} {_neutral(url)}"
        if code == "en":
            texts[same] = set(lines)
        taken = sum(len(line) for line in lines if line in texts.get(same, ()))
        share = taken / max(len(page.text), 1) if code != "en" else 0.0
        links = {canonical(link.url) for link in page.links} | {canonical(frame) for frame in page.frames}
        inside = sorted(link for link in links if link is not None and link in files)
        pages[url] = RealPage(url, "en" if share > UNTRANSLATED else code, share <= UNTRANSLATED, inside)
    return [pages[url] for url in files]


def _neutral(url: str) -> str:
    """What pages of one book in several languages have in common: the path without the language."""
    path = url.split("/", 3)[3]
    return re.sub(r"\.[a-z]{2}([-_][a-z]{2})?\.html$", ".html", re.sub(r"^[a-z]{2}([-_][A-Za-z]{2})?/", "", path))


def reached(pages: dict[str, RealPage], seeds: list[str]) -> set[str]:
    """The pages that links lead to from the seeds."""
    found = {url for url in seeds if url in pages}
    waiting = list(found)
    while waiting:
        for end in pages[waiting.pop()].links:
            if end in pages and end not in found:
                found.add(end)
                waiting.append(end)
    return found
