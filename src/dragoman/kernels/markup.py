"""The tokeniser of HTML: UTF-8 in; text, segments, tags and attributes out. Defined by text.markup.tokenise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dragoman.kernels.library import COUNT, POINTER, SMALL, at, library

Rows = NDArray[np.int64]

_LARGE = 1 << 20

_library = library(
    {
        "dragoman_markup": (
            None,
            [POINTER, COUNT, SMALL, *([POINTER] * 2), SMALL, *([POINTER] * 2), SMALL, *([POINTER] * 4), SMALL]
            + [POINTER] * 7,
        )
    }
)


@dataclass(frozen=True, eq=False)
class Grammar:
    """What the tokeniser looks up: elements, attributes and character references, as arrays."""

    element_keys: NDArray[np.uint64]
    element_values: NDArray[np.int32]
    attribute_keys: NDArray[np.uint64]
    attribute_values: NDArray[np.int32]
    names: NDArray[np.uint8]
    name_starts: Rows
    values: NDArray[np.uint8]
    value_starts: Rows

    @classmethod
    def of(
        cls,
        elements: Mapping[str, int],
        attributes: Sequence[str],
        speaking: Sequence[str],
        references: Mapping[str, str],
    ) -> Grammar:
        """The arrays of these tables. Names are at most 16 ASCII characters; a number goes by the place in its table.

        `elements` gives each its properties; the attributes in `speaking` make any tag worth telling.
        """
        coded = {name: number << 16 | does for number, (name, does) in enumerate(elements.items())}
        numbered = {name: number << 1 | (name in speaking) for number, name in enumerate(attributes)}
        names = sorted(references, key=lambda name: name.encode())
        return cls(
            *_lookup(coded),
            *_lookup(numbered),
            *_texts([name.encode() for name in names]),
            *_texts([references[name].encode() for name in names]),
        )

    @cached_property
    def arguments(self) -> tuple[int, ...]:
        """The arrays as a kernel takes them, found out once: small pages cost little more than the calls."""
        return (
            at(self.element_keys, np.uint64), at(self.element_values, np.int32), len(self.element_values),
            at(self.attribute_keys, np.uint64), at(self.attribute_values, np.int32), len(self.attribute_values),
            at(self.names, np.uint8), at(self.name_starts, np.int64),
            at(self.values, np.uint8), at(self.value_starts, np.int64), len(self.name_starts) - 1,
        )  # fmt: skip


def _lookup(table: Mapping[str, int]) -> tuple[NDArray[np.uint64], NDArray[np.int32]]:
    padded = {name: name.encode("ascii").ljust(16, b"\0") for name in table}
    if any(len(key) > 16 for key in padded.values()):
        raise ValueError("a name of markup has at most 16 characters")
    rows = sorted(
        (int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little"), table[name])
        for name, key in padded.items()
    )
    keys = np.array([half for low, high, _ in rows for half in (low, high)], np.uint64)
    return keys, np.array([value for _, _, value in rows], np.int32)


def _texts(rows: Sequence[bytes]) -> tuple[NDArray[np.uint8], Rows]:
    starts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    return np.frombuffer(b"".join(rows), np.uint8), starts


def markup(
    source: bytes, grammar: Grammar, xml: bool, all_tags: bool
) -> tuple[bytes, Rows, NDArray[np.uint8], Rows, Rows]:
    """(text, segments, kinds, tags, attributes) of a page in UTF-8; positions are counted in characters.

    Most pages fit into the room that is guessed first; where one does not, its rows have been counted and it is read
    once more.
    """
    data = np.frombuffer(source, np.uint8)
    sizes = np.zeros(5, np.int64)
    text = np.empty(len(data) // 5 * 6 + 16, np.uint8)  # pages of memory that are not written to cost nothing
    room = np.array([len(data) // 16 + 16, len(data) // 64 + 16, len(data) // 64 + 16], np.int64)
    while True:
        segments, kinds = np.empty((room[0], 3), np.int64), np.empty(room[0], np.uint8)
        tags, attributes = np.empty((room[1], 7), np.int64), np.empty((room[2], 3), np.int64)
        _library.dragoman_markup(
            at(data, np.uint8), len(data), int(xml) | int(all_tags) << 1,
            *grammar.arguments,
            at(text, np.uint8), at(segments, np.int64), at(kinds, np.uint8), at(tags, np.int64),
            at(attributes, np.int64), at(room, np.int64), at(sizes, np.int64),
        )  # fmt: skip
        needed = sizes[[1, 2, 4]]
        if (needed <= room).all():
            break
        room = np.maximum(room, needed)
    rows = (segments[: sizes[1]], kinds[: sizes[1]], tags[: sizes[2]], attributes[: sizes[3]])
    if len(data) > _LARGE:  # let go of the room that was not needed
        rows = tuple(part.copy() for part in rows)  # type: ignore[assignment]
    return text[: sizes[0]].tobytes(), *rows
