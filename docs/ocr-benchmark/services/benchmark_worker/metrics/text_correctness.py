"""Text correctness: section 1 of the specification."""

from collections.abc import Sequence
from typing import Any

import misread


def calculate_cer(predicted: str, ground_truth: str) -> dict[str, Any]:
    """Character error rate in per cent, with its counts (1.1)."""
    counts = misread.error_counts(ground_truth, predicted)
    return {
        "cer": 100 * misread.cer(ground_truth, predicted, empty_reference="max1"),
        **{name: int(getattr(counts, name)[0]) for name in ("insertions", "deletions", "substitutions")},
        "total_chars": int(counts.reference_length[0]),
    }


def calculate_wer(predicted: str, ground_truth: str) -> dict[str, Any]:
    """Word error rate in per cent, with its counts (1.2)."""
    counts = misread.error_counts(ground_truth, predicted, unit="word")
    return {
        "wer": 100 * misread.wer(ground_truth, predicted, empty_reference="max1"),
        **{f"word_{name}": int(getattr(counts, name)[0]) for name in ("substitutions", "deletions", "insertions")},
        "total_words": int(counts.reference_length[0]),
    }


def calculate_ser(predicted_sentences: Sequence[str], ground_truth_sentences: Sequence[str]) -> dict[str, Any]:
    """Share of sentences with an error in per cent, and which (1.3)."""
    found = dict(misread.sentence_error_rate(ground_truth_sentences, predicted_sentences))
    return {**found, "ser": 100 * found["ser"]}


def calculate_token_accuracy(predicted: str, ground_truth: str) -> dict[str, Any]:
    """Precision, recall and F1 of distinct tokens; exact matches by position in per cent (1.4)."""
    found = dict(misread.token_accuracy(ground_truth, predicted))
    return {**found, "exact_match_rate": 100 * found["exact_match_rate"]}


def calculate_confusion_matrix(predicted: str, ground_truth: str) -> dict[str, Any]:
    """What was read for what, and the share of wrong characters in per cent (1.5)."""
    found = dict(misread.confusion_matrix(ground_truth, predicted))
    return {**found, "confusion_rate": 100 * found["confusion_rate"]}


def calculate_all_text_metrics(predicted: str, ground_truth: str) -> dict[str, dict[str, Any]]:
    """All metrics of one text."""
    return {
        "cer": calculate_cer(predicted, ground_truth),
        "wer": calculate_wer(predicted, ground_truth),
        "token_accuracy": calculate_token_accuracy(predicted, ground_truth),
        "confusion_matrix": calculate_confusion_matrix(predicted, ground_truth),
    }
