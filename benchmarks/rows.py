"""What is measured: one row for each kind of work, with the calls that users of each tool would write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import edlib
import jiwer
import polyleven
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

import misread
from benchmarks.comparisons import make_statistics_rows
from benchmarks.measure import Peer, Row
from benchmarks.texts import SCRIPTS, Pairs, make_pairs
from misread.alignment import encode, kernels

CHARACTERS = jiwer.Compose([jiwer.ReduceToListOfListOfChars()])


def make_rows(scale: float) -> Iterator[Row]:
    """All rows, with texts in number as `scale` says: 1 is 200,000 lines."""
    yield from _make_line_rows(scale)
    yield from _make_paragraph_rows(scale)
    yield from _make_book_rows(scale)
    yield from make_statistics_rows()


def _make_line_rows(scale: float) -> Iterator[Row]:
    lines = make_pairs("Latin", int(200_000 * scale), 8, 0.07)
    few = lines.head(max(1, len(lines) // 20))
    share = len(few) / len(lines)
    counted = partial(misread.error_counts, lines.references, lines.hypotheses)
    yield Row("lines", "chars S/D/I, end to end", counted, (_jiwer_characters(few, share),))
    yield Row("lines", "chars S/D/I, end to end", counted, (Peer("rapidfuzz editops", partial(_count_editops, lines)),))
    yield Row(
        "lines",
        "chars S/D/I, kernel alone",
        _make_kernel_run(lines),
        (Peer("rapidfuzz editops", partial(_find_editops, lines)),),
    )
    for script in SCRIPTS:
        pairs = lines if script == "Latin" else make_pairs(script, len(lines), 8, 0.07)
        yield Row(
            f"lines, {script}",
            "chars distance, end to end",
            partial(misread.distances, pairs.references, pairs.hypotheses),
            (Peer("rapidfuzz cpdist", partial(_compare_all, pairs)),),
        )
    yield Row(
        "lines",
        "words S/D/I, end to end",
        partial(misread.error_counts, lines.references, lines.hypotheses, unit="word"),
        (Peer("jiwer", partial(jiwer.process_words, few.references, few.hypotheses), share),),
    )


def _make_paragraph_rows(scale: float) -> Iterator[Row]:
    paragraphs = make_pairs("Latin", max(20, int(5000 * scale)), 250, 0.07)
    yield Row(
        "paragraphs",
        "chars distance",
        partial(misread.distances, paragraphs.references, paragraphs.hypotheses),
        (
            Peer("rapidfuzz", partial(_compare_all, paragraphs)),
            Peer("polyleven", partial(_run_each, polyleven.levenshtein, paragraphs)),
        ),
    )
    yield Row(
        "paragraphs",
        "chars S/D/I",
        partial(misread.error_counts, paragraphs.references, paragraphs.hypotheses),
        (Peer("rapidfuzz editops", partial(_count_editops, paragraphs)),),
    )


def _make_book_rows(scale: float) -> Iterator[Row]:
    books = make_pairs("Latin", max(2, int(20 * scale)), 21_500, 0.07)
    hint = int(misread.distances(books.references, books.hypotheses).max())
    yield Row(
        "books",
        "chars distance, same hint",
        partial(misread.distances, books.references, books.hypotheses, score_hint=hint),
        (Peer("rapidfuzz", partial(_run_each, partial(Levenshtein.distance, score_hint=hint), books)),),
    )
    one = books.head(1)
    yield Row(
        "one book",
        "chars S/D/I",
        partial(misread.error_counts, one.references, one.hypotheses),
        (_jiwer_characters(one, 1.0),),
    )
    for rate in (0.01, 0.03, 0.07, 0.15):
        book = make_pairs("Latin", 1, 21_500, rate)
        yield Row(
            f"one book, {rate:.0%} errors",
            "chars distance, no hint",
            partial(misread.distances, book.references, book.hypotheses),
            (
                Peer("rapidfuzz", partial(_run_each, Levenshtein.distance, book)),
                Peer("edlib", partial(_run_each, edlib.align, book)),
            ),
        )


def _make_kernel_run(pairs: Pairs) -> Callable[[], object]:
    batches = [batch for _, batch in encode.encode_batches(pairs.references, pairs.hypotheses, "char")]

    def run() -> None:
        for batch in batches:
            kernels.count_operations(
                batch.references.codes,
                batch.references.spans,
                batch.hypotheses.codes,
                batch.hypotheses.spans,
                batch.alphabet_size,
            )

    return run


def _jiwer_characters(pairs: Pairs, share: float) -> Peer:
    run = partial(jiwer.process_characters, pairs.references, pairs.hypotheses, CHARACTERS, CHARACTERS)
    return Peer("jiwer", run, share)


def _find_editops(pairs: Pairs) -> None:
    for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True):
        Levenshtein.editops(reference, hypothesis)


def _count_editops(pairs: Pairs) -> list[tuple[int, int, int]]:
    counts = []
    for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True):
        tags = [operation[0] for operation in Levenshtein.editops(reference, hypothesis).as_list()]
        counts.append((tags.count("replace"), tags.count("delete"), tags.count("insert")))
    return counts


def _compare_all(pairs: Pairs) -> object:
    return process.cpdist(pairs.references, pairs.hypotheses, scorer=Levenshtein.distance, workers=1)


def _run_each(function: Callable[[str, str], object], pairs: Pairs) -> None:
    for reference, hypothesis in zip(pairs.references, pairs.hypotheses, strict=True):
        function(reference, hypothesis)
