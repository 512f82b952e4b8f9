"""Tasks that a language model does with an output: success, quality and kind of error."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, get_args

import numpy as np

from misread.alignment.encode.inputs import check_text
from misread.errors import AnswerError, InputTypeError, UndefinedResultError
from misread.features.answers.field_counts import count_fields, name_segment, require_fields
from misread.features.answers.json_validity import parse_fields
from misread.features.answers.levenshtein_similarity import anls
from misread.io.checks.choices import check_choice
from misread.metrics.base import InputKind, Metric, ScoredText
from misread.named_result import Record
from misread.types import BoolArray, FloatArray, IntArray

Task = Literal["extraction", "qa", "classification"]

EXTRACTION_THRESHOLD: Final = 0.8
"""Smallest share of right fields with which an extraction succeeds."""

# Counts are integers, so that sums are exact: similarities are rounded to nine digits.
_BILLION = 1_000_000_000


@dataclass(frozen=True, slots=True)
class DownstreamResult(Record):
    """Outcome of one task.

    Attributes
    ----------
    task_success : bool
        Whether the quality is sufficient.
    quality_score : float
        From 0 to 1: share of the fields that are right, or 1 for the right answer or class.
    error_type : str or None
        "extraction_incomplete", "answer_incorrect", "classification_wrong" or "unknown_task_type".
    anls : float or None
        ANLS of an answer to a question.
    """

    task_success: bool
    quality_score: float
    error_type: str | None
    anls: float | None = None


def evaluate_downstream_task(
    task_type: str, *, reference: Mapping[str, object], hypothesis: Mapping[str, object], segment_id: str = ""
) -> DownstreamResult:
    """Judge the result of a task.

    Parameters
    ----------
    task_type : {"extraction", "qa", "classification"}
        An extraction succeeds if at least 80 % of the reference's fields are right, an answer or a class if it is
        right. Fields and answers are compared without surrounding white space and without case, classes exactly.
    reference, hypothesis : mapping of str to object
        Fields by name; `answer`, or for the reference a list of accepted `answers`; `class`. Keyword-only, because the
        specification has the hypothesis first and other functions the reference.
    segment_id : str
        Id of the document, for messages.

    Returns
    -------
    DownstreamResult
        With the error type "unknown_task_type" for any other task, as in the specification.

    Raises
    ------
    InputTypeError
        If a side is not a mapping, or the task is not a name; names the segment.
    AnswerError
        If the reference lacks what its task needs; names the segment.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 2.4 (`result` and `ground_truth`; its example, 3 of 4 fields, does
    not succeed).

    Examples
    --------
    >>> truth = {"number": "INV-1", "date": "2024-03-15", "total": "$150.00", "vendor": "Acme Corp"}
    >>> found = {"number": "INV-1", "date": "2024-03-15", "total": "$150.00"}
    >>> result = evaluate_downstream_task("extraction", reference=truth, hypothesis=found)
    >>> result.task_success, result.quality_score, result.error_type
    (False, 0.75, 'extraction_incomplete')
    >>> right, given = {"answer": "INV-2024-001"}, {"answer": "INV-2024-OO1"}
    >>> evaluate_downstream_task("qa", reference=right, hypothesis=given).anls
    0.8333333333333334
    """
    if check_text("task_type", task_type) not in get_args(Task):
        return DownstreamResult(False, 0.0, "unknown_task_type")
    require_fields(hypothesis, "hypothesis", segment_id)
    _require(task_type, require_fields(reference, "reference", segment_id), segment_id)
    if task_type == "extraction":
        counts = count_fields(reference, hypothesis)
        quality = sum(field_counts.correct for field_counts in counts.values()) / len(reference)
        success = quality >= EXTRACTION_THRESHOLD
        return DownstreamResult(success, quality, None if success else "extraction_incomplete")
    if task_type == "qa":
        accepted, answer = _accepted(reference), str(hypothesis.get("answer", ""))
        success = any(_plain(accepted_answer) == _plain(answer) for accepted_answer in accepted)
        return _judge(success, "answer_incorrect", anls(accepted, answer))
    return _judge("class" in hypothesis and hypothesis["class"] == reference["class"], "classification_wrong")


def _judge(success: bool, error_type: str, anls_of_answer: float | None = None) -> DownstreamResult:
    """Result of a task that succeeds or fails as a whole."""
    return DownstreamResult(success, float(success), None if success else error_type, anls_of_answer)


def downstream_success_rate(results: Iterable[DownstreamResult]) -> float:
    """Share of tasks that succeeded.

    Parameters
    ----------
    results : iterable of DownstreamResult
        At least one.

    Returns
    -------
    float
        Fraction, 1 is perfect.

    Raises
    ------
    InputTypeError
        If `results` has anything but results of tasks.
    UndefinedResultError
        If there are no results.

    References
    ----------
    OCR Benchmarking Metrics Specification, section 2.4 (`success_rate`).

    Examples
    --------
    >>> downstream_success_rate([DownstreamResult(True, 1.0, None), DownstreamResult(False, 0.0, "answer_incorrect")])
    0.5
    """
    tasks = list(results) if isinstance(results, Iterable) else [results]
    for result in tasks:
        if not isinstance(result, DownstreamResult):
            raise InputTypeError(
                f"results holds {result!r}, expected what evaluate_downstream_task gives, one result per task."
            )
    if not tasks:
        raise UndefinedResultError("there is no task: a success rate needs at least one.")
    return sum(result.task_success for result in tasks) / len(tasks)


@dataclass(frozen=True)
class DownstreamTask(Metric):
    """Success of a task, or ANLS of its answers, over a corpus; references and hypotheses are JSON objects.

    An answer that is not a JSON object is wrong. OCR Benchmarking Metrics Specification, section 2.4; Biten et al.
    (2019), Scene Text Visual Question Answering, ICCV.
    """

    task: Task  # task of `evaluate_downstream_task`
    score: Literal["success", "anls"] = "success"  # share of successes, or mean similarity of answers for "qa"

    def __post_init__(self) -> None:
        super().__post_init__()
        choices = ("qa",) if self.score == "anls" else get_args(Task)
        check_choice("task", self.task, choices, where=f"metric {self.id!r}")

    input_kind: ClassVar[InputKind] = "markup"

    @property
    def columns(self) -> tuple[str, ...]:
        return ("successes" if self.score == "success" else "similarity_billionths", "compared")

    @property
    def size_columns(self) -> tuple[str, ...]:
        return self.columns if self.score == "success" else ("compared",)

    def count(self, pairs: ScoredText) -> IntArray:
        """Counts of every segment, shape (segments, 2); zeros for an unusable reference."""
        rows = [
            self._count(reference, hypothesis)
            for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True)
        ]
        return np.array(rows, dtype=np.int64).reshape(len(rows), 2)

    def problems(self, references: Sequence[str]) -> Mapping[int, str]:
        """Problems of references, by position."""
        problems = {}
        for row, reference in enumerate(references):
            try:
                _require(self.task, parse_fields(reference))
            except AnswerError as error:
                problems[row] = str(error)
        return problems

    def rate(self, counts: IntArray) -> FloatArray:
        """Score of summed counts, shape (..., 2) -> (...); NaN if nothing was compared."""
        rates = super().rate(counts)
        return rates if self.score == "success" else rates / _BILLION

    @property
    def is_ratio(self) -> bool:
        """Whether it is successes over tasks."""
        return self.score == "success"

    def is_exact(self, counts: IntArray) -> BoolArray:
        """Whether each task succeeded, or its answer is exactly an accepted one."""
        full = 1 if self.score == "success" else _BILLION
        exact: BoolArray = counts[:, 0] == full * counts[:, 1]
        return exact

    def facts(self, norm: str) -> Mapping[str, str]:
        """Unit, task, normalizer."""
        return {"unit": "document", "task": self.task, "norm": norm}

    def _count(self, reference: str, hypothesis: str) -> tuple[int, int]:
        try:
            expected = parse_fields(reference)
            _require(self.task, expected)
        except AnswerError:
            # `problems` reports this reference.
            return 0, 0
        try:
            result = evaluate_downstream_task(self.task, reference=expected, hypothesis=parse_fields(hypothesis))
        except AnswerError:
            return 0, 1
        return int(result.task_success) if self.score == "success" else round((result.anls or 0.0) * _BILLION), 1


def _require(task: str, reference: Mapping[str, Any], segment_id: str = "") -> None:
    """Refuse a reference that lacks what its task needs: otherwise, an empty answer would be a success."""
    lacking = {
        "extraction": "" if reference else "field, expected at least one",
        "qa": "" if _accepted(reference) else "'answer', expected it or a list of accepted 'answers'",
        "classification": "" if "class" in reference else "'class'",
    }[task]
    if lacking:
        raise AnswerError(f"{name_segment(segment_id)}the reference has no {lacking}.")


def _accepted(reference: Mapping[str, Any]) -> list[str]:
    answers = reference.get("answers", [reference["answer"]] if "answer" in reference else [])
    return [str(answer) for answer in (answers if isinstance(answers, list | tuple) else [answers])]


def _plain(answer: str) -> str:
    return answer.strip().lower()
