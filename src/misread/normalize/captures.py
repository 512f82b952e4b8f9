"""Captures with normalized texts, and what each step did to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import shorten
from typing import Any, Final, cast

from misread.errors import InputTextError, UnknownNameError
from misread.normalize.annotations import normalize_annotations
from misread.normalize.by_column import NormalizerByColumn
from misread.normalize.linter import Finding, lint
from misread.normalize.normalizer import Normalizer
from misread.normalize.step import SIDES
from misread.provenance.plugins import describe_plugin
from misread.records import Capture, NormalizedTexts, TextPairs

_MOST_EXAMPLES: Final = 3
_MOST_LINTED: Final = 200
_LONGEST_EXAMPLE: Final = 60


@dataclass(frozen=True, kw_only=True)
class StepExample:
    """A text before and after one step."""

    segment_id: str
    side: str
    before: str
    after: str


@dataclass(frozen=True, kw_only=True)
class StepChanges:
    """How many segments of each side a step changed, and the first of them."""

    normalizer: str
    step: str
    references: int
    hypotheses: int
    examples: Sequence[StepExample]


def normalize(capture: Capture, normalizer: Normalizer) -> NormalizedTexts:
    """Normalize the texts of all runs of a capture, and keep the raw ones; what the linter names becomes a note."""
    first = _normalize_run(capture, normalizer)
    return replace(first, further_runs=tuple(_normalize_run(of, normalizer) for of in capture.further_runs))


def _normalize_run(capture: Capture, normalizer: Normalizer) -> NormalizedTexts:
    _require_characters(capture, normalizer)
    alternatives = capture.origin.alternatives
    if isinstance(normalizer, NormalizerByColumn):
        normalized, lines = _normalize_by_column(capture, normalizer)
    else:
        normalized = normalizer.apply(capture.texts, alternatives=alternatives)
        lines = normalizer.apply_by_line(capture.texts, normalized, alternatives=alternatives)
    return NormalizedTexts(
        replace(capture.origin, notes=(*capture.origin.notes, *_notes(capture, normalizer))),
        capture.segments,
        raw=capture.texts,
        normalized=normalized,
        normalized_lines=lines,
        reasons=capture.reasons,
        normalizer=signature_of(normalizer),
        run=capture.run,
        annotations=_fit_annotations(capture, normalized, normalizer),
    )


def count_changes(capture: Capture, normalizer: Normalizer) -> list[StepChanges]:
    """Say of every step how many segments it changed; of texts with alternatives as they are written."""
    changes = []
    for chosen, rows in _by_normalizer(capture, normalizer):
        texts = {"references": capture.texts.take(rows).references, "hypotheses": capture.texts.take(rows).hypotheses}
        for step in chosen.bound:
            changed = dict.fromkeys(SIDES, 0)
            examples: list[StepExample] = []
            for side, before in texts.items():
                if step.side not in (None, side):
                    continue
                after = [None if text is None else step.change(text) for text in before]
                for row, old, new in zip(rows, before, after, strict=True):
                    if old is None or new is None or old == new:
                        continue
                    changed[side] += 1
                    if len(examples) < _MOST_EXAMPLES:
                        segment_id = capture.segments.segment_id[row]
                        examples.append(StepExample(segment_id=segment_id, side=side, before=old, after=new))
                texts[side] = after
            changes.append(StepChanges(normalizer=chosen.name, step=step.name, examples=examples, **changed))
    return changes


def signature_of(normalizer: Normalizer) -> str:
    """Signature of a normalizer, with those of the plug-ins that its class and its steps come from."""
    plugins = [describe_plugin(normalizer), *(describe_plugin(step.function) for step in normalizer.bound)]
    return "+".join([normalizer.signature, *dict.fromkeys(filter(None, plugins))])


def _fit_annotations(capture: Capture, normalized: TextPairs, normalizer: Normalizer) -> dict[str, list[Any]]:
    if not capture.annotations:
        return {}
    of_row = [normalizer] * len(capture.texts)
    for chosen, rows in _by_normalizer(capture, normalizer):
        for row in rows:
            of_row[row] = chosen
    return normalize_annotations(capture, normalized, of_row)


def _by_normalizer(capture: Capture, normalizer: Normalizer) -> list[tuple[Normalizer, list[int]]]:
    """Normalizers with the rows that they are for."""
    if not isinstance(normalizer, NormalizerByColumn):
        return [(normalizer, list(range(len(capture.texts))))]
    if normalizer.column not in capture.segments.groups:
        where = f"data set {capture.origin.dataset!r}, for normalizer {normalizer.name!r}"
        raise UnknownNameError("group column", normalizer.column, capture.segments.groups, where=where)
    rows: dict[str, list[int]] = {}
    for row, label in enumerate(capture.segments.groups[normalizer.column]):
        rows.setdefault(label, []).append(row)
    return [(normalizer.of_label(label), of_label) for label, of_label in rows.items()]


def _normalize_by_column(capture: Capture, normalizer: NormalizerByColumn) -> tuple[TextPairs, TextPairs]:
    """Every row by the normalizer of its label; as wholes and by line."""
    size = len(capture.texts)
    sides: list[list[str | None]] = [[None] * size for _ in range(4)]
    alternatives = capture.origin.alternatives
    for chosen, rows in _by_normalizer(capture, normalizer):
        texts = capture.texts.take(rows)
        whole = chosen.apply(texts, alternatives=alternatives)
        lines = chosen.apply_by_line(texts, whole, alternatives=alternatives)
        for column, values in zip(
            sides, (whole.references, whole.hypotheses, lines.references, lines.hypotheses), strict=True
        ):
            for row, value in zip(rows, values, strict=True):
                column[row] = value
    references, hypotheses, line_references, line_hypotheses = sides
    return (
        TextPairs(cast("list[str]", references), hypotheses),
        TextPairs(cast("list[str]", line_references), line_hypotheses),
    )


def _notes(capture: Capture, normalizer: Normalizer) -> list[str]:
    """What the linter names, looking at up to 200 segments in equal distances."""
    if capture.origin.alternatives:
        return []
    notes: dict[str, None] = {}
    for chosen, rows in _by_normalizer(capture, normalizer):
        # Collapsing white space alone cannot do any of it.
        if {step.name for step in chosen.bound} <= {"collapse_whitespace"}:
            continue
        sample = capture.texts.take(rows[:: -(-len(rows) // _MOST_LINTED) or 1])
        # References by themselves, so that all systems have the same notes of these.
        of_references = lint(chosen, TextPairs(sample.references, [None] * len(sample))).findings
        for finding in of_references:
            notes[_note(chosen, finding, f"{len(sample):,} references")] = None
        # Of hypotheses what references do not show, such as the fault of a script that only a system writes.
        hypotheses = [text for text in sample.hypotheses if text is not None]
        known = {(finding.rule, finding.script) for finding in of_references}
        for finding in lint(chosen, TextPairs([], hypotheses)).findings:
            if (finding.rule, finding.script) not in known:
                looked_at = f"{len(hypotheses):,} hypotheses of {capture.origin.system}"
                notes[_note(chosen, finding, looked_at)] = None
    return list(notes)


def _note(normalizer: Normalizer, finding: Finding, looked_at: str) -> str:
    example = ""
    if finding.examples:
        before, after = (repr(shorten(text, _LONGEST_EXAMPLE)) for text in finding.examples[0])
        example = f", such as {before} to {after}"
    return f"Normalizer {normalizer.name!r} {finding.sentence}{example} ({looked_at} looked at)."


def _require_characters(capture: Capture, normalizer: Normalizer) -> None:
    """Refuse halves of surrogate pairs, which are not characters; names the first segment and its side."""
    if not normalizer.steps:
        return
    for side, texts in (("reference", capture.texts.references), ("hypothesis", capture.texts.hypotheses)):
        try:
            "".join(filter(None, texts)).encode()
        except UnicodeEncodeError:
            for segment_id, text in zip(capture.segments.segment_id, texts, strict=True):
                if text and any("\ud800" <= character <= "\udfff" for character in text):
                    raise InputTextError(
                        f"{side} of segment {segment_id!r} (data set {capture.origin.dataset!r}) has half of a "
                        "surrogate pair, which is not a character; read its source as the encoding that it is in."
                    ) from None
