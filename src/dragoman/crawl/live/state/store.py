"""Store: the URLs, servers and pages of a crawl in one SQLite file; whatever is committed survives a kill.

The file is a log of what happened: URLs taken from the queue, and pages with their links. Queue, records and all that a
strategy has learnt follow from it, so a resumed crawl replays the log through the same strategy and frontier and
stands exactly where it stood. A page and everything that belongs to it is one transaction. Every few seconds the disk
has all of it (`sync`): a loss of power costs what came after.
"""

from __future__ import annotations

import json
import sqlite3
import weakref
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice, repeat
from pathlib import Path
from typing import Any

from dragoman.crawl.live.state.numbers import NumberSet, ServerColumn, grow_in_place
from dragoman.crawl.live.state.targets import differences
from dragoman.errors import DragomanError, UsageError
from dragoman.types import Language
from dragoman.web.addresses import server_and_directory

NAME = "crawl.sqlite"
FORMAT = 5
#: What the log tells: a URL left the queue; a page was shown to the strategy; an answer that is no page; a URL let go;
#: a page of an earlier crawl was shown to the strategy; a URL of one entered the queue as seeds do; another shard of
#: the crawl told of a page, or was told.
POPPED, PAGE, ANSWER, SKIPPED, EARLIER, AGAIN, RECEIVED, SENT = range(8)

#: Names of each kind that are kept at hand; queries for several URLs are made for so many.
AT_HAND, MARKS = 50_000, (4, 16, 64, 256)

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE servers (id INTEGER PRIMARY KEY, name TEXT UNIQUE, pages INTEGER DEFAULT 0, relevant INTEGER DEFAULT 0,
                      status TEXT DEFAULT 'undecided');
