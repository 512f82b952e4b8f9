"""Pages, books and more: texts of which a whole matrix would fill the memory."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from misread import distances, error_counts
from misread.alignment import find_operations, policies
from misread.alignment.kernels import strips
from misread.alignment.kernels.wavefronts import GIVEN_UP
from misread.compiled.jit import as_written
from misread.errors import TooDifferentError

MILLION = 1_000_000

# Prints by how many megabytes aligning two texts of 140,000 characters raises the peak of a process.
MEMORY = r"""
import random, re
from pathlib import Path
import misread
def peak():
    # Not ru_maxrss, which begins with the peak of the process that started this one.
    return int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1000
rng = random.Random(1)
reference = "".join(rng.choices("etaoinshrd ", k=140_000))
hypothesis = "".join(rng.choice(("", "e", letter + "e")) if rng.random() < 0.07 else letter for letter in reference)
misread.align("kitten", "sitting")
before = peak()
alignment = misread.align(reference, hypothesis)
print(peak() - before, len(alignment.operations))
"""


def run(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def million() -> tuple[str, str]:
    """A million characters, and the same with 60 of them replaced, 50 left out and 40 put in.

    The errors are far apart, and what is new occurs nowhere else: no other alignment is as good.
    """
    rng = np.random.default_rng(1)
    letters = rng.integers(ord("a"), ord("z") + 1, size=MILLION).astype(np.uint8).tobytes().decode()
    blocks = [letters[begin : begin + 1000] for begin in range(0, MILLION, 1000)]
    chosen = rng.permutation(len(blocks))[:150].tolist()
    for block in chosen[:60]:
        blocks[block] = blocks[block][:500] + "X" + blocks[block][501:]
    for block in chosen[60:110]:
        blocks[block] = blocks[block][:500] + blocks[block][501:]
    for block in chosen[110:]:
        blocks[block] = blocks[block][:500] + "X" + blocks[block][500:]
    return letters, "".join(blocks)


def test_errors_in_a_million_characters_are_counted_by_kind(million):
    counts = error_counts(*million)
    assert [int(column[0]) for column in (counts.substitutions, counts.deletions, counts.insertions)] == [60, 50, 40]


@pytest.mark.parametrize("score_hint", [None, 1, 150, 5000])
def test_a_million_characters_are_at_the_same_distance_with_any_hint(million, score_hint):
    assert distances(*million, score_hint=score_hint).tolist() == [150]


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="the peak of a process is read from /proc")
def test_two_books_are_aligned_in_less_than_200_megabytes():
    megabytes, operations = map(float, run(MEMORY).split())
    assert 1 < megabytes < 200
    assert operations >= 140_000


def test_the_same_bytes_come_from_one_thread_and_from_two(monkeypatch):
    rng = np.random.default_rng(1)
    references, hypotheses = (
        ["".join(rng.choice([*"ab c"], length)) for length in rng.choice([0, 5, 60, 70, 600], 600)] for _ in range(2)
    )

    def count(threads):
        monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", threads)
        found = [error_counts(references[:200], hypotheses[:200], alignment="sclite").errors]
        for unit in ("char", "word"):
            counts = error_counts(references, hypotheses, unit=unit)
            found += [counts.hits, counts.substitutions, counts.deletions, counts.insertions]
            found.append(find_operations(references, hypotheses, unit=unit).codes)
            found.append(distances(references, hypotheses, unit=unit))
        return [column.tobytes() for column in found]

    assert count(1) == count(2)


# Texts that differ too much


@pytest.mark.parametrize("count", [error_counts, distances, find_operations])
def test_a_pair_that_would_take_hours_is_refused_at_once_with_its_number_and_lengths(count):
    references, hypotheses = ["a", "ab" * 5 * MILLION], ["b", "ca" * MILLION]
    with pytest.raises(
        TooDifferentError, match=r"pair 1: texts of 10,000,000 and 2,000,000 units .* which is the limit"
    ):
        count(references, hypotheses)


@pytest.mark.slow
def test_long_texts_that_hardly_differ_are_counted():
    reference = "the quick brown fox " * (MILLION // 4)
    assert error_counts(reference, f"x{reference}y").insertions.tolist() == [2]


@pytest.mark.parametrize("alignment", ["sclite", "transpositions"])
def test_slower_rules_have_a_lower_limit(monkeypatch, alignment):
    # By unit costs alone, texts of which the band exceeds the limit as it is take seconds.
    assert policies.MOST_CELLS == strips.MOST_CELLS // 100
    monkeypatch.setattr(policies, "MOST_CELLS", 10**8)
    rng = np.random.default_rng(1)
    reference, hypothesis = (rng.integers(97, 123, 12_500, np.uint8).tobytes().decode() for _ in range(2))
    with pytest.raises(TooDifferentError, match=r"pair 0: texts of 12,500 and 12,500 units .* 100,000,000 steps"):
        error_counts(reference, hypothesis, alignment=alignment)


def draw_codes(seed, number):
    return np.random.default_rng(seed).integers(1, 27, number, dtype=np.uint32)


def align_within(monkeypatch, most_cells, reference, hypothesis):
    monkeypatch.setattr(strips, "MOST_CELLS", most_cells)
    scratch = strips.make_scratch(27, reference.size, hypothesis.size)
    return as_written(strips.align_long)(reference, hypothesis, 64, False, True, scratch, np.empty(0, np.uint8))


def test_unrelated_texts_are_given_up_above_the_limit_and_counted_at_it(monkeypatch):
    reference, hypothesis = draw_codes(1, 20_000), draw_codes(2, 20_000)
    counted = align_within(monkeypatch, 20_000**2, reference, hypothesis)
    assert counted[0] > 15_000
    assert align_within(monkeypatch, 20_000 * 10_000, reference, hypothesis) == (GIVEN_UP, 0)


def test_a_text_whose_beginning_alone_is_spoilt_is_not_given_up(monkeypatch):
    reference = draw_codes(1, 200_000)
    hypothesis = np.concatenate([draw_codes(2, 5_000), reference[5_000:]])
    distance, _ = align_within(monkeypatch, 200_000 * 10_000, reference, hypothesis)
    assert 4_000 < distance < 5_000
