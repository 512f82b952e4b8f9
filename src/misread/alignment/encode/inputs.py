"""Checks of the texts to align: one text, a sequence of texts, or a pair of either."""

from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Any

from misread.errors import InputTypeError, LengthMismatchError
from misread.text.arrow import ArrowTexts, is_arrow
from misread.text.lazy_texts import DeferredTexts, JoinedTexts

Texts = str | Iterable[str]
"""One text, or many: a list, a pandas Series, an Arrow array of strings."""


def check_pairs(references: Texts, hypotheses: Texts) -> tuple[Sequence[str], Sequence[str]]:
    """Make two sequences of equal length; only entries of Arrow arrays are checked here.

    Raises LengthMismatchError if the sides differ in number, and InputTypeError if one is a string and the other is
    not, or a side cannot hold strings in an order.
    """
    if isinstance(references, str) and isinstance(hypotheses, str):
        return [references], [hypotheses]
    first = _check_side("references", references, hypotheses)
    second = _check_side("hypotheses", hypotheses, references)
    if len(first) != len(second):
        raise LengthMismatchError(
            f"{len(first):,} references and {len(second):,} hypotheses: every reference needs one hypothesis."
        )
    return first, second


def check_text(name: str, text: object, *, function_for_many: str = "") -> str:
    """Raise InputTypeError unless `text` is one text; the error names the function that takes many, if there is one."""
    if not isinstance(text, str):
        hint = f"; {function_for_many} takes many" if function_for_many else ""
        raise InputTypeError(f"{name} is {_describe(text)}, expected one text{hint}.")
    return text


def check_texts(name: str, texts: Iterable[str], *, function_for_one: str = "") -> Sequence[str]:
    """Raise InputTypeError unless `texts` is a sequence of texts; the error names the function that takes one text."""
    if isinstance(texts, str):
        hint = f"; {function_for_one} takes one text" if function_for_one else ""
        raise InputTypeError(f"{name} is one string, expected a list of texts{hint}.")
    sequence = in_order(name, texts)
    for index, text in enumerate(sequence):
        if not isinstance(text, str):
            raise InputTypeError(f"{name}: entry {index} is {_describe(text)}, expected a text.")
    return sequence


def _check_side(side: str, texts: Texts, other: Texts) -> Sequence[str]:
    if isinstance(texts, str):
        raise InputTypeError(
            f"{side} is one string and the other side is {type(other).__name__}: give two strings or two sequences."
        )
    return in_order(side, texts)


def in_order(name: str, texts: Iterable[Any]) -> Sequence[Any]:
    """Raise InputTypeError for what has no order to pair by; only the entries of an Arrow array are checked."""
    if is_arrow(texts):
        return ArrowTexts(texts, name)
    # The names of a table's columns, or what happens to come first in a set, would pass for texts.
    unordered = isinstance(texts, bytes | bytearray | Mapping | Set) or getattr(texts, "ndim", 1) != 1
    if unordered or not isinstance(texts, Iterable):
        raise InputTypeError(f"{name} is {_describe(texts)}, expected a string or a list of strings.")
    return texts if isinstance(texts, list | ArrowTexts | DeferredTexts | JoinedTexts) else list(texts)


def _describe(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
