"""Very short pages, eleven languages: the text alone, inlinks, and everything together (Hayati 2004, section 5.4).

python benchmarks/links/short_pages.py [--data ../shared/data/text/sentences.parquet] [--pages 60000] [--seeds 11,12,13]
                                       [-o benchmarks/links/results]

Real sentences are put on the pages of a synthetic web whose links join languages as in Table 4 of Tamura et al. (2007);
a part of its pages is cut to under 25 and to 25-50 characters. No page graph with languages can be had, so the links
are made; texts and identifiers are real. Half of the servers serve to find temperatures, the other half to judge.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spreading import couplings, log_evidence, same_language_share, spread

from dragoman.columns import ByteColumn
from dragoman.crawl.synth import SyntheticWeb, urls
from dragoman.identifiers.models import open_model
from dragoman.identifiers.text.algorithms.fisher_cosine import FisherCosine
from dragoman.languages import ELEVEN
from dragoman.studies.hayati_2004.links import eleven_web, silenced
from dragoman.web.inlinks import MIN_REF_LENGTH, by_inlinks, by_outlinks, counted_inlinks

SIZES = {"under 25": (3, 24), "25 to 50": (25, 49)}
#: Bounds of the lengths that share a temperature.
BOUNDS = (25, 50, 150)
TRAINING = 22_446
#: Below this belief the answer is "I don't know".
SURE = 0.9


@dataclass(frozen=True, eq=False)
class Texts:
    """Sentences by language; those before `cut` train, the others fill pages."""

    sentences: dict[str, list[str]]

    def training(self, characters: int) -> tuple[list[str], list[str]]:
        """Training documents: so many characters of each language, in documents of about 1000."""
        documents, labels = [], []
        for language, all_ in self.sentences.items():
            text = " ".join(all_[: len(all_) // 2])[:characters]
            parts = [text[at : at + 1000] for at in range(0, len(text), 1000)]
            documents += parts
            labels += [language] * len(parts)
        return documents, labels

    def page(self, language: str, length: int, chance: np.random.Generator) -> str:
        """About `length` characters of sentences that training did not have, cut between words where it can be."""
        pool = self.sentences[language]
        half = len(pool) // 2
        at = int(chance.integers(half, len(pool)))
        text = pool[at]
        while len(text) < length:
            at = half + (at + 1 - half) % (len(pool) - half)
            text += " " + pool[at]
        cut = text[: length + 1].rfind(" ")
        return text[: cut if cut >= 0.6 * length and cut >= 3 else length]


def read_texts(path: Path) -> Texts:
    """The eleven languages' sentences, in an order that only the seed of the shuffle decides."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["text", "lang", "source"])
    found: dict[str, list[str]] = {}
    for language in ELEVEN:
        codes = ["nb", "no"] if language == "no" else [language]
        rows = table.filter(pc.is_in(table["lang"], value_set=pa.array(codes)))
        texts = sorted(set(rows["text"].to_pylist()))
        np.random.default_rng(5).shuffle(texts)
        found[language] = [text for text in texts if len(text) >= 15][:20_000]
    return Texts(found)


def fill(web: SyntheticWeb, texts: Texts, seed: int) -> tuple[SyntheticWeb, ByteColumn]:
    """The web with a text on every fetched page, an eighth of them under 25 and an eighth of 25 to 50 characters."""
    chance = np.random.default_rng([seed, 77])
    pages = int(web.graph.fetched.sum())
    kind = chance.integers(0, 8, pages)
    graph = silenced(web.graph, np.flatnonzero(kind < len(SIZES)), chance)
    length = np.clip(graph.length[:pages], 60, 3000)
    for number, (low, high) in enumerate(SIZES.values()):
        length = np.where(kind == number, chance.integers(max(5, low), high + 1, pages), length)
    rows = [texts.page(ELEVEN[graph.language[page]], int(length[page]), chance) for page in range(pages)]
    found = graph.length.copy()
    found[:pages] = [len(row) for row in rows]
    return replace(web, graph=replace(graph, length=found)), ByteColumn.of(rows)


