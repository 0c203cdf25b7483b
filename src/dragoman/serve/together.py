"""Single URLs that come at the same time, judged as one batch.

Handing a URL to the model costs many times what judging it does, so the requests that the event loop has at hand are
collected, and the next turn of the loop judges all of them. Nobody waits for others to come: a request that is alone is
answered in the next turn, too. The busier the service, the less a request costs.
"""

from __future__ import annotations

from asyncio import AbstractEventLoop, Future, get_running_loop

from dragoman.columns import ByteColumn
from dragoman.serve.judges import Judge
from dragoman.types import Language

#: A language or none, and its probability or none.
Answer = tuple[Language | None, float | None]


class Together:
    """The URLs that wait for the next turn of the event loop."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.waiting: list[tuple[bytes, Future[Answer]]] = []

    def ask(self, url: bytes) -> Future[Answer]:
        """The answer for a URL, soon."""
        loop = get_running_loop()
        future: Future[Answer] = loop.create_future()
        if not self.waiting:
            loop.call_soon(self._answer, loop)
        self.waiting.append((url, future))
        return future

    def _answer(self, loop: AbstractEventLoop) -> None:
        asked, self.waiting = self.waiting, []
        try:
            added = self.judge.answers(ByteColumn.from_rows([url for url, _ in asked])).columns()
            found = zip(added.tags(), added.probabilities(), strict=True)
        except Exception as error:
            for _, future in asked:
                if not future.done():
                    future.set_exception(error)
            return
        for (_, future), answer in zip(asked, found, strict=True):
            if not future.done():  # the one who asked may have gone
                future.set_result(answer)
