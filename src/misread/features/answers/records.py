"""Fields of nested objects and of records in lists, by their paths."""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import Any, Final, cast

import numpy as np
import scipy

from misread.features.answers.field_counts import (
    AS_SPECIFIED,
    FieldCounts,
    Rules,
    accepted_keys,
    count_field,
    find_rule,
)
from misread.types import FloatArray, IntArray

MOST_PAIRS: Final = 4_000_000
"""Pairs of records that differ, beyond which they are paired in order: 2,000 on each side take 70 MB."""

_ABSENT: Final = object()
_NONE: Final = FieldCounts(0, 0, 0)


def count_records(
    reference: Mapping[str, object],
    hypothesis: Mapping[str, object],
    rules: Rules = AS_SPECIFIED,
    in_order: Counter[str] | None = None,
) -> dict[str, FieldCounts]:
    """Counts of values by path of one document, such as "vendor.city" and "entries[].surname", in reading order.

    Records of a list are paired so that most values are right (the assignment problem), whatever their order; one that
    is missing costs its own values and no others. Equal records are paired first, which is part of a best pairing.
    `in_order` takes the number of references by path that were paired in order, as they were too many. Errors name the
    path of the field.
    """
    counts: dict[str, FieldCounts] = {}
    for path, more in _count(reference, hypothesis, rules, "", Counter() if in_order is None else in_order):
        known = counts.get(path, _NONE)
        counts[path] = FieldCounts(known[0] + more[0], known[1] + more[1], known[2] + more[2])
    return counts


def _count(
    reference: Mapping[str, object], hypothesis: Mapping[str, object], rules: Rules, prefix: str, in_order: Counter[str]
) -> Iterator[tuple[str, FieldCounts]]:
    for name in dict.fromkeys([*reference, *hypothesis]):
        path = f"{prefix}{name}".removesuffix(".")
        sides = reference.get(name, _ABSENT), hypothesis.get(name, _ABSENT)
        if any(map(has_records, sides)):
            records = list_records(sides[0]), list_records(sides[1])
            for expected, extracted in _pair(*records, rules, f"{path}[]", in_order):
                yield from _count(expected, extracted, rules, f"{path}[].", in_order)
            continue
        # What is an object on one side alone is compared with nothing on the other.
        opened = [*map(_has_fields, sides)]
        values = [[] if side is _ABSENT or inside else [side] for side, inside in zip(sides, opened, strict=True)]
        if any(values) and (rule := find_rule(path, rules)):
            yield path, count_field(path, rule, values)
        if any(opened):
            objects: list[Any] = [side if inside else {} for side, inside in zip(sides, opened, strict=True)]
            yield from _count(objects[0], objects[1], rules, f"{path}.", in_order)


def has_records(value: object) -> bool:
    """Whether a value is a list with objects."""
    return isinstance(value, list) and any(isinstance(entry, Mapping) for entry in value)


def list_records(value: Any) -> list[Mapping[str, object]]:
    """Records of a side; any other value becomes a field without a name."""
    if value is _ABSENT or value is None:
        return []
    entries = value if isinstance(value, list) else [value]
    return [entry if isinstance(entry, Mapping) else {"": entry} for entry in entries]


def _has_fields(value: object) -> bool:
    # Most values are texts, and to ask for a mapping takes long.
    return not isinstance(value, str) and isinstance(value, Mapping) and bool(value)


def _write(value: object) -> str:
    """A value as text, distinct from that of any other value; JSON of no other begins as texts do."""
    return f'"{value}' if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _pair(
    references: Sequence[Mapping[str, object]],
    hypotheses: Sequence[Mapping[str, object]],
    rules: Rules,
    path: str,
    in_order: Counter[str],
) -> Iterator[tuple[Mapping[str, object], Mapping[str, object]]]:
    """Pairs of records; one without partner is paired with a record without fields."""
    written = [[*map(_write, side)] for side in (references, hypotheses)]
    equal = Counter(written[0]) & Counter(written[1])
    left: list[list[Mapping[str, object]]] = []
    for side, texts in zip((references, hypotheses), written, strict=True):
        open_pairs = Counter(equal)
        rest = []
        for record, text in zip(side, texts, strict=True):
            if open_pairs[text]:
                open_pairs[text] -= 1
            else:
                rest.append(record)
        left.append(rest)
    for record, text in zip(references, written[0], strict=True):
        if equal[text]:
            equal[text] -= 1
            yield record, record
    expected, extracted = left
    rows = columns = [*range(min(len(expected), len(extracted)))]
    if len(expected) * len(extracted) > MOST_PAIRS:
        in_order[path] += len(expected)
    elif rows:
        rows, columns = _assign(expected, extracted, rules, f"{path}.")
    yield from ((expected[row], extracted[column]) for row, column in zip(rows, columns, strict=True))
    yield from ((expected[row], {}) for row in sorted({*range(len(expected))}.difference(rows)))
    yield from (({}, extracted[column]) for column in sorted({*range(len(extracted))}.difference(columns)))


