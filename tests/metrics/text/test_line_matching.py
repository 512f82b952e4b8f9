"""Lines matched in any order, compared with a search that aligns one pair of parts after the other."""

import math
from collections import Counter
from functools import lru_cache
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from misread.alignment import PairedTexts, align
from misread.compiled.budget import ALIGNING
from misread.metrics.text.line_matching import count_in_any_order

WEIGHTS = [*product(range(15, 31, 5), range(0, 24, 3), range(4), range(6))]


@lru_cache(1 << 16)
def slow_counts(reference, hypothesis):
    kinds = Counter(operation.kind for operation in align(reference, hypothesis).operations)
    return kinds["substitution"], kinds["deletion"], kinds["insertion"]


def effort(counts):
    return sum(counts) + counts[0]


@lru_cache(1 << 16)
def slow_match(reference, hypothesis):
    """Start and end in the reference, then in the hypothesis, and the counts: the first place of least effort."""
    shorter = min(len(reference), len(hypothesis))
    whole = (0, len(reference)), (0, len(hypothesis))
    windows = [(place, place + shorter) for place in range(abs(len(reference) - len(hypothesis)) + 1)]
    is_longer = len(reference) >= len(hypothesis)
    best = slow_choice(
        reference, hypothesis, [(at, whole[1]) if is_longer else (whole[0], at) for at in windows] + [whole], shorter
    )
    if best and (more := best[2][0] + best[2][1]):
        (start, end), (other, _), _ = best
        sizes = range(end - start + 1, end - start + more + 1)
        longer = slow_choice(
            reference,
            hypothesis,
            [((start, min(start + n, whole[0][1])), (other, min(other + n, whole[1][1]))) for n in sizes],
            shorter,
        )
        best = longer if longer and effort(longer[2]) < effort(best[2]) else best
    if best is None or len(reference) < effort(best[2]):
        return whole[0], (0, 0), (0, len(reference), 0)
    return best


def slow_choice(reference, hypothesis, places, shorter):
    counted = [(*at, slow_counts(reference[slice(*at[0])], hypothesis[slice(*at[1])])) for at in places]
    possible = [place for place in counted if place[2][0] < shorter]
    return min(possible, key=lambda place: effort(place[2]), default=None)


def slow_errors(references, hypotheses, weights):
    """Clausner, Pletschacher & Antonacopoulos (2020), with strings for parts."""
    total = Counter()
    expected, found = (sorted(lines, key=len, reverse=True) for lines in (references, hypotheses))
    while expected and found:
        least, chosen = min(len(expected[0]), len(found[0])), None
        for part in expected:
            if len(part) < least:
                break
            other = min(found, key=lambda other, part=part: slow_penalty(part, other, weights))
            start, end = slow_match(part, other)[0]
            errors = sum(slow_match(part, other)[2])
            share = errors / (end - start) if end > start else math.inf
            if chosen is None or share < chosen[0]:
                chosen = share, part, other
        _, part, other = chosen
        ours, theirs, counts = slow_match(part, other)
        total.update(dict(enumerate(counts)))
        for parts, text, (start, end) in ((expected, part, ours), (found, other, theirs)):
            parts.remove(text)
            parts += [rest for rest in (text[:start], text[end:]) if rest]
            parts.sort(key=len, reverse=True)
    return total[0], total[1] + sum(map(len, expected)), total[2] + sum(map(len, found))


def slow_penalty(part, other, weights):
    (start, _), (place, _), counts = slow_match(part, other)
    longer = abs(len(part) - len(other))
    offset = longer / 2 - abs(max(start, place) - longer / 2) if longer > 1 else 0
    shorter = min(len(part), len(other))
    return effort(counts) * weights[0] + longer * weights[1] + offset * weights[2] - shorter * weights[3]


def slow_count(reference, hypothesis):
    sides = [[line for line in text.split("\n") if line] for text in (reference, hypothesis)]
    # The first of those with the fewest errors.
    counts = min((slow_errors(*sides, weights) for weights in WEIGHTS), key=sum)
    return [*counts, sum(map(len, sides[0]))]


def count(references, hypotheses):
    return count_in_any_order(PairedTexts(references, hypotheses)).tolist()


LINES = st.lists(st.text("ab é", max_size=7), max_size=3).map("\n".join)


@given(LINES, LINES)
@settings(max_examples=25)
def test_counts_are_those_of_a_search_with_one_alignment_after_the_other(reference, hypothesis):
    assert count([reference], [hypothesis]) == [slow_count(reference, hypothesis)]


def test_compiled_and_plain_counts_are_equal(monkeypatch):
    monkeypatch.setattr(ALIGNING, "seconds", 1000.0)
    draw = Random(1)  # noqa: S311 - a fixed sample
    pages = [
        ["\n".join("".join(draw.choices("abc ", k=draw.randint(0, 9))) for _ in range(3)) for _ in range(8)]
        for _ in range(2)
    ]
    plain = [count([one], [other])[0] for one, other in zip(*pages, strict=True)]
    monkeypatch.setattr(ALIGNING, "seconds", 0.0)
    assert count(*pages) == plain


@pytest.mark.parametrize("end", ["\n", ""])
def test_many_lines_at_once_are_counted_as_each_alone(end):
    draw = Random(2)  # noqa: S311 - a fixed sample
    sides = [["".join(draw.choices("ab ", k=draw.randint(0, 12))) + end for _ in range(60)] for _ in range(2)]
    sides[0][3], sides[1][5], sides[1][7] = "two\nlines", "ab\r\nba", ""
    assert count(*sides) == [count([one], [other])[0] for one, other in zip(*sides, strict=True)]


def test_a_part_that_is_split_again_and_again_finds_its_place():
    reference = "\n".join("abcdefghijklmnopqrstuvwxyz")
    assert count([reference], ["zyxwvutsrqponmlkjihgfedcba"]) == [[0, 0, 0, 26]]
    assert count(["zyxwvutsrqponmlkjihgfedcba"], [reference]) == [[0, 0, 0, 26]]
