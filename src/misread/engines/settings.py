"""Capture settings of a system, apart from those of its engine."""

from dataclasses import dataclass
from typing import Literal

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choices


@dataclass(frozen=True)
class CaptureSettings:
    """How often a system is asked, and when its capture fails; part of the settings of the system.

    Parameters
    ----------
    runs : int
        How often every segment is read, for systems whose answers vary.
    max_failed : int, optional
        Number of segments that may fail, over all runs; one more ends the capture. By default any number may; the
        setting `missing` says how they are scored.
    without_server : {"error", "leave_out"}
        What becomes of a capture when nothing answers at the system's address: it fails, or the results cover the other
        systems and name the reason.

    Raises
    ------
    ConfigurationError
        If a number is too small.
    UnknownNameError
        If `without_server` is not one of its choices.
    """

    runs: int = 1
    max_failed: int | None = None
    without_server: Literal["error", "leave_out"] = "error"

    def __post_init__(self) -> None:
        check_choices(self, "a system")
        if self.runs < 1:
            raise ConfigurationError(f"runs is {self.runs}, expected 1 or more.")
        if self.max_failed is not None and self.max_failed < 0:
            raise ConfigurationError(f"max_failed is {self.max_failed}, expected 0 or more, or null.")
