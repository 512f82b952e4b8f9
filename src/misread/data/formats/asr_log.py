"""Logs of a speech recognizer: a JSON array, JSON Lines, or columns separated by semicolons."""

from pathlib import Path
from typing import Final

from misread.data.formats.base import Format
from misread.data.formats.tables import Rows, gather_json, read_separated
from misread.errors import InputFileError
from misread.io.text import UTF_8, read_text

REFERENCE: Final = "reference_text"
"""Column of references, as Text Similarity Metrics (trnorm) names it."""

HYPOTHESIS: Final = "asr_output"
"""Column of recognized texts."""


def read_log_rows(path: Path, *, encoding: str = UTF_8) -> Rows:
    """Read a log; its first character says which form it has.

    Raises InputFileError if it is missing, empty or a line or entry is broken; names file and line or entry.
    """
    text = read_text(path, encoding=encoding)
    first = text.lstrip()[:1]
    if not first:
        raise InputFileError(f"{path} is empty, expected a log.")
    if first not in "[{":
        return _separated(path, text)
    rows = gather_json(path, text, f"a JSON object with {REFERENCE} and {HYPOTHESIS}")
    if not rows.lines:
        raise InputFileError(f"{path} has no entry.")
    return rows


def _separated(path: Path, text: str) -> Rows:
    header = f"a header with columns separated by ';', such as {REFERENCE};{HYPOTHESIS}"
    rows = read_separated(
        path,
        text,
        "a log with ';'",
        expected=f"a JSON array, JSON Lines, or {header}",
        advice="; put a text with ';' in quotes",
        delimiter=";",
    )
    if not rows.lines:
        raise InputFileError(f"{path} has a header and no row.")
    return rows


ASR_LOG = Format(
    name="asr_log",
    label="a recognizer's log",
    kind="table",
    paired_by="id",
    help="log of a recognizer: a JSON array, JSON Lines, or separated by `;`, with reference_text and asr_output",
)
