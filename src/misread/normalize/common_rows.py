"""Segments that all systems read."""

from collections.abc import Mapping

from misread.errors import UndefinedResultError
from misread.normalize.normalized_texts import NormalizedTexts


def find_common_rows(texts: Mapping[str, NormalizedTexts]) -> tuple[dict[str, dict[str, int]], int]:
    """Rows of the segments for which all systems have a hypothesis, by system and id, and the number of the others.

    Raises UndefinedResultError if there is none.
    """
    rows_of = {
        name: {
            key: row
            for row, key in enumerate(outputs.segments.segment_id)
            if outputs.normalized.hypotheses[row] is not None
        }
        for name, outputs in texts.items()
    }
    first = next(iter(rows_of.values()))
    common = [key for key in first if all(key in rows for rows in rows_of.values())]
    if not common:
        raise UndefinedResultError(f"{', '.join(texts)} have no segment in common that all of them read.")
    everything = set().union(*(outputs.segments.segment_id for outputs in texts.values()))
    return {name: {key: rows[key] for key in common} for name, rows in rows_of.items()}, len(everything) - len(common)
