"""Values of fields of one document: those that are right, asked for and given."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import scipy

from misread.errors import AnswerError, InputTypeError
from misread.features.answers.field_rules import FieldRule

OTHER_FIELDS: Final = "*"
"""Key of the rule for all fields without their own."""

Rules: TypeAlias = Mapping[str, FieldRule | None]
"""Rules by the name of the field; None leaves a field out."""

AS_SPECIFIED: Final[Rules] = {OTHER_FIELDS: FieldRule(no_value=None)}
"""Every field is compared as the text that Python makes of its value, as the specification prints it."""

DEFAULT_RULES: Final[Rules] = {OTHER_FIELDS: FieldRule()}


class FieldCounts(NamedTuple):
    """Values of one field."""

    correct: int
    reference: int
    hypothesis: int


def count_fields(
    reference: object, hypothesis: object, rules: Rules = AS_SPECIFIED, *, segment_id: str = ""
) -> dict[str, FieldCounts]:
    """Counts of values by field of one document, sorted by name, without fields that neither side has.

    `rules` defines how fields count; "*" means all other fields. Errors name the segment and the field.
    Hopcroft & Karp (1973), An n^5/2 algorithm for maximum matchings in bipartite graphs.
    """
    expected, extracted = (
        require_fields(reference, "reference", segment_id),
        require_fields(hypothesis, "hypothesis", segment_id),
    )
    if not isinstance(rules, Mapping):
        raise InputTypeError(f"rules is of type {type(rules).__name__}, expected a FieldRule by the name of its field.")
    counts = {}
    for name in sorted(expected.keys() | extracted.keys()):
        if rule := find_rule(name, rules):
            values = ([side[name]] if name in side else [] for side in (expected, extracted))
            counts[name] = count_field(name, rule, values, segment_id)
    return counts


def count_field(name: str, rule: FieldRule, sides: Iterable[Sequence[object]], segment_id: str = "") -> FieldCounts:
    """Counts of one field; the value of each side, reference first, is in a list, which is empty where it has none."""
    reference, hypothesis = sides
    accepted = [keys for value in reference for keys in accepted_keys(name, value, rule, segment_id)]
    wanted = frozenset[Hashable]().union(*accepted)
    values = [rule.key(entry) for value in hypothesis for entry in rule.hypothesis_values(value, wanted)]
    return _count(accepted, values, rule)


def accepted_keys(name: str, reference: object, rule: FieldRule, segment_id: str = "") -> list[frozenset[Hashable]]:
    """Keys of accepted values for each expected value of a field, which errors name."""
    try:
        return [rule.accepted(value) for value in rule.reference_values(reference)]
    except AnswerError as error:
        raise AnswerError(f"{name_segment(segment_id)}field {name!r} of the reference is {error}.") from None


def find_rule(name: str, rules: Rules) -> FieldRule | None:
    """Rule of a field: its own, that of all other fields, or the default; None if it is not counted."""
    rule = rules.get(name, rules.get(OTHER_FIELDS, DEFAULT_RULES[OTHER_FIELDS]))
    if rule is not None and not isinstance(rule, FieldRule):
        raise InputTypeError(f"the rule of field {name!r} is of type {type(rule).__name__}, expected a FieldRule.")
    return rule


def flatten_fields(document: Mapping[str, object]) -> dict[str, object]:
    """Name the fields of nested objects by their path, joined by points; lists stay unchanged."""
    flat: dict[str, object] = {}
    for name, value in document.items():
        if isinstance(value, Mapping) and value:
            flat.update({f"{name}.{inner}": inner_value for inner, inner_value in flatten_fields(value).items()})
        else:
            flat[name] = value
    return flat


def require_fields(side: object, name: str, segment_id: str = "") -> Mapping[str, object]:
    """Return a side if it is a mapping; otherwise raise InputTypeError with segment, side and type."""
    if not isinstance(side, Mapping):
        raise InputTypeError(
            f"{name_segment(segment_id)}the {name} is of type {type(side).__name__}, expected fields by name."
        )
    return side


def _count(accepted: list[frozenset[Hashable]], extracted: list[Hashable], rule: FieldRule) -> FieldCounts:
    if rule.items == "set":
        accepted, extracted = list(dict.fromkeys(accepted)), list(dict.fromkeys(extracted))
    if not rule.has_several:
        right = sum(key in keys for keys, key in zip(accepted, extracted, strict=False))
        return FieldCounts(right, len(accepted), len(extracted))
    fits = np.array([[key in keys for key in extracted] for keys in accepted], dtype=bool)
    if not fits.size:
        return FieldCounts(0, len(accepted), len(extracted))
    # A name may match two persons: the assignment with the most matches does not depend on the order.
    correct = int(
        (scipy.sparse.csgraph.maximum_bipartite_matching(scipy.sparse.csr_array(fits), perm_type="column") >= 0).sum()
    )
    # In a set, a second name of a matched value is neither right nor wrong.
    asked = correct + int((~fits.any(axis=0)).sum()) if rule.items == "set" else len(extracted)
    return FieldCounts(correct, len(accepted), asked)


def name_segment(segment_id: str) -> str:
    """Start of a message about a document; empty without an id."""
    return f"segment {segment_id!r}: " if segment_id else ""
