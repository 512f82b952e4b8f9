"""Faults of pairing by kind, what is proposed, and what is refused."""

import random
import textwrap
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pairing.planted_faults import damage

from misread import distances
from misread.pairing.better_references import PairedSides
from misread.pairing.check import check_pairing

LETTERS = "abcdefghijklmnopqrstuvwxyz"
NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]


def lines(seed, number=40, words=6):
    """Texts that have nothing to do with each other."""
    rng = random.Random(seed)
    return [" ".join("".join(rng.choices(LETTERS, k=rng.randrange(3, 9))) for _ in range(words)) for _ in range(number)]


def look_at(references, outputs):
    rates = distances(references, outputs) / np.maximum(1, [len(text) for text in references])
    return check_pairing(PairedSides([f"l{row}" for row in range(len(references))], references, outputs, rates), "x")


REFERENCES = lines(1)


def test_outputs_in_their_place_have_no_fault_whatever_their_case():
    assert look_at(REFERENCES, REFERENCES) == []
    assert look_at(REFERENCES, [text.upper() for text in REFERENCES]) == []
    # One strange output alone is a slip of the system.
    assert look_at(REFERENCES, [REFERENCES[3], *REFERENCES[1:]]) == []


@pytest.mark.parametrize("offset", [1, -1, 3])
def test_a_shift_of_everything_is_refused_with_its_pairs(offset):
    outputs = [REFERENCES[(row + offset) % len(REFERENCES)] for row in range(len(REFERENCES))]
    shift = look_at(REFERENCES, outputs)[0]
    assert (shift.fault, shift.offset, shift.explains_all) == ("shift", offset, True)
    assert all(int(pair.fits[1:]) == int(pair.segment_id[1:]) + offset for pair in shift.pairs)
    assert shift.errors_as_proposed == 0 < shift.errors


def test_a_shift_from_some_segment_on_is_told_with_that_segment_and_not_refused():
    (shift,) = look_at(REFERENCES, [*REFERENCES[:20], *REFERENCES[21:], ""])
    assert (shift.fault, shift.segment_ids[0], shift.segments, shift.explains_all) == ("shift", "l20", 19, False)


def test_a_short_output_belongs_to_the_shift_around_it():
    references = [*REFERENCES[:10], "yes", *REFERENCES[11:]]
    (shift,) = look_at(references, [*references[1:], ""])
    assert shift.segments == len(references) - 1


def test_two_swapped_outputs_are_both_named_even_if_one_is_short():
    references = [*REFERENCES[:5], "yes", *REFERENCES[6:]]
    outputs = [*references]
    outputs[5], outputs[30] = outputs[30], outputs[5]
    (swap,) = look_at(references, outputs)
    assert swap.fault == "swap"
    assert [(pair.segment_id, pair.fits) for pair in swap.pairs] == [("l5", "l30"), ("l30", "l5")]


def test_of_equal_short_references_the_one_that_waits_for_an_output_is_proposed():
    references = ["yes" if row % 9 == 0 else text for row, text in enumerate(REFERENCES)]
    outputs = [*references]
    outputs[0], outputs[13] = outputs[13], outputs[0]
    (swap,) = look_at(references, outputs)
    assert {(pair.segment_id, pair.fits) for pair in swap.pairs} == {("l0", "l13"), ("l13", "l0")}


def test_one_output_for_several_segments_is_doubled_and_not_refused():
    (doubled,) = look_at(REFERENCES, [REFERENCES[7]] * len(REFERENCES))
    assert (doubled.fault, doubled.segments, doubled.explains_all) == ("doubled", len(REFERENCES) - 1, False)
    assert {pair.fits for pair in doubled.pairs} == {"l7"}


def test_texts_cut_elsewhere_fit_when_they_are_joined():
    words = " ".join(REFERENCES).split()
    bounds = np.linspace(0, len(words), len(REFERENCES) + 1).astype(int) + 3
    bounds[0], bounds[-1] = 0, len(words)
    outputs = [" ".join(words[start:end]) for start, end in pairwise(bounds)]
    (cut,) = look_at(REFERENCES, outputs)
    assert cut.fault == "cut"
    assert cut.errors_as_proposed * 2 < cut.errors


