"""Ids at the beginning of texts, which count as words where files of segments are read as plain lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

_FEWEST: Final = 3
_ID: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d]|.*[-_:])[\w.:-]{3,}")
"""Digits and also letters or marks that join: no number of a list, and no word."""
_COLUMN: Final = re.compile(r"\S+\t")


def begin_with_ids(references: Sequence[str], outputs: Sequence[str | None]) -> bool:
    """Whether both sides have the same ids as first words, each once; stops at the first word that is no id.

    The order may differ: such files are paired by these ids. Whatever a tab follows in every text, such as a path, is
    an id.
    """
    if len(references) < _FEWEST:
        return False
    first = next(_first_words(references), "")
    is_column = all(_COLUMN.match(text or "") for text in (*references[:1], *outputs[:1], *references, *outputs))
    if not (is_column or _ID.fullmatch(first)):
        return False
    sides = []
    for texts in (references, outputs):
        ids = set()
        for word in _first_words(texts):
            if word in ids or not (is_column or _ID.fullmatch(word)):
                return False
            ids.add(word)
        sides.append(ids)
    return sides[0] == sides[1] and any(len(text.split(maxsplit=1)) > 1 for text in references)


def _first_words(texts: Sequence[str | None]) -> Iterator[str]:
    for text in texts:
        yield next(iter((text or "").split(maxsplit=1)), "")
