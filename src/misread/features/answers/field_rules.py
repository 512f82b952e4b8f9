"""Rules that compare values of fields, as text, number or date, one value or several."""

import re
from collections.abc import Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import cached_property
from typing import Any, Literal

from misread.alignment.encode.inputs import check_texts
from misread.errors import AnswerError, ConfigurationError, InputTypeError
from misread.io.checks.choices import check_choices

Comparison = Literal["text", "exact", "number", "date", "boolean"]
Items = Literal["whole", "first", "set", "multiset"]

_CURRENCY = re.compile(r"[$€£¥₹₺₽₩₪¢]|\b[A-Z]{3}\b")
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


@dataclass(frozen=True)
class FieldRule:
    """Rule for comparing values of one field, by default as text.

    A null, a list or object without values, and a field that is left out are one thing: no value, which is neither
    expected nor given.

    Parameters
    ----------
    compare : {"text", "exact", "number", "date", "boolean"}
        "text": as text, without surrounding white space and without case. "exact": the same with case. "number":
        decimal value, without grouping marks and currency. "date": by `date_formats`. "boolean": true or yes, false or
        no.
    items : {"whole", "first", "set", "multiset"}
        "whole": the value is compared as a whole; a list is right if all its items are, in order, an object if all its
        fields are. The others treat the value as a list (of one item, if it is no list): "first" compares its first
        item, "set" counts each item once, regardless of repeats and other names, and "multiset" counts every
        occurrence.
    alternatives : mapping of str to sequence of str
        Other accepted names of a reference value, such as a person or company.
    no_value : sequence of str, optional
        Texts that mean no value, by default the empty one, compared without white space at their ends and without case,
        or with case for "exact"; one that is also another name of an expected value counts as a value. With None
        everything is a value, null too, which is the text "None".
    not_asked : str
        Regular expression: reference values that it matches entirely are not expected and not counted.
    date_formats : sequence of str
        Formats of `datetime.strptime`, tried in order.
    decimal_mark : {".", ","}
        Decimal mark; the other one groups digits.

    Raises
    ------
    UnknownNameError
        If `compare` or `items` is not one of its choices.
    InputTypeError
        If a list of texts is not a list, such as a single text instead.
    ConfigurationError
        If `not_asked` is not a regular expression, or the decimal mark is neither point nor comma.

    Examples
    --------
    >>> rule = FieldRule(compare="number")
    >>> rule.is_right("$1,150.00", 1150)
    True
    >>> FieldRule(alternatives={"Christ, Paul": ["Herr Christ"]}).is_right("Christ, Paul", "herr christ")
    True
    >>> [FieldRule(no_value=["", "unknown"]).reference_values(value) for value in (None, " ", "Unknown", "5")]
    [[], [], [], ['5']]
    """

    compare: Comparison = "text"
    items: Items = "whole"
    alternatives: Mapping[str, Sequence[str]] = field(default_factory=dict)
    no_value: Sequence[str] | None = ("",)
    not_asked: str = ""
    date_formats: Sequence[str] = ("%Y-%m-%d",)
    decimal_mark: str = "."

    def __post_init__(self) -> None:
        check_choices(self, "a field's rule")
        if self.decimal_mark not in (".", ","):
            raise ConfigurationError(f"decimal_mark of a field's rule is {self.decimal_mark!r}, expected '.' or ','.")
        check_texts("no_value of a field's rule", () if self.no_value is None else self.no_value)
        check_texts("date_formats of a field's rule", self.date_formats)
        if not isinstance(self.alternatives, Mapping):
            kind = type(self.alternatives).__name__
            raise InputTypeError(f"alternatives of a field's rule is of type {kind}, expected lists of names by value.")
        for value, others in self.alternatives.items():
            check_texts(f"the alternatives of {value!r} in a field's rule", others)
        try:
            re.compile(self.not_asked)
        except re.error as error:
            raise ConfigurationError(
                f"not_asked of a field's rule is {self.not_asked!r}, which is not a regular expression: {error}."
            ) from None

    def is_right(self, reference: object, hypothesis: object) -> bool:
        """Whether a value is accepted for the reference value.

        Raises
        ------
        AnswerError
            If the reference value is not what the rule compares.
        """
        return self.key(hypothesis) in self.accepted(reference)

    def accepted(self, reference: object) -> frozenset[Hashable]:
        """Keys of all values accepted for a reference value.

        Raises
        ------
        AnswerError
            If the reference value is not what the rule compares.
        """
        try:
            keys = {self._key(reference)}
        except ValueError:
            raise AnswerError(f"{reference!r}, expected {self._expected()}") from None
        return frozenset(keys | {self.key(other) for other in self.alternatives.get(str(reference).strip(), ())})

    def key(self, hypothesis: object) -> Hashable:
        """Key of a value: equal values have equal keys. A value of the wrong type equals no other."""
        try:
            return self._key(hypothesis)
        except ValueError:
            return "unreadable", str(hypothesis)

    def reference_values(self, value: object) -> list[object]:
        """Expected values of a reference."""
        values = self.hypothesis_values(value)
        return [entry for entry in values if not (self.not_asked and re.fullmatch(self.not_asked, str(entry).strip()))]

    def hypothesis_values(self, value: object, wanted: Container[Hashable] = ()) -> list[object]:
        """Values of a hypothesis; a text that means no value is included only if its key is wanted."""
        return [entry for entry in self.entries(value) if not self.is_nothing(entry) or self._is_wanted(entry, wanted)]

    def entries(self, value: object) -> list[object]:
        """Values that a field has; some may mean no value."""
        if self.items == "whole" or not isinstance(value, list | tuple):
            return [value]
        return [*value[:1]] if self.items == "first" else [*value]

    def is_nothing(self, value: object) -> bool:
        """Whether a value means that there is none."""
        if self.no_value is None:
            return False
        if isinstance(value, str):
            return self._plain(value) in self._nothing
        if isinstance(value, Mapping):
            return all(map(self.is_nothing, value.values()))
        return value is None or (isinstance(value, list | tuple) and all(map(self.is_nothing, value)))

    @property
    def has_several(self) -> bool:
        """Whether a field may have several values."""
        return self.items in ("set", "multiset")

    @cached_property
    def _nothing(self) -> frozenset[str]:
        return frozenset(map(self._plain, self.no_value or ()))

    def _is_wanted(self, value: object, wanted: Container[Hashable]) -> bool:
        return isinstance(value, str) and self.key(value) in wanted

    def _plain(self, value: object) -> str:
        plain = str(value).strip()
        return plain if self.compare == "exact" else plain.lower()

    def _key(self, value: object) -> Hashable:
        if isinstance(value, list | tuple):
            return "list", tuple(self._key(entry) for entry in value)
        if not isinstance(value, str) and isinstance(value, Mapping):
            return "object", frozenset(
                (name, self._key(entry)) for name, entry in value.items() if not self.is_nothing(entry)
            )
        if self.compare in ("text", "exact"):
            return self._plain(value)
        if self.compare == "number":
            return _number(value, self.decimal_mark)
        return _boolean(value) if self.compare == "boolean" else self._date(value)

    def _date(self, value: object) -> date:
        for form in self.date_formats:
            try:
                return datetime.strptime(str(value).strip(), form).date()
            except ValueError:
                continue
        raise ValueError(value)

    def _expected(self) -> str:
        return f"a date ({' or '.join(self.date_formats)})" if self.compare == "date" else f"a {self.compare}"


def _number(value: object, decimal_mark: str) -> Decimal:
    digits = str(value)
    if not isinstance(value, int | float):
        grouping = "," if decimal_mark == "." else "."
        digits = "".join(_CURRENCY.sub("", digits).split()).replace(grouping, "").replace(decimal_mark, ".")
    try:
        number = Decimal(digits)
    except InvalidOperation:
        raise ValueError(value) from None
    if not number.is_finite():
        raise ValueError(value)
    return number


def _boolean(value: Any) -> bool:
    if str(value).strip().lower() not in _TRUTHS:
        raise ValueError(value)
    return _TRUTHS[str(value).strip().lower()]
