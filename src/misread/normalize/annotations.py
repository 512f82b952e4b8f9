"""Annotations of normalized texts: words inside them are normalized, and those by word follow their words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from misread.normalize.normalizer import Normalizer
from misread.normalize.step import Side
from misread.records import Capture, TextPairs
from misread.text.words import split_words

Change = Callable[[str], str]
Fit = Callable[[Any, Change, str | None, str | None], Any]


def normalize_annotations(
    capture: Capture, normalized: TextPairs, normalizers: Sequence[Normalizer]
) -> dict[str, list[Any]]:
    """Annotations that fit the normalized texts; there is a normalizer for each row."""
    made = {}
    for name, values in capture.annotations.items():
        if name not in _FITS:
            made[name] = list(values)
            continue
        side, fit = _FITS[name]
        before, after = (getattr(of, side) for of in (capture.texts, normalized))
        made[name] = [
            fit(value, partial(normalizer, side=side), old, new)
            for value, normalizer, old, new in zip(values, normalizers, before, after, strict=True)
        ]
    return made


def _change_texts(value: Any, change: Change, _before: str | None, _after: str | None) -> Any:
    """A list of texts, each normalized as the text of a segment is."""
    return [change(text) if isinstance(text, str) else text for text in value] if isinstance(value, list) else value


def _change_turns(value: Any, change: Change, _before: str | None, _after: str | None) -> Any:
    """A list of objects with `words`."""
    if not isinstance(value, list):
        return value
    return [
        {**turn, "words": change(turn["words"])}
        if isinstance(turn, Mapping) and isinstance(turn.get("words"), str)
        else turn
        for turn in value
    ]


def _follow_words(value: Any, change: Change, before: str | None, after: str | None) -> Any:
    """A list with an entry for each word: those of the words that are left.

    Words that became several, or none, are found by changing each by itself; where that gives another text, the list
    stays as it is, and whoever uses it sees that it does not fit.
    """
    if not isinstance(value, list) or before is None or after is None or before == after:
        return value
    words, new_words = split_words(before), split_words(after)
    if len(value) != len(words) or len(words) == len(new_words):
        return value
    alone = [split_words(change(word)) for word in words]
    if [word for each in alone for word in each] != new_words:
        return value
    return [entry for entry, each in zip(value, alone, strict=True) for _ in each]


_FITS: Final[Mapping[str, tuple[Side, Fit]]] = {
    "biasing": ("references", _change_texts),
    "nbest": ("hypotheses", _change_texts),
    "confidence": ("hypotheses", _follow_words),
    "final_times": ("hypotheses", _follow_words),
    "entities": ("references", _follow_words),
    "spoken_times": ("references", _follow_words),
    "reference_turns": ("references", _change_turns),
    "turns": ("hypotheses", _change_turns),
}
