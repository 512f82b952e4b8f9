"""Settings by which spans are found and drawn."""

from dataclasses import dataclass
from typing import Final

from misread.errors import ConfigurationError, setting

CONTEXT: Final = 1
"""Characters on either side of a dispute that are typed with it: with one, differences are those of the full truth."""


@dataclass(frozen=True, kw_only=True)
class Draw:
    """How spans are found and drawn: equal settings give equal spans of equal texts."""

    context: int = CONTEXT
    budget: int | None = None
    seed: int = 1
    units: int | None = None  # of an order, typed first
    order: tuple[str, ...] = ()  # which these are

    def __post_init__(self) -> None:
        for name, least in (("context", 0), ("budget", 1), ("units", 1)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ConfigurationError(f"{setting(name)} is {value}, expected {least} or more.")
