import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import ConfigurationError, LengthMismatchError, UndefinedResultError
from misread.stats import mapsswe_test
from misread.stats.significance.mapsswe import encode_letters, error_segments


def encode(sentences):
    return [np.frombuffer(ops.encode(), np.uint8) for ops in sentences]


def cut(a, b, **settings):
    return error_segments(encode([a]), encode([b]), **settings).tolist()


def run(a, b, **settings):
    return mapsswe_test(encode(a), encode(b), **settings)


@pytest.fixture
def official(published_numbers):
    return published_numbers["mapsswe"]


@st.composite
def aligned(draw):
    """Two alignments with one reference: words, each with any insertions before and after."""
    words = draw(st.integers(0, 12))
    gaps = st.lists(st.sampled_from(["", "", "", "I", "II"]), min_size=words + 1, max_size=words + 1)
    hits = st.lists(st.sampled_from("CCCCSD"), min_size=words, max_size=words)
    return tuple("".join(g + h for g, h in zip(draw(gaps), [*draw(hits), ""], strict=True)) for _ in range(2))


def test_segments_mean_deviation_and_z_are_those_of_sc_stats_and_pvalues_the_recomputed_ones(official):
    segments = error_segments(encode(official["A"]), encode(official["B"]))
    assert segments.tolist() == official["segments_ref_errA_errB"]
    result, expected = run(official["A"], official["B"]), official["expected"]
    assert result.n == expected["n_segments"]
    assert round(result.extra["mean"], 3) == expected["mean"]
    assert round(result.extra["sd"], 3) == expected["sd"]
    assert result.statistic == pytest.approx(expected["z"])
    assert (result.extra["errors_a"], result.extra["errors_b"]) == (expected["err_A"], expected["err_B"])
    assert result.pvalue == pytest.approx(expected["p_two_sided_normal"])
    assert result.extra["pvalue_t"] == pytest.approx(expected["t_df2_p"])


def test_few_segments_are_said_to_be_so(official):
    (note,) = run(official["A"], official["B"]).notes
    assert note == "The normal approximation is poor for 3 segments, below 50: see pvalue_t."
    assert run(["SC", "CC", "DC"] * 25, ["CC", "SC", "SC"] * 25).notes == ()


def test_every_sentence_twice_makes_z_larger_by_the_root_of_two(official):
    once, twice = (run(official["A"] * times, official["B"] * times) for times in (100, 200))
    # But for n - 1 in both.
    factor = np.sqrt(2 * (2 * once.n - 1) / (2 * once.n - 2))
    assert twice.statistic / once.statistic == pytest.approx(factor, rel=1e-9)


@pytest.mark.parametrize(
    ("a", "b", "segments"),
    [
        ("", "", []),
        ("CCCC", "CCCC", []),
        ("CSCCC", "CCCCC", [[4, 1, 0]]),
        ("SCS", "CCC", [[3, 2, 0]]),
        ("SCCS", "CCCC", [[3, 1, 0], [3, 1, 0]]),
        ("SCICC", "CCCC", [[4, 2, 0]]),
        ("CCC", "CCCI", [[2, 0, 1]]),
        ("CCCI", "CCC", [[2, 1, 0]]),
        ("", "I", [[0, 0, 1]]),
        ("I", "", [[0, 1, 0]]),
        ("CCCCS", "CCCCS", [[3, 1, 1]]),
    ],
)
def test_a_segment_reaches_from_the_words_right_before_to_two_right_words_after(a, b, segments):
    assert cut(a, b) == segments


def test_a_single_right_word_may_be_enough_to_cut():
    assert cut("SCCS", "CCCC", min_good=1) == [[2, 1, 0], [2, 1, 0]]
    assert cut("SCCS", "CCCC", min_good=3) == [[4, 2, 0]]


@given(aligned(), st.integers(1, 3))
def test_every_error_lies_in_one_segment_and_every_segment_has_one(pair, min_good):
    a, b = pair
    segments = np.array(cut(a, b, min_good=min_good)).reshape(-1, 3)
    assert segments[:, 1].sum() == len(a) - a.count("C")
    assert segments[:, 2].sum() == len(b) - b.count("C")
    assert (segments[:, 1:].sum(axis=1) > 0).all()


@given(aligned(), st.integers(1, 3))
def test_swapping_the_systems_swaps_the_columns(pair, min_good):
    a, b = pair
    assert [[words, of_b, of_a] for words, of_a, of_b in cut(a, b, min_good=min_good)] == cut(b, a, min_good=min_good)


@pytest.mark.parametrize(
    ("a", "b", "mean"), [(["CC"], ["CC"], 0.0), (["SC"], ["CC"], 1.0), (["SC", "SC"], ["CC", "CC"], 1.0)]
)
def test_without_variation_z_is_undefined_and_p_one(a, b, mean):
    result = run(a, b)
    assert (result.statistic, result.pvalue, result.effect_size, result.method) == (0.0, 1.0, 0.0, "none")
    assert (result.extra["mean"], result.extra["pvalue_t"]) == (mean, 1.0)
    assert "p is 1 by definition" in result.notes[0]


@pytest.mark.parametrize(
    ("a", "b", "settings", "error", "message"),
    [
        (["C", "C"], ["C"], {}, LengthMismatchError, "A has 2 sentences and system B 1"),
        (["C", "CSIC"], ["C", "CD"], {}, LengthMismatchError, "sentence 2 has 3 reference words for system A and 2"),
        (["CC"], ["CX"], {}, UndefinedResultError, "sentence 1 of system B has operation 'X'; there are: C, D, I, S"),
        ([], [], {}, UndefinedResultError, "at least one sentence"),
        (["C"], ["C"], {"min_good": 0}, ConfigurationError, "min_good is 0"),
    ],
)
def test_what_cannot_be_cut_into_segments_is_refused(a, b, settings, error, message):
    with pytest.raises(error, match=message):
        run(a, b, **settings)


def test_alignments_written_as_letters_become_their_ascii_codes_and_a_swap_one_error_between_two_units():
    assert [codes.tobytes() for codes in encode_letters(["CS", "", "CTC", "T"])] == [b"CS", b"", b"CCSC", b"CS"]
