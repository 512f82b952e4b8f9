from typing import get_args

import numpy as np

from misread.stats.compare.settings import PairedTest

PAGES = [f"p{row // 10:02}" for row in range(120)]
ALL = {"tests": get_args(PairedTest)}


def notes_of(pair, word):
    return [note for note in pair.notes if note.startswith(word)]


def test_where_all_tests_agree_there_is_nothing_to_say(compared):
    assert compared({"a": [3, 5, 4] * 40, "b": [0] * 120}, clusters=PAGES, **ALL).pair.notes == ()


def test_pages_that_all_differ_by_the_same_amount_have_the_variation_of_independent_errors(compared):
    pair = compared({"a": [3, 5] * 60, "b": [0, 0] * 60}, clusters=PAGES, **ALL).pair
    assert not notes_of(pair, "No variation")
    assert 0 < pair.tests["jackknife"].pvalue < 1e-9


def test_an_interval_that_holds_zero_where_the_test_finds_a_difference_is_told(compared):
    of_page = np.repeat([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 60], 10)
    pair = compared({"a": np.full(120, 0), "b": of_page}, clusters=PAGES, tests=["randomisation"]).pair
    assert pair.significant
    assert pair.confidence_interval.low < 0
    assert notes_of(
        pair, "Interval and test disagree: the interval (jackknife) contains 0, randomisation gives p = 0.0"
    )


def test_an_interval_that_excludes_zero_where_the_test_finds_nothing_is_told(compared):
    few = compared({"a": [4] * 40, "b": [1, 2] * 20}, clusters=PAGES[:40], tests=["randomisation"]).pair
    assert notes_of(few, "Interval and test disagree: the interval (jackknife) excludes 0, randomisation gives p = 0.1")


def test_the_first_note_says_who_finds_a_difference_and_who_does_not(compared):
    pair = compared({"a": [0, 1] * 60, "b": [1, 1] * 60}, tests=["randomisation", "paired_t", "mcnemar"]).pair
    assert pair.notes == ()
    few = compared({"a": [4] * 40, "b": [2] * 40}, clusters=PAGES[:40], tests=["randomisation", "sign"]).pair
    assert few.notes[0] == "Tests disagree: sign finds a significant difference, randomisation does not."


def test_clusters_explain_what_only_tests_of_segments_find(compared):
    of_page = np.repeat([3, -2, 3, -2, 4, -2, 3, -1, 3, -3, 2, -1], 10)
    pair = compared({"a": np.full(120, 5), "b": 5 + of_page}, clusters=PAGES, tests=["randomisation", "paired_t"]).pair
    assert notes_of(pair, "Clusters: paired_t treat segments of one page as independent; over 12 clusters")


def test_few_clusters_explain_what_only_the_bootstrap_finds(compared):
    pair = compared({"a": [4] * 40, "b": [2] * 40}, clusters=PAGES[:40], tests=["randomisation", "bootstrap"]).pair
    assert notes_of(pair, "Too few: exchanging the systems in 4 (page) cannot be significant")


def test_zeros_and_ties_are_counted(compared):
    pair = compared({"a": [1] * 110, "b": np.array([*[1] * 100, *[2] * 9, 0])}, **ALL).pair
    assert notes_of(pair, "Zeros: 100 of 110 segments have equal rates, which wilcoxon and sign leave out.")
    assert notes_of(pair, "Ties: 10 differences take 1 sizes")


def test_mcnemar_looks_at_few_segments(compared):
    pair = compared({"a": [3] * 60, "b": [2] * 60}, tests=["randomisation", "mcnemar"]).pair
    assert notes_of(pair, "Whole segments: mcnemar looks at 0 of 60")


def test_one_outlier_is_named(compared):
    errors = np.array([*[2] * 39, 2])
    system = errors + np.array([*([-1, 0] * 19), -1, 30])
    pair = compared({"a": errors, "b": system}, lengths=50, tests=["randomisation", "sign"]).pair
    (note,) = notes_of(pair, "One outlier: segment s0039 makes up most of the difference")
    assert "without it p of randomisation is" in note


def test_a_constant_difference_tells_student_nothing(compared):
    pair = compared({"a": [3] * 60, "b": [2] * 60}, tests=["randomisation", "paired_t"]).pair
    assert notes_of(pair, "No variation: every segment differs by the same amount")


def test_short_and_long_segments_that_disagree_are_named(compared):
    lengths = [2] * 30 + [200] * 30
    system = [1] * 30 + [0] * 30
    base = [0] * 30 + [9, 0] * 15
    pair = compared({"a": base, "b": system}, lengths=lengths, tests=["randomisation", "paired_t", "sign"]).pair
    assert pair.difference < 0
    assert notes_of(pair, "Lengths: the mean difference of segment rates has the opposite sign")


def test_a_significant_difference_that_hangs_on_one_cluster_is_named(compared):
    of_page = np.repeat([2, 2, 1, 0, 0, 1, 0, -1, 1, 0, 1, 4], 10)
    pair = compared({"a": np.full(120, 5), "b": 5 + of_page}, clusters=PAGES, tests=["randomisation"]).pair
    assert pair.significant
    assert pair.notes[0].startswith("Without page p11 the difference is no longer significant")


def test_no_note_where_any_cluster_would_do(compared):
    pair = compared({"a": [4] * 60, "b": [2] * 60}, clusters=PAGES[:60], tests=["randomisation"]).pair
    assert pair.significant
    assert pair.influence.verdict != pair.verdict
    assert pair.notes == ()


def test_without_a_test_of_segment_rates_their_mean_is_not_spoken_of(compared):
    lengths, base, system = [2] * 30 + [200] * 30, [0] * 30 + [9, 0] * 15, [1] * 18 + [0] * 42
    pair = compared({"a": base, "b": system}, lengths=lengths, tests=["randomisation", "mcnemar"]).pair
    assert notes_of(pair, "Tests disagree: randomisation finds")
    assert not notes_of(pair, "Lengths")


def test_differences_of_many_sizes_are_not_called_ties(compared):
    system = np.array([*range(1, 60), -1])
    pair = compared(
        {"a": [60] * 60, "b": 60 - system}, lengths=200, tests=["wilcoxon", "mcnemar", "randomisation"]
    ).pair
    assert notes_of(pair, "Tests disagree")
    assert not notes_of(pair, "Ties")
