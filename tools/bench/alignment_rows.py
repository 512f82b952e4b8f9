"""Rows for counts and distances of texts: many short ones, paragraphs and books, beside tools with the same numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median

import edlib
import jiwer
import polyleven
import regex
from pywfa import WavefrontAligner
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

import misread
from misread.alignment import find_operations
from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.metrics import (
    BagOfWordsError,
    ErrorRate,
    ExactLines,
    LineAccuracy,
    MatchRate,
    SegmentErrorRate,
    TokenMatch,
    TokenPositions,
)
from misread.normalize import get_normalizer, normalize
from misread.normalize.normalized_texts import NormalizedTexts
from misread.sockets import METRICS
from misread.tally import scored_system
from tools.bench.measure import Figure, Peer, Ratio, Row, interleave
from tools.bench.texts import Pairs, make_pairs

CHARACTERS = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
_GRAPHEMES = regex.compile(r"\X")
# Words of a book of 140,000 characters.
_BOOK = 21_500
# Metrics of any text; others need JSON, answers to questions or the tokens of a language model.
_TEXT_METRICS = (
    ErrorRate,
    MatchRate,
    SegmentErrorRate,
    BagOfWordsError,
    TokenMatch,
    TokenPositions,
    LineAccuracy,
    ExactLines,
)


def make_lines(scale: float, script: str = "Latin") -> Pairs:
    """The lines that most rows use; 200,000 at scale 1."""
    return make_pairs(script, int(200_000 * scale), 8, 0.07)


def line_rows(scale: float) -> Iterator[Row]:
    """Characters of lines."""
    lines = make_lines(scale)
    for peer, goals in ((_jiwer_characters(lines, 20), ("100", "200")), (_editops(lines), ("2.5", "5"))):
        yield Ratio("lines", "chars S/D/I, end to end", _counting(lines), (peer,), *goals)
    for script in ("Latin", "Chinese", "Arabic", "Turkish", "astral"):
        pairs = make_lines(scale, script)
        cpdist = (Peer("rapidfuzz cpdist", partial(_cpdist, pairs)),)
        yield Ratio(f"lines, {script}", "chars distance, end to end", _measuring(pairs), cpdist, "1", "1.5")


def word_rows(scale: float) -> Iterator[Row]:
    """Words of lines."""
    lines = make_lines(scale)
    few, share = _part(lines, 20)
    peer = Peer("jiwer", partial(jiwer.process_words, few.references, few.hypotheses), share)
    yield Ratio("lines", "words S/D/I, end to end", _counting(lines, unit="word"), (peer,), "40", "80")


def grapheme_rows(scale: float) -> Iterator[Row]:
    """Graphemes of lines, in a script without combining marks and in one with many."""
    for script in ("Latin", "Devanagari"):
        pairs = make_lines(scale, script)
        few, share = _part(pairs, 10)
        peer = Peer(r"regex \X + rapidfuzz", partial(_count_editops, few, _GRAPHEMES.findall), share)
        counted = _counting(pairs, unit="grapheme")
        yield Ratio(f"lines, {script}", "graphemes S/D/I, end to end", counted, (peer,), "5", "20")


def paragraph_rows(scale: float) -> Iterator[Row]:
    """Characters of paragraphs."""
    pairs = make_pairs("Latin", max(20, int(5000 * scale)), 250, 0.07)
    others = Peer("rapidfuzz", partial(_cpdist, pairs)), _each("polyleven", polyleven.levenshtein, pairs)
    yield Ratio("paragraphs", "chars distance", _measuring(pairs), others, "4", "6")
    yield Ratio("paragraphs", "chars S/D/I", _counting(pairs), (_editops(pairs),), "2", "4")


def book_rows(scale: float) -> Iterator[Row]:
    """Distances and operations of long texts."""
    books = make_pairs("Latin", max(2, int(20 * scale)), _BOOK, 0.07)
    hint = int(misread.distances(books.references, books.hypotheses).max())
    rapidfuzz = _each("rapidfuzz", partial(Levenshtein.distance, score_hint=hint), books)
    yield Ratio("books", "chars distance, same hint", _measuring(books, score_hint=hint), (rapidfuzz,), "2", "4")
    first = books.head(1)
    yield Ratio("one book", "chars S/D/I", _counting(first), (_jiwer_characters(first, 1),), "10", "20")
    for rate in (0.01, 0.03, 0.07, 0.15):
        # WFA2 supports ASCII only.
        book = make_pairs("ASCII", 1, _BOOK, rate)
        work = f"one book, {rate:.0%} errors"
        others = (
            _each("rapidfuzz", Levenshtein.distance, book),
            _each("edlib", edlib.align, book),
            _wavefront("score", book),
        )
        yield Ratio(work, "chars distance, no hint", _measuring(book), others, "1", "2")
        goals = ("1", "3") if rate >= 0.03 else ("", "")
        path = partial(find_operations, book.references, book.hypotheses)
        yield Ratio(work, "chars operations", path, (_wavefront("full", book),), *goals)


def metric_rows(scale: float) -> Iterator[Row]:
    """All metrics of any text, compared with the two alignments that they need."""
    lines = make_lines(scale)
    texts = as_normalized(lines)
    metrics = [metric for metric in METRICS.values() if isinstance(metric, _TEXT_METRICS)]

    def count_all() -> None:
        forms = scored_system.forms_to_score(texts, metrics, range(len(texts.segments)), "error")
        for metric in metrics:
            metric.count(forms[metric.text])

    def align() -> None:
        _counting(lines)()
        _counting(lines, unit="word")()

    def compare(rounds: int) -> str:
        least, own = map(median, interleave([align, count_all], rounds))
        return f"{own / least:.3g} x the time"

    yield Figure("lines", f"all {len(metrics)} metrics of texts", "chars + words S/D/I", compare, "at most 3")


def as_normalized(lines: Pairs) -> NormalizedTexts:
    """Lines as the normalize stage leaves them; white space is in order already."""
    keys = SegmentKeys([f"{row:07}" for row in range(len(lines))], None, {})
    texts = TextPairs(lines.references, lines.hypotheses)
    return normalize(Capture(Origin("lines", "noise"), keys, texts, [None] * len(lines)), get_normalizer("whitespace"))


def _counting(pairs: Pairs, **options: str) -> Callable[[], object]:
    return partial(misread.error_counts, pairs.references, pairs.hypotheses, **options)


def _measuring(pairs: Pairs, **options: int) -> Callable[[], object]:
    return partial(misread.distances, pairs.references, pairs.hypotheses, **options)


def _part(pairs: Pairs, divisor: int) -> tuple[Pairs, float]:
    """A part of the work for a peer that would take too long with all, and what share it is."""
    few = pairs.head(max(1, len(pairs) // divisor))
    return few, len(few) / len(pairs)


def _jiwer_characters(pairs: Pairs, divisor: int) -> Peer:
    few, share = _part(pairs, divisor)
    run = partial(jiwer.process_characters, few.references, few.hypotheses, CHARACTERS, CHARACTERS)
    return Peer("jiwer", run, share)


def _editops(pairs: Pairs) -> Peer:
    return Peer("rapidfuzz editops", partial(_count_editops, pairs, str))


def _count_editops(pairs: Pairs, split: Callable[[str], object]) -> list[tuple[int, int, int]]:
    """Operations of rapidfuzz by kind, of each pair."""
    counts = []
    for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True):
        tags = [operation[0] for operation in Levenshtein.editops(split(reference), split(hypothesis)).as_list()]
        counts.append((tags.count("replace"), tags.count("delete"), tags.count("insert")))
    return counts


def _cpdist(pairs: Pairs) -> object:
    """Distances of rapidfuzz, all in one call."""
    return process.cpdist(pairs.references, pairs.hypotheses, scorer=Levenshtein.distance, workers=1)


def _each(name: str, function: Callable[[str, str], object], pairs: Pairs) -> Peer:
    """A peer that is called for every pair."""

    def run() -> None:
        for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True):
            function(reference, hypothesis)

    return Peer(name, run)


def _wavefront(scope: str, pairs: Pairs) -> Peer:
    """WFA2 with unit costs: scope "score" for the distance, "full" for the operations too."""

    def align(reference: str, hypothesis: str) -> object:
        aligner = WavefrontAligner(
            reference, distance="levenshtein", span="end-to-end", scope=scope, heuristic=None, memory_mode="high"
        )
        return aligner.wavefront_align(hypothesis)

    return _each("WFA2 (pywfa)", align, pairs)
