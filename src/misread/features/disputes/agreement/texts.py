"""Counts that agreement is estimated from: distances of outputs, and errors of those that have a reference."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from misread.data.segment_table import SegmentTable
from misread.errors import ConfigurationError, InputValueError, UndefinedResultError, UnknownNameError, setting
from misread.evaluation import score_captures
from misread.features.disputes.agreement.estimator import Agreement
from misread.metrics import ErrorRate, Metric, ScoredText
from misread.normalize import Normalizer, normalize
from misread.provenance.signature import Signature
from misread.text.nouns import count_of, plural
from misread.types import IntArray


@dataclass(frozen=True, eq=False)
class Gathered:
    """Outputs of all segments and, of some units, errors."""

    dataset: str
    systems: Sequence[str]
    units: Sequence[str]
    unit: str  # noun, such as "page"
    agreement: Agreement  # probabilities are those of units drawn alike, until an order says others
    texts: str  # digest of ids and outputs
    signature: Signature | None  # of the metric; None where nothing is typed
    identical: Sequence[tuple[str, str]]  # systems that agree everywhere
    labels: Mapping[str, Sequence[str]]  # of the segments, by group column

    def label_units(self, column: str) -> list[str]:
        """Label of each unit in a column; raises UnknownNameError, or InputValueError where a unit has two."""
        if column not in self.labels:
            where = f"{setting('strata')}, which names one of {setting('groups')}"
            raise UnknownNameError("group column", column, self.labels, where=where)
        by_unit: dict[int, str] = {}
        for unit, label in zip(self.agreement.unit.tolist(), self.labels[column], strict=True):
            if by_unit.setdefault(unit, label) != label:
                raise InputValueError(
                    f"{self.unit} {self.units[unit]!r} has the {column} {by_unit[unit]!r} and {label!r}; groups and "
                    "strata are of whole units."
                )
        return [by_unit[unit] for unit in range(len(self.units))]

    @property
    def groups(self) -> dict[str, IntArray]:
        """Units of each label of each column, which is named if there are several."""
        places = {}
        for column in self.labels:
            labels = np.array(self.label_units(column), dtype=object)
            for label in dict.fromkeys(labels.tolist()):
                places[f"{column} {label}" if len(self.labels) > 1 else label] = np.flatnonzero(labels == label)
        return places


def gather(
    table: SegmentTable, normalizer: Normalizer, metric: Metric, *, missing: str, typed: Sequence[str | None] | None
) -> Gathered:
    """Count distances of all outputs, and errors of the units that are typed: the others have None for a reference.

    Raises
    ------
    ConfigurationError
        If the metric is no error rate of normalized text, or systems have several runs.
    UndefinedResultError
        If there is one system alone, or a system lacks a segment and these do not count as empty.
    InputValueError
        If a unit is typed in part.
    """
    if not isinstance(metric, ErrorRate) or metric.rate_columns[:2] != ("errors", "length") or metric.text == "raw":
        raise ConfigurationError(f"{metric.id} is not an error rate of normalized text; choose cer, wer or ger.")
    if table.runs:
        raise ConfigurationError(f"{next(iter(table.runs))} has several runs; give one run of each system.")
    if len(table.hypotheses) < 2:
        raise UndefinedResultError(
            "agreement takes two systems or more, and there is one; any second reading of the same texts will do, "
            f"named with {setting('witness')} if it is not to be shown."
        )
    _require_outputs(table, missing)
    captures = table.captures()
    outputs = {
        system: ["" if text is None else text for text in normalize(capture, normalizer).normalized.hypotheses]
        for system, capture in captures.items()
    }
    systems, number = list(outputs), len(table)
    errors_at, length_at = (metric.columns.index(name) for name in ("errors", "length"))
    distances = np.zeros((number, len(systems), len(systems)))
    lengths = np.zeros((number, len(systems)), np.int64)
    identical = []
    for a, first in enumerate(systems):
        lengths[:, a] = metric.count(ScoredText(outputs[first], outputs[first]))[:, length_at]
        for b, second in enumerate(systems[:a]):
            counted = metric.count(ScoredText(outputs[second], outputs[first]))[:, errors_at]
            distances[:, a, b] = distances[:, b, a] = counted
            if not counted.any():
                identical.append((second, first))
    labels = table.segment_id if table.cluster is None else table.cluster
    units = list(dict.fromkeys(labels))
    places = {label: position for position, label in enumerate(units)}
    unit = np.array([places[label] for label in labels])
    noun = "segment" if table.cluster is None else table.cluster_name or "cluster"
    nothing = {"errors": np.zeros_like(lengths), "length": np.zeros_like(unit), "typed": np.zeros(len(units), np.bool_)}
    agreement = Agreement(distances, lengths, unit, probability=np.ones(len(units)), **nothing)
    signature = None
    if typed is not None:
        agreement, signature = _with_errors(agreement, table, typed, normalizer, metric, noun, units)
    texts = digest_outputs(table.segment_id, outputs)
    return Gathered(table.name, systems, units, noun, agreement, texts, signature, identical, table.groups)


def digest_outputs(ids: Sequence[str], outputs: Mapping[str, Sequence[str]]) -> str:
    """Digest of ids and outputs, in whatever order systems are named."""
    content = repr((list(ids), sorted((system, list(texts)) for system, texts in outputs.items())))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _with_errors(
    agreement: Agreement,
    table: SegmentTable,
    typed: Sequence[str | None],
    normalizer: Normalizer,
    metric: Metric,
    noun: str,
    units: Sequence[str],
) -> tuple[Agreement, Signature]:
    """Count errors where there is a reference, as `misread score` counts them."""
    rows = [row for row, text in enumerate(typed) if text is not None]
    is_typed = np.zeros(len(units), np.bool_)
    is_typed[agreement.unit[rows]] = True
    for row, text in enumerate(typed):
        if text is None and is_typed[agreement.unit[row]]:
            raise InputValueError(
                f"{noun} {units[agreement.unit[row]]!r} is typed in part: segment {table.segment_id[row]!r} has no "
                f'reference. Type {plural(noun)} whole; in JSON Lines, null is not typed and "" is a text without '
                "a letter."
            )
    if not rows:
        raise UndefinedResultError("no segment has a reference: nothing is typed.")
    checked = replace(table.take(rows), references=[typed[row] or "" for row in rows])
    scored = score_captures(checked.captures(), normalizer, [metric], missing="empty")
    errors, length = agreement.errors.copy(), agreement.length.copy()
    for column, system in enumerate(scored.values()):
        counts = system.scores.counts[metric.id]
        errors[rows, column], length[rows] = counts["errors"], counts["length"]
    signature = next(iter(scored.values())).scores.signatures[metric.id]
    return replace(agreement, errors=errors, length=length, typed=is_typed), signature


def _require_outputs(table: SegmentTable, missing: str) -> None:
    """Refuse a segment that a system lacks, unless it counts as empty."""
    if missing == "empty":
        return
    for system, texts in table.hypotheses.items():
        if None in texts:
            lacking = table.segment_id[list(texts).index(None)]
            raise UndefinedResultError(
                f"{count_of(list(texts).count(None), 'segment')} without an output of {system}, such as {lacking!r}: "
                f"agreement needs all; {setting('missing', 'empty')} counts them as empty."
            )
