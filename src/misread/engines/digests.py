"""Distinct digests as numbers, in a few bytes each."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Final

LENGTH: Final = 32
"""Bytes of a SHA-256."""

_FREE: Final = -1
_FIRST_SLOTS: Final = 1 << 10


@dataclass
class Digests:
    """SHA-256 digests, numbered from 0 in the order in which they come first.

    A hash table with open addressing in three buffers: 40 to 48 bytes for each digest, where a dictionary of bytes and
    integers takes some 250.
    """

    _digests: bytearray = field(default_factory=bytearray, init=False, repr=False)
    # Numbers by slot; the slots are a power of two, of which at most half are taken.
    _slots: array[int] = field(default_factory=lambda: array("i", [_FREE]) * _FIRST_SLOTS, init=False, repr=False)

    def __len__(self) -> int:
        return len(self._digests) // LENGTH

    def __getitem__(self, number: int) -> bytes:
        return bytes(self._digests[number * LENGTH : (number + 1) * LENGTH])

    def number(self, digest: bytes) -> int:
        """Number of a digest, which is added if it is new."""
        slot = self._slot(digest)
        if self._slots[slot] == _FREE:
            if 2 * len(self) >= len(self._slots):
                self._grow()
                slot = self._slot(digest)
            self._slots[slot] = len(self)
            self._digests += digest
        return self._slots[slot]

    def _slot(self, digest: bytes) -> int:
        """The slot that has this digest, or the free one where it belongs."""
        last = len(self._slots) - 1
        slot = int.from_bytes(digest[:8]) & last
        while (number := self._slots[slot]) != _FREE and self[number] != digest:
            slot = (slot + 1) & last
        return slot

    def _grow(self) -> None:
        self._slots = array("i", [_FREE]) * (2 * len(self._slots))
        for number in range(len(self)):
            self._slots[self._slot(self[number])] = number
