"""The door to alignment: two strings, or two equally long collections of strings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from misread.arrow_texts import ArrowTexts, is_arrow
from misread.errors import InputTypeError, LengthMismatchError

Texts = str | Iterable[str]
"""One text, or many: a list, a pandas Series, an Arrow array of strings."""


def check_pairs(references: Texts, hypotheses: Texts) -> tuple[Sequence[str], Sequence[str]]:
    """Make two sequences of equal length of whatever was given.

    Parameters
    ----------
    references, hypotheses : str or iterable of str
        Two strings, or two collections of equal length.

    Returns
    -------
    references, hypotheses : sequence of str
        The entries of anything but an Arrow array are not looked at yet.

    Raises
    ------
    LengthMismatchError
        If the two sides differ in number; names both.
    InputTypeError
        If one side is a string and the other is not, or a side cannot hold strings.
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


def _check_side(side: str, texts: Texts, other: Texts) -> Sequence[str]:
    if isinstance(texts, str):
        raise InputTypeError(
            f"{side} is one string and the other side is {type(other).__name__}: give two strings or two sequences."
        )
    if is_arrow(texts):
        return ArrowTexts(texts, side)
    if not isinstance(texts, Iterable):
        raise InputTypeError(f"{side} is {texts!r} where strings are needed: give two strings or two sequences.")
    return texts if isinstance(texts, (list, ArrowTexts)) else list(texts)