def softened(
    cosines: NDArray[np.float32], length: NDArray[np.int32], truth: NDArray[np.int16], tune: NDArray[np.bool_]
) -> Any:
    """Probabilities: softmax(sharpness * cosine), the sharpness of each range of lengths found on the tuning half."""
    known = np.nan_to_num(cosines.astype(np.float64))
    bucket = np.searchsorted(BOUNDS, length, side="right")
    result = np.empty_like(known)
    for number in range(len(BOUNDS) + 1):
        rows, best = bucket == number, (np.inf, 1.0)
        fit = np.flatnonzero(rows & tune)
        for sharpness in np.geomspace(2, 200, 25):
            logits = sharpness * known[fit]
            loss = np.log(np.exp(logits - logits.max(axis=1, keepdims=True)).sum(axis=1))
            loss -= (logits - logits.max(axis=1, keepdims=True))[np.arange(len(fit)), truth[fit]]
            best = min(best, (float(loss.mean()) if len(fit) else np.inf, float(sharpness)))
        logits = best[1] * known[rows]
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        result[rows] = odds / odds.sum(axis=1, keepdims=True)
    result[np.isnan(cosines).any(axis=1)] = np.nan
    return result.astype(np.float32)


def run(texts: Texts, pages: int, seed: int, most: float = 6.0) -> dict[str, dict[str, float]]:
    """Accuracy of every method on the short pages of one web."""
    web, rows = fill(eleven_web(pages, seed), texts, seed)
    graph, n, width = web.graph, len(rows), len(ELEVEN)
    truth = graph.language[:n]
    tune = np.zeros(n, np.bool_)
    tune[:] = graph.server[:n] % 2 == 0  # servers are in random order
    model = FisherCosine.paper().fit(*texts.training(TRAINING))
    columns = [model.languages_.index(one) for one in ELEVEN]
    cosines = model.scores(rows).matrix[:, columns]
    own = np.full(len(graph), -1, np.int16)
    own[:n] = np.where(np.isnan(cosines).any(axis=1), -1, np.nan_to_num(cosines, nan=-1).argmax(axis=1))
    voted, led = by_inlinks(graph, own), by_outlinks(graph, own)
    text_part = np.full((len(graph), width), np.nan, np.float32)
    text_part[:n] = softened(cosines, graph.length[:n], truth, tune)
    addresses = open_model("default")
    place = [addresses.languages_.index(one) for one in ELEVEN]
    url_part = np.concatenate(
        [
            addresses.probabilities(urls(web, at, min(at + 50_000, len(graph))))[:, place]
            for at in range(0, len(graph), 50_000)
        ]
    )
    url_part = (url_part / url_part.sum(axis=1, keepdims=True)).astype(np.float32)
    long = np.where(graph.length >= MIN_REF_LENGTH, own, -1).astype(np.int16)
    shares = np.bincount(long[long >= 0], minlength=width) + 1.0
    same = couplings(graph, long, list(shares))
    told: dict[str, NDArray[np.int16]] = {"fisher-cosine": own, "inlinks": voted, "outlinks": led}
    for name, evidence in (
        ("spreading, text", log_evidence(text_part)),
        ("url", log_evidence(url_part)),
        ("url and text", log_evidence(text_part, url_part)),
        ("everything together", log_evidence(text_part, url_part)),
    ):
        if name.startswith("url"):
            told[name] = evidence.argmax(axis=1).astype(np.int16)
        else:
            found = spread(graph, evidence, ELEVEN, same=same, shares=list(shares / shares.sum()), most=most)
            told[name], sure, rounds, settled = found.answers(0), found.answers(SURE), found.rounds, found.settled
    linked = counted_inlinks(graph)[:n]
    result: dict[str, dict[str, float]] = {}
    for size, (low, high) in SIZES.items():
        rows_ = ~tune & (graph.length[:n] >= low) & (graph.length[:n] <= high)
        for group, chosen in (
            ("all", rows_),
            ("5 or more inlinks", rows_ & (linked >= 5)),
            ("1 or more", rows_ & (linked >= 1)),
        ):
            cell = {name: float((said[:n][chosen] == truth[chosen]).mean()) for name, said in told.items()}
            result[f"{size}, {group}"] = {"pages": int(chosen.sum())} | cell
    short = ~tune & (graph.length[:n] < 25)
    answered = short & (sure[:n] >= 0)
    result["web"] = {
        "pages": n,
        "links_of_one_language": float(same_language_share(graph, graph.language) or 0),
        "answered": float(answered.sum() / short.sum()),
        "right": float((sure[:n] == truth)[answered].mean()),
        "rounds": rounds,
        "settled": settled,
    }
    return result