def _assign(
    references: Sequence[Mapping[str, object]], hypotheses: Sequence[Mapping[str, object]], rules: Rules, prefix: str
) -> tuple[list[int], list[int]]:
    """Rows and columns of a pairing with the most right values; of several, one in which the order changes little."""
    right = np.empty((len(references), len(hypotheses)))
    columns = np.arange(len(hypotheses)) / len(hypotheses)
    records = _Records(hypotheses, rules, prefix)
    for row, reference in enumerate(references):
        # All moves together weigh less than one value.
        moved = np.abs(row / len(references) - columns)
        right[row] = records.right(reference) - moved / (min(right.shape) + 1)
    chosen = scipy.optimize.linear_sum_assignment(right, maximize=True)
    return chosen[0].tolist(), chosen[1].tolist()


class _Records:
    """Records of a hypothesis, looked up by the keys of their values."""

    def __init__(self, records: Sequence[Mapping[str, object]], rules: Rules, prefix: str) -> None:
        self.size = len(records)
        rows: dict[str, list[int]] = {}
        for row, record in enumerate(records):
            for name in record:
                rows.setdefault(name, []).append(row)
        self.fields = {
            name: _Field([records[row][name] for row in having], np.array(having), rules, f"{prefix}{name}")
            for name, having in rows.items()
        }

    def right(self, reference: Mapping[str, object]) -> FloatArray:
        """Numbers of right values if a reference is paired with each record, shape (records,)."""
        numbers = np.zeros(self.size)
        for name, value in reference.items():
            if name in self.fields:
                for rows, right in self.fields[name].right(value):
                    numbers[rows] += right
        return numbers


class _Field:
    """Values of one field of the records of a hypothesis, and the rows of the records that have it."""

    def __init__(self, values: Sequence[object], rows: IntArray, rules: Rules, path: str) -> None:
        self.values, self.rows, self.rules, self.path = values, rows, rules, path.removesuffix(".")
        self.with_records = np.array([*map(has_records, values)])
        self.objects = np.array([*map(_has_fields, values)])
        self.known: dict[str, Sequence[tuple[IntArray, Any]]] = {}

    def right(self, reference: object) -> Sequence[tuple[IntArray, Any]]:
        """Rows in which a value of the reference has right values, with their numbers, once for equal values."""
        written = _write(reference)
        if written not in self.known:
            self.known[written] = [*self._right_in_lists(reference), *self._right_outside_of_lists(reference)]
        return self.known[written]

    def _right_outside_of_lists(self, reference: object) -> Iterator[tuple[IntArray, Any]]:
        if _has_fields(reference):
            yield self.rows[self.objects], self._inside.right(cast("Mapping[str, object]", reference))
        elif not has_records(reference) and (rule := find_rule(self.path, self.rules)):
            keys = chain.from_iterable(accepted_keys(self.path, reference, rule))
            for written in dict.fromkeys(text for key in keys for text in self._by_key.get(key, ())):
                value, rows = self._by_text[written]
                yield rows, count_field(self.path, rule, ([reference], [value])).correct if rule.has_several else 1

    def _right_in_lists(self, reference: object) -> Iterator[tuple[IntArray, Any]]:
        """Right values of lists of records, each paired with the list of the reference."""
        paired = np.flatnonzero(self.with_records | has_records(reference))
        records = list_records(reference)
        if not records or not paired.size:
            return
        right = np.stack([*map(self._listed.right, records)])
        for position in paired:
            lists = right[:, self._ends[position] : self._ends[position + 1]]
            if lists.any():
                yield self.rows[position], _most_right(lists)

    @cached_property
    def _inside(self) -> _Records:
        """Records of values that are objects."""
        values = [value for value in self.values if isinstance(value, Mapping) and value]
        return _Records(values, self.rules, f"{self.path}.")

    @cached_property
    def _listed(self) -> _Records:
        """Records of all lists in one."""
        return _Records([*chain(*map(list_records, self.values))], self.rules, f"{self.path}[].")

    @cached_property
    def _ends(self) -> list[int]:
        return [*accumulate((len(list_records(value)) for value in self.values), initial=0)]

    @cached_property
    def _by_text(self) -> Mapping[str, tuple[object, IntArray]]:
        """Distinct values that are neither objects nor lists of records, with their rows."""
        values, rows = {}, defaultdict(list)
        for value, row, opened in zip(self.values, self.rows, self.objects | self.with_records, strict=True):
            if not opened:
                written = _write(value)
                values[written] = value
                rows[written].append(row)
        return {written: (value, np.array(rows[written])) for written, value in values.items()}

    @cached_property
    def _by_key(self) -> Mapping[Hashable, list[str]]:
        """Distinct values by each key that they may be right by."""
        by_key = defaultdict(list)
        if rule := find_rule(self.path, self.rules):
            for written, (value, _) in self._by_text.items():
                for entry in rule.entries(value):
                    by_key[rule.key(entry)].append(written)
        return by_key


def _most_right(right: FloatArray) -> float:
    """Right values of two lists, paired as `_pair` does."""
    if right.size > MOST_PAIRS:
        return float(right.trace())
    return float(right[scipy.optimize.linear_sum_assignment(right, maximize=True)].sum())
