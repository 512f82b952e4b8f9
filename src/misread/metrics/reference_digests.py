"""Digests of references: what tells whether two files speak of the same ones."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import overload


class ReferenceDigests(Sequence[str]):
    """One digest a reference, made when the first of them is looked at: one system alone needs none.

    Two are equal if their texts are, which is found out without digests.

    Parameters
    ----------
    references : sequence of str
        The texts.

    Examples
    --------
    >>> list(ReferenceDigests(["one", ""]))
    ['34f2ddaa8b7615c9', 'e4a6a0577479b2b4']
    """

    def __init__(self, references: Sequence[str]) -> None:
        self._references = references

    def __len__(self) -> int:
        return len(self._references)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        return self._digests[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ReferenceDigests):
            return self._references is other._references or self._references == other._references
        return self._digests == other

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def _digests(self) -> list[str]:
        blake2b = hashlib.blake2b
        return [blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest() for text in self._references]
