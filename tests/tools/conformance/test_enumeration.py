"""The enumeration against all edit scripts, tried one by one."""

from hypothesis import given, settings
from hypothesis import strategies as st
from tools.conformance.enumeration import COSTS, count_pair, expect, list_readings

TEXTS = st.text("abc", max_size=4)


def scripts(reference, hypothesis):
    """Substitutions, deletions and insertions of every alignment: the oracle, slow on purpose."""
    if not reference or not hypothesis:
        return {(0, len(reference), len(hypothesis))}
    both = {(s + (reference[0] != hypothesis[0]), d, i) for s, d, i in scripts(reference[1:], hypothesis[1:])}
    left_out = {(s, d + 1, i) for s, d, i in scripts(reference[1:], hypothesis)}
    added = {(s, d, i + 1) for s, d, i in scripts(reference, hypothesis[1:])}
    return both | left_out | added


@settings(max_examples=2 * settings.default.max_examples)
@given(TEXTS, TEXTS)
def test_counts_are_those_of_all_edit_scripts_of_least_cost(reference, hypothesis):
    for name in ("unit", "sclite"):
        weights = (1, 1, 1) if name == "unit" else (4, 3, 3)
        costs = {script: sum(map(int.__mul__, weights, script)) for script in scripts(reference, hypothesis)}
        best = {script for script, cost in costs.items() if cost == min(costs.values())}
        _, counts = count_pair(reference, hypothesis, COSTS[name])
        assert {(row["substitutions"], row["deletions"], row["insertions"]) for row in counts} == best


def test_readings_of_alternatives_within_alternatives():
    read = {reading.words: (reading.left_out, reading.without_word) for reading in list_readings("a { b / { c / @ } }")}
    assert read == {("a", "b"): (0, 0), ("a", "c"): (0, 0), ("a",): (0, 1)}


def test_a_long_shift_is_one_deletion_and_one_insertion():
    rule = {"unit": "char", "method": "alignment", "notation": "plain", "normalization": [], "pooling": "sum"}
    expected = expect({"references": ["ab" * 400], "hypotheses": ["ba" * 400], "rule": rule}, "unit")
    assert (expected["errors"], expected["deletions"]) == ([2, 2], [1, 1])
