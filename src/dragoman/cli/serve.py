"""`dragoman serve`: the languages of URLs, pages and texts over HTTP."""

from __future__ import annotations

from pathlib import Path

import click

from dragoman.cli import complete

_SIZE = click.FloatRange(0.001, 2_000)


@click.command(short_help="Languages over HTTP, and a page to look at them.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8321, show_default=True, help="0: any that is free.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes that answer.")
@click.option(
    "--folder", "folders", multiple=True, type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="DIR",
    help="A crawl, a simulation, or a folder of them, to look at; repeatable.",
)  # fmt: skip
@click.option(
    "--quiz", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
    help="URLs for the quiz, with columns url and lang.  [default: some that ship]",
)  # fmt: skip
@click.option(
    "--model",
    default="default",
    show_default=True,
    metavar="NAME|PATH",
    help="URL model that is asked.",
    shell_complete=complete.models,
)
@click.option("--allow-host", "hosts", multiple=True, metavar="NAME", help="Host that requests may name; repeatable.")
@click.option(
    "--allow-origin", "origins", multiple=True, metavar="ORIGIN",
    help="Web pages that may ask about URLs, as in https://example.org; * for all; repeatable.",
)  # fmt: skip
@click.option("--max-body", type=_SIZE, default=32.0, show_default=True, metavar="MB", help="Largest batch of URLs.")
@click.option("--max-page", type=_SIZE, default=8.0, show_default=True, metavar="MB", help="Largest page or text.")
@click.option("--max-urls", type=click.IntRange(min=1), default=100_000, show_default=True, help="Most URLs at a time.")
@click.option(
    "--timeout", type=click.FloatRange(0.1, 3600), default=30.0, show_default=True, help="Seconds per request."
)
@click.option(
    "--patience", type=click.FloatRange(0.1, 3600), default=20.0, show_default=True,
    help="Seconds that a client may take for its header, for its body, and to read.",
)  # fmt: skip
@click.option(
    "--connections", type=click.IntRange(min=1), default=1_000, show_default=True, help="Most at a time, per worker."
)
@click.option(
    "--access-log", type=click.Choice(["off", "common", "json"]), default="off", show_default=True,
    help="A line on stderr for each request, with what it asked.",
)  # fmt: skip
def serve(
    host: str,
    port: int,
    workers: int,
    folders: tuple[Path, ...],
    quiz: Path | None,
    model: str,
    hosts: tuple[str, ...],
    origins: tuple[str, ...],
    max_body: float,
    max_page: float,
    max_urls: int,
    timeout: float,
    patience: float,
    connections: int,
    access_log: str,
) -> None:
    """Answer over HTTP: languages of URLs, pages and texts, and a page to look at them in a browser.

    It listens on this machine only, unless --host says otherwise, and answers requests for this machine's names only,
    unless --allow-host names others. Everything is in it: nothing is loaded from elsewhere. Ctrl-C ends it.
    """
    from dragoman.errors import need
    from dragoman.identifiers.models import describe
    from dragoman.serve.settings import RequestLimits, ServiceSettings

    describe(model)  # what is wrong with the options is told before anybody waits for the packages
    for package in ("starlette", "pydantic", "uvicorn", "httptools", "orjson", "prometheus_client"):
        need("serve", package)
    from dragoman.serve.running import serve as run

    limits = RequestLimits(
        body=int(max_body * 1e6), page=int(max_page * 1e6), urls=max_urls, seconds=timeout, patience=patience,
        connections=connections,
    )  # fmt: skip
    settings = ServiceSettings(host, port, workers, model, folders, hosts, origins, limits, access_log, quiz)
    run(settings, lambda line: click.echo(line, err=True))
