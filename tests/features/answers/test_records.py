"""Records of nested answers, against all ways to pair them."""

import json
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import AnswerError
from misread.features.answers import FieldMatch, FieldRule
from misread.features.answers.field_counts import FieldCounts, count_fields
from misread.features.answers.records import count_records
from misread.metrics import ScoredText, summarize

ENTRIES = [
    {"surname": "Keller", "place": "Genf", "year": 1912},
    {"surname": "Meier", "place": "Bern", "year": 1913},
    {"surname": "Frey", "place": "Basel", "year": 1914},
    {"surname": "Keller", "place": "Chur", "year": 1915},
]
RECORD = st.dictionaries(st.sampled_from("abc"), st.sampled_from("xyz"), min_size=1, max_size=3)


def total(counts):
    return tuple(map(sum, zip(*counts.values(), strict=True))) if counts else (0, 0, 0)


def test_values_inside_objects_and_lists_count_by_their_paths():
    reference = {"page": 3, "vendor": {"city": "Bern"}, "entries": ENTRIES[:2]}
    hypothesis = {"page": 3, "vendor": {"city": "Biel"}, "entries": [ENTRIES[0], {**ENTRIES[1], "year": 1931}]}
    assert count_records(reference, hypothesis) == {
        "page": FieldCounts(1, 1, 1),
        "vendor.city": FieldCounts(0, 1, 1),
        "entries[].surname": FieldCounts(2, 2, 2),
        "entries[].place": FieldCounts(2, 2, 2),
        "entries[].year": FieldCounts(1, 2, 2),
    }


@given(st.lists(RECORD, min_size=1, max_size=4), st.lists(RECORD, max_size=4))
def test_records_are_paired_so_that_most_values_are_right(references, hypotheses):
    counts = count_records({"r": references}, {"r": hypotheses})
    size = max(len(references), len(hypotheses))
    filled = [*references, *[{}] * (size - len(references))]
    best = max(
        sum(total(count_fields(*pair))[0] for pair in zip(filled, others, strict=True))
        for others in permutations([*hypotheses, *[{}] * (size - len(hypotheses))])
    )
    assert total(counts) == (best, sum(map(len, references)), sum(map(len, hypotheses)))


def test_records_inside_records_are_paired_inside_them():
    reference = {"pages": [{"no": 1, "rows": [{"a": "x"}, {"a": "y"}]}, {"no": 2, "rows": [{"a": "z"}]}]}
    hypothesis = {"pages": [{"no": 2, "rows": [{"a": "z"}]}, {"no": 1, "rows": [{"a": "y"}]}]}
    assert count_records(reference, hypothesis) == {"pages[].no": (2, 2, 2), "pages[].rows[].a": (2, 3, 2)}


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        ([], {"e[].a": (0, 1, 0)}),
        (None, {"e[].a": (0, 1, 0)}),
        ({"a": "x"}, {"e[].a": (1, 1, 1)}),
        ("x", {"e[].a": (0, 1, 0), "e[]": (0, 0, 1)}),
        ([{"a": "x"}, "y"], {"e[].a": (1, 1, 1), "e[]": (0, 0, 1)}),
    ],
)
def test_what_is_no_record_is_an_extra_value(given_value, expected):
    assert count_records({"e": [{"a": "x"}]}, {"e": given_value}) == expected


def test_an_object_in_place_of_a_value_is_wrong_and_its_values_are_extra():
    assert count_records({"a": "x"}, {"a": {"b": "x"}}) == {"a": (0, 1, 0), "a.b": (0, 0, 1)}


def test_lists_of_values_and_empty_objects_are_values():
    document = {"tags": ["a", "b"], "none": {}}
    assert count_records(document, document) == {"tags": (1, 1, 1), "none": (1, 1, 1)}


def test_rules_are_named_by_paths():
    rules = {"entries[].year": FieldRule("number"), "entries[].place": FieldRule("exact"), "*": None}
    counts = count_records(
        {"entries": ENTRIES[:1]}, {"entries": [{**ENTRIES[0], "year": "1912", "place": "GENF"}]}, rules
    )
    assert counts == {"entries[].year": (1, 1, 1), "entries[].place": (0, 1, 1)}
    with pytest.raises(AnswerError, match=r"field 'entries\[\].year' of the reference is 'May', expected a number"):
        count_records({"entries": [{"year": "May"}]}, {}, rules)


