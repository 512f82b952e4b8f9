"""Stretches of operations, against all stretches that there are."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from misread.alignment import PairedTexts
from misread.alignment.kernels.kinds import DELETION, HIT
from misread.alignment.operations import paired_operations
from misread.features.flags.operation_runs import find_stretches, operations_of_rows

CODES = st.lists(st.sampled_from([HIT, DELETION]), max_size=14)


def slow_stretches(codes, cost):
    """Best of all stretches, then of what lies before and behind it: the definition of Ruzzo and Tompa."""
    scores = [1 if code == DELETION else -cost for code in codes]

    def split(start, end):
        spans = [(first, last) for first in range(start, end) for last in range(first + 1, end + 1)]
        best = max((sum(scores[first:last]) for first, last in spans), default=0)
        if best <= 0:
            return []
        # The shortest of the best: none of its ends adds nothing.
        first, last = min(
            (span for span in spans if sum(scores[slice(*span)]) == best), key=lambda span: (span[1] - span[0], span)
        )
        return [*split(start, first), (first, last), *split(last, end)]

    return split(0, len(codes))


@given(CODES, st.integers(1, 3))
def test_stretches_are_the_best_ones_of_all(codes, cost):
    stretches = find_stretches(np.array(codes, np.uint8), DELETION, 1, cost=cost)
    assert [(stretch.reference_start, stretch.reference_end) for stretch in stretches] == slow_stretches(codes, cost)


def test_letters_that_fit_by_chance_do_not_divide_a_stretch():
    codes = np.array([HIT] * 3 + [DELETION] * 10 + [HIT] + [DELETION] * 10 + [HIT] * 3, np.uint8)
    (stretch,) = find_stretches(codes, DELETION, 16, cost=2)
    assert stretch == (3, 24, 3, 4)
    assert find_stretches(codes, DELETION, 19, cost=2) == []


def test_operations_are_those_of_the_alignment_whether_it_is_known_or_not():
    references, hypotheses = ["abcd", "x", "the cat"], ["acd", "xy", "cat"]
    known = PairedTexts(references, hypotheses)
    operations = paired_operations(known)
    for texts in (known, PairedTexts(references, hypotheses)):
        codes = [code.tolist() for code in operations_of_rows(texts, [0, 2])]
        offsets = operations.offsets
        assert codes == [operations.codes[offsets[row] : offsets[row + 1]].tolist() for row in (0, 2)]
    assert list(operations_of_rows(PairedTexts(references, hypotheses), [])) == []
