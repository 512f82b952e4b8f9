"""One prediction in all metrics of the line-level specification, and many as its CSV."""

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

import numpy as np

from misread.alignment.encode.inputs import check_text
from misread.errors import UndefinedResultError
from misread.metrics.lines import exact_line_prf_from_text, line_accuracy, reverse_line_accuracy
from misread.metrics.rates import cer, wer
from misread.named_result import Record
from misread.normalize import get_normalizer
from misread.text.display import show_in_spreadsheet

MACRO_AVERAGE = "MACRO_AVG"


@dataclass(frozen=True, slots=True)
class PredictionEvaluation(Record):
    """Every score of one prediction, raw and (`_norm`) with white space collapsed; fields as in the specification.

    They are read by attribute or by name: `result["wer"]`, `dict(result)`. `len_gt` and `len_pred` are numbers of
    characters; all else are fractions.
    """

    id: str
    len_gt: float
    len_pred: float
    wer: float
    cer: float
    wer_norm: float
    cer_norm: float
    line_acc: float
    line_acc_norm: float
    rev_line_acc: float
    rev_line_acc_norm: float
    exact_line_precision: float
    exact_line_recall: float
    exact_line_f1: float
    exact_line_precision_norm: float
    exact_line_recall_norm: float
    exact_line_f1_norm: float


def evaluate_prediction(reference: str, hypothesis: str, id: str) -> PredictionEvaluation:  # noqa: A002 - the specification's name
    r"""Score one prediction.

    CER and WER collapse white space over the whole text, line metrics inside each line.

    Parameters
    ----------
    reference, hypothesis : str
        Texts.
    id : str
        Of the sample.

    Returns
    -------
    PredictionEvaluation

    Raises
    ------
    InputTypeError
        If a side is not one text.
    InputTextError
        If a text holds a lone surrogate.

    References
    ----------
    Evaluation Metrics (lines), "Usage" and "CSV Output".

    Examples
    --------
    >>> result = evaluate_prediction("one  two\nthree\n", "one two\nthree\n", "sample_001")
    >>> result.line_acc, result.line_acc_norm, result.wer
    (0.5, 1.0, 0.0)
    """
    check_text("reference", reference)
    check_text("hypothesis", hypothesis)
    normalize = get_normalizer("whitespace")
    raw, norm = (
        exact_line_prf_from_text(reference, hypothesis),
        exact_line_prf_from_text(reference, hypothesis, normalize=True),
    )
    return PredictionEvaluation(
        id=id,
        len_gt=len(reference),
        len_pred=len(hypothesis),
        wer=wer(reference, hypothesis),
        cer=cer(reference, hypothesis),
        wer_norm=wer(normalize(reference), normalize(hypothesis)),
        cer_norm=cer(normalize(reference), normalize(hypothesis)),
        line_acc=line_accuracy(reference, hypothesis),
        line_acc_norm=line_accuracy(reference, hypothesis, normalize=True),
        rev_line_acc=reverse_line_accuracy(reference, hypothesis),
        rev_line_acc_norm=reverse_line_accuracy(reference, hypothesis, normalize=True),
        exact_line_precision=raw.precision,
        exact_line_recall=raw.recall,
        exact_line_f1=raw.f1,
        exact_line_precision_norm=norm.precision,
        exact_line_recall_norm=norm.recall,
        exact_line_f1_norm=norm.f1,
    )


def evaluations_csv(evaluations: Sequence[PredictionEvaluation], *, raw: bool = False) -> str:
    """Write evaluations as the CSV of the specification: its header, one row per evaluation, and a last row of means.

    Parameters
    ----------
    evaluations : sequence of PredictionEvaluation
        At least one.
    raw : bool
        Whether ids stay as they are, for programs. Otherwise ids that a spreadsheet would compute get an apostrophe in
        front, and control characters are written as escapes.

    Returns
    -------
    str
        Ends with a newline; numbers in full precision.

    Raises
    ------
    UndefinedResultError
        If there is no evaluation: the mean of nothing is not a score.

    References
    ----------
    Evaluation Metrics (lines), "CSV Output".

    Examples
    --------
    >>> evaluations_csv([evaluate_prediction("a", "a", "x")]).splitlines()[-1][:17]
    'MACRO_AVG,1.0,1.0'
    """
    if not evaluations:
        raise UndefinedResultError("there is no evaluation to write; give at least one.")
    names = [field.name for field in fields(PredictionEvaluation)]
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    for evaluation in evaluations:
        shown = evaluation.id if raw else show_in_spreadsheet(evaluation.id)
        writer.writerow({**asdict(evaluation), "id": shown})
    means = {
        name: float(np.mean([getattr(evaluation, name) for evaluation in evaluations]))
        for name in names
        if name != "id"
    }
    writer.writerow({"id": MACRO_AVERAGE, **means})
    return text.getvalue()