def test_lines_that_are_wrapped_narrower_are_cut_elsewhere_though_they_drift_past_others():
    outputs = textwrap.wrap(" ".join(REFERENCES), 38)[: len(REFERENCES)]
    (cut,) = look_at(REFERENCES, outputs)
    assert (cut.fault, cut.explains_all) == ("cut", False)


def test_outputs_that_fit_no_other_reference_are_no_fault_of_pairing():
    digits = [" ".join(random.Random(seed).choices("0123456789", k=11)) for seed in range(30)]
    words = [" ".join(NUMBERS[int(digit)] for digit in text.split()) for text in digits]
    assert look_at([*digits, *REFERENCES], [*words, *REFERENCES]) == []
    assert look_at(REFERENCES, lines(7)) == []


@pytest.mark.parametrize("offset", [1, -2])
def test_a_shift_of_short_amounts_is_a_shift(offset):
    rng = random.Random(5)
    amounts = [f"{rng.randint(1, 9999)},{rng.randint(0, 99):02d}" for _ in range(600)]
    shift = look_at(amounts, [amounts[(row + offset) % 600] for row in range(600)])[0]
    assert (shift.fault, shift.offset, shift.explains_all, shift.errors_as_proposed) == ("shift", offset, True, 0)


def test_what_is_written_otherwise_is_refused_by_the_errors_that_another_pairing_explains():
    """Most segments improve by less than half, all together by more."""
    rng = random.Random(3)
    outputs = [damage(text, 0.35, rng, LETTERS) for text in REFERENCES]
    assert look_at(REFERENCES, [*outputs[1:], outputs[0]])[0].explains_all


@given(st.integers(0, 2**32), st.integers(4, 40), st.floats(0, 0.15))
def test_a_planted_permutation_is_found(seed, number, rate):
    rng = random.Random(seed)
    references = lines(seed, number)
    order = [*range(number)]
    rng.shuffle(order)
    outputs = [damage(references[row], rate, rng, LETTERS) for row in order]
    moved = {(f"l{row}", f"l{other}") for row, other in enumerate(order) if row != other}
    proposed = {(pair.segment_id, pair.fits) for finding in look_at(references, outputs) for pair in finding.pairs}
    assert proposed <= moved
    assert len(moved) < 3 or len(proposed) >= 0.8 * len(moved)


@given(st.integers(0, 2**32), st.integers(2, 40))
def test_unrelated_texts_are_given_no_other_pairing(seed, number):
    findings = look_at(lines(seed, number), lines(seed + 1, number))
    assert not [pair for finding in findings for pair in finding.pairs]


@pytest.mark.parametrize("seed", range(50))
def test_rightly_paired_systems_that_misread_nearly_everything_are_not_refused(seed):
    rng = random.Random(seed)
    references = lines(seed, 60)
    rate = 0.6 + 0.6 * seed / 49
    outputs = [
        damage(text, min(rate, 0.95), rng, LETTERS)
        + "".join(rng.choices(LETTERS, k=int(max(0, rate - 0.9) * len(text))))
        for text in references
    ]
    assert not [finding for finding in look_at(references, outputs) if finding.explains_all or finding.pairs]


@given(st.lists(st.tuples(*[st.sampled_from(["", "a", "ab", "é", "hello there you", REFERENCES[0]])] * 2), max_size=12))
def test_sides_that_are_empty_short_or_mixed_are_looked_at(pairs):
    references, outputs = ([pair[side] for pair in pairs] for side in (0, 1))
    assert all(
        set(fault.segment_ids) <= {f"l{row}" for row in range(len(pairs))} for fault in look_at(references, outputs)
    )
    assert look_at([""] * len(pairs), outputs) == []
