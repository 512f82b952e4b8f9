"""Thrift's compact protocol, in which a Parquet file has its facts: structures by the numbers of their fields.

References
----------
Apache Thrift, Thrift Compact protocol encoding, https://thrift.apache.org/docs/protocols/compact.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final, NamedTuple, TypeAlias

# Elements of a list, and numbers between two fields, from which on they stand behind the head.
_MANY: Final = 15


class Kind(IntEnum):
    """Types of values; a map, which Parquet does not have, is refused."""

    TRUE = 1
    FALSE = 2
    BYTE = 3
    I16 = 4
    I32 = 5
    I64 = 6
    DOUBLE = 7
    BINARY = 8
    LIST = 9
    STRUCT = 12


class Value(NamedTuple):
    """A whole number, bytes, a list of values of one type, or a structure, with its type.

    To be written, a structure may also be what `encode_struct` made of it.
    """

    kind: Kind
    content: Any


Struct: TypeAlias = dict[int, Value]
Items: TypeAlias = tuple[Kind, list[Any]]
"""The type of a list's elements, and these."""


def decode_struct(encoded: bytes) -> Struct:
    """Read a structure; what is behind it is left out."""
    struct: Struct = _Reader(encoded).struct()
    return struct


def encode_struct(struct: Struct) -> bytes:
    """Write a structure."""
    out = bytearray()
    _write_struct(out, struct)
    return bytes(out)


class _Reader:
    """Values one after the other."""

    def __init__(self, encoded: bytes) -> None:
        self._encoded = encoded
        self._place = 0

    def struct(self) -> Struct:
        fields: Struct = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else _from_zigzag(self._unsigned())
            kind = Kind(head & 0x0F)
            fields[number] = Value(kind, self._content(kind))
        return fields

    def _content(self, kind: Kind) -> Any:
        if kind in {Kind.I16, Kind.I32, Kind.I64}:
            return _from_zigzag(self._unsigned())
        if kind is Kind.BINARY:
            return self._bytes(self._unsigned())
        if kind is Kind.STRUCT:
            return self.struct()
        if kind is Kind.LIST:
            return self._items()
        if kind is Kind.DOUBLE:
            return self._bytes(8)
        return self._byte() if kind is Kind.BYTE else None

    def _items(self) -> Items:
        head = self._byte()
        number = self._unsigned() if head >> 4 == _MANY else head >> 4
        kind = Kind(head & 0x0F)
        # Elements that are true or false have a byte each, where a field has it in its head.
        return kind, [self._byte() if kind <= Kind.BYTE else self._content(kind) for _ in range(number)]

    def _byte(self) -> int:
        self._place += 1
        return self._encoded[self._place - 1]

    def _bytes(self, number: int) -> bytes:
        self._place += number
        return self._encoded[self._place - number : self._place]

    def _unsigned(self) -> int:
        number = shift = 0
        while True:
            byte = self._byte()
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7


def _write_struct(out: bytearray, struct: Struct) -> None:
    last = 0
    for number, (kind, content) in struct.items():
        if 0 < number - last <= _MANY:
            out.append((number - last) << 4 | kind)
        else:
            out.append(kind)
            _write_unsigned(out, _to_zigzag(number))
        _write_content(out, kind, content)
        last = number
    out.append(0)


def _write_content(out: bytearray, kind: Kind, content: Any) -> None:
    if kind in {Kind.I16, Kind.I32, Kind.I64}:
        _write_unsigned(out, _to_zigzag(content))
    elif kind is Kind.BINARY:
        _write_unsigned(out, len(content))
        out += content
    elif kind is Kind.STRUCT and isinstance(content, bytes):
        out += content
    elif kind is Kind.STRUCT:
        _write_struct(out, content)
    elif kind is Kind.LIST:
        _write_items(out, content)
    elif kind is Kind.DOUBLE:
        out += content
    elif kind is Kind.BYTE:
        out.append(content)


def _write_items(out: bytearray, items: Items) -> None:
    kind, elements = items
    if len(elements) < _MANY:
        out.append(len(elements) << 4 | kind)
    else:
        out.append(_MANY << 4 | kind)
        _write_unsigned(out, len(elements))
    for element in elements:
        _write_content(out, Kind.BYTE if kind <= Kind.BYTE else kind, element)


def _write_unsigned(out: bytearray, number: int) -> None:
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


def _from_zigzag(number: int) -> int:
    return number >> 1 ^ -(number & 1)


def _to_zigzag(number: int) -> int:
    return number << 1 if number >= 0 else ~(number << 1)
