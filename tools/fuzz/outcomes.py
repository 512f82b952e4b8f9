"""What came of the inputs of a target."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Outcome:
    """What came of the inputs of a target."""

    target: str
    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    findings: dict[str, str] = field(default_factory=dict)  # file of the first input, by what happened and where
