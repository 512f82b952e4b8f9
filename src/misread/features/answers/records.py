"""Fields of nested objects and of records in lists, by their paths."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import scipy

from misread.features.answers.field_counts import AS_SPECIFIED, FieldCounts, Rules, count_fields

# Pairs of records that differ, beyond which they are paired in order: each pair costs a comparison of its fields.
_MOST_PAIRS: Final = 40_000
_ABSENT: Final = object()


def count_records(
    reference: Mapping[str, object], hypothesis: Mapping[str, object], rules: Rules = AS_SPECIFIED
) -> dict[str, FieldCounts]:
    """Counts of values by path of one document, such as "vendor.city" and "entries[].surname", in reading order.

    Records of a list are paired so that most values are right (the assignment problem), whatever their order; one that
    is missing costs its own values and no others. Equal records are paired first, which is part of a best pairing.
    Errors name the path of the field.
    """
    counts: dict[str, FieldCounts] = {}
    for path, more in _count(reference, hypothesis, rules, ""):
        counts[path] = FieldCounts(*map(sum, zip(counts.get(path, (0, 0, 0)), more, strict=True)))
    return counts


def _count(
    reference: Mapping[str, object], hypothesis: Mapping[str, object], rules: Rules, prefix: str
) -> Iterator[tuple[str, FieldCounts]]:
    for name in dict.fromkeys([*reference, *hypothesis]):
        path = f"{prefix}{name}".removesuffix(".")
        sides = reference.get(name, _ABSENT), hypothesis.get(name, _ABSENT)
        if any(map(has_records, sides)):
            for expected, extracted in _pair(list_records(sides[0]), list_records(sides[1]), rules):
                yield from _count(expected, extracted, rules, f"{path}[].")
            continue
        # What is an object on one side alone is compared with nothing on the other.
        inside_reference, inside_hypothesis = (side if isinstance(side, Mapping) else {} for side in sides)
        value, extracted = (
            {} if side is _ABSENT or (isinstance(side, Mapping) and side) else {path: side} for side in sides
        )
        yield from count_fields(value, extracted, rules).items()
        yield from _count(inside_reference, inside_hypothesis, rules, f"{path}.")


def has_records(value: object) -> bool:
    """Whether a value is a list with objects."""
    return isinstance(value, list) and any(isinstance(entry, Mapping) for entry in value)


def list_records(value: Any) -> list[Mapping[str, object]]:
    """Records of a side; any other value becomes a field without a name."""
    if value is _ABSENT or value is None:
        return []
    entries = value if isinstance(value, list) else [value]
    return [entry if isinstance(entry, Mapping) else {"": entry} for entry in entries]


def _pair(
    references: Sequence[Mapping[str, object]],
    hypotheses: Sequence[Mapping[str, object]],
    rules: Rules,
) -> Iterator[tuple[Mapping[str, object], Mapping[str, object]]]:
    """Pairs of records; one without partner is paired with a record without fields."""
    written = [[json.dumps(record, sort_keys=True) for record in side] for side in (references, hypotheses)]
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
    rows, columns = _assign(expected, extracted, rules)
    yield from ((expected[row], extracted[column]) for row, column in zip(rows, columns, strict=True))
    yield from ((expected[row], {}) for row in sorted({*range(len(expected))}.difference(rows)))
    yield from (({}, extracted[column]) for column in sorted({*range(len(extracted))}.difference(columns)))


def _assign(
    references: Sequence[Mapping[str, object]],
    hypotheses: Sequence[Mapping[str, object]],
    rules: Rules,
) -> tuple[list[int], list[int]]:
    """Rows and columns of a pairing with the most right values; of several, one in which the order changes little."""
    shortest = min(len(references), len(hypotheses))
    if not shortest or len(references) * len(hypotheses) > _MOST_PAIRS:
        return [*range(shortest)], [*range(shortest)]
    right = np.array(
        [
            [sum(counts.correct for _, counts in _count(reference, hypothesis, rules, "")) for hypothesis in hypotheses]
            for reference in references
        ],
        np.float64,
    )
    rows, columns = np.indices(right.shape)
    moved = np.abs(rows / len(references) - columns / len(hypotheses))
    # All moves together weigh less than one value.
    chosen = scipy.optimize.linear_sum_assignment(right - moved / (shortest + 1), maximize=True)
    return chosen[0].tolist(), chosen[1].tolist()
