"""Calls of other tools for the same numbers, as their users write them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import jiwer
import regex
from pywfa import WavefrontAligner
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from tools.bench.measure import Peer
from tools.bench.texts import Pairs

CHARACTERS = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
_GRAPHEMES = regex.compile(r"\X")


def jiwer_characters(pairs: Pairs, share: float = 1.0) -> Peer:
    """Character counts of jiwer, for a share of the work."""
    run = partial(jiwer.process_characters, pairs.references, pairs.hypotheses, CHARACTERS, CHARACTERS)
    return Peer("jiwer", run, share)


def jiwer_words(pairs: Pairs, share: float = 1.0) -> Peer:
    """Word counts of jiwer."""
    return Peer("jiwer", partial(jiwer.process_words, pairs.references, pairs.hypotheses), share)


def editops(pairs: Pairs) -> None:
    """Operations of rapidfuzz, not counted."""
    for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True):
        Levenshtein.editops(reference, hypothesis)


def count_editops(pairs: Pairs) -> list[tuple[int, int, int]]:
    """Operations of rapidfuzz by kind."""
    return [
        _by_kind(Levenshtein.editops(reference, hypothesis))
        for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True)
    ]


def count_grapheme_editops(pairs: Pairs) -> list[tuple[int, int, int]]:
    r"""Graphemes by \X of regex, then rapidfuzz."""
    return [
        _by_kind(Levenshtein.editops(_GRAPHEMES.findall(reference), _GRAPHEMES.findall(hypothesis)))
        for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True)
    ]


def compare_all(pairs: Pairs) -> object:
    """Distances of rapidfuzz, all in one call."""
    return process.cpdist(pairs.references, pairs.hypotheses, scorer=Levenshtein.distance, workers=1)


def run_each(function: Callable[[str, str], object], pairs: Pairs) -> None:
    """Call a function of two strings for every pair."""
    for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True):
        function(reference, hypothesis)


def wavefront(scope: str, pairs: Pairs) -> Peer:
    """WFA2 with unit costs: scope "score" for the distance, "full" for the operations too."""

    def align(reference: str, hypothesis: str) -> object:
        aligner = WavefrontAligner(
            reference, distance="levenshtein", span="end-to-end", scope=scope, heuristic=None, memory_mode="high"
        )
        return aligner.wavefront_align(hypothesis)

    return Peer("WFA2 (pywfa)", partial(run_each, align, pairs))


def _by_kind(operations: Levenshtein.Editops) -> tuple[int, int, int]:
    tags = [operation[0] for operation in operations.as_list()]
    return tags.count("replace"), tags.count("delete"), tags.count("insert")
