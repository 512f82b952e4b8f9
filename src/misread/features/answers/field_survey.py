"""Facts of documents that make numbers of their fields doubtful."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal

from misread.data.segment_table import Doubt
from misread.errors import AnswerError, UnknownNameError
from misread.features.answers.field_counts import OTHER_FIELDS, Rules, find_rule
from misread.features.answers.field_rules import FieldRule
from misread.features.answers.records import MOST_PAIRS, count_records, has_records, list_records
from misread.metrics.base import Survey
from misread.text.display import shorten_label
from misread.text.nouns import count_of

Nested = Literal["whole", "flat", "records"]
"""Comparison of values with fields of their own: as a whole, objects by their fields, or records in lists, too."""

_SHOWN: Final = 3
_SETTING: Final = "each compared as a whole; the setting records=true, as in field_f1(records=true),"
_ALL: Final = ""
_DEEPEST: Final = 200


def survey_fields(
    references: Iterable[Mapping[str, object]],
    hypotheses: Iterable[Mapping[str, object]],
    rules: Rules,
    nested: Nested,
) -> Survey:
    """Numbers of references by their fields, and of those fields whose values are objects or have records.

    "unlike" is the number of values that mean nothing on both sides and are written differently, "in_order" that of
    records of the references that are too many to be paired by their values.
    """
    fields, objects, records, in_order = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    unlike = 0
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        expected = _Values.of(reference, nested)
        fields.update(path for path, values in expected.by_path.items() if not all(map(expected.is_opened, values)))
        counted = {name: value for name, value in reference.items() if find_rule(name, rules)}
        with_records = {name for name, value in counted.items() if _has_records_inside(value)}
        records.update(with_records if nested != "records" else ())
        if nested == "whole":
            objects.update(
                name for name, value in counted.items() if isinstance(value, Mapping) and name not in with_records
            )
        if hypothesis:
            extracted = _Values.of(hypothesis, nested)
            unlike += _count_unlike(expected, extracted, rules)
            if nested == "records" and expected.longest * extracted.longest > MOST_PAIRS:
                with suppress(AnswerError):  # reported as a problem of the reference
                    count_records(reference, hypothesis, rules, in_order)
    return {"fields": fields, "objects": objects, "records": records, "in_order": in_order, "unlike": {_ALL: unlike}}


def describe_survey(metric: str, survey: Survey, rules: Rules, system: str) -> list[Doubt]:
    """Doubts of a metric and a system; raises UnknownNameError for a rule of a field that no reference has."""
    fields = survey["fields"]
    for name in rules:
        if name != OTHER_FIELDS and name not in fields:
            raise UnknownNameError("field", name, fields, where=f"the rules of {metric}: no reference has it")
    doubts = []
    ignored = [name for name in fields if find_rule(name, rules) is None]
    kinds = (
        (ignored, f"{metric} does not count {{}}, by its rules."),
        (survey["objects"], f"Values of {{}} are objects, {_SETTING} counts the values inside."),
        (
            survey["records"],
            f"Values of {{}} have lists of records, {_SETTING} pairs the records and counts their values.",
        ),
    )
    for names, sentence in kinds:
        if names:
            # Names of fields may be texts, as where an object has a key for every person.
            counted = count_of(len(names), "field")
            doubts.append(
                Doubt(sentence=sentence.format(_name_some([*names])), brief=sentence.format(counted), quotes=True)
            )
    for path, number in survey["in_order"].items():
        sentence = (
            f"{system}: {number:,} records of {{}} were compared in their order, because they and those of the answers "
            f"make more than {MOST_PAIRS:,} pairs in one document; so a missing one makes all after it wrong. Divide "
            "the documents."
        )
        whole, brief = (sentence.format(where) for where in (shorten_label(path), "a field"))
        doubts.append(Doubt(sentence=whole, brief=brief, quotes=True))
    if number := survey["unlike"][_ALL]:
        have = "1 value is" if number == 1 else f"{number:,} values are"
        sentence = (
            f"{system}: {have} null, empty or left out in the references and in another of these ways in the answers; "
            "without a value on either side, nothing is counted."
        )
        doubts.append(Doubt(sentence=sentence, brief=sentence))
    return doubts


@dataclass
class _Values:
    """Values of a document by path, the path of the objects that have them, and the number of such objects."""

    nested: Nested
    by_path: dict[str, list[object]] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)
    objects: Counter[str] = field(default_factory=Counter)

    @property
    def longest(self) -> int:
        """Length of the longest list."""
        values = (value for values in self.by_path.values() for value in values)
        return max((len(value) for value in values if isinstance(value, list)), default=0)

    @classmethod
    def of(cls, document: Mapping[str, object], nested: Nested) -> _Values:
        values = cls(nested)
        unopened = [("", document)]
        while unopened:
            prefix, entries = unopened.pop()
            values.objects[prefix] += 1
            for name, value in entries.items():
                path = f"{prefix}{name}".removesuffix(".")
                values.by_path.setdefault(path, []).append(value)
                values.prefixes[path] = prefix
                if values.is_opened(value):
                    inner = f"{path}." if isinstance(value, Mapping) else f"{path}[]."
                    unopened += [(inner, record) for record in list_records(value)]
        return values

    def is_opened(self, value: object) -> bool:
        """Whether the values inside count by themselves."""
        return self.nested == "records" and (has_records(value) or (isinstance(value, Mapping) and bool(value)))

    def without_value(self, path: str, prefix: str, rule: FieldRule) -> Counter[str]:
        """How often no value is written in which way."""
        values = self.by_path.get(path, [])
        ways = Counter(_write(value) for value in values if rule.is_nothing(value))
        return ways + Counter({"left out": self.objects[prefix] - len(values)})


def _count_unlike(reference: _Values, hypothesis: _Values, rules: Rules) -> int:
    number = 0
    for path, prefix in {**reference.prefixes, **hypothesis.prefixes}.items():
        rule = find_rule(path, rules)
        if rule and rule.no_value is not None:
            expected, extracted = (side.without_value(path, prefix, rule) for side in (reference, hypothesis))
            number += min(expected.total(), extracted.total()) - (expected & extracted).total()
    return number


def _write(value: object) -> str:
    return value.strip() if isinstance(value, str) else type(value).__name__


def _has_records_inside(value: object) -> bool:
    """Whether a value has a list of objects, at any depth that JSON is read to."""
    layer = [value]
    for _ in range(_DEEPEST):
        if any(map(has_records, layer)):
            return True
        layer = [entry for inner in layer if isinstance(inner, Mapping) for entry in inner.values()]
    return False


def _name_some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(map(shorten_label, names[:_SHOWN])) + more
