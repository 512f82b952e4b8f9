"""Logs of frames that evaluate models: what was asked for, what came, and how it was scored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from misread.data.segment_table import Doubt
from misread.errors import InputFileError
from misread.io.json_files import from_plain

Made = TypeVar("Made")


class LogEntry(NamedTuple):
    """One sample in one run."""

    location: str  # file and line or member, for messages
    segment_id: str
    run: str
    reference: str
    text: str | None  # None where the model gave no answer, as after an error
    scores: Mapping[str, Any]  # by scorer: a number, None where it gave none, else what it is
    labels: Mapping[str, Any]  # metadata of the sample
    effort: Mapping[str, float] = {}  # known quantities of `EFFORT`


@dataclass(frozen=True, kw_only=True)
class Log:
    """All samples of one model in one task."""

    source: str
    task: str
    model: str
    entries: Sequence[LogEntry]
    lower_is_better: frozenset[str] = frozenset()  # scorers
    notes: Sequence[str] = field(default_factory=tuple)  # whole sentences
    doubts: Sequence[Doubt] = ()
    remarks: Sequence[str] = ()

    @property
    def scorers(self) -> list[str]:
        """Names of all scorers, in the order of the samples."""
        return list(dict.fromkeys(name for entry in self.entries for name in entry.scores))


def read_record(entry: object, made: type[Made], location: str) -> Made:
    """A dataclass from an object of JSON; raises InputFileError, with the place, if it lacks a field."""
    from msgspec import ValidationError

    try:
        return from_plain(entry, made)
    except ValidationError as error:
        raise InputFileError(f"{location}: {error}.") from None
