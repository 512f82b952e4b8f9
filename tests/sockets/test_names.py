import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import ConfigurationError, UnknownNameError
from misread.sockets.names import changed_settings, make_id, read_name, split_names, write_name

VALUES = st.recursive(
    st.one_of(st.integers(), st.booleans(), st.none(), st.from_regex(r"[a-z]+", fullmatch=True).map("text".__add__)),
    lambda inner: st.lists(inner, min_size=1, max_size=3),
    max_leaves=4,
)


@given(st.dictionaries(st.from_regex(r"[a-z_]+", fullmatch=True), VALUES, min_size=1, max_size=3))
def test_settings_are_read_as_they_were_written(settings):
    written = write_name("bands", settings)
    assert read_name(written, "view", example="bands(edges=[10])")[:3] == (None, "bands", settings)


def test_a_name_without_brackets_and_id_is_plain():
    assert read_name(" flags ", "view", example="") == (None, "flags", {}, True)
    assert read_name("mine=flags", "view", example="") == ("mine", "flags", {}, False)


def test_a_misspelt_name_is_refused_with_its_kind_and_an_example():
    with pytest.raises(ConfigurationError, match=r"view 'bands\(10\)': expected NAME.* such as bands\(edges=\[10\]\)"):
        read_name("bands(10)", "view", example="bands(edges=[10])")


def test_settings_that_are_what_they_would_be_anyway_are_left_out():
    assert changed_settings({"b": 2, "a": True}, {"a": 1, "b": 2, "c": 3}, "x") == {"a": True}
    with pytest.raises(UnknownNameError, match="unknown setting 'd' in x"):
        changed_settings({"d": 1}, {"a": 1}, "x")


def test_an_id_is_made_of_words_and_of_numbers_after_their_settings():
    assert make_id("bands", {"edges": [10, 100], "by": "Word-List.txt"}) == "bands_edges_10_edges_100_word_list"


@given(st.lists(st.sampled_from(["cer", "wer(alignment=sclite)", "json_validity(required=[a,b])", 'x(y="a,)b")'])))
def test_names_are_split_where_they_were_joined(names):
    assert split_names(", ".join(names)) == names
