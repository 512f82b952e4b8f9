"""Segments that a regime leaves out, of every system alike."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from misread.errors import ConfigurationError, UnknownNameError
from misread.records import Capture
from misread.text.patterns import SECONDS, compile_pattern, search


@dataclass(frozen=True, kw_only=True)
class Exclusions:
    """Which segments do not count.

    Parameters
    ----------
    empty_references : bool
        Whether those are left out whose reference is empty after the normalizer.
    references : str
        A regular expression that is found in references, as they are given, of segments that do not count.
    groups : mapping of str to sequence of str
        Labels by group column whose segments do not count.
    """

    empty_references: bool = False
    references: str = ""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.references:
            compile_pattern(self.references, name="exclusions.references")
        for column, labels in self.groups.items():
            if isinstance(labels, str):
                raise ConfigurationError(f"exclusions.groups.{column} is {labels!r}, expected a list of labels.")

    def rows_that_count(self, capture: Capture) -> Sequence[int]:
        """Rows whose reference and groups are not excluded."""
        rows: Sequence[int] = range(len(capture.texts))
        for column, labels in self.groups.items():
            known = capture.segments.groups
            if column not in known:
                raise UnknownNameError("group column", column, known, where="exclusions.groups")
            rows = [row for row in rows if known[column][row] not in labels]
        if not self.references:
            return rows
        expression = compile_pattern(self.references, name="exclusions.references")
        until = time.monotonic() + SECONDS
        return [
            row
            for row in rows
            if not search(
                expression,
                capture.texts.references[row],
                name="exclusions.references",
                seconds=until - time.monotonic(),
                limit=SECONDS,
            )
        ]
