"""Columns of a table: one record, from which options, arguments and keys of a data set follow."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal

from misread.data.segment_table import EFFORT
from misread.errors import ConfigurationError, InputTypeError, setting
from misread.io.checks.choices import check_choice

EmptyCells = Literal["text", "missing"]
"""Meaning of an empty cell of CSV or TSV."""

BRACKETS: Final = ("system", "run", "request", "ocr", "measured", "empty")
"""Those that commands take behind the name of a table, `rows.csv(system=model)`; others have an option."""


@dataclass(frozen=True, kw_only=True)
class TableColumns:
    """Columns of a table with one row per segment, or one per segment and run, segment and system, or all three.

    Parameters
    ----------
    reference : str
        Column of references; all rows of a segment have the same one.
    segment_id : list of str
        Columns that together name a segment; without any, rows are numbered from 1.
    cluster : str, optional
        Column of clusters; segments of one cluster (page, book, writer, speaker) are not independent.
    groups : list of str
        Columns by which results are broken down.
    system : str, optional
        Column that names the system of a row, of a table with one row per segment and system. A system without a row
        for a segment has no text there.
    hypothesis : str, optional
        With `system`: column of the texts of all systems.
    run : str, optional
        Column that names the run of a row, of a table with one row per segment and run.
    request : str, optional
        With `run`: column with the id of the request that a row answers; two rows with one id are refused.
    ocr : str, optional
        Column of recognized text that the systems corrected, where a segment has one row.
    measured : mapping of str to str
        With `system`: columns with what a text took, by "latency_seconds", "input_tokens", "output_tokens" or "usd";
        they come to the tables of latencies and costs.
    empty : {"text", "missing"}
        What an empty cell is in a format that has no other sign for a missing text (CSV, TSV).
    media : str, optional
        Column of paths of images or audio.
    times : list of str
        Two columns, begin and end in seconds of a segment in the recording that `media` names.

    Raises
    ------
    ConfigurationError
        If a column is named that means nothing without another one.
    UnknownNameError
        If a measure or the rule for empty cells is unknown.
    """

    reference: str
    segment_id: Sequence[str] = ()
    cluster: str = ""
    groups: Sequence[str] = ()
    system: str = ""
    hypothesis: str = ""
    run: str = ""
    request: str = ""
    ocr: str = ""
    measured: Mapping[str, str] = field(default_factory=dict)
    empty: EmptyCells = "text"
    media: str = ""
    times: Sequence[str] = ()

    def __post_init__(self) -> None:
        check_choice("rule for empty cells", self.empty, EmptyCells)
        if not isinstance(self.measured, Mapping):
            kind = type(self.measured).__name__
            raise InputTypeError(f"{setting('measured')} is of type {kind}, expected columns by what they measure.")
        for name in self.measured:
            check_choice("measure", name, EFFORT, where=setting("measured"))
        if self.request and not self.run:
            raise ConfigurationError(f"{setting('request')} needs {setting('run')}: it is about rows of several runs.")
        if bool(self.system) != bool(self.hypothesis):
            raise ConfigurationError(
                f"a table with a row per system needs both columns, {setting('system')} and {setting('hypothesis')}."
            )
        if self.measured and not self.system:
            raise ConfigurationError(
                f"{setting('measured')} needs {setting('system')}: it is about rows with one system each."
            )
        if self.ocr and (self.run or self.system):
            raise ConfigurationError(
                f"{setting('ocr')} goes neither with {setting('run')} nor with {setting('system')}: it is for tables "
                "with one row per segment."
            )

    @property
    def names(self) -> list[str]:
        """All columns that are named."""
        single = (self.reference, self.cluster, self.system, self.hypothesis, self.run, self.request, self.ocr)
        several = (*self.segment_id, *self.groups, *self.measured.values(), *self.times)
        return list(filter(None, (*single, self.media, *several)))

    @property
    def settings(self) -> dict[str, Any]:
        """Columns that are named, as a data set has them among its settings."""
        values = {column.name: getattr(self, column.name) for column in fields(TableColumns)}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        return {name: value for name, value in plain.items() if value and (name, value) != ("empty", "text")}
