"""Changes by each step of a normalizer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from misread.data.segment_table import Capture
from misread.normalize.captures import split_by_normalizer, take_rows
from misread.normalize.normalizer import Normalizer
from misread.normalize.step import SIDES, Side
from misread.tally.adding import SHOWN, Adding


@dataclass(frozen=True, kw_only=True)
class StepExample:
    """A text before and after one step."""

    segment_id: str
    side: Side
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepChanges(Adding):
    """How many segments of each side a step changed, and the first of them."""

    normalizer: str
    step: str
    changed: Mapping[Side, int] = field(default_factory=dict)
    examples: Mapping[Side, tuple[StepExample, ...]] = field(default_factory=dict)

    def as_record(self) -> dict[str, Any]:
        """Entry of the step in the file of changes; examples of references come first."""
        examples = [example for side in SIDES for example in self.examples[side]]
        numbers = {str(side): number for side, number in self.changed.items()}
        return {"normalizer": self.normalizer, "step": self.step, **numbers, "examples": examples[:SHOWN]}


ChangesByLabel: TypeAlias = Mapping[str, Mapping[int, StepChanges]]
"""Changes of every step, in their order, by the label that a normalizer was chosen by, or ""."""


def count_changes(capture: Capture, normalizer: Normalizer) -> ChangesByLabel:
    """Say of every step how many segments it changed; of texts with alternatives as they are written."""
    changes: dict[str, dict[int, StepChanges]] = {}
    for label, chosen, rows in split_by_normalizer(capture, normalizer):
        texts = take_rows(capture.texts, rows)
        sides: dict[Side, Sequence[str | None]] = {"references": texts.references, "hypotheses": texts.hypotheses}
        changes[label] = {}
        for number, step in enumerate(chosen.bound):
            changed: dict[Side, int] = dict.fromkeys(SIDES, 0)
            examples: dict[Side, tuple[StepExample, ...]] = dict.fromkeys(SIDES, ())
            for side, before in sides.items():
                if step.side not in (None, side):
                    continue
                after = [None if text is None else step.change(text) for text in before]
                rows_changed = [row for row, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
                changed[side] = len(rows_changed)
                examples[side] = tuple(
                    StepExample(
                        segment_id=capture.segments.segment_id[rows[row]],
                        side=side,
                        before=str(before[row]),
                        after=str(after[row]),
                    )
                    for row in rows_changed[:SHOWN]
                )
                sides[side] = after
            changes[label][number] = StepChanges(
                normalizer=chosen.name, step=step.name, changed=changed, examples=examples
            )
    return changes
