"""Settings with which any system is captured, beside those of its engine."""

from dataclasses import dataclass
from typing import Literal

from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choices


@dataclass(frozen=True)
class CaptureSettings:
    """How often a system is asked, and when its capture fails; they stand among the settings of the system.

    Parameters
    ----------
    runs : int
        How often every segment is read, for systems that do not give the same answer twice.
    max_failed : int, optional
        The most segments that may fail (of all runs together); the next one ends the capture. By default any number
        may: what becomes of them is the setting `missing`.
    without_server : {"error", "leave_out"}
        What becomes of a capture when nothing answers at the system's address: it fails, or the results are of the
        other systems and name the reason.

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
