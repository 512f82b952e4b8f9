"""Explanation of error rates: the alignment of every segment, and its confusions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from misread.alignment import (
    ErrorUnits,
    Operations,
    Unit,
    count_operations,
    count_units,
    find_error_units,
    paired_operations,
)
from misread.data.segment_table import Origin
from misread.metrics.base import Metric, ScoredText, TextForm
from misread.metrics.confusion_table import ConfusionTable
from misread.metrics.confusions import count_confusions, sum_by_group
from misread.metrics.error_rate import ErrorRate
from misread.normalize.normalized_texts import NormalizedTexts
from misread.text.character_groups import find_block, find_category

Alignments = Mapping[str, Mapping[str, Sequence[str]]]
"""Letters of every segment, as in `SegmentAlignments`, by system and by the metric whose errors they are."""


@dataclass(frozen=True, slots=True)
class SegmentAlignments:
    """Alignment of each segment as a string, one letter per operation in reading order; of a system's first run.

    C is correct, S, D and I are errors, T is two neighbours that changed places.
    """

    origin: Origin
    segment_id: Sequence[str]
    characters: Sequence[str]
    words: Sequence[str]
    # By "characters" and "words": id, unit, form of the text and signature of the error rate whose errors these are,
    # and its total errors and length.
    facts: Mapping[str, Mapping[str, str | int]]

    @property
    def operations(self) -> dict[str, Sequence[str]]:
        """Alignments by the id of the error rate that they explain."""
        by_kind = {"characters": self.characters, "words": self.words}
        return {str(facts["metric"]): by_kind[kind] for kind, facts in self.facts.items()}


GROUPS: Final[Mapping[str, Callable[[str], str]]] = {"block": find_block, "category": find_category}


def explain(
    texts: NormalizedTexts,
    forms: Mapping[TextForm, ScoredText],
    segment_ids: Sequence[str],
    character_rate: ErrorRate,
    word_rate: ErrorRate,
) -> tuple[SegmentAlignments, ConfusionTable]:
    """Find the operations behind an error rate of characters and one of words; ids are those of the rows of `forms`."""
    characters, wrong_characters = _align(forms[character_rate.text], character_rate)
    words, wrong_words = _align(forms[word_rate.text], word_rate)
    facts = {
        "characters": _describe(character_rate, texts.normalizer, characters),
        "words": _describe(word_rate, texts.normalizer, words),
    }
    confusions = {
        "character": count_confusions(wrong_characters),
        "word": count_confusions(wrong_words),
        **{kind: count_confusions(wrong_characters, name) for kind, name in GROUPS.items()},
    }
    occurrences = count_units(forms[character_rate.text].references, unit=character_rate.unit)
    reference_units = {
        "character": occurrences,
        **{kind: sum_by_group(occurrences, name) for kind, name in GROUPS.items()},
    }
    # With alternatives, letters whose units all systems share.
    has_readings = forms[word_rate.text].written is not None
    word_letters = word_rate.operations(forms[word_rate.text]) if has_readings else words.letters()
    return (
        SegmentAlignments(texts.origin, segment_ids, characters.letters(), word_letters, facts),
        ConfusionTable(texts.origin, confusions, facts, reference_units),
    )


def rates_to_explain(metrics: Sequence[Metric]) -> tuple[ErrorRate, ErrorRate]:
    """The first error rate of characters or graphemes, and the first of words; cer and wer where there is none."""
    return (
        _first(metrics, ("char", "grapheme")) or ErrorRate("cer", "char"),
        _first(metrics, ("word",)) or ErrorRate("wer", "word"),
    )


def _first(metrics: Sequence[Metric], units: Sequence[Unit]) -> ErrorRate | None:
    rates = (metric for metric in metrics if isinstance(metric, ErrorRate))
    return next((rate for rate in rates if rate.unit in units), None)


def _align(pairs: ScoredText, rate: ErrorRate) -> tuple[Operations, ErrorUnits]:
    if pairs.written is not None and rate.chooses_readings:
        read = rate.read(pairs.written)
        pairs = ScoredText(read.references, read.hypotheses)
    operations = paired_operations(pairs.paired, unit=rate.unit, alignment=rate.alignment)
    return operations, find_error_units(pairs.references, pairs.hypotheses, operations, unit=rate.unit)


def _describe(rate: ErrorRate, normalizer: str, operations: Operations) -> dict[str, str | int]:
    counts = count_operations(operations)
    return {
        "metric": rate.id,
        "unit": rate.unit,
        "text": rate.text,
        "signature": str(rate.signature(normalizer)),
        "errors": int(counts.errors.sum()),
        "length": int(counts.reference_length.sum()),
    }
