"""What a service is started with: where it listens, what it may show, and its limits."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

#: Hosts that a request may always name: those of this machine.
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class RequestLimits:
    """What a request may take, and how many may take it at a time; all of them for one worker."""

    #: Bytes of a body: batches of URLs, and pages or texts.
    body: int = 32_000_000
    page: int = 8_000_000
    #: URLs of a batch, and characters of one URL (bytes, in Arrow).
    urls: int = 100_000
    url: int = 8_192
    #: Seconds for an answer; those that a client may take for its header, its body, to read, between two requests.
    seconds: float = 30.0
    patience: float = 20.0
    #: Bytes of a request's header.
    header: int = 1 << 17
    #: Open connections, and bytes of all bodies that are being read or worked on.
    connections: int = 1_000
    bodies: int = 256 << 20
    #: Large requests that are worked on at a time, and that may wait for it.
    large: int = field(default_factory=lambda: max(1, min(4, os.cpu_count() or 1)))
    waiting: int = 32


@dataclass(frozen=True)
class ServiceSettings:
    """Where the service listens and what it may show."""

    host: str = "127.0.0.1"
    port: int = 8321
    workers: int = 1
    model: str = "default"
    #: Folders of crawls and simulations that may be looked at.
    folders: tuple[Path, ...] = ()
    #: Further hosts that requests may name, and origins whose pages may ask for languages of URLs.
    allow_hosts: tuple[str, ...] = ()
    allow_origins: tuple[str, ...] = ()
    limits: RequestLimits = field(default_factory=RequestLimits)
    #: A line for each request on stderr: "common", "json" or "off".
    access_log: str = "off"
    #: A table of URLs and languages for the quiz of the page; None: the URLs that ship.
    quiz: Path | None = None
