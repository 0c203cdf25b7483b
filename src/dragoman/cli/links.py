"""`dragoman links`: what the links of a graph say about languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragoman.cli import complete, options

if TYPE_CHECKING:
    from dragoman.web.graph import Graph
    from dragoman.web.locality import Locality

#: Labels that the JSON output has at most; --labels writes all.
MOST_LABELS = 10_000


@click.command(short_help="Locality and distances of a web graph; short pages by their inlinks.")
@click.argument("file", required=False, type=options.PATH, metavar="[FILE]")
@click.option(
    "--language",
    "languages",
    multiple=True,
    help="Language to look at; repeatable. Default: the first.",
    shell_complete=complete.languages,
)
@click.option("--format", "format_", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option(
    "--model",
    metavar="NAME|PATH",
    help="Label pages without a language by their URLs with this model.",
    shell_complete=complete.models,
)
@click.option("--weights", is_flag=True, help="Edge lists: a link counts as often as its weight says.")
@click.option("--min-length", type=click.IntRange(0), default=50, show_default=True, help="Short pages: up to so long.")
@click.option("--max-inlinks", type=click.IntRange(1), default=10, show_default=True, help="Pages that vote, at most.")
@click.option("--min-ref-length", type=click.IntRange(0), default=150, show_default=True, help="How long they must be.")
@click.option("--labels", metavar="FILE", help="Write the labels of all short pages here, as JSON lines; - is stdout.")
@click.option("--synth", is_flag=True, help="Look at a made web instead, beside the figures of the paper.")
@click.option("--pages", type=int, default=100_000, show_default=True, help="--synth: how many pages.")
@click.option("--seed", type=int, default=0, show_default=True, help="--synth: the seed.")
@click.option("-o", "--output", type=options.PATH, help="Write the graph: .arrow or .parquet.")
def links(
    file: Path | None,
    languages: tuple[str, ...],
    format_: str,
    model: str | None,
    weights: bool,
    min_length: int,
    max_inlinks: int,
    min_ref_length: int,
    labels: str | None,
    synth: bool,
    pages: int,
    seed: int,
    output: Path | None,
) -> None:
    """How languages keep together in a web graph, how far apart their pages are, and what inlinks say of short pages.

    FILE is a graph file (.arrow, .parquet), pages as JSON lines (.jsonl: url, language, links), an edge list (.tsv:
    source, end, perhaps a weight) or a web archive (.warc, .wat), packed (.gz) or not. With -o it is written as a graph
    file, which `dragoman simulate --graph` reads.

    Tables count links by the languages of both ends, all of them and those between servers. A target server has a page
    in the language; the distances are links from the seeds, and from one target page to the nearest other one.
    """
    from dragoman.errors import UsageError
    from dragoman.languages import normalise

    if (file is None) != synth:
        raise UsageError("Give a graph file, or --synth, which makes a web: one of them")
    asked = [normalise(language) for language in languages]
    if synth:
        graph, extra = _made(pages, seed, asked, output)
    else:
        assert file is not None
        graph, extra = _read(file, weights, model), {}
        if output is not None:
            from dragoman.web.graph_file import write_graph

            write_graph(graph, output)
    if not asked:
        asked = list(graph.languages[:1])
    from dragoman.web.locality import locality

    localities = [locality(graph, language) for language in asked]
    rows = _short(graph, min_length, max_inlinks, min_ref_length)
    short = {"pages": len(rows), "labelled": sum(row["language"] is not None for row in rows)}
    short["changed"] = sum(row["language"] != row["own"] for row in rows)
    if labels is not None:
        _write(rows, labels)
    if format_ == "json":
        tables = [table.as_json() for table in localities]
        whole = {"graph": _about(graph), "locality": tables, "short_pages": short, **extra}
        if labels is None:
            short["labels"] = rows[:MOST_LABELS]  # type: ignore[assignment]
        click.echo(json.dumps(whole, ensure_ascii=False, indent=2), err=labels == "-")
        return
    click.echo("\n".join(_lines(graph, localities, short, extra)), err=labels == "-")


def _read(file: Path, weights: bool, model: str | None) -> Graph:
    from dragoman.web.importers import import_graph

    graph = import_graph(file, weights=weights, identify=_identify)
    return graph if model is None else _labelled(graph, model)


def _identify(text: str) -> str | None:
    from dragoman.identifiers.text.identify import identify_text

    return identify_text(text).language


def _labelled(graph: Graph, model: str) -> Graph:
    """The graph whose pages without a language have the one that their URLs tell."""
    from dataclasses import replace

    import numpy as np

    from dragoman.errors import UsageError
    from dragoman.identifiers.answer import answer
    from dragoman.identifiers.models import open_url_model

    if graph.urls is None:
        raise UsageError("--model labels pages by their URLs, but the graph has none")
    answers = answer(open_url_model(model), graph.urls)
    names = list(graph.languages) + [language for language in answers.languages if language not in graph.languages]
    column = np.array([names.index(language) for language in answers.languages] + [-1], np.int16)
    by_model = column[answers.language]
    return replace(
        graph,
        language=np.where((graph.language < 0) & graph.fetched, by_model, graph.language).astype(np.int16),
        languages=tuple(names),
    )


def _made(pages: int, seed: int, asked: list[str], output: Path | None) -> tuple[Graph, dict[str, Any]]:
    from dataclasses import replace

    from dragoman.crawl.synth import Recipe, make, statistics, urls

    web = make(Recipe(pages=pages, seed=seed, languages=tuple(asked) or ("th",)))
    if output is not None:
        from dragoman.web.graph_file import write_graph

        write_graph(replace(web.graph, urls=urls(web)), output)
    rows = statistics(web.graph, web.graph.languages[0])
    return web.graph, {"statistics": [row.as_json() for row in rows]}


def _short(graph: Graph, min_length: int, max_inlinks: int, min_ref_length: int) -> list[dict[str, Any]]:
    from dragoman.web.inlinks import by_inlinks, counted_inlinks, short_pages

    limits = {"min_length": min_length, "max_inlinks": max_inlinks, "min_ref_length": min_ref_length}
    voted = by_inlinks(graph, graph.language, **limits)
    inlinks = counted_inlinks(graph, min_ref_length)
    names: list[str | None] = [*graph.languages, None]  # the last is also number -1

    def row(page: int) -> dict[str, Any]:
        url = {} if graph.urls is None else {"url": graph.urls[page].decode("utf-8", "replace")}
        judged = {"language": names[voted[page]], "own": names[graph.language[page]], "inlinks": int(inlinks[page])}
        return {"page": page, **url, "characters": int(graph.length[page]), **judged}

    return [row(int(page)) for page in short_pages(graph, min_length)]


def _write(rows: list[dict[str, Any]], path: str) -> None:
    from dragoman.tables.output import output

    with output(path) as stream:
        for row in rows:
            stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


def _about(graph: Graph) -> dict[str, Any]:
    import numpy as np

    counts = np.bincount(graph.language[graph.fetched & (graph.language >= 0)], minlength=len(graph.languages))
    return {
        "vertices": len(graph),
        "pages": int(graph.fetched.sum()),
        "links": graph.links,
        "servers": graph.servers,
        "directories": graph.directories,
        "seeds": len(graph.seeds),
        "languages": {language: int(count) for language, count in zip(graph.languages, counts, strict=True)},
    }


def _lines(graph: Graph, localities: list[Locality], short: dict[str, Any], extra: dict[str, Any]) -> Iterator[str]:
    about = _about(graph)
    numbers = ", ".join(f"{about[name]:,} {name}" for name in ("vertices", "pages", "links", "servers", "directories"))
    yield f"graph: {numbers}"
    for measured in localities:
        yield ""
        yield from _tables(measured)
        yield from _distances(measured)
    if not localities:
        yield "no page of the graph has a language; --model labels pages by their URLs"
    yield ""
    yield (
        f"short pages: {short['pages']:,}, of which {short['labelled']:,} have a language by their inlinks and their "
        f"own text, {short['changed']:,} another one than before"
    )
    if extra:
        from dragoman.crawl.synth import Statistic, table

        keys = ("name", "paper", "ours", "allowed")
        yield ""
        yield from table([Statistic(*(row[key] for key in keys)) for row in extra["statistics"]])


def _tables(table: Locality) -> Iterator[str]:
    yield f"{table.language}: {table.target_pages:,} of {table.pages:,} pages, on {table.target_servers:,} servers"
    yield f"  {'links from':<32} {'to target':>12} {'to others':>12} {'share':>7}   between servers"
    for row in table.rows():
        first = f"{row['to_target']:>12,} {row['to_other']:>12,} {_percent(row['share']):>7}"
        second = f"{row['between_to_target']:>11,} {row['between_to_other']:>11,} {_percent(row['between_share']):>7}"
        yield f"  {row['from']:<32} {first}   {second}"


def _distances(table: Locality) -> Iterator[str]:
    yield f"  {'distance':<10} {'pages':>12} {'target':>12} {'share within':>13} {'nearest target':>15}"
    most = max(len(table.pages_at), len(table.nearest_at))
    within = table.target_share_within
    for distance in range(most):
        inside = distance < len(table.pages_at)
        counts = (table.pages_at[distance], table.target_at[distance]) if inside else (0, 0)
        share = _percent(float(within[distance])) if inside else ""
        nearest = f"{table.nearest_at[distance]:,}" if 0 < distance < len(table.nearest_at) else ""
        yield f"  {distance:<10} {counts[0]:>12,} {counts[1]:>12,} {share:>13} {nearest:>15}"
    yield f"  not reached from another target page: {table.alone:,}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
