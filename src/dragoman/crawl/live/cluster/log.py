"""SharedLog: the one log of a crawl in Redis, who takes part in it, and whose turn it is to ask a host."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from dragoman.crawl.live.cluster import scripts
from dragoman.crawl.live.state.targets import differences
from dragoman.errors import DragomanError, UsageError, need, shorten

#: Names of all keys begin with this; the braces keep them together where Redis is a cluster.
PREFIX = "{dragoman}:"
#: Seconds after which a process that was not heard of counts as dead, and for which a Redis that is away is waited for.
LEASE, PATIENCE = 20.0, 120.0
#: Events that are told at once.
BATCH = 500


class SharedError(DragomanError):
    """Redis is away for too long or has lost the crawl: the same command goes on when that is mended."""


class TakenForDead(Exception):
    """Nothing was heard of this process for too long: what it held went to the others."""


def shown(url: str) -> str:
    """The address of a Redis without its password, for messages.

    >>> shown("redis://me:secret@10.0.0.5:6379/2"), shown("redis://:secret@a.example/0")
    ('redis://10.0.0.5:6379/2', 'redis://a.example/0')
    """
    try:
        parts = urlsplit(url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    except ValueError:
        return "the address"


class SharedLog:
    """A list of events in Redis to which every process of a crawl appends, and from which it reads all others'.

    Calls are short and wait for their answer: an event is in the log when `append` returns. When Redis does not answer
    they wait for it, say so once, and give up with SharedError after `patience` seconds.

    The address may carry `?lease=SECONDS`.
    """

    def __init__(self, url: str, *, patience: float = PATIENCE, say: Callable[[str], None] | None = None) -> None:
        redis = need("redis", "redis")
        self.shown, self.patience = shown(url), patience
        self._say = say or (lambda text: print(text, file=sys.stderr, flush=True))
        address, self.lease = _parted(url)
        try:
            self._redis: Any = redis.Redis.from_url(
                address,
                socket_timeout=5,
                socket_connect_timeout=5,
                retry=redis.retry.Retry(redis.backoff.NoBackoff(), 0),
            )
        except (ValueError, TypeError) as error:
            raise UsageError(
                f"--shared is '{self.shown}', which is no address of a Redis: give one such as redis://127.0.0.1:6379/0"
            ) from error
        self._away = (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError)
        self._wrong = redis.exceptions.RedisError
        self._unknown = redis.exceptions.NoScriptError
        self._refused = redis.exceptions.AuthenticationError
        names = ("JOIN", "BEAT", "LEAVE", "APPEND", "READ", "PERMIT", "ACQUIRE", "FREE")
        self._scripts = {name: self._redis.register_script(getattr(scripts, name)) for name in names}
        self._keys = [PREFIX + name for name in ("about", "log", "members", "active")]
        #: Hosts that have answered: told with the next call, which saves one.
        self._later: list[tuple[list[str], str, float, int]] = []
        self.lost: SharedError | None = None
        #: This process, as the log names it, and its folder's part of that; the crawl.
        self.name = self.folder = self.crawl = ""
        #: The processes that take part, as the last beat told.
        self.members: frozenset[str] = frozenset()
        self._seconds, self._heard = 0.0, time.monotonic()

    @property
    def seconds(self) -> float:
        """How long the crawl has been going on, all its processes together."""
        return self._seconds + time.monotonic() - self._heard

    def check(self, identity: dict[str, Any]) -> None:
        """Make sure that Redis is there and holds no other crawl."""
        try:
            found = self._redis.hget(self._keys[0], "identity")
        except self._refused as error:
            raise DragomanError(f"The Redis at {self.shown} refuses the password, or asks for one: {error}") from error
        except (*self._away, OSError) as error:
            raise DragomanError(
                f"There is no Redis at {self.shown} ({shorten(str(error))}): start one with `redis-server`"
            ) from error
        except self._wrong as error:
            raise DragomanError(f"The Redis at {self.shown} cannot be used: {shorten(str(error))}") from error
        if found is not None and found.decode() != _packed(identity):
            raise self._differs(found, identity)

    def join(self, identity: dict[str, Any], folder: str, crawl: str | None) -> None:
        """Take part, or begin: `folder` names this folder for ever, `crawl` is the crawl that it is part of."""
        lease = int(1000 * self.lease)
        self._guarded(self._load)
        said, told, *more = self._call("JOIN", _packed(identity), uuid.uuid4().hex, folder, lease, crawl or "")
        if said == b"gone":
            raise SharedError(
                f"The Redis at {self.shown} does not hold the crawl that this folder is part of: start it with its data"
            )
        if said == b"differs":
            raise self._differs(told, identity)
        self.name, self.folder, self.crawl = told.decode(), folder, more[0].decode()

    def _differs(self, found: bytes, identity: dict[str, Any]) -> UsageError:
        difference = shorten(differences(json.loads(found), identity), 160)
        return UsageError(
            f"The Redis at {self.shown} holds another crawl ({difference}): give another database, as in .../1"
        )

    def beat(self) -> None:
        """Say that this process is there, and let the URLs of those that are not go back to the queue."""
        there, milliseconds, members = self._call("BEAT", self.name, int(1000 * self.lease))
        if not there:
            raise TakenForDead
        self.members = frozenset(one.decode() for one in members)
        self._seconds, self._heard = milliseconds / 1000, time.monotonic()

    def leave(self) -> None:
        """What this process still holds goes back to the queue of all."""
        self._call("LEAVE", self.name)

    def append(
        self, event: bytes, known: int, *, strict: bool = False, page: bool = False, ends: bool = False
    ) -> tuple[bool, list[bytes], int]:
        """(it is in the log now, the events before it that were not known, the length before it).

        `strict`: append only if all events are known. `page` counts towards the pages, `ends` gives a permit back.
        """
        said, length, news = self._call("APPEND", self.name, known, int(strict), event, int(page), int(ends), BATCH)
        if said == -1:
            raise TakenForDead
        if said == -2:
            raise self._shorter()
        return said == 1, news, length

    def read(self, known: int) -> tuple[list[bytes], int]:
        """Events after the first `known`, as many as are told at once, and how many there are in all."""
        length, news = self._call("READ", known, BATCH)
        if known > length:
            raise self._shorter()
        return news, length

    def _shorter(self) -> SharedError:
        self.lost = SharedError(
            f"The Redis at {self.shown} has lost the end of the crawl's log (was it started without its data?): "
            "start it with `redis-server --appendonly yes`, or crawl into new folders"
        )
        return self.lost

    def permit(self, pages: int) -> bool:
        """True if one more request may be under way, given so many pages for the whole crawl."""
        return bool(self._call("PERMIT", self.name, pages))

    def return_permit(self) -> None:
        """The request was not made after all."""
        self._guarded(lambda: self._redis.hincrby(self._keys[3], self.name, -1))

    def acquire(self, host: str, request: str, delay: float, at_a_time: int) -> float | None:
        """In how many seconds the host is to be asked; None if those who ask it now have to be answered first."""
        keys = [self._keys[2], f"{PREFIX}slot:{host}"]
        said = self._call("ACQUIRE", self.name, request, int(1000 * delay), at_a_time, keys=keys)
        return None if said < 0 else float(said) / 1000

    def free(self, host: str, request: str, since: float, delay: float) -> None:
        """The host has answered a request that was sent `since` seconds ago; told with the next call, or `tell`."""
        keys = [self._keys[2], f"{PREFIX}slot:{host}"]
        self._later.append((keys, request, time.monotonic() - since, int(1000 * delay)))

    def tell(self) -> None:
        """Send what waits to be sent with the next call."""
        if self._later:
            self._call("READ", 0, 0)

    def memory(self) -> int:
        """Bytes of the log in Redis."""
        return int(self._guarded(lambda: self._redis.memory_usage(self._keys[1], samples=0)) or 0)

    def told(self, pages: int) -> str:
        """For people: what Redis needs for this crawl."""
        self.patience = 0.0
        try:
            used = self.memory()
        except SharedError:
            return f"{self.shown}, which does not answer any more"
        return f"{self.shown}; its log has {used / 1e6:,.1f} MB, {used / max(pages, 1):,.0f} bytes a page"

    def close(self) -> None:
        """Let the connection go."""
        self._redis.close()

    def _call(self, name: str, *values: Any, keys: list[str] | None = None) -> Any:
        keys = keys or self._keys
        return self._guarded(lambda: self._sent(name, keys, values))

    def _load(self) -> None:
        for script in self._scripts.values():
            self._redis.script_load(script.script)

    def _sent(self, name: str, keys: list[str], values: tuple[Any, ...]) -> Any:
        later = list(self._later)
        if not later:
            return self._scripts[name](keys=keys, args=values)
        pipe, now = self._redis.pipeline(transaction=False), time.monotonic()
        for of, request, sent, delay in later:
            pipe.evalsha(self._scripts["FREE"].sha, len(of), *of, request, max(int(1000 * (now - sent)), 0), delay)
        pipe.evalsha(self._scripts[name].sha, len(keys), *keys, *values)
        *_, found = told = pipe.execute(raise_on_error=False)
        if any(isinstance(one, self._unknown) for one in told):  # a Redis that was started again has no scripts
            self._load()
            return self._sent(name, keys, values) if isinstance(found, self._unknown) else found
        del self._later[: len(later)]
        if isinstance(found, Exception):
            raise found
        return found

    def _guarded(self, call: Callable[[], Any]) -> Any:
        """The answer, waited for if Redis is away. A call may then be made twice: events bear that."""
        if self.lost is not None:
            raise self.lost
        until: float | None = None
        while True:
            try:
                found = call()
            except self._away as error:
                if until is None:
                    until = time.monotonic() + self.patience
                    self._say(f"The Redis at {self.shown} does not answer: waiting for it")
                if time.monotonic() >= until or not _slept(0.25):
                    self.lost = SharedError(
                        f"The Redis at {self.shown} does not answer ({shorten(str(error))}). Nothing that it knows is "
                        "lost: give the same command when it is back"
                    )
                    raise self.lost from error
            except self._wrong as error:
                self.lost = SharedError(
                    f"The Redis at {self.shown} refuses to go on: {shorten(str(error))}. Give the same command when "
                    "that is mended"
                )
                raise self.lost from error
            else:
                if until is not None:
                    self._say("Redis is back")
                return found


def _parted(url: str) -> tuple[str, float]:
    """The address without our own part, and the lease."""
    wrong = f"--shared is '{shown(url)}'; "
    try:
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query))
        lease = float(query.pop("lease", LEASE))
    except ValueError as error:
        raise UsageError(wrong + "give an address such as redis://127.0.0.1:6379/0?lease=20") from error
    if not 1.0 <= lease <= 3600.0:
        raise UsageError(wrong + f"lease is {lease:g}: give seconds between 1 and 3600")
    return urlunsplit(parts._replace(query=urlencode(query))), lease


def _packed(identity: dict[str, Any]) -> str:
    return json.dumps(identity, sort_keys=True)


def _slept(seconds: float) -> bool:
    """False if somebody pressed Ctrl-C meanwhile; Scrapy's own handler would only be heard after the wait."""
    with _interruptible():
        try:
            time.sleep(seconds)
        except KeyboardInterrupt:
            return False
    return True


@contextmanager
def _interruptible() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
