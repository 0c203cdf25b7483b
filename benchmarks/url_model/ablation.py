"""What each ingredient of the recipe is worth: it is left out, and the tuning halves tell the difference, by kind.

    python benchmarks/url_model/ablation.py [--data DIR] [--texts DIR] [--only NAME ...] [--share S] [--output DIR]

Ingredients: the table of words, made URLs, messages of interfaces, names and abbreviations beside words, known sites,
codes, scripts, top-level domains, domains below which sites are registered (`qc.ca`) by themselves, hosts and domains
that are left out now and then, words that are read as n-grams now and then, the balance of languages, that URLs of one
site count less each, the doubt of lists, domains of several languages as contexts of their own, and the lean to large
languages. Figures: the share of right answers on ordinary URLs by kind (dev_sense), macro balanced F of the five
languages and accuracy of all languages
on the other sets. One run each, on a share of the URLs; `--only` takes some, `--list` names them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from page import as_json, save

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))

from make_model import INTERFACES, calibrate, lean, training_rows, tuning_rows  # noqa: E402
from sense import judge_sense  # noqa: E402
from url_material.gathering import Gathered, gather, importance  # noqa: E402

from dragoman import measures  # noqa: E402
from dragoman.evaluate.corpus import load_corpus  # noqa: E402
from dragoman.identifiers.url.parts.classifier import WeighedParts  # noqa: E402
from dragoman.identifiers.url.parts.domains import DomainPriors  # noqa: E402
from dragoman.identifiers.url.parts.material import WordWeights  # noqa: E402
from dragoman.languages import FIVE  # noqa: E402
from dragoman.report.tables import Column, Table  # noqa: E402

SHARED = ROOT.parent / "shared" / "data"
ALL = "everything"
INTERFACE_MESSAGES = "messages of interfaces"
#: These make another set of URLs and words: everything is gathered anew without them (kinds of made URLs).
GATHERED_ANEW: Mapping[str, tuple[str, ...]] = {
    INTERFACE_MESSAGES: (),
    "names and abbreviations beside words": ("named", "abbreviated"),
}


@dataclass(frozen=True)
class Variant:
    """The recipe without something: other material, other parameters, or another lean."""

    name: str
    change: Callable[[Gathered], Gathered] = lambda gathered: gathered
    params: Mapping[str, Any] = field(default_factory=dict)
    lean: Callable[[WeighedParts, dict[str, int]], None] = lean


def _with(gathered: Gathered, **changes: Any) -> Gathered:
    return replace(gathered, material=replace(gathered.material, **changes))


def _counting(gathered: Gathered, **changes: NDArray[np.float64]) -> Gathered:
    values = {name: values.astype(np.float32) for name, values in changes.items()}
    return replace(gathered, counted=replace(gathered.counted, **values))


def _drawn(gathered: Gathered, rows: Any) -> Gathered:
    labels = [gathered.labels[row] for row in rows.tolist()]
    real = int(np.searchsorted(rows, gathered.real))
    return replace(
        gathered,
        urls=gathered.urls.take(rows),
        labels=labels,
        counted=gathered.counted.take(rows),
        real=real,
    )


def _mostly_real(gathered: Gathered) -> Any:
    """Rows of real URLs, and of the made ones those of languages that have no others."""
    with_sites = set(gathered.labels[: gathered.real])
    alone = [row for row in range(gathered.real, len(gathered.labels)) if gathered.labels[row] not in with_sites]
    return np.append(np.arange(gathered.real), np.array(alone, np.int64))


def _without_sites(gathered: Gathered) -> Gathered:
    """Each URL counts as its language does, however many its site has."""
    by_url = importance(gathered.urls, gathered.labels, range(gathered.real), gathered.material.languages)
    return _counting(gathered, importance=by_url.astype(np.float64))


def _undivided(domains: DomainPriors) -> DomainPriors:
    """Top-level domains alone."""
    kept = [row for row, name in enumerate(domains.names) if "." not in name]
    return DomainPriors(tuple(domains.names[row] for row in kept), domains.kinds[kept], domains.rows[kept])


def variants() -> list[Variant]:
    """Everything, then everything less one ingredient each."""
    no_words = WordWeights.of_entries([], [])
    return [
        Variant(ALL),
        Variant("the table of words", lambda one: _with(one, words=no_words)),
        Variant("made URLs", lambda one: _drawn(one, _mostly_real(one))),
        *(Variant(name) for name in GATHERED_ANEW),
        Variant("known sites", lambda one: _with(one, names=replace(one.material.names, sites={}))),
        Variant("codes", lambda one: _with(one, codes=replace(one.material.codes, languages={}, meanings={}))),
        Variant("scripts", lambda one: _with(one, names=replace(one.material.names, scripts=()))),
        Variant(
            "top-level domains",
            lambda one: _with(
                one, domains=replace(one.material.domains, rows=np.zeros_like(one.material.domains.rows))
            ),
        ),
        Variant(
            "domains below which sites are registered", lambda one: _with(one, domains=_undivided(one.material.domains))
        ),
        Variant("hosts left out now and then", params={"host_dropped": 0.0}),
        Variant("domains left out now and then", params={"domain_dropped": 0.0}),
        Variant("words read as n-grams now and then", params={"word_kept": 1.0}),
        Variant(
            "balance of languages",
            lambda one: _counting(
                one, importance=np.where(np.arange(len(one.labels)) < one.real, 1, one.counted.importance)
            ),
        ),
        Variant("URLs of one site counting less each", _without_sites),
        Variant("doubt of lists", lambda one: _counting(one, doubt=np.zeros(len(one.labels)))),
        Variant(
            "domains of several languages apart",
            lambda one: _with(one, domains=replace(one.material.domains, kinds=one.material.domains.kinds % 2)),
        ),
        Variant("lean to large languages", lean=lambda model, rows: None),
    ]


def figures(gathered: Gathered, variant: Variant, folder: Path) -> dict[str, float]:
    """The figures of the tuning halves: ordinary URLs by kind, then the five languages and all by set."""
    changed = variant.change(gathered)
    model = WeighedParts(**variant.params).fit(changed.urls, changed.labels, changed.material, changed.counted)
    variant.lean(model, training_rows(changed))
    calibrate(model, tuning_rows(folder))
    found = {kind: share.right for kind, share in judge_sense(model, folder / "dev_sense.parquet", "tune").items()}
    place = np.array([*(FIVE.index(tag) if tag in FIVE else -1 for tag in model.languages_), -1])
    for name, test in load_corpus(folder, model.languages_).tests.items():
        tune = test.take(np.flatnonzero(~test.judge))
        scores = model.scores(tune.urls)
        five = np.flatnonzero(place[tune.truth] >= 0)
        answers = measures.one_hot(scores.restricted(FIVE).best[five], len(FIVE))
        found[f"{name}, five"] = measures.macro_f(place[tune.truth[five]], answers)
        found[f"{name}, all"] = float((scores.best == tune.truth)[tune.truth >= 0].mean())
    return found


def table(results: Mapping[str, Mapping[str, float]]) -> Table:
    """Figures of everything, and what leaving each ingredient out changes, in points."""
    whole = results[ALL]
    rows: list[tuple[Any, ...]] = [(ALL, *(f"{100 * value:.1f}" for value in whole.values()))]
    rows += [
        (f"without {name}", *(f"{100 * (one[key] - value):+.1f}" for key, value in whole.items()))
        for name, one in results.items()
        if name != ALL
    ]
    columns = [Column("recipe", "text"), *(Column(name, "text") for name in whole)]
    return Table("Left out one at a time, tuning halves", columns, rows, "In percent; differences in points.")


def main() -> int:
    """Train all variants, print what each costs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED / "urls")
    parser.add_argument("--texts", type=Path, default=SHARED / "text")
    parser.add_argument("--interfaces", type=Path, default=INTERFACES)
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this ingredient; may be repeated")
    parser.add_argument("--share", type=float, default=0.3, help="of the URLs that are learnt from")
    parser.add_argument("--output", type=Path, default=HERE / "results")
    parser.add_argument("--list", action="store_true", help="the names of the ingredients")
    arguments = parser.parse_args()
    chosen = [one for one in variants() if not arguments.only or one.name in (ALL, *arguments.only)]
    if arguments.list or len(chosen) <= len(set(arguments.only)):
        print("\n".join(one.name for one in variants()))
        return 0 if arguments.list else 2
    if not (arguments.data / "train2.parquet").exists():
        print("ablation: skipped, there are no labelled URLs beside the repository (give some with --data)")
        return 0

    def share_of(name: str) -> Gathered:
        interfaces = None if name == INTERFACE_MESSAGES else arguments.interfaces
        report = partial(print, file=sys.stderr)
        whole = gather(arguments.data, arguments.texts, interfaces, report, left_out=GATHERED_ANEW.get(name, ()))
        return _drawn(whole, np.flatnonzero(np.random.default_rng(1).random(len(whole.labels)) < arguments.share))

    gathered = share_of(ALL)
    results: dict[str, dict[str, float]] = {}
    for variant in chosen:
        started = time.monotonic()
        own = share_of(variant.name) if variant.name in GATHERED_ANEW else gathered
        results[variant.name] = figures(own, variant, arguments.data)
        shown = " ".join(f"{value:.3f}" for value in results[variant.name].values())
        print(f"{variant.name}: {time.monotonic() - started:.0f} s: {shown}", file=sys.stderr)
    print(table(results).to_text())
    if not arguments.only:
        about = "\n\n".join((__doc__ or "").strip().split("\n\n")[2:])
        page = f"# What each ingredient is worth\n\n{about}\n\n{table(results).to_markdown()}\n"
        kept = as_json({"share": arguments.share, "results": results})
        save(arguments.output, {"ablation.json": kept, "ablation.md": page.encode()})
    return 0


if __name__ == "__main__":
    sys.exit(main())
