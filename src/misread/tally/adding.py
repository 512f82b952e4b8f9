"""Addition of records of counts: one rule for all of them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final, Self

SHOWN: Final = 3
"""Most examples of a kind that are kept: the first ones."""


@dataclass(frozen=True, slots=True)
class Adding:
    """Counts of some segments; the sum of two records is the record of the segments of both, in this order.

    Numbers add, mappings key by key, and records of this kind field by field. A tuple has the first `SHOWN` examples of
    something. Everything else is a fact, which is the same in all parts that know it: None means unknown.
    """

    def __add__(self, later: Self) -> Self:
        sums = {field.name: add(getattr(self, field.name), getattr(later, field.name)) for field in fields(self)}
        return replace(self, **sums)


def add(first: Any, later: Any) -> Any:
    """Sum of two values of the same kind, as `Adding` says."""
    if isinstance(first, Adding | int):
        return first + later
    if isinstance(first, tuple):
        return (*first, *later)[:SHOWN]
    if isinstance(first, Mapping):
        return {**first, **later, **{key: add(first[key], later[key]) for key in first.keys() & later.keys()}}
    return later if first is None else first