CREATE TABLE directories (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE urls (id INTEGER PRIMARY KEY, url TEXT, server INTEGER, directory INTEGER, score REAL, guess TEXT,
                   depth INTEGER, parent INTEGER, short INTEGER, anchor REAL);
CREATE INDEX urls_by_short ON urls (short);
CREATE TABLE log (seq INTEGER PRIMARY KEY, kind INTEGER, url INTEGER, reason TEXT);
CREATE TABLE pages (seq INTEGER PRIMARY KEY, url INTEGER, final INTEGER, time REAL, status INTEGER, language TEXT,
                    probability REAL, declared TEXT, charset TEXT, bytes INTEGER, digest TEXT, relevant INTEGER,
                    reason TEXT, links BLOB, hreflang TEXT, refused TEXT, warc TEXT, place INTEGER, length INTEGER,
                    languages TEXT, script TEXT);
CREATE TABLE seen (url INTEGER PRIMARY KEY);
CREATE TABLE earlier (seq INTEGER PRIMARY KEY, url INTEGER, language TEXT, relevant INTEGER, links BLOB, hreflang TEXT,
                      refused TEXT, digest TEXT, etag TEXT, modified TEXT);
CREATE INDEX earlier_by_url ON earlier (url);
"""


@dataclass
class CrawlAnswer:
    """What came of fetching a URL: a row of the catalogue."""

    url: int
    final: int
    time: float
    status: int | None = None
    language: Language | None = None
    probability: float | None = None
    declared: Language | None = None
    charset: str | None = None
    bytes: int = 0
    digest: str | None = None
    relevant: bool = False
    #: Why it is no page; None for pages.
    reason: str | None = None
    links: Sequence[int] = ()
    #: The languages that hreflang promises, by place in `links`.
    hreflang: dict[int, Language] = field(default_factory=dict)
    #: Links that were not followed, by reason.
    refused: dict[str, int] = field(default_factory=dict)
    #: Its WARC file, where the response record begins there, and how long it is.
    warc: str | None = None
    offset: int | None = None
    length: int | None = None
    #: ETag and Last-Modified of a page of an earlier crawl.
    validators: Sequence[str | None] = (None, None)
    #: The share of each language of its running text, and its script; nothing is decided by them.
    languages: Mapping[Language, float] = field(default_factory=dict)
    script: str | None = None


class Store:
    """The crawl folder's SQLite file.

    >>> import tempfile
    >>> store = Store(Path(tempfile.mkdtemp()), {"languages": ["th"]})
    >>> store.register([("http://a.th/", 0.5, "th")], depth=0, parent=None), store.url(0), store.fresh
    ([0], 'http://a.th/', True)
    >>> store.close()
    """

    #: Names of each kind whose numbers are kept at hand, and kilobytes of the file that SQLite keeps in memory.
    at_hand, cache = AT_HAND, 16_384
    #: Tables whose rows belong to a line of the log.
    by_seq: tuple[str, ...] = ("log", "pages", "earlier")

    def __init__(self, folder: Path, identity: dict[str, Any], output: Path | None = None, prefix: str = "") -> None:
        self.folder = folder
        #: Where catalogue, decisions and archives go, and what the names of their parts begin with.
        self.output, self.prefix = output or folder, prefix
        path = folder / NAME
        self.fresh = not path.exists()
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0.5)
        weakref.finalize(self, self._db.close)  # whoever loses a store without a word lets go of its file, too
        try:
            self._open(identity)
        except BaseException as error:
            self._db.close()
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise DragomanError(f"Another process is crawling into '{folder}': wait, or use another") from error
            if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
                raise DragomanError(f"'{path}' is no file of a crawl: {error}") from error
            raise
        #: Numbers of servers, directories and URLs that were asked for lately: most links of a page were on others.
        self._names: dict[str, dict[str, int]] = {"servers": {}, "directories": {}}
        self._urls: dict[str, int] = {}
        self._numbers = {
            table: int(self._db.execute(f"SELECT coalesce(max(id), -1) + 1 FROM {table}").fetchone()[0])  # noqa: S608
            for table in self._names
        }
        grow_in_place()
        self.directory, self.score = array("i"), array("f")
        self.server = ServerColumn(self.directory)
        #: What anchor texts say of URLs, in eighths.
        self.anchors = array("b")
        rows = self._db.execute("SELECT server, directory, score, anchor FROM urls ORDER BY id")
        while part := rows.fetchmany(10_000):
            servers, directories, scores, anchors = zip(*part, strict=True)
            self.directory.extend(directories)
            for directory, server in set(zip(directories, servers, strict=True)):
                self.server.add(directory, server)
            self.score.extend(scores)
            self.anchors.extend([_eighths(anchor) for anchor in anchors])
        self._seq = int(self._db.execute("SELECT coalesce(max(seq), -1) + 1 FROM log").fetchone()[0])

    def _open(self, identity: dict[str, Any]) -> None:
        db = self._db
        for pragma in ("locking_mode=EXCLUSIVE", "journal_mode=WAL", "synchronous=NORMAL", f"cache_size=-{self.cache}"):
            db.execute(f"PRAGMA {pragma}")
        db.execute("BEGIN IMMEDIATE")
        if not db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'meta'").fetchone()[0]:
            for statement in _SCHEMA.split(";\n"):
                db.execute(statement)
            self.set("format", FORMAT)
            self.set("identity", identity)
        self.commit()
        if self.get("format") != FORMAT:
            raise DragomanError(
                f"'{self.folder}' was written by another version of Dragoman: give a new folder with -o, and this one "
                "with --earlier beside the same --seeds"
            )
        if (stored := self.get("identity")) != identity:
            other = differences(stored, identity)
            raise UsageError(f"'{self.folder}' holds another crawl ({other}): give another folder")

    def get(self, key: str, default: Any = None) -> Any:
        """A value that was set."""
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else default

    def get_each(self, prefix: str) -> dict[str, Any]:
        """All values that were set under names that begin so, by what follows."""
        select = "SELECT substr(key, ?), value FROM meta WHERE key GLOB ?"
        return {key: json.loads(value) for key, value in self.rows(select, (len(prefix) + 1, f"{prefix}*"))}

    def set(self, key: str, value: Any) -> None:
        """Keep a value under a name, with the next commit."""
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    def commit(self) -> None:
        """From here on it survives a kill."""
        self._db.execute("COMMIT")
        self._db.execute("BEGIN")

    def sync(self) -> None:
        """From here on it survives the loss of power too."""
        self._db.execute("COMMIT")
        self._db.execute("PRAGMA wal_checkpoint(PASSIVE)")
        self._db.execute("BEGIN")

    def forget_answers(self, file: str, size: int) -> int:
        """Forget everything since the first answer that is not whole in an archive of this size; how many answers.

        That is what is left after a loss of power: the log may know of more than the disk had got of the archive.
        """
        places = self.rows("SELECT seq, place FROM pages WHERE warc = ? ORDER BY seq", (file,))
        ends = [offset for _, offset in places[1:]] + [self.get("warc", [None, 0])[1]]
        torn = next((row for row, end in zip(places, ends, strict=True) if end > size), None)
        if torn is None:
            return 0
        first, offset = torn
        (count,) = self.rows("SELECT count(*) FROM pages WHERE seq >= ?", (first,))[0]
        for table in self.by_seq:
            self._db.execute(f"DELETE FROM {table} WHERE seq >= ?", (first,))  # noqa: S608
        self._db.execute("DELETE FROM meta WHERE key IN ('catalogue', 'decision_parts', 'ended', 'more_seeds')")
        self.set("warc", [file, offset])
        self._seq = int(first)
        self.commit()
        return int(count)

    def close(self) -> None:
        """Commit, and let the file go."""
        self._db.execute("COMMIT")
        self._db.close()

    def abandon(self) -> None:
        """Let the file go without what was not committed."""
        self._db.close()

    def _number(self, table: str, name: str) -> int:
        names = self._names[table]
        number = names.get(name)
        if number is not None:
            return number
        row = self._db.execute(f"SELECT id FROM {table} WHERE name = ?", (name,)).fetchone()  # noqa: S608
        if row:
            number = int(row[0])
        else:
            number = self._numbers[table]
            self._numbers[table] += 1
            self._db.execute(f"INSERT INTO {table} (id, name) VALUES (?, ?)", (number, name))  # noqa: S608
        self._remember(names, name, number)
        return number

    def _remember(self, names: dict[str, int], name: str, number: int) -> None:
        if len(names) >= self.at_hand:
            names.clear()
        names[name] = number

    def part(self, number: int) -> str:
        """The name of a part of the catalogue, or of the decisions."""
        return f"part-{self.prefix}{number:05}.parquet"

    def server_number(self, name: str) -> int:
        """The number of a server, which it has from now on."""
        return self._number("servers", name)

    def directory_number(self, name: str) -> int:
        """The number of a directory, which it has from now on."""
        return self._number("directories", name)

    def known(self, urls: Iterable[str]) -> dict[str, int]:
        """The numbers of those URLs that were seen before."""
        lately, numbers, asked = self._urls, {}, {}
        for url in urls:
            number = lately.get(url)
            if number is None:
                asked[url] = _short(url)
            else:
                numbers[url] = number
        shorts = list(asked.values())
        for start in range(0, len(shorts), MARKS[-1]):
            part: list[int | None] = [*shorts[start : start + MARKS[-1]]]
            room = next(count for count in MARKS if count >= len(part))
            query = f"SELECT url, id FROM urls WHERE short IN ({','.join('?' * room)})"  # noqa: S608
            for url, number in self._db.execute(query, part + [None] * (room - len(part))):
                if url in asked:
                    numbers[url] = number
                    self._remember(lately, url, number)
        return numbers

    def register(
        self,
        urls: Sequence[tuple[str, float, Language | None]],
        depth: int,
        parent: int | None,
        anchors: Sequence[float] | None = None,
    ) -> list[int]:
        """Numbers for URLs that are new (see `known`), each with its score and the language that it seems to have.

        `anchors` is what the text of the first link to each says, in log-odds."""
        rows, first = [], len(self.directory)
        for number, ((url, score, guess), anchor) in enumerate(zip(urls, anchors or repeat(0.0)), first):  # noqa: B905
            server_name, directory_name = server_and_directory(url)
            server, directory = self._number("servers", server_name), self._number("directories", directory_name)
            self.directory.append(directory)
            self.server.add(directory, server)
            self.score.append(score)
            self.anchors.append(_eighths(anchor))
            row = (number, url, server, directory, self.score[-1], guess, depth, parent, _short(url))
            rows.append((*row, self.anchor(number)))
            self._remember(self._urls, url, number)
        self._db.executemany("INSERT INTO urls VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        return list(range(first, first + len(rows)))

    def anchor(self, number: int) -> float:
        """What the text of the first link to a URL says of it, in log-odds."""
        return self.anchors[number] / 8

    def url(self, number: int) -> str:
        """The URL with this number."""
        return str(self._db.execute("SELECT url FROM urls WHERE id = ?", (number,)).fetchone()[0])

    def depth(self, number: int) -> int:
        """How many links away from the seeds it was found."""
        return int(self._db.execute("SELECT depth FROM urls WHERE id = ?", (number,)).fetchone()[0])

    def server_name(self, number: int) -> str:
        """The name of a server."""
        return str(self._db.execute("SELECT name FROM servers WHERE id = ?", (number,)).fetchone()[0])

    def log(self, kind: int, url: int, reason: str | None = None) -> int:
        """One more line of the log; its number."""
        self._db.execute("INSERT INTO log VALUES (?, ?, ?, ?)", (self._seq, kind, url, reason))
        self._seq += 1
        return self._seq - 1

    def save(self, answer: CrawlAnswer) -> None:
        """One more answer, page or not. Not committed yet."""
        seq = self.log(PAGE if answer.reason is None else ANSWER, answer.url, answer.reason)
        row = (
            seq, answer.url, answer.final, answer.time, answer.status, answer.language, answer.probability,
            answer.declared, answer.charset, answer.bytes, answer.digest, int(answer.relevant), answer.reason,
            *_packed_links(answer), answer.warc, answer.offset, answer.length,
            json.dumps(answer.languages) if answer.languages else None, answer.script,
        )  # fmt: skip
        self._db.execute(f"INSERT INTO pages VALUES ({','.join('?' * len(row))})", row)  # noqa: S608

    def save_earlier(self, answer: CrawlAnswer, kind: int = EARLIER, reason: str | None = None) -> None:
        """One more page of an earlier crawl, or of another shard. It is no row of the catalogue."""
        seq = self.log(kind, answer.url, reason)
        row = (seq, answer.url, answer.language, int(answer.relevant), *_packed_links(answer), answer.digest)
        self._db.execute("INSERT INTO earlier VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, *answer.validators))

    def see(self, numbers: Iterable[int]) -> None:
        """URLs that an earlier crawl asked for."""
        self._db.executemany("INSERT OR IGNORE INTO seen VALUES (?)", ((number,) for number in numbers))

    def seen(self) -> NumberSet:
        """The URLs that an earlier crawl asked for."""
        return NumberSet(int(row[0]) for row in self._db.execute("SELECT url FROM seen"))

    def _earlier(self, seq: int) -> CrawlAnswer:
        query = "SELECT url, language, relevant, links, hreflang, refused FROM earlier WHERE seq = ?"
        url, language, relevant, *packed = self._db.execute(query, (seq,)).fetchone()
        links, hreflang, refused = _unpacked_links(*packed)
        return CrawlAnswer(
            url, url, 0.0, 200, language, relevant=bool(relevant), links=links, hreflang=hreflang, refused=refused
        )

    def save_server(self, server: int, pages: int, relevant: int, status: str) -> None:
        """The record of a server as it is now."""
        self._db.execute(
            "UPDATE servers SET pages = ?, relevant = ?, status = ? WHERE id = ?", (pages, relevant, status, server)
        )

    def replay(self) -> Iterator[tuple[int, int, str | None, CrawlAnswer | None]]:
        """The log from its beginning: (kind, URL, reason, the answer where there was one)."""
        query = """SELECT log.seq, log.kind, log.url, log.reason, final, time, status, language, probability, declared,
            charset, bytes, digest, relevant, links, hreflang, refused, warc, place, length
            FROM log LEFT JOIN pages ON pages.seq = log.seq ORDER BY log.seq"""
        for seq, kind, url, reason, *rest in self._db.execute(query):
            answer = self._earlier(seq) if kind in (EARLIER, RECEIVED) else None
            if kind in (PAGE, ANSWER):
                values = [url, *rest[:9], bool(rest[9]), reason, *_unpacked_links(*rest[10:13]), *rest[13:]]
                answer = CrawlAnswer(*values)
            yield kind, url, reason, answer

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """What a query of ours finds: for exports and reports."""
        return self._db.execute(query, values).fetchall()

    def rows_of(self, query: str, numbers: Iterable[int], order: str = "") -> Iterator[tuple[Any, ...]]:
        """What a query that ends in `... IN` finds for many numbers, some hundred at a time."""
        left = iter(numbers)
        while part := list(islice(left, MARKS[-1])):
            yield from self.rows(f"{query} ({','.join('?' * len(part))}) {order}", part)


def _packed_links(answer: CrawlAnswer) -> tuple[bytes, str | None, str | None]:
    """Links, hreflang and what was refused, as a row has them."""
    hreflang, refused = (json.dumps(values) if values else None for values in (answer.hreflang, answer.refused))
    return array("i", answer.links).tobytes(), hreflang, refused


def _unpacked_links(
    raw: bytes, hreflang: str | None, refused: str | None
) -> tuple[Sequence[int], dict[int, Language], dict[str, int]]:
    links = array("i")
    links.frombytes(raw)
    promised = {int(index): language for index, language in json.loads(hreflang or "{}").items()}
    return links, promised, json.loads(refused or "{}")


def _eighths(odds: float) -> int:
    return max(-127, min(127, round(8 * odds)))


def _short(url: str) -> int:
    """64 bits of a URL by which it is found: an index of URLs themselves would be five times as large."""
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "little", signed=True)
