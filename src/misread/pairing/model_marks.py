"""Marks that a model's answer has and a reference does not, as evidence that the sides are exchanged."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from misread.normalize.steps.chatter import keep_answer

_TOKEN: Final = re.compile(r"<\|\w+\|>")  # such as <|endoftext|>
_HINTS: Final = ("<|", "```", "Here is the ", "here is the ", "ere's the ")
_SAMPLE: Final = 5_000  # references that are looked at first: a model marks many
_FEWEST: Final = 2


def find_marked(references: Sequence[str], outputs: Sequence[str | None]) -> list[int]:
    """Rows whose references carry marks of a model; none if an output carries any, too."""
    sample = "\n".join(references[row] for row in range(0, len(references), len(references) // _SAMPLE + 1))
    if not any(hint in sample for hint in _HINTS):
        return []
    rows = [row for row, text in enumerate(references) if _is_marked(text)]
    if len(rows) < _FEWEST or any(_is_marked(text) for text in outputs if text):
        return []
    return rows


def _is_marked(text: str) -> bool:
    """Whether a text has a special token, or chatter or a fence that the normalizer of answers takes off."""
    return bool(_TOKEN.search(text)) or keep_answer(text) != text
