"""Rows for counts and distances of texts: many short ones, paragraphs and books, beside tools with the same numbers."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

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
from misread.metrics import ErrorRate, MatchRate
from misread.metrics.lines import ExactLines, LineAccuracy
from misread.metrics.segment_error_rate import SegmentErrorRate
from misread.metrics.tokens import BagOfWordsError, TokenMatch, TokenPositions
from misread.normalize import get_normalizer, normalize
from misread.normalize.normalized_texts import NormalizedTexts
from misread.sockets import METRICS
from misread.tally import scored_run
from tools.bench.measure import Peer, Row, speed_up, times_as_long
from tools.bench.texts import Pairs, make_pairs

CHARACTERS = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])
# Words of a book of 140,000 characters.
_BOOK = 21_500
# Metrics of any text; others need JSON, answers to questions or the tokens of a language model.
_TEXT_METRICS = (
    *(ErrorRate, MatchRate, SegmentErrorRate, BagOfWordsError),
    *(TokenMatch, TokenPositions, LineAccuracy, ExactLines),
)

_Texts = Sequence[str]


def make_lines(scale: float, script: str = "Latin") -> Pairs:
    """The lines that most rows use; 200,000 at scale 1."""
    return make_pairs(script, int(200_000 * scale), 8, 0.07)


def line_rows(scale: float) -> Iterator[Row]:
    """Characters, words and graphemes of lines, the last also in a script with many combining marks."""
    lines = make_lines(scale)
    for peer, goals in ((jiwer_characters(lines, 20), ("100", "200")), (_peer(_editops, lines), ("2.5", "5"))):
        yield Row("lines", "chars S/D/I, end to end", speed_up(_counting(lines), peer), *goals)
    for script in ("Latin", "Chinese", "Turkish", "astral"):
        pairs = make_lines(scale, script)
        measure = speed_up(_measuring(pairs), _peer(_cpdist, pairs, "rapidfuzz cpdist"))
        yield Row(f"lines, {script}", "chars distance, end to end", measure, "1", "1.5")
    measure = speed_up(_counting(lines, unit="word"), _peer(jiwer.process_words, lines, "jiwer", 20))
    yield Row("lines", "words S/D/I, end to end", measure, "40", "80")
    count = partial(_editops, split=regex.compile(r"\X").findall)
    for script in ("Latin", "Devanagari"):
        pairs = make_lines(scale, script)
        measure = speed_up(_counting(pairs, unit="grapheme"), _peer(count, pairs, r"regex \X + rapidfuzz", 10))
        yield Row(f"lines, {script}", "graphemes S/D/I, end to end", measure, "5", "20")


def paragraph_rows(scale: float) -> Iterator[Row]:
    """Characters of paragraphs."""
    pairs = make_pairs("Latin", max(20, int(5000 * scale)), 250, 0.07)
    others = _peer(_cpdist, pairs, "rapidfuzz"), _peer(_each(polyleven.levenshtein), pairs, "polyleven")
    yield Row("paragraphs", "chars distance", speed_up(_measuring(pairs), *others), "4", "6")
    yield Row("paragraphs", "chars S/D/I", speed_up(_counting(pairs), _peer(_editops, pairs)), "2", "4")


def book_rows(_: float) -> Iterator[Row]:
    """Distances and operations of long texts."""
    first = make_pairs("Latin", 1, _BOOK, 0.07)
    yield Row("one book", "chars S/D/I", speed_up(_counting(first), jiwer_characters(first)), "10", "20")
    for rate in (0.01, 0.07):
        # WFA2 supports ASCII only.
        book = make_pairs("ASCII", 1, _BOOK, rate)
        work = f"one book, {rate:.0%} errors"
        others = (
            _peer(_each(Levenshtein.distance), book, "rapidfuzz"),
            _peer(_each(edlib.align), book, "edlib"),
            _wavefront("score", book),
        )
        yield Row(work, "chars distance, no hint", speed_up(_measuring(book), *others), "1", "2")
        goals = ("1", "3") if rate > 0.01 else ()
        measure = speed_up(partial(find_operations, *book.sides), _wavefront("full", book))
        yield Row(work, "chars operations", measure, *goals)


def metric_rows(scale: float) -> Iterator[Row]:
    """All metrics of any text, compared with the two alignments that they need."""
    lines = make_lines(scale)
    texts = as_normalized(lines)
    counted = [metric for metric in METRICS.values() if isinstance(metric, _TEXT_METRICS)]

    def count_all() -> None:
        forms = scored_run.forms_to_score(texts, counted, range(len(texts.segments)), "error")
        for metric in counted:
            metric.count(forms[metric.text])

    def align() -> None:
        _counting(lines)()
        _counting(lines, unit="word")()

    measure = times_as_long(count_all, "chars + words S/D/I", align)
    yield Row("lines", f"all {len(counted)} metrics of texts", measure, "at most 3")


def as_normalized(lines: Pairs) -> NormalizedTexts:
    """Lines as the normalize stage leaves them; white space is in order already."""
    keys = SegmentKeys([f"{row:07}" for row in range(len(lines))], None, {})
    capture = Capture(Origin("lines", "noise"), keys, TextPairs(*lines.sides), [None] * len(lines))
    return normalize(capture, get_normalizer("whitespace"))


def _counting(pairs: Pairs, **options: str) -> Callable[[], object]:
    return partial(misread.error_counts, *pairs.sides, **options)


def _measuring(pairs: Pairs, **options: int) -> Callable[[], object]:
    return partial(misread.distances, *pairs.sides, **options)


def _peer(
    count: Callable[[_Texts, _Texts], object], pairs: Pairs, name: str = "rapidfuzz editops", divisor: int = 1
) -> Peer:
    """A tool that counts references and hypotheses; with a divisor, a part of them, where all would take too long."""
    few = pairs.head(max(1, len(pairs) // divisor))
    return Peer(name, partial(count, *few.sides), len(few) / len(pairs))


def jiwer_characters(pairs: Pairs, divisor: int = 1) -> Peer:
    """The counts of characters of jiwer."""
    count = partial(jiwer.process_characters, reference_transform=CHARACTERS, hypothesis_transform=CHARACTERS)
    return _peer(count, pairs, "jiwer", divisor)


def _editops(references: _Texts, hypotheses: _Texts, split: Callable[[str], object] = str) -> list[tuple[int, ...]]:
    """Operations of rapidfuzz by kind, of each pair."""
    counts = []
    for reference, hypothesis in zip(references, hypotheses, strict=True):
        tags = [operation[0] for operation in Levenshtein.editops(split(reference), split(hypothesis)).as_list()]
        counts.append(tuple(map(tags.count, ("replace", "delete", "insert"))))
    return counts


def _cpdist(references: _Texts, hypotheses: _Texts) -> object:
    """Distances of rapidfuzz, all in one call."""
    return process.cpdist(references, hypotheses, scorer=Levenshtein.distance, workers=1)


def _each(function: Callable[[str, str], object]) -> Callable[[_Texts, _Texts], object]:
    """A function that is called for every pair."""
    return lambda references, hypotheses: [*map(function, references, hypotheses)]


def _wavefront(scope: str, pairs: Pairs) -> Peer:
    """WFA2 with unit costs: scope "score" for the distance, "full" for the operations too."""

    def align(reference: str, hypothesis: str) -> object:
        aligner = WavefrontAligner(
            reference, distance="levenshtein", span="end-to-end", scope=scope, heuristic=None, memory_mode="high"
        )
        return aligner.wavefront_align(hypothesis)

    return _peer(_each(align), pairs, "WFA2 (pywfa)")
