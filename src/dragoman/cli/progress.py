"""Progress on stderr: a bar for people, only when the work takes longer than two seconds; lines for logs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

PATIENCE = 2.0


class Bar:
    """A bar for work of which a fraction (or, where that is not known, a number of rows) is done.

    >>> with Bar("Reading") as bar:
    ...     bar.update(0.5, rows=1000)
    """

    def __init__(self, text: str, wanted: bool = True) -> None:
        self.text = text
        self.wanted = wanted and sys.stderr.isatty()
        self.began = time.monotonic()
        self.bar: Any = None

    def update(self, fraction: float | None, rows: int) -> None:
        """Say how far the work is."""
        if not self.wanted or time.monotonic() - self.began < PATIENCE:
            return
        if self.bar is None:
            self.bar = _rows_bar()
            self.task = self.bar.add_task(self.text, total=None, rows=0, speed=0)
            self.bar.start()
        speed = rows / (time.monotonic() - self.began)
        total = None if fraction is None else 1.0
        self.bar.update(self.task, total=total, completed=fraction or 0.0, rows=rows, speed=speed)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()


def _rows_bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rows]:,} rows, {task.fields[speed]:,.0f}/s"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


#: Seconds between two lines of a long run where nobody watches a bar.
PAUSE = 10.0


@contextmanager
def steps() -> Iterator[Callable[[int, int, str], None]]:
    """A `report(finished, total, what)`: a bar on a terminal's stderr, elsewhere a line at most every ten seconds.

    >>> with steps() as report:
    ...     report(1, 2, "words")
    """
    if not sys.stderr.isatty():
        yield _Lines().report
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda finished, total, step: bar.update(task, completed=finished, total=total, description=step)


class _Lines:
    """`[3/80] words` on stderr, for logs: not more often than every PAUSE seconds."""

    def __init__(self) -> None:
        self.last = time.monotonic()

    def report(self, finished: int, total: int, step: str) -> None:
        if time.monotonic() - self.last >= PAUSE:
            self.last = time.monotonic()
            print(f"[{finished}/{total}] {step}", file=sys.stderr, flush=True)
