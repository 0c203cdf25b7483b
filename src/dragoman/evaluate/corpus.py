"""A folder of labelled URLs for studies: `train.parquet` and the test sets `dev_<name>.parquet`.

Columns: url, lang, site (registered domain); in the test sets also site_unseen (the site is not in train) and half:
choices are made on `tune`, claims on `judge`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.columns import ByteColumn
from dragoman.errors import UnfitTable, need
from dragoman.tables.labelled.reading import read_labelled

#: The test sets that compare with the URL paper's, in its order: directory, search results, crawl.
USUAL = ("directory", "news", "crawl")

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class UrlSet:
    """URLs with the column number of their language (-1: another language), their site and which half they are in."""

    name: str
    urls: ByteColumn
    truth: Ints
    sites: Ints
    unseen: Bools
    judge: Bools

    def __len__(self) -> int:
        return len(self.truth)

    def take(self, rows: Ints) -> UrlSet:
        """These rows."""
        return replace(
            self,
            urls=self.urls.take(rows),
            truth=self.truth[rows],
            sites=self.sites[rows],
            unseen=self.unseen[rows],
            judge=self.judge[rows],
        )


@dataclass(frozen=True, eq=False)
class Corpus:
    """What a study needs: the languages, the training URLs, the test sets and the digests of the files."""

    languages: tuple[str, ...]
    train: UrlSet
    tests: dict[str, UrlSet]
    digests: dict[str, str]


def load_corpus(folder: Path, languages: Sequence[str], cap: int = 30, share: float = 1.0, seed: int = 0) -> Corpus:
    """The folder's URLs: training rows of these languages, at most `cap` per site, and of those a `share`.

    A test set without sites is of another kind, which has no intervals by site: it is left out.
    Caps and shares are drawn with the seed; test sets keep their rows of other languages (truth -1), so that closed
    and open tests can be told apart.
    """
    paths = sorted(folder.glob("dev_*.parquet"))
    tests = {path.stem.removeprefix("dev_"): path for path in [path for path in paths if _has_sites(path)] or paths}
    ordered = sorted(tests, key=lambda name: (USUAL.index(name) if name in USUAL else len(USUAL), name))
    files = {"train": folder / "train.parquet"} | {name: tests[name] for name in ordered}
    if not files["train"].exists() or len(files) < 2:
        raise UnfitTable(f"'{folder}' needs train.parquet and at least one dev_<name>.parquet with url, lang, site")
    numbers = _Numbers()
    sets = {name: _read(name, path, tuple(languages), numbers) for name, path in files.items()}
    train = sets.pop("train")
    rng = np.random.default_rng(seed)
    rows = np.flatnonzero(capped(train.sites, cap, rng) & (train.truth >= 0))
    if share < 1.0:
        rows = np.sort(rng.choice(rows, int(len(rows) * share), replace=False))
    return Corpus(
        languages=tuple(languages),
        train=train.take(rows),
        tests=sets,
        digests={path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files.values()},
    )


def _has_sites(path: Path) -> bool:
    """True for a test set with sites, and for a file that cannot be read: whoever reads it says what is wrong."""
    try:
        return "site" in need("bulk", "pyarrow.parquet").read_schema(path).names
    except (need("bulk", "pyarrow").ArrowException, OSError):
        return True


def capped(sites: Ints, cap: int, rng: np.random.Generator) -> Bools:
    """True for at most `cap` randomly chosen rows of each site.

    >>> int(capped(np.array([7, 7, 7, 8]), 2, np.random.default_rng(0)).sum())
    3
    """
    shuffled = rng.permutation(len(sites))
    by_site = shuffled[np.argsort(sites[shuffled], kind="stable")]
    ordered = sites[by_site]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    rank = np.arange(len(sites)) - np.repeat(starts, np.diff(np.concatenate([starts, [len(sites)]])))
    keep = np.zeros(len(sites), np.bool_)
    keep[by_site[rank < cap]] = True
    return keep


class _Numbers:
    """Gives every site one number in all files."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def of(self, column: Any) -> Ints:
        encoded = column.combine_chunks().dictionary_encode()
        names = [str(name) for name in encoded.dictionary.to_pylist()]
        codes = np.array([self.known.setdefault(name, len(self.known)) for name in names], np.int64)
        return np.asarray(codes[encoded.indices.to_numpy(zero_copy_only=False)])


def _read(name: str, path: Path, languages: tuple[str, ...], numbers: _Numbers) -> UrlSet:
    pc = need("bulk", "pyarrow.compute")
    labelled = read_labelled(path)
    columns = labelled.table.column_names
    if "site" not in columns:
        raise UnfitTable(f"'{path}' has no column 'site' (found: {', '.join(columns)}); intervals are by site")
    n = labelled.table.num_rows

    def flag(column: str, value: Any, default: bool) -> Bools:
        if column not in columns:
            return np.full(n, default)
        return np.asarray(pc.equal(labelled.table[column], value).to_numpy(zero_copy_only=False), np.bool_)

    truth = np.full(n, -1, np.int64)
    for column_number, language in enumerate(languages):
        truth[labelled.languages == language] = column_number
    return UrlSet(
        name=name,
        urls=ByteColumn.of(labelled.urls),
        truth=truth,
        sites=numbers.of(labelled.table["site"].cast("string")),
        unseen=flag("site_unseen", True, False),
        judge=flag("half", "judge", True),
    )
