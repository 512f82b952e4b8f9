"""Ids at the beginning of texts, which count as words where files of segments are read as plain lines."""

import re
from collections.abc import Sequence
from typing import Final

_FEWEST: Final = 3
_FIELD: Final = re.compile(r"(?P<id>[^\s|;,]+)(?P<separator>[\t|;,]|[^\S\n]|\Z)")
_ID: Final = re.compile(r"(?=.*\d)(?=.*[^\W\d]|.*[-_])[\w.:/\\-]{3,}")
"""Digits and also letters or marks that join: no number of a list, and no word."""
_IN_COLUMN: Final = re.compile(r".*\d.*|.*[/\\_-].*|.+\.[^\W\d]\w*")
"""Before a tab or bar also paths and numbers."""
_AMOUNT: Final = re.compile(
    r"[^\W\d]{0,3}[-+]?\d+[.,]\d+(?:[.,]\d+)*[^\W\d]{0,4}|\d+[^\W\d]{1,4}[.:]?"
    r"|\d+(?:[/.:]\d+)+[^\W\d]{0,2}[.:]?|\d{4}-\d\d?-\d\d?|\d\d?-\d\d?-\d{4}"
)
"""Amounts, quantities, ordinals, dates and times, with which lines of forms begin."""


def find_written_ids(references: Sequence[str], outputs: Sequence[str | None]) -> tuple[str, ...]:
    """Ids with which all texts begin, the same on both sides, each once; none if one text begins otherwise.

    The order may differ: such files are paired by these ids. One character separates all of them from the texts.
    """
    ids = _ids_of(references) if len(references) >= _FEWEST else ()
    if not ids or {*ids} != {*_ids_of(outputs)} or all(len(text.split(maxsplit=1)) < 2 for text in references):
        return ()
    numbers = [int(key) for key in ids if key.isdecimal()]
    return () if numbers and [*range(numbers[0], numbers[0] + len(ids))] != numbers else ids


def _ids_of(texts: Sequence[str | None]) -> tuple[str, ...]:
    separator, ids = "", dict[str, None]()
    for text in texts:
        field = _FIELD.match(text or "")
        separator = separator or (field["separator"] if field else "")
        if field is None or field["id"] in ids or field["separator"] not in (separator, ""):
            return ()
        in_column = separator in ("\t", "|") and _IN_COLUMN.fullmatch(field["id"])
        if _AMOUNT.fullmatch(field["id"]) or not (in_column or _ID.fullmatch(field["id"])):
            return ()
        ids[field["id"]] = None
    return tuple(ids)
