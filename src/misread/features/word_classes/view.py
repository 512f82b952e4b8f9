"""Errors of words by how often they occur in training data, and by the entities that they are part of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from typing import Final

import numpy as np

from misread.errors import ConfigurationError
from misread.features.word_classes.metric import EntityErrorRate, FrequencyErrorRate, labels_of
from misread.metrics import Metric
from misread.metrics.base import ScoredText
from misread.text.words import split_words
from misread.types import IntArray

_BORDERS: Final = (0, 1, 10, 100, 1000, 10_000)
_WITHOUT_END: Final = 1 << 62


def count_by_frequency(texts: ScoredText, metrics: Sequence[Metric]) -> Mapping[str, IntArray]:
    """Counts of every segment, as those of `ClassErrorRate`, by bands of occurrences: never, 1-9, 10-99 and so on."""
    named = next((each for each in metrics if isinstance(each, FrequencyErrorRate)), None)
    if named is None:
        raise ConfigurationError("the view bands takes its word counts from rare_word_error_rate; name it as a metric.")
    found = {}
    for first, end in pairwise((*_BORDERS, _WITHOUT_END)):
        band = replace(named, at_least=first, below=end)
        name = f"{first:,} and more" if end == _WITHOUT_END else "never" if end == 1 else f"{first:,} to {end - 1:,}"
        found[name] = band.count(texts)
    return found


def count_by_entity(texts: ScoredText, metrics: Sequence[Metric]) -> Mapping[str, IntArray]:
    """Counts of every segment, as those of `ClassErrorRate`, by label of entities, in their order."""
    named = next((each for each in metrics if isinstance(each, EntityErrorRate)), EntityErrorRate("the view entities"))
    sizes = np.array([len(split_words(text)) for text in texts.references])
    labels = sorted({*chain.from_iterable(labels_of(sizes, texts, named.id))})
    return {label: replace(named, label=label).count(texts) for label in labels}
