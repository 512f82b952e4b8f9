"""What a judge decided about pairs of texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    pass


Undecided = Literal["error", "wrong", "drop"]
"""What becomes of a pair of texts that a judge left open: an error, not accepted, or not counted."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a judge finds that two texts say the same: None where it did not decide."""

    same: bool | None
    raw: str | None = None  # what it answered
    reason: str | None = None  # why it did not decide


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSettings:
    """Settings of a judge of a study that are not those of its class."""

    undecided: Undecided = "error"


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions of one judge, by reference and hypothesis."""

    judge: Mapping[str, str]  # model, digest of the prompt, version
    by_texts: Mapping[tuple[str, str], Decision]
