import pytest

from misread.alignment import policies
from misread.data.segment_table import Capture, Origin, SegmentKeys, TextFacts, TextPairs
from misread.errors import ConfigurationError, TooDifferentError, UndefinedResultError, UnknownNameError
from misread.normalize import Normalizer, normalize
from misread.tables import gather_segments, select_worst
from misread.tables.selected_segments import SegmentTexts


def texts(system, pairs, ids=None, clusters=None, alternatives=""):
    references, hypotheses = zip(*pairs, strict=True)
    keys = SegmentKeys(ids or [str(number) for number in range(len(pairs))], clusters, {"side": ["left"] * len(pairs)})
    capture = Capture(
        Origin("lines", system, facts=TextFacts(alternatives=alternatives)),
        keys,
        TextPairs(references, hypotheses),
        [None] * len(pairs),
    )
    return normalize(capture, Normalizer("lower", ["lower_case"]))


def test_a_segment_too_different_to_be_aligned_is_named(monkeypatch):
    # Texts beyond the limit as it is take seconds to make and to normalize.
    monkeypatch.setattr(policies, "MOST_CELLS", 50)
    of = texts("a", [("a", "a"), ("abcdefghij", "0123456789")])
    with pytest.raises(TooDifferentError, match=r"segment '1', system 'a': texts of 10 and 10 units"):
        gather_segments({"a": of}, alignment="sclite")


def test_systems_are_put_beside_each_other_by_segment_id():
    gathered = gather_segments(
        {
            "a": texts("a", [("One", "On"), ("Two", "two")], ["x", "y"], ["p", "q"]),
            "b": texts("b", [("Two", None), ("Three", "Three")], ["y", "z"]),
        }
    )
    assert [segment.segment_id for segment in gathered] == ["x", "y", "z"]
    assert gathered[1].hypotheses == {"a": "two", "b": None}
    assert gathered[1].errors == {"a": 0, "b": 3}
    assert (gathered[0].cluster, gathered[0].groups, gathered[0].length) == ("p", {"side": "left"}, 3)


def test_raw_texts_are_those_before_the_normalizer():
    (segment,) = gather_segments({"a": texts("a", [("One", "one")])}, form="raw")
    assert (segment.reference, segment.errors) == ("One", {"a": 1})


def test_two_references_of_one_segment_are_refused():
    with pytest.raises(UndefinedResultError, match="'0' has one reference for a and another for b"):
        gather_segments({"a": texts("a", [("one", "")]), "b": texts("b", [("two", "")])})


def test_a_system_is_compared_with_the_reading_that_fits_it_best():
    pairs = {"a": "so um go", "b": "so go", "c": "so uh goo", "d": None}
    gathered = gather_segments(
        {
            name: texts(name, [("So { um / uh / @ } go", text)], alternatives="references")
            for name, text in pairs.items()
        }
    )
    (segment,) = gathered
    assert segment.reference == "so { um / uh / @ } go"
    assert segment.errors == {"a": 0, "b": 0, "c": 1, "d": 5}
    assert segment.by_reading() == [
        ("so um go", 8, {"a": "so um go"}),
        ("so go", 5, {"b": "so go", "d": None}),
        ("so uh go", 8, {"c": "so uh goo"}),
    ]


@pytest.mark.parametrize(("alignment", "errors"), [("unit", 2), ("sclite", 2), ("transpositions", 2)])
def test_words_choose_by_the_costs_of_their_alignment(alignment, errors):
    of = texts("a", [("(uh) b", "oh oh b")], alternatives="references")
    (segment,) = gather_segments({"a": of}, unit="word", alignment=alignment)
    assert (segment.errors["a"], segment.readings["a"].reference) == (errors, "uh b")


@pytest.fixture
def segments():
    errors = {"k": (0, 0), "l": (3, 3), "m": (0, 4), "n": (1, 0)}
    return [SegmentTexts(key, "", 9, errors={"a": one, "b": two}) for key, (one, two) in errors.items()]


def ids(selection):
    return [segment.segment_id for segment in selection.segments]


def test_the_worst_come_first_and_exact_ones_are_counted_not_shown(segments):
    selection = select_worst(segments, 9)
    assert (ids(selection), selection.exact, selection.total) == (["l", "m", "n"], 1, 4)
    assert ids(select_worst(segments, 2)) == ["l", "m"]
    assert ids(select_worst(segments, 9, with_exact=True)) == ["l", "m", "n", "k"]


def test_disagreement_is_the_span_between_systems(segments):
    assert ids(select_worst(segments, 9, order="disagreement")) == ["m", "n", "l"]


def test_wrong_choices_are_refused(segments):
    with pytest.raises(ConfigurationError, match="0, expected 1 or more"):
        select_worst(segments, 0)
    with pytest.raises(UnknownNameError, match="disagreement, errors"):
        select_worst(segments, 1, order="length")
    with pytest.raises(UnknownNameError, match="normalized, raw"):
        gather_segments({}, form="other")
