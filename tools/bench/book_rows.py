"""Rows for books: pairs of texts of 140,000 characters, or of a million."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import edlib
from rapidfuzz.distance import Levenshtein

import misread
from misread.alignment import find_operations
from tools.bench import peers
from tools.bench.measure import Figure, Peer, Ratio, Row
from tools.bench.processes import Process, run_python
from tools.bench.texts import make_pairs

# Words of a book of 140,000 characters.
_BOOK = 21_500


def book_rows(scale: float) -> Iterator[Row]:
    """Distances, operations and memory."""
    books = make_pairs("Latin", max(2, int(20 * scale)), _BOOK, 0.07)
    hint = int(misread.distances(books.references, books.hypotheses).max())
    hinted = partial(misread.distances, books.references, books.hypotheses, score_hint=hint)
    rapidfuzz = Peer("rapidfuzz", partial(peers.run_each, partial(Levenshtein.distance, score_hint=hint), books))
    yield Ratio("books", "chars distance, same hint", hinted, (rapidfuzz,), "2", "4")
    one = books.head(1)
    counted = partial(misread.error_counts, one.references, one.hypotheses)
    yield Ratio("one book", "chars S/D/I", counted, (peers.jiwer_characters(one),), "10", "20")
    for rate in (0.01, 0.03, 0.07, 0.15):
        # WFA2 supports ASCII only.
        book = make_pairs("ASCII", 1, _BOOK, rate)
        work = f"one book, {rate:.0%} errors"
        others = (
            Peer("rapidfuzz", partial(peers.run_each, Levenshtein.distance, book)),
            Peer("edlib", partial(peers.run_each, edlib.align, book)),
            peers.wavefront("score", book),
        )
        distance = partial(misread.distances, book.references, book.hypotheses)
        yield Ratio(work, "chars distance, no hint", distance, others, "1", "2")
        path = partial(find_operations, book.references, book.hypotheses)
        goal, stretch = ("1", "3") if rate >= 0.03 else ("", "")
        yield Ratio(work, "chars operations", path, (peers.wavefront("full", book),), goal, stretch)
    for words, rate, name in ((_BOOK, 0.07, "one book"), (_BOOK * 7, 0.10, "a million characters, 10% errors")):
        goal = "under 200 MB" if words == _BOOK else ""
        yield Figure(name, "chars operations, memory above the texts", "itself", _memory(words, rate), goal)
        yield Figure(name, "chars operations, CPU time", "itself", _seconds(words, rate))


_PROGRAM = """
import time
from tools.bench.texts import make_pairs
from misread.alignment import find_operations
from misread.compiled.budget import use_machine_code
use_machine_code()
# What is loaded for long texts is loaded.
page = make_pairs("Latin", 1, 500, {rate})
find_operations(page.references, page.hypotheses)
book = make_pairs("Latin", 1, {words}, {rate})
start = time.process_time()
{call}
print(time.process_time() - start)
"""


def _memory(words: int, rate: float) -> Callable[[int], str]:
    return lambda _rounds: f"{(_align(words, rate).peak_bytes - _make(words, rate).peak_bytes) / 1e6:.0f} MB"


def _seconds(words: int, rate: float) -> Callable[[int], str]:
    return lambda _rounds: f"{float(_align(words, rate).output):.2g} s"


def _align(words: int, rate: float) -> Process:
    call = "find_operations(book.references, book.hypotheses)"
    return run_python(_PROGRAM.format(words=words, rate=rate, call=call))


def _make(words: int, rate: float) -> Process:
    """As `_align`, without the alignment."""
    return run_python(_PROGRAM.format(words=words, rate=rate, call=""))