def test_rules_of_paths_decide_which_records_are_paired():
    hypotheses = [{"no": "1", "name": "B"}, {"no": "2", "name": "A"}]
    references = [{"no": "1", "name": "A"}, {"no": "2", "name": "B"}]
    for rules, expected in (
        ({"e[].no": None, "*": FieldRule()}, {"e[].name": (2, 2, 2)}),
        ({"e[].no": FieldRule("number"), "*": None}, {"e[].no": (2, 2, 2)}),
    ):
        assert count_records({"e": references}, {"e": hypotheses}, rules) == expected


VALUES = st.sampled_from(["a", "A ", "", None, "b", 1, True, {}, ["a", "b"], ["b", "b"], {"p": "a"}])
LISTS = st.lists(st.dictionaries(st.sampled_from("pq"), VALUES, max_size=2), max_size=2)
OF_ANY_KIND = st.dictionaries(st.sampled_from("xyz"), VALUES | LISTS, max_size=3)
ANY_RULE = st.builds(
    FieldRule,
    compare=st.sampled_from(["text", "exact"]),
    items=st.sampled_from(["whole", "first", "set", "multiset"]),
    no_value=st.sampled_from([None, ("",)]),
    not_asked=st.sampled_from(["", "b"]),
)


@given(st.lists(OF_ANY_KIND, max_size=4), st.lists(OF_ANY_KIND, min_size=1, max_size=4), ANY_RULE, st.none() | ANY_RULE)
def test_the_pairing_has_most_right_values_whatever_records_hold_and_rules_say(references, hypotheses, rule, of_x):
    """Each pair is counted by itself, under the paths that it has in the list."""
    rules = {"*": rule, "r[].x": of_x}
    size = max(len(references), len(hypotheses))
    right = [
        [total(count_records({"r": [expected]}, {"r": [extracted]}, rules))[0] for extracted in hypotheses]
        for expected in references
    ]
    best = max(
        sum(right[row][column] for row, column in enumerate(columns[: len(references)]) if column < len(hypotheses))
        for columns in permutations(range(size))
    )
    assert total(count_records({"r": references}, {"r": hypotheses}, rules))[0] == best


def test_records_that_are_too_many_are_paired_in_order_with_their_path_and_number_in_a_warning():
    references = [{"a": f"x{number}"} for number in range(2_002)]
    documents = [json.dumps({"r": side}) for side in (references, [{"a": "none"}, *references[:2_001]])]
    metric = FieldMatch("m", records=True, rules={"*": FieldRule()})
    assert metric.doubts(metric.survey(ScoredText(documents[:1], documents[1:])), "s") == []
    shifted = json.dumps({"r": [{"a": f"y{number}"} for number in range(1, 2_002)] + [{"a": "x5"}]})
    pairs = ScoredText([documents[0], "no JSON"], [shifted, "{}"])
    assert metric.count(pairs).tolist() == [[1, 2_002, 2_002, 1], [0, 0, 0, 0]]
    (doubt,) = metric.doubts(metric.survey(pairs), "tesseract")
    assert doubt.sentence.startswith("tesseract: 2,001 records of r[] were compared in their order")
    assert "r[]" not in doubt.brief


NESTED = json.dumps({"entries": ENTRIES})
SKIPPED = json.dumps({"entries": ENTRIES[1:]})


def test_the_metric_counts_records_where_it_is_asked_to():
    pairs = ScoredText([NESTED], [SKIPPED])
    assert FieldMatch("m").count(pairs).tolist() == [[0, 1, 1, 1]]
    metric = FieldMatch("m", records=True)
    assert metric.count(pairs).tolist() == [[9, 12, 9, 1]]
    assert summarize(metric, metric.count(pairs)).micro == pytest.approx(18 / 21)
    assert metric.signature("none").facts["nested"] == "records"


def test_a_list_of_records_is_an_answer_then():
    metric = FieldMatch("m", records=True)
    counts = metric.count(ScoredText([json.dumps(ENTRIES)], [json.dumps(ENTRIES[:2])]))
    assert counts.tolist() == [[6, 12, 6, 1]]
    assert metric.count(ScoredText([NESTED], ["no JSON"])).tolist() == [[0, 12, 0, 1]]
    assert list(metric.problems(["[1]", "no JSON", NESTED])) == [0, 1]


def test_a_mean_over_paths_weighs_each_alike():
    rules = {"entries[].surname": FieldRule(), "entries[].year": FieldRule("number")}
    metric = FieldMatch("m", rules=rules, average="fields", records=True)
    counts = metric.count(ScoredText([NESTED], [SKIPPED.replace("1913", "1931")]))
    assert summarize(metric, counts).counts["entries[].year.correct"] == 2
