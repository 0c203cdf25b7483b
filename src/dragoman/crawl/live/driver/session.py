"""LiveCrawl: one crawl in its folder, from what is wanted to what was found. How pages are fetched is the spider's."""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from dragoman.crawl.live.driver.scoring import AnchorScorer, UrlScorer
from dragoman.crawl.live.driver.warc import SIZE, WarcFolder
from dragoman.crawl.live.earlier.continuing import note_urls, take_over
from dragoman.crawl.live.state.links import Links
from dragoman.crawl.live.state.progress import CrawlProgress, progress_of
from dragoman.crawl.live.state.safety import CrawlLimits
from dragoman.crawl.live.state.steering import Steering
from dragoman.crawl.live.state.store import CrawlAnswer, Store
from dragoman.crawl.live.state.targets import MOST_WAITING, Budget, CrawlPlan, KnownSite, Target
from dragoman.errors import DragomanError
from dragoman.identifiers.model_file import DIGEST
from dragoman.identifiers.models import DEFAULT, shipped
from dragoman.identifiers.text.identify import DEFAULT as METHOD
from dragoman.label.judges import SCRIPT
from dragoman.label.pages import FUSED, LANGUAGES, PagePrediction, SeenPage, page_judge
from dragoman.types import Language, Page

AGENT = "dragoman"
#: Characters of a page's text that are enough to tell its language.
ENOUGH_TEXT = 4_000
#: Seconds between two notes of how long the crawl has been going on, between two states in progress.json, and between
#: two moments at which the disk has everything.
NOTE, STATE, SYNC = 0.5, 2.0, 5.0
#: Starts of a crawl that are remembered.
MOST_RUNS = 50


@dataclass(frozen=True)
class Manners:
    """How the web is asked: politely by default."""

    delay: float = 1.0
    concurrent: int = 32
    per_host: int = 1
    retries: int = 2
    agent: str = AGENT
    allow_private: bool = False
    #: Patterns of hosts that may have a private address although others may not.
    allow_hosts: tuple[str, ...] = ()
    #: Fixed addresses of hosts, `*` for all: for tests and for names that DNS does not know.
    resolve: Mapping[str, str] = field(default_factory=dict)
    obey_robots: bool = True
    #: True: also https with certificates that nobody vouches for.
    allow_bad_certificates: bool = False


class EarlierVisit(NamedTuple):
    """A page as an earlier crawl had it."""

    language: Language | None
    digest: str | None
    etag: str | None
    modified: str | None


