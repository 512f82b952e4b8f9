"""Rows for lines and paragraphs: many short texts."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import polyleven
from tests.whole_tables import write_alignments

import misread
from misread.alignment import find_operations
from misread.alignment.encode import texts
from misread.alignment.kernels import levenshtein
from misread.data.segment_table import Capture, Origin, SegmentKeys, TextPairs
from misread.features.made_up_text import find_loops
from misread.metrics import (
    BagOfWordsError,
    ErrorRate,
    ExactLines,
    LineAccuracy,
    MatchRate,
    Metric,
    ScoredText,
    SegmentErrorRate,
    TokenMatch,
    TokenPositions,
)
from misread.normalize import get_normalizer, normalize
from misread.normalize.normalized_texts import NormalizedTexts
from misread.sockets import METRICS
from misread.tally import scored_system
from misread.tally.alignments import SegmentAlignments
from tools.bench import peers
from tools.bench.measure import Figure, Peer, Ratio, Row, interleave
from tools.bench.texts import Pairs, make_pairs

# Metrics of any text; others need JSON, answers to questions or the tokens of a language model.
TEXT_METRICS = (
    ErrorRate,
    MatchRate,
    SegmentErrorRate,
    BagOfWordsError,
    TokenMatch,
    TokenPositions,
    LineAccuracy,
    ExactLines,
)


# Each counted by itself.
SINGLE_METRICS = (
    *("flagged_segments", "cer_unflagged", "loop_error_share"),
    *("normalized_cross_entropy", "expected_calibration_error", "review_share", "b_wer", "mixed_error_rate"),
    *("order_error_rate", "corrected_words", "wer_without_both", "punctuation_f1"),
    *("case_error_rate", "oracle_wer", "flexible_character_accuracy", "wer_merged_compounds"),
)
_LEAST = "chars + words S/D/I"


def make_lines(scale: float) -> Pairs:
    """The lines that most rows use; 200,000 at scale 1."""
    return make_pairs("Latin", int(200_000 * scale), 8, 0.07)


def line_rows(scale: float) -> Iterator[Row]:
    """Characters of lines."""
    lines = make_lines(scale)
    few = lines.head(max(1, len(lines) // 20))
    counted = partial(misread.error_counts, lines.references, lines.hypotheses)
    beside_jiwer = (peers.jiwer_characters(few, len(few) / len(lines)),)
    editops = (Peer("rapidfuzz editops", partial(peers.count_editops, lines)),)
    yield Ratio("lines", "chars S/D/I, end to end", counted, beside_jiwer, "100", "200")
    yield Ratio("lines", "chars S/D/I, end to end", counted, editops, "2.5", "5")
    only_editops = (Peer("rapidfuzz editops", partial(peers.editops, lines)),)
    yield Ratio("lines", "chars S/D/I, kernel alone", _kernel_run(lines), only_editops, "5", "8")
    for script in ("Latin", "Chinese", "Arabic", "Turkish", "astral"):
        pairs = lines if script == "Latin" else make_pairs(script, len(lines), 8, 0.07)
        run = partial(misread.distances, pairs.references, pairs.hypotheses)
        cpdist = (Peer("rapidfuzz cpdist", partial(peers.compare_all, pairs)),)
        yield Ratio(f"lines, {script}", "chars distance, end to end", run, cpdist, "1", "1.5")


def word_rows(scale: float) -> Iterator[Row]:
    """Words of lines."""
    lines = make_lines(scale)
    few = lines.head(max(1, len(lines) // 20))
    run = partial(misread.error_counts, lines.references, lines.hypotheses, unit="word")
    beside_jiwer = (peers.jiwer_words(few, len(few) / len(lines)),)
    yield Ratio("lines", "words S/D/I, end to end", run, beside_jiwer, "40", "80")


def grapheme_rows(scale: float) -> Iterator[Row]:
    r"""Graphemes of lines, in a script without combining marks and in one with many."""
    for name, script in (("Latin", "Latin"), ("Devanagari", "Devanagari")):
        pairs = make_pairs(script, int(200_000 * scale), 8, 0.07)
        few = pairs.head(max(1, len(pairs) // 10))
        peer = Peer(r"regex \X + rapidfuzz", partial(peers.count_grapheme_editops, few), len(few) / len(pairs))
        run = partial(misread.error_counts, pairs.references, pairs.hypotheses, unit="grapheme")
        yield Ratio(f"lines, {name}", "graphemes S/D/I, end to end", run, (peer,), "5", "20")


def paragraph_rows(scale: float) -> Iterator[Row]:
    """Characters of paragraphs."""
    pairs = make_pairs("Latin", max(20, int(5000 * scale)), 250, 0.07)
    distances = partial(misread.distances, pairs.references, pairs.hypotheses)
    others = (
        Peer("rapidfuzz", partial(peers.compare_all, pairs)),
        Peer("polyleven", partial(peers.run_each, polyleven.levenshtein, pairs)),
    )
    yield Ratio("paragraphs", "chars distance", distances, others, "4", "6")
    counted = partial(misread.error_counts, pairs.references, pairs.hypotheses)
    editops = (Peer("rapidfuzz editops", partial(peers.count_editops, pairs)),)
    yield Ratio("paragraphs", "chars S/D/I", counted, editops, "2", "4")


def metric_rows(scale: float) -> Iterator[Row]:
    """All metrics of any text, compared with the two alignments that they need."""
    lines = make_lines(scale)
    texts = as_normalized(lines)
    metrics = [metric for metric in METRICS.values() if isinstance(metric, TEXT_METRICS)]

    def count_all() -> None:
        forms = scored_system.forms_to_score(texts, metrics, range(len(texts.segments)), "error")
        for metric in metrics:
            metric.count(forms[metric.text])

    def write_all() -> None:
        _align(lines)
        sides = lines.references, lines.hypotheses
        letters = [find_operations(*sides, unit=unit).letters() for unit in ("char", "word")]
        alignments = SegmentAlignments(texts.origin, texts.segments.segment_id, *letters, facts={})
        with tempfile.TemporaryDirectory() as folder:
            write_alignments(Path(folder) / "alignments.parquet", alignments)

    share = partial(_share_of_alignments, lines)
    yield Figure("lines", f"all {len(metrics)} metrics of texts", _LEAST, partial(share, count_all), "at most 3")
    yield Figure("lines", "S/D/I, alignments written", _LEAST, partial(share, write_all), "")


def single_rows(scale: float) -> Iterator[Row]:
    """Metrics that look deeper than a rate, each by itself, and texts made to be slow."""
    lines = make_lines(scale)

    annotations = {"confidence": [0.9] * len(lines), "biasing": [["Abbot", "Zeno"]] * len(lines)}
    annotations |= {"ocr": lines.hypotheses, "nbest": [[text] for text in lines.hypotheses]}

    def count(metric: Metric) -> None:
        metric.count(ScoredText(lines.references, lines.hypotheses, annotations=annotations))

    for metric_id in SINGLE_METRICS:
        run = partial(count, METRICS[metric_id])
        yield Figure("lines", metric_id, _LEAST, partial(_share_of_alignments, lines, run), "at most 3")
    for name, text in make_repetitive(1_000_000).items():
        yield Figure(f"a million characters, {name}", "loops, CPU time", "itself", partial(_time, text), "under 1 s")


def make_repetitive(size: int) -> dict[str, str]:
    """Texts that repeat themselves so that finding out takes long."""
    fibonacci = ["b", "a"]
    while len(fibonacci[-1]) < size:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    growing = "".join("a" * length + "b" for length in range(1, int((2 * size) ** 0.5) + 2))
    return {"one letter": "a" * size, "Fibonacci": fibonacci[-1][:size], "growing runs": growing[:size]}


def _time(text: str, rounds: int) -> str:
    (spent,) = interleave([partial(find_loops, "a reference", text)], rounds)
    return f"{sorted(spent)[rounds // 2]:.2g} s"


def _share_of_alignments(lines: Pairs, run: Callable[[], None], rounds: int) -> str:
    """Time over that of the two alignments that are always needed."""
    least, own = (sorted(spent)[rounds // 2] for spent in interleave([partial(_align, lines), run], rounds))
    return f"{own / least:.3g} x the time"


def _align(lines: Pairs) -> None:
    misread.error_counts(lines.references, lines.hypotheses)
    misread.error_counts(lines.references, lines.hypotheses, unit="word")


def as_normalized(lines: Pairs) -> NormalizedTexts:
    """Lines as the normalize stage leaves them; white space is in order already."""
    keys = SegmentKeys([f"{row:07}" for row in range(len(lines))], None, {})
    texts = TextPairs(lines.references, lines.hypotheses)
    return normalize(Capture(Origin("lines", "noise"), keys, texts, [None] * len(lines)), get_normalizer("whitespace"))


def _kernel_run(pairs: Pairs) -> Callable[[], object]:
    batches = [batch for _, batch in texts.encode_batches(pairs.references, pairs.hypotheses, "char")]

    def run() -> None:
        for batch in batches:
            levenshtein.count_operations(batch.sides, batch.alphabet_size)

    return run