def table(results: dict[str, dict[str, dict[str, float]]]) -> list[str]:
    """Means over the seeds, with the smallest and the largest."""
    groups = [group for group in next(iter(results.values())) if group != "web"]
    names = [name for name in next(iter(results.values()))[groups[0]] if name != "pages"]
    lines = [f"| pages | n | {' | '.join(names)} |", "|---" * (len(names) + 2) + "|"]
    for group in groups:
        cells = []
        for name in names:
            values = [100 * one[group][name] for one in results.values()]
            cells.append(f"{np.mean(values):.1f} ({min(values):.1f}-{max(values):.1f})")
        count = int(np.mean([one[group]["pages"] for one in results.values()]))
        lines.append(f"| {group} | {count:,} | {' | '.join(cells)} |")
    return lines


def verdicts(results: dict[str, dict[str, dict[str, float]]]) -> list[str]:
    """What must hold, and whether it does."""

    def mean(group: str, name: str) -> float:
        return float(np.mean([one[group][name] for one in results.values()]))

    alone, links = 1 - mean("under 25, all", "fisher-cosine"), 1 - mean("under 25, all", "inlinks")
    together, five = (
        1 - mean("under 25, all", "everything together"),
        mean("under 25, 5 or more inlinks", "everything together"),
    )
    return [
        f"under 25 characters, error: text alone {alone:.1%}, inlinks {links:.1%} ({links / alone:.2f} of it), "
        f"everything together {together:.1%} ({together / alone:.2f}): "
        f"link evidence {'halves it' if min(links, together) <= alone / 2 else 'DOES NOT halve it'}",
        f"under 25 characters with five or more inlinks, everything together: {five:.1%} "
        f"({'at least' if five >= 0.9 else 'BELOW'} 90 %)",
    ]


def main() -> int:
    """Run, print and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data/text/sentences.parquet"))
    parser.add_argument("--pages", type=int, default=60_000)
    parser.add_argument("--seeds", default="11,12,13")
    parser.add_argument("-o", "--output", type=Path, default=Path("benchmarks/links/results"))
    asked = parser.parse_args()
    if not asked.data.exists():
        print(f"skipped: there is no {asked.data}")
        return 0
    texts = read_texts(asked.data)
    results = {seed: run(texts, asked.pages, int(seed)) for seed in asked.seeds.split(",")}
    webs = [one["web"] for one in results.values()]
    lines = [
        "# Very short pages",
        "",
        f"Accuracy in percent on the judging half, mean of {len(results)} webs of {asked.pages:,} pages (smallest and "
        f"largest); eleven languages, fisher-cosine with the report's choices and {TRAINING:,} training characters per "
        f"language. {100 * np.mean([one['links_of_one_language'] for one in webs]):.1f} % of the links between pages "
        "join pages of one language. Four of five short pages have no links of their own.",
        "",
        *table(results),
        "",
        *(f"- {line}" for line in verdicts(results)),
        f'- everything together with "I don\'t know" below a belief of {SURE}: '
        f"{np.mean([one['answered'] for one in webs]):.1%} of the pages under 25 characters are answered, "
        f"{np.mean([one['right'] for one in webs]):.1%} of these right; beliefs settle in "
        f"{max(one['rounds'] for one in webs)} rounds at most"
        + ("" if all(one["settled"] for one in webs) else " (NOT all settled)"),
        "",
        "Published (Table 5.1, pages found through weblogs, most of them English): text alone 33.8 and 43.3 %, "
        "inlinks 71.0 and 70.9 %.",
        "",
        "Made by `python benchmarks/links/short_pages.py`.",
    ]
    print("\n".join(lines))
    asked.output.mkdir(parents=True, exist_ok=True)
    (asked.output / "short_pages.md").write_text("\n".join(lines) + "\n")
    (asked.output / "short_pages.json").write_text(json.dumps(results, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