class LiveCrawl:
    """One live crawl: what spider and scheduler share.

    `closing` is called once something is wrong with the folder: whoever fetches has to end.
    """

    steering: Steering

    def __init__(
        self,
        folder: Path,
        target: Target,
        seeds: Sequence[str],
        *,
        limits: CrawlLimits | None = None,
        budget: Budget | None = None,
        manners: Manners | None = None,
        model: str = DEFAULT,
        warc_size: int = SIZE,
        most_waiting: int = MOST_WAITING,
        promised: Mapping[str, Language] | None = None,
        earlier: Sequence[Path] = (),
        revisit: bool = False,
        revisit_chance: float = 0.0,
        known_sites: Sequence[KnownSite] = (),
    ) -> None:
        self.folder, self.target = folder, target
        self.budget, self.manners = budget or Budget(), manners or Manners()
        scorer = UrlScorer(target.languages, model)
        self._judge = page_judge(METHOD, shares=True, fused=True, script=True)
        plan = CrawlPlan(
            target, scorer, limits or CrawlLimits(), self.manners.allow_private, most_waiting,
            AnchorScorer(target.languages, self._judge.judge.model), known_sites,
        )  # fmt: skip
        identity = target.identity()
        if earlier:
            identity |= {"earlier": [str(path) for path in earlier], "revisit": revisit}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise DragomanError(f"The folder '{folder}' cannot be made: {error.strerror or error}") from error
        #: What people should know of earlier crawls that were taken over, and of what was lost.
        self.notes: list[str] = []
        with _writing(folder), ExitStack() as opened:
            self.store = self._open(identity)
            opened.callback(self.store.abandon)
            self._mend()
            self.steering = self._steered(plan)
            self.resumed = not self.store.fresh
            self.steering.revisit = revisit
            if earlier and self.store.get("seeds") is None:
                note_urls(self.steering, earlier)
            self.steering.start(seeds, promised)
            if earlier and self.store.get("earlier") is None:
                self.notes += take_over(
                    self.steering, earlier, self.identify, revisit=revisit, least_chance=revisit_chance
                ).lines()
            self._note_run(model)
            file, length = self.store.get("warc", [None, 0])
            self.warc = WarcFolder(folder / "warc", file, length, warc_size, f"pages-{self.store.prefix}")
            opened.pop_all()
        self._seconds_before = float(self.store.get("seconds", 0.0))
        self.began = self._noted = time.monotonic()
        self._next_state, self._next_sync = 0.0, self.began + SYNC
        #: When the crawl ended: what is written afterwards takes none of its time.
        self._stopped: float | None = None
        self.ended: str | None = None
        self.broken: Exception | None = None
        self.closing: Callable[[], None] = lambda: None

    def _open(self, identity: dict[str, Any]) -> Store:
        return Store(self.folder, identity)

    def _steered(self, plan: CrawlPlan) -> Steering:
        return Steering(self.store, plan)

    @property
    def seconds(self) -> float:
        """How long the crawl has been going on, all its runs together."""
        return self._seconds_before + (self._stopped or time.monotonic()) - self.began

    @property
    def progress(self) -> CrawlProgress:
        """Where the crawl stands."""
        return progress_of(self.steering, self.seconds, self.ended)

    def identify(self, page: Page) -> PagePrediction:
        """The language of a page by all that speaks of it, and the shares of its languages.

        None where its text says nothing, or much of it could not be read.
        """
        if not readable(page.text[:ENOUGH_TEXT]):
            return PagePrediction(None, None)
        columns = self._judge.columns([SeenPage.of(page)])
        if columns.tags()[0] is None:
            return PagePrediction(None, None)
        fused = columns.extra[FUSED][0]
        script = columns.extra[SCRIPT][0]
        return PagePrediction(fused["language"], fused["probability"], columns.extra[LANGUAGES][0], script=script)

    def visited(self, key: int) -> EarlierVisit | None:
        """What an earlier crawl knows of a page that is visited again."""
        rows = self.store.rows("SELECT language, digest, etag, modified FROM earlier WHERE url = ?", (key,))
        return EarlierVisit(*rows[-1]) if rows else None

    def enough(self, active: int = 0) -> bool:
        """True when nothing more is to be asked for; `active` are the pages that are on their way."""
        steering = self.steering
        if self.broken is not None or self.ended is not None:
            return True
        if steering.strategy.finished or (self.target.quotas and self.target.full(steering.quota_pages())):
            self.ended = "every quota is full"
            return True
        hosts = len(steering.of_server)
        self.ended = self.budget.spent(steering.pages, steering.bytes, hosts, self.seconds)
        if self.ended is not None:
            return True
        return self.budget.pages is not None and steering.pages + active >= self.budget.pages

    def take(self, answer: CrawlAnswer, links: Links) -> None:
        """An answer has come: one transaction with everything that belongs to it.

        After something went wrong with the folder nothing is taken any more: what is in memory may be ahead of what was
        saved, and the answer is asked for again when the crawl goes on.
        """
        if self.broken is not None:
            return
        now = time.monotonic()
        if now - self._noted >= NOTE:
            self._noted = now
            self.store.set("seconds", self.seconds)
        self.steering.page(answer, links, (self.warc.file, self.warc.length))
        if now >= self._next_state:
            self._write_progress()
        if now >= self._next_sync:
            self.warc.sync()
            self.store.sync()
            self._next_sync = time.monotonic() + SYNC

    def _note_run(self, model: str) -> None:
        """Keep which program began or went on, how it was called and by what it judges; the report tells it."""
        path = shipped().get(model) or Path(model)
        digest = path.read_bytes()[-DIGEST:].hex() if path.is_file() else None
        run = {"version": version("dragoman"), "time": time.time(), "command": sys.argv[1:], "model": model,
               "digest": digest}  # fmt: skip
        self.store.set("runs", [*self.store.get("runs", []), run][-MOST_RUNS:])

    def _mend(self) -> None:
        """After a loss of power the archive may lack what the log knows of: that is asked for again."""
        file, length = self.store.get("warc", [None, 0])
        if file is None:
            return
        path = self.folder / "warc" / file
        size = path.stat().st_size if path.exists() else 0
        if size < length and (count := self.store.forget_answers(file, size)):
            for folder in ("catalogue", "decisions"):
                for part in (self.folder / folder).glob(f"part-{self.store.prefix}*.parquet"):
                    part.unlink()
            self.notes.append(f"'{path}' is shorter than it was: {count:,} answers are asked for again")

    def _write_progress(self) -> None:
        """Replace progress.json, which takes 2 % of the time at most.

        A full disk does not stop a crawl here: its own files will tell.
        """
        began = time.monotonic()
        with suppress(OSError):
            self.progress.write(self.folder)
        self._next_state = began + max(STATE, 50 * (time.monotonic() - began))

    def stop(self, error: Exception) -> None:
        """Something is wrong with the folder: end without losing what is committed."""
        if self.broken is None:
            self.broken = error
            self.closing()

    def finish(self, *, interrupted: bool) -> None:
        """Write everything to its end; the error by which the crawl ended, if it did."""
        self._stopped = time.monotonic()
        if self.ended is None:
            self.ended = "interrupted" if interrupted else "nothing waits any more"
        try:
            with _writing(self.folder):
                if self.broken is not None:
                    raise self.broken
                self.store.set("seconds", self.seconds)
                self.store.set("ended", self.ended)
                self.store.commit()
                self.warc.sync()
                self.warc.close()
                self.steering.export()
                self._write_progress()
        except Exception:
            self.store.abandon()
            raise


def readable(text: str) -> bool:
    """False if a fifth of a text or more is what stands for bytes that its charset does not have.

    >>> readable("caf\\ufffd au lait"), readable("\\ufffd\\ufffd x \\ufffd y")
    (True, False)
    """
    return 5 * text.count("\ufffd") < max(len(text), 1)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """What goes wrong with the folder is told in one line."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise DragomanError(
            f"'{folder}' cannot be written: {reason}. Nothing that was saved is lost: {_remedy(error, folder)}, then "
            "give the same command"
        ) from error


def _remedy(error: OSError | sqlite3.Error, folder: Path) -> str:
    number, text = getattr(error, "errno", None), str(error)
    # On a disk that can only be read SQLite has a "disk I/O error".
    is_refused = number in (errno.EACCES, errno.EPERM, errno.EROFS) or not os.access(folder, os.W_OK)
    if is_refused or "readonly" in text or "unable to open" in text:
        return "let it be written to"
    return "make room" if number in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) or "full" in text else "mend that"
