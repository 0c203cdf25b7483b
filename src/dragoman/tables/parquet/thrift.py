"""Thrift's compact protocol, as far as the footer of a Parquet file needs it: bytes become values and bytes again.

A struct is a dictionary from the numbers of its fields to `Value`s, in the order in which they stood. Nothing is known
here about what a field means, so a footer with fields that are newer than this module comes back whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

TRUE, FALSE, BYTE, SHORT, INT, LONG, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
#: A footer nests six deep; what goes deeper is not one.
_DEEPEST = 32


@dataclass(slots=True)
class Value:
    """A value and its kind: int, bytes (also for a double), a list (kind of its items, items), or a struct."""

    kind: int
    value: Any

    def __getitem__(self, key: int) -> Value:
        """A field of a struct, or an item of a list."""
        part = self.value[1][key] if self.kind in (LIST, SET) else self.value[key]
        assert isinstance(part, Value)
        return part

    @property
    def items(self) -> list[Value]:
        """The items of a list."""
        items: list[Value] = self.value[1]
        return items

    def field(self, number: int, otherwise: Any = None) -> Any:
        """The plain value of a field of a struct, or `otherwise` where it is not there."""
        return self.value[number].value if number in self.value else otherwise

    def raise_by(self, number: int, amount: int) -> None:
        """Add to a whole number in a field, if it is there."""
        if number in self.value:
            self.value[number].value += amount


class _ThriftReader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        total = shift = 0
        while (part := self.byte()) & 0x80:
            total |= (part & 0x7F) << shift
            shift += 7
            if shift > 63:
                raise ValueError("a number of more than 64 bits")
        return total | part << shift

    def whole(self) -> int:
        """A signed number: 0, -1, 1, -2 ... are stored as 0, 1, 2, 3 ..."""
        number = self.number()
        return number >> 1 ^ -(number & 1)

    def raw(self, size: int) -> bytes:
        if size > len(self.data) - self.at:
            raise IndexError("the text ends inside a value")
        self.at += size
        return self.data[self.at - size : self.at]

    def value(self, kind: int, depth: int) -> Value:
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")
        if kind in (TRUE, FALSE, BYTE):
            return Value(kind, self.byte())
        if kind in (SHORT, INT, LONG):
            return Value(kind, self.whole())
        if kind in (BINARY, DOUBLE):
            return Value(kind, self.raw(self.number() if kind == BINARY else 8))
        if kind in (LIST, SET):
            head = self.byte()
            size = head >> 4 if head >> 4 < 15 else self.number()
            return Value(kind, (head & 15, [self.value(head & 15, depth + 1) for _ in range(size)]))
        if kind == STRUCT:
            return Value(kind, self.fields(depth))
        raise ValueError(f"a value of kind {kind}")

    def fields(self, depth: int = 0) -> dict[int, Value]:
        fields: dict[int, Value] = {}
        number = 0
        while head := self.byte():
            number = number + (head >> 4) if head >> 4 else self.whole()
            kind = head & 15
            # A field that is true or false has no more to say.
            fields[number] = Value(kind, None) if kind in (TRUE, FALSE) else self.value(kind, depth + 1)
        return fields


def read(data: bytes) -> Value:
    """The struct that the bytes hold; ValueError if they do not, or not in the way in which `write` would say it.

    >>> read(b"\\x15\\x04\\x00")
    Value(kind=12, value={1: Value(kind=5, value=2)})
    """
    reader = _ThriftReader(data)
    try:
        struct = Value(STRUCT, reader.fields())
    except IndexError as error:
        raise ValueError("the text ends inside a value") from error
    if reader.at != len(data) or write(struct) != data:
        raise ValueError("said in another way than ours")
    return struct


def write(struct: Value) -> bytes:
    """The bytes of a struct.

    >>> write(Value(STRUCT, {1: Value(INT, 2)}))
    b'\\x15\\x04\\x00'
    """
    out = bytearray()
    _write(out, struct)
    return bytes(out)


def _write(out: bytearray, value: Value) -> None:
    kind = value.kind
    if kind in (TRUE, FALSE, BYTE):
        out.append(value.value)
    elif kind in (SHORT, INT, LONG):
        _number(out, _zigzag(value.value))
    elif kind == BINARY:
        _number(out, len(value.value))
        out += value.value
    elif kind == DOUBLE:
        out += value.value
    elif kind in (LIST, SET):
        inner, items = value.value
        if len(items) < 15:
            out.append(len(items) << 4 | inner)
        else:
            out.append(0xF0 | inner)
            _number(out, len(items))
        for item in items:
            _write(out, item)
    else:
        last = 0
        for number, field in value.value.items():
            if 0 < number - last <= 15:
                out.append((number - last) << 4 | field.kind)
            else:
                out.append(field.kind)
                _number(out, _zigzag(number))
            if field.kind not in (TRUE, FALSE):
                _write(out, field)
            last = number
        out.append(0)


def _zigzag(number: int) -> int:
    return number << 1 if number >= 0 else (-number << 1) - 1


def _number(out: bytearray, number: int) -> None:
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
