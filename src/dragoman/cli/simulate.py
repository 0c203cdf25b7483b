"""`dragoman simulate`: crawls of a stored or made web, strategy by strategy."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from dragoman.cli import complete, options
from dragoman.cli.inputs import tell

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dragoman.crawl.simulate import Shards
    from dragoman.crawl.strategies import LinkStrategy, StrategyOptions
    from dragoman.report.simulation import Shown
    from dragoman.web.graph import Graph

DEFAULT_STRATEGIES = ("bfs", "hard-focused", "soft-focused", "conservative-server", "perfect", "scout")


@click.command(short_help="Crawls of a stored or made web, strategy by strategy.")
@click.option("--graph", "graph_file", type=options.PATH, help="A graph file (see `dragoman links`).")
@click.option("--synth", is_flag=True, help="Make a web with the statistics of a real crawl.")
@click.option("--pages", type=int, default=100_000, show_default=True, help="--synth: how many pages.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the web and of the noise.")
@click.option(
    "--language", "languages", multiple=True, help="Wanted language; repeatable.", shell_complete=complete.languages
)
@click.option(
    "--strategy",
    "strategies",
    multiple=True,
    help="Strategy; repeatable. Default: six of them.",
    shell_complete=complete.strategies,
)
@click.option("--tolerance", "tolerances", multiple=True, type=int, help="T of the records; repeatable. Default: 10.")
@click.option("--url-score", type=click.Choice(["noisy", "model", "none"]), default="noisy", show_default=True,
              help="What scout knows of a URL: a score of known quality, our model's answer, or nothing.")  # fmt: skip
@click.option("--d-prime", type=float, default=1.8, show_default=True, help="Quality of the noisy score.")
@click.option(
    "--model",
    default="default",
    show_default=True,
    help="--url-score model: name or path.",
    shell_complete=complete.models,
)
@click.option("--no-promotion", is_flag=True, help="A URL keeps the priority with which it was first queued.")
@click.option("--defer", is_flag=True, help="Keep links of undecided servers aside instead of rejecting them.")
@click.option("--share", type=float, default=0.0, help="Servers stay relevant only with this share of relevant pages.")
@click.option("--halve-every", type=int, default=0, help="Halve the tolerance after every so many pages.")
@click.option("--readmit", type=int, default=0, help="Try a server again after so many links on relevant pages.")
@click.option("--complete", is_flag=True, help="scout: take every link, however unlikely.")
@click.option("--quota", "quotas", multiple=True, metavar="LANGUAGE=PAGES", help="scout: pages per language.")
@click.option("--shards", "shard_count", type=int, default=1, show_default=True,
              help="Crawl in so many shards of servers, each with its own queue and strategy.")  # fmt: skip
@click.option(
    "--level", type=int, default=4, show_default=True, help="--shards: ticks from one common level to the next."
)
@click.option("--plots/--no-plots", default=True, show_default=True, help="Draw the curves (needs matplotlib).")
@click.option("--events", is_flag=True, help="Also write every page of every crawl, in order: events.parquet.")
@click.option("-o", "--output", type=options.FOLDER, required=True, help="Folder for curves and plots.")
def simulate(
    graph_file: Path | None,
    synth: bool,
    pages: int,
    seed: int,
    languages: tuple[str, ...],
    strategies: tuple[str, ...],
    tolerances: tuple[int, ...],
    url_score: str,
    d_prime: float,
    model: str,
    no_promotion: bool,
    defer: bool,
    share: float,
    halve_every: int,
    readmit: int,
    complete: bool,
    quotas: tuple[str, ...],
    shard_count: int,
    level: int,
    plots: bool,
    events: bool,
    output: Path,
) -> None:
    """Crawl a stored graph (--graph) or a made web (--synth) with one or more strategies, without any network.

    Into the output folder: curves.parquet (coverage, harvest, queue and servers by pages), misses.parquet (relevant
    pages missed by distance), summary.json and plots; with --events also every page in the order of the crawl. Finished
    strategies are kept when the command is interrupted.
    Strategies: bfs, hard-focused, soft-focused, aggressive-server, conservative-server, conservative-directory,
    linguacrawl, trafilatura, perfect, perfect-fewest, scout, and those that installed packages add.
    """
    from dragoman.crawl.records import ServerRule
    from dragoman.crawl.simulate import Shards
    from dragoman.crawl.strategies import STRATEGIES, StrategyOptions
    from dragoman.crawl.strategies.options import parse_quotas
    from dragoman.errors import UsageError, check_extra
    from dragoman.languages import normalise

    check_extra("bulk", "pyarrow")
    if plots and find_spec("matplotlib") is None:
        if click.get_current_context().get_parameter_source("plots") is not ParameterSource.DEFAULT:
            check_extra("plot", "matplotlib")
        tell("note: no plots, for want of matplotlib: pip install 'dragoman[plot]'")
        plots = False
    if (graph_file is not None) == synth:
        raise UsageError("Give either a graph (--graph FILE) or --synth, which makes one")
    chosen = {name: STRATEGIES[name] for name in strategies or DEFAULT_STRATEGIES}
    wanted = tuple(normalise(language) for language in languages)
    enough = parse_quotas(quotas)
    options = [
        StrategyOptions(
            ServerRule(tolerance, share, halve_every, readmit=readmit), defer, not no_promotion, complete, quotas=enough
        )
        for tolerance in tolerances or (10,)
    ]
    shards = Shards(shard_count, level)
    scored = any(strategy.reads_scores for strategy in chosen.values())
    graph, wanted, score = _web(graph_file, wanted, pages, seed, url_score if scored else "none", d_prime, model)
    output.mkdir(parents=True, exist_ok=True)
    shown: list[Shown] = []
    stopped = _crawl_all(graph, wanted, chosen, options, score, shards, shown, output)
    about = {"languages": list(wanted), "url_score": url_score, "vertices": len(graph)}
    _write(shown, output, about | ({"shards": shard_count, "level": level} if shard_count > 1 else {}), plots=plots)
    from dragoman.report.simulation import event_columns, summary_table

    if events:
        _write_table(output / "events.parquet", event_columns(shown, graph))
    click.echo(summary_table(shown).to_text())
    if stopped:
        raise KeyboardInterrupt


def _web(
    graph_file: Path | None,
    wanted: tuple[str, ...],
    pages: int,
    seed: int,
    url_score: str,
    d_prime: float,
    model: str,
) -> tuple[Graph, tuple[str, ...], NDArray[np.float32] | None]:
    """(graph, wanted languages, score): read or made now."""

    from dragoman.cli.progress import steps
    from dragoman.crawl.url_scores import model_score, noisy_score
    from dragoman.errors import UsageError

    with steps() as report:
        if graph_file is not None:
            from dragoman.web.graph_file import read_graph

            report(0, 1, "reading the graph")
            graph = read_graph(graph_file)
            wanted = wanted or _most_common_of_seeds(graph)
            truth = _in_any(graph, wanted)
            urls = graph.urls
        else:
            from dragoman.crawl.synth import Recipe, make
            from dragoman.crawl.synth.urls import urls as make_urls

            report(0, 1, "making the web")
            web = make(Recipe(pages=pages, seed=seed, languages=wanted or ("th",)))
            graph, wanted = web.graph, web.recipe.languages
            truth = (web.latent >= 0) & (web.latent < len(wanted))
            urls = make_urls(web) if url_score == "model" else None
        if url_score == "none":
            return graph, wanted, None
        if url_score == "noisy":
            return graph, wanted, noisy_score(truth, graph.server, d_prime, seed)
        if urls is None:
            raise UsageError("The graph has no URLs, so --url-score model has nothing to read: use noisy or none")
        score = model_score(urls, wanted, model, lambda scored, total: report(scored, total, "scoring the URLs"))
    return graph, wanted, score


def _in_any(graph: Graph, languages: Sequence[str]) -> NDArray[np.bool_]:
    import numpy as np

    relevant: NDArray[np.bool_] = np.zeros(len(graph), np.bool_)
    for language in languages:
        relevant |= graph.is_in(language)
    return relevant


def _most_common_of_seeds(graph: Graph) -> tuple[str, ...]:
    """The language of most seeds; where they have none, that of most pages; nothing where no page has one."""
    import numpy as np

    for columns in (graph.language[graph.seeds], graph.language):
        if len(columns) and np.any(columns >= 0):
            return (graph.languages[int(np.bincount(columns[columns >= 0]).argmax())],)
    return ()


def _crawl_all(
    graph: Graph,
    wanted: Sequence[str],
    strategies: Mapping[str, type[LinkStrategy]],
    options: Sequence[StrategyOptions],
    score: NDArray[np.float32] | None,
    shards: Shards,
    shown: list[Shown],
    output: Path,
) -> bool:
    """Every strategy; what is finished is appended and written. True if it was interrupted."""

    from dragoman.cli.progress import Bar
    from dragoman.crawl.simulate import Simulation, distances
    from dragoman.report.simulation import Shown

    relevant = _in_any(graph, wanted)
    distance = distances(graph)
    for name, strategy in strategies.items():
        for asked in options if "rule" in strategy.options() else options[:1]:
            simulation = Simulation(graph, relevant, name, asked, score=score, shards=shards)
            interrupted = False
            with Bar(name) as bar:
                try:
                    while simulation.advance():
                        bar.update(simulation.crawl.pages / max(simulation.most, 1), simulation.crawl.pages)
                except KeyboardInterrupt:
                    interrupted = True
            shown.append(Shown.of(simulation.run, distance, relevant))
            _write(shown, output, {"languages": list(wanted)}, plots=False)
            if interrupted:
                return True
    return False


def _write(shown: Sequence[Shown], output: Path, about: dict[str, Any], *, plots: bool) -> None:
    from dragoman.files import write_whole
    from dragoman.report.simulation import curve_columns, figures, missed_columns

    for name, columns in (("curves", curve_columns(shown)), ("misses", missed_columns(shown))):
        _write_table(output / f"{name}.parquet", columns)
    summary = about | {"strategies": [simulated.run.summary() for simulated in shown]}
    write_whole(output / "summary.json", json.dumps(summary, indent=1) + "\n")
    for name, picture in figures(shown).items() if plots else ():
        write_whole(output / f"{name}.svg", picture)


def _write_table(path: Path, columns: dict[str, Any]) -> None:
    from dragoman.errors import need
    from dragoman.files import write_whole

    pa, parquet = need("bulk", "pyarrow"), need("bulk", "pyarrow.parquet")
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(columns), sink)
    write_whole(path, sink.getvalue().to_pybytes())
