"""What became of the results under one kind of fault."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Outcome:
    """How often a fault was inflicted, and what did not survive it."""

    fault: str
    survival: str  # what surviving means
    inflicted: int = 0
    bytes_lost: int = 0
    failures: list[str] = field(default_factory=list)  # a line for each time that it was not survived
    skipped: str = ""  # why it could not be inflicted

    @property
    def survived(self) -> int:
        """How often everything was as it should be."""
        return self.inflicted - len(self.failures)

    def add(self, *complaints: str, lost: int = 0) -> None:
        """Count one time; complaints that are empty are none."""
        self.inflicted += 1
        self.bytes_lost += lost
        if said := "; ".join(filter(None, complaints)):
            self.failures.append(said)
