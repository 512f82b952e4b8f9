"""Logs of frames that evaluate models: what was asked for, what came, and how it was scored."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeGuard

from misread.errors import InputFileError

EFFORT: Final = ("latency_seconds", "input_tokens", "output_tokens", "usd")
"""Annotations that say what a reading took."""


class LogEntry(NamedTuple):
    """One sample in one run."""

    location: str  # file and line or member, for messages
    segment_id: str
    run: str
    reference: str
    text: str | None  # None where the model gave no answer, as after an error
    scores: Mapping[str, Any]  # by scorer: a number, None where it gave none, else what it is
    labels: Mapping[str, Any]  # metadata of the sample
    effort: Mapping[str, float] = {}  # of `EFFORT`, what is known


@dataclass(frozen=True, kw_only=True)
class Log:
    """All samples of one model in one task."""

    source: str
    task: str
    model: str
    entries: Sequence[LogEntry]
    lower_is_better: frozenset[str] = frozenset()  # scorers
    notes: Sequence[str] = field(default_factory=tuple)  # whole sentences

    @property
    def scorers(self) -> list[str]:
        """Names of all scorers, in the order of the samples."""
        return list(dict.fromkeys(name for entry in self.entries for name in entry.scores))


def decode_entry(text: str | bytes, location: str) -> dict[str, Any]:
    """An object of JSON, in which NaN may stand for no number, as these frames write it."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputFileError(f"{location}: not valid JSON ({error.msg}, column {error.colno}).") from None
    except RecursionError:
        raise InputFileError(f"{location}: JSON nested too deeply to be read.") from None
    except ValueError as error:
        raise InputFileError(f"{location}: JSON that cannot be read ({error}).") from None
    if not isinstance(value, dict):
        raise InputFileError(f"{location}: expected a JSON object, got {type(value).__name__}.")
    return value


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value of JSON is a finite number; a truth value is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
