"""BoundedHandler: Scrapy's downloader of http and https, with an end to what may come before a body."""

from __future__ import annotations

from typing import Any

from OpenSSL import SSL
from scrapy.core.downloader.handlers.http11 import (
    HTTP11DownloadHandler,
    _LenientHTTP11ClientFactory,
    _LenientHTTP11ClientProtocol,
)
from scrapy.crawler import Crawler
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
    """Downloads over such connections."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool._factory = BoundedFactory
