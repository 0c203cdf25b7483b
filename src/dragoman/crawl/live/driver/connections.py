"""BoundedHandler: Scrapy's downloader of http and https, with an end to heads and delays that hosts can count on."""

from __future__ import annotations

import time
from typing import Any

from OpenSSL import SSL
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from scrapy.crawler import Crawler
from scrapy.http import Request, Response
from twisted.python.failure import Failure
from twisted.web._newclient import HEADER, STATUS

#: Bytes of status line and headers, those of answers that are passed over (100 Continue) included; as browsers take.
MOST_HEAD = 256_000


class HeadTooLong(Exception):
    """Headers that do not end."""

    @classmethod
    def is_behind(cls, error: BaseException | None) -> bool:
        """True if this is why a request failed."""
        return any(isinstance(reason, cls) for reason in reasons_behind(error))


def reasons_behind(error: BaseException | None) -> list[BaseException]:
    """The exceptions of Twisted for which a request failed."""
    causes = getattr(getattr(error, "__cause__", None) or error, "reasons", ())
    return [cause.value for cause in causes if isinstance(cause, Failure) and cause.value is not None]


def is_certificate(error: BaseException | None) -> bool:
    """True if a request failed because nobody vouches for the server's certificate."""
    return any(
        type(reason).__name__ == "VerificationError" or (isinstance(reason, SSL.Error) and "certificate" in str(reason))
        for reason in reasons_behind(error)
    )


class BoundedProtocol(_LenientHTTP11ClientProtocol):
    """A connection that gives up when the head of an answer does not end."""

    _head = 0

    def dataReceived(self, bytes: bytes) -> None:  # noqa: N802 (Twisted's names)
        """Count what comes before a body, and pass it on."""
        parser: Any = self._parser
        self._head = self._head + len(bytes) if parser is not None and parser.state in (STATUS, HEADER) else 0
        if self._head > MOST_HEAD:
            self._giveUp(Failure(HeadTooLong()))  # type: ignore[no-untyped-call]
            self.transport.abortConnection()  # type: ignore[union-attr]
            return
        super().dataReceived(bytes)  # type: ignore[no-untyped-call]


class BoundedFactory(_LenientHTTP11ClientFactory):
    """Makes such connections."""

    def buildProtocol(self, addr: Any) -> BoundedProtocol:  # noqa: N802
        """One connection."""
        return BoundedProtocol(self._quiescentCallback)  # type: ignore[no-untyped-call]


class BoundedHandler(HTTP11DownloadHandler):
    """Downloads over such connections; a host's delay begins when it has answered.

    When a request leaves this machine is not known: it waits for its connection and for whatever else is at work here.
    A server has seen it when its answer is there, so that is what the next one to the same host is counted from.
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self.running_crawler = crawler
        self._pool._factory = BoundedFactory
        self._pool.retryAutomatically = False  # it would ask again at once; Scrapy's retries keep the delay

    async def download_request(self, request: Request) -> Response:
        """The answer, or why there is none; either way the host rests from then on."""
        try:
            return await super().download_request(request)
        finally:
            engine: Any = self.running_crawler.engine
            slot = engine.downloader.slots.get(request.meta.get("download_slot"))
            if slot is not None:
                slot.lastseen = time.monotonic()
