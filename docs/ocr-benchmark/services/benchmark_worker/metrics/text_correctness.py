"""Text correctness: section 1 of the specification.

Texts are compared as its code has jiwer compare them: without white space at their ends, words divided at spaces alone.
A rate without a ground truth is what was read, and the rate of confusions 0.
"""

from collections.abc import Sequence
from typing import Any, Final

import misread

# Two and more characters of white space are one space for jiwer; then words stand between spaces, and a line feed is a
# letter.
_WORDS: Final = misread.Normalizer(
    "jiwer_words",
    ["strip_ends", {"step": "replace_pattern", "pattern": r"\s\s+", "replacement": " "}, "bind_white_space"],
)


def calculate_cer(predicted: str, ground_truth: str) -> dict[str, Any]:
    """Character error rate in per cent, with its counts (1.1)."""
    pair = ground_truth.strip(), predicted.strip()
    counts = misread.error_counts(*pair)
    return {
        "cer": 100 * misread.cer(*pair, empty_reference="max1"),
        **{name: int(getattr(counts, name)[0]) for name in ("insertions", "deletions", "substitutions")},
        "total_chars": len(ground_truth),
    }


def calculate_wer(predicted: str, ground_truth: str) -> dict[str, Any]:
    """Word error rate in per cent, with its counts (1.2)."""
    pair = _WORDS(ground_truth), _WORDS(predicted)
    counts = misread.error_counts(*pair, unit="word")
    return {
        "wer": 100 * misread.wer(*pair, empty_reference="max1"),
        **{f"word_{name}": int(getattr(counts, name)[0]) for name in ("substitutions", "deletions", "insertions")},
        "total_words": len(ground_truth.split()),
    }


def calculate_ser(predicted_sentences: Sequence[str], ground_truth_sentences: Sequence[str]) -> dict[str, Any]:
    """Share of sentences with an error in per cent, and which (1.3)."""
    found = dict(misread.spec.sentence_error_rate(ground_truth_sentences, predicted_sentences))
    return {**found, "ser": 100 * found["ser"]}


def calculate_token_accuracy(predicted: str, ground_truth: str) -> dict[str, Any]:
    """Precision, recall and F1 of distinct tokens; exact matches by position in per cent (1.4)."""
    found = dict(misread.spec.token_accuracy(ground_truth, predicted))
    printed = {name: value for name, value in found.items() if not name.startswith("multiset_")}
    return {**printed, "exact_match_rate": 100 * found["exact_match_rate"]}


def calculate_confusion_matrix(predicted: str, ground_truth: str) -> dict[str, Any]:
    """What was read for what, and the share of wrong characters in per cent (1.5)."""
    found = dict(misread.spec.confusion_matrix(ground_truth, predicted))
    del found["n"]
    return {**found, "confusion_rate": 100 * found["confusion_rate"] if ground_truth else 0}


def calculate_all_text_metrics(predicted: str, ground_truth: str) -> dict[str, dict[str, Any]]:
    """All metrics of one text."""
    return {
        "cer": calculate_cer(predicted, ground_truth),
        "wer": calculate_wer(predicted, ground_truth),
        "token_accuracy": calculate_token_accuracy(predicted, ground_truth),
        "confusion_matrix": calculate_confusion_matrix(predicted, ground_truth),
    }
