"""Explanation of error rates: the alignment of every segment, and what was read for what."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from misread.alignment import ErrorUnits, Operations, Unit, count_units, find_error_units, find_operations
from misread.metrics.base import Metric, ScoredText
from misread.metrics.text.character_groups import find_block, find_category
from misread.metrics.text.confusion_counts import count_confusions, sum_by_group
from misread.metrics.text.error_rate import ErrorRate
from misread.records import ConfusionTable, MissingPolicy, NormalizedTexts, Scores, SegmentAlignments
from misread.scoring.counts import texts_to_score

GROUPS: Final[Mapping[str, Callable[[str], str]]] = {"block": find_block, "category": find_category}


def explain(
    texts: NormalizedTexts, metrics: Sequence[Metric], *, missing: MissingPolicy = "error"
) -> tuple[SegmentAlignments, ConfusionTable]:
    """Find the operations behind the error rates of characters and of words.

    The first error rate of characters or graphemes among the metrics, and the first of words, decide the form of the
    text, the unit and the alignment; without one, cer and wer do.
    """
    of_characters = _first(metrics, ("char", "grapheme")) or ErrorRate("cer", "char")
    of_words = _first(metrics, ("word",)) or ErrorRate("wer", "word")
    rows, forms = texts_to_score(texts, [of_characters, of_words], missing)
    characters, wrong_characters = _align(forms[of_characters.text], of_characters)
    words, wrong_words = _align(forms[of_words.text], of_words)
    facts = {
        "characters": _describe(of_characters, texts.normalizer, characters),
        "words": _describe(of_words, texts.normalizer, words),
    }
    confusions = {
        "character": count_confusions(wrong_characters),
        "word": count_confusions(wrong_words),
        **{kind: count_confusions(wrong_characters, name) for kind, name in GROUPS.items()},
    }
    occurrences = count_units(forms[of_characters.text].references, unit=of_characters.unit)
    reference_units = {
        "character": occurrences,
        **{kind: sum_by_group(occurrences, name) for kind, name in GROUPS.items()},
    }
    # With alternatives, letters whose units all systems share.
    word_letters = of_words.operations(forms[of_words.text]) if texts.origin.alternatives else words.letters()
    segment_ids = [texts.segments.segment_id[row] for row in rows]
    return (
        SegmentAlignments(texts.origin, segment_ids, characters.letters(), word_letters, facts),
        ConfusionTable(texts.origin, confusions, facts, reference_units),
    )


def nothing_to_explain(texts: NormalizedTexts) -> tuple[SegmentAlignments, ConfusionTable]:
    """Alignments and confusions of a system that cannot read the data set: no rows, and the reason in the origin."""
    return SegmentAlignments(texts.origin, [], [], [], {}), ConfusionTable(texts.origin, {}, {}, {})


def with_alignments(scores: Scores, alignments: SegmentAlignments) -> Scores:
    """Put kept alignments beside the counts of the metrics that they belong to, for tests that need them.

    Two swapped units are written as one correct and one substituted, as they are one error.
    """
    found = {"characters": alignments.characters, "words": alignments.words}
    return replace(
        scores,
        operations={
            str(facts["metric"]): [letters.replace("T", "CS") for letters in found[kind]]
            for kind, facts in alignments.facts.items()
            if facts["metric"] in scores.counts
        },
    )


def _first(metrics: Sequence[Metric], units: Sequence[Unit]) -> ErrorRate | None:
    rates = (metric for metric in metrics if isinstance(metric, ErrorRate))
    return next((rate for rate in rates if rate.unit in units), None)


def _align(pairs: ScoredText, rate: ErrorRate) -> tuple[Operations, ErrorUnits]:
    found = find_operations(pairs.references, pairs.hypotheses, unit=rate.unit, alignment=rate.alignment)
    return found, find_error_units(pairs.references, pairs.hypotheses, found, unit=rate.unit)


def _describe(rate: ErrorRate, normalizer: str, found: Operations) -> dict[str, str | int]:
    hits, substitutions, deletions, insertions, swaps = np.bincount(found.codes, minlength=5).tolist()
    return {
        "metric": rate.id,
        "unit": rate.unit,
        "text": rate.text,
        "signature": str(rate.signature(normalizer)),
        "errors": substitutions + deletions + insertions + swaps,
        "length": hits + substitutions + deletions + 2 * swaps,
    }
