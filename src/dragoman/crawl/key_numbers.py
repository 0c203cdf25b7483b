"""KeyNumbers: numbers for whatever a crawl calls its URLs, servers and directories, so that arrays hold the rest."""

from __future__ import annotations

from collections.abc import Hashable

#: Numbers are below this: 32 bits, of which one is kept for "none".
MOST = 2**32 - 1


class KeyNumbers:
    """Numbers for keys. Keys that are whole numbers are taken as they are, and should be dense; others are counted.

    >>> KeyNumbers().of(7), KeyNumbers().of("a.example")
    (7, 0)
    """

    __slots__ = ("_counted", "_keys", "room")

    def __init__(self) -> None:
        #: Numbers that were given out are below this.
        self.room = 0
        self._counted: dict[Hashable, int] | None = None
        self._keys: list[Hashable] = []

    def of(self, key: Hashable) -> int:
        """The number of a key; there is room for it from then on."""
        if self._counted is None:
            if isinstance(key, int) and 0 <= key < MOST:
                if key >= self.room:
                    self._widen(key)
                return key
            if self.room:
                raise TypeError(f"a key is {key!r}: a strategy takes small numbers as keys, or anything else, not both")
            self._counted = {}
        number = self._counted.get(key)
        if number is None:
            number = self._counted[key] = len(self._keys)
            self._keys.append(key)
            if number >= self.room:
                self._widen(number)
        return number

    def find(self, key: Hashable) -> int | None:
        """The number of a key that was asked for before; None for others."""
        if self._counted is not None:
            return self._counted.get(key)
        return key if isinstance(key, int) and 0 <= key < self.room else None

    @property
    def of_numbers(self) -> bool:
        """True if keys are numbers that are taken as they are."""
        return self._counted is None

    def key(self, number: int) -> Hashable:
        """The key of a number."""
        return number if self._counted is None else self._keys[number]

    def _widen(self, number: int) -> None:
        more = number + 1 - self.room + self.room // 32 + 16
        self.room += more
        self.widen(more)

    def widen(self, more: int) -> None:
        """Make room for so many keys more."""
