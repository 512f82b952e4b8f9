import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.errors import ConfigurationError, UnknownNameError
from misread.io.names import changed_settings, make_id, read_name, split_names, write_name

VALUES = st.recursive(
    st.text() | st.integers() | st.booleans() | st.none() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(min_size=1), inner, max_size=3),
    max_leaves=4,
)


@given(st.dictionaries(st.from_regex(r"[a-z_]+", fullmatch=True), VALUES, min_size=1, max_size=3))
def test_settings_are_read_as_they_were_written(settings):
    written = write_name("bands", settings)
    read = read_name(written, "view", example="bands(edges=[10])")
    assert (read.own_id, read.name, read.settings) == (None, "bands", settings)
    assert write_name(read.name, read.settings) == written


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{b:2,a:[1,x]}", {"a": [1, "x"], "b": 2}),
        ("{1: true, *: {compare: number}}", {"1": True, "*": {"compare": "number"}}),
        ("{'a:b':'c,d'}", {"a:b": "c,d"}),
        ("{url:http://x}", {"url": "http://x"}),
        ("'it''s'", "it's"),
        ('"1"', "1"),
        ("{}", {}),
        ("[]", []),
        ("-0.0", 0.0),
    ],
)
def test_values_are_read_by_their_signs(text, value):
    assert read_name(f"x(a={text})", "view", example="").settings == {"a": value}


@pytest.mark.parametrize(
    "value", ["{a}", "{:1}", "{a:}", "{a:1,a:2}", "{a(:1}", "'a", "a'", "[a", "a]", "(a)", "[" * 2000 + "]" * 2000]
)
def test_a_value_whose_brackets_or_quotes_do_not_fit_is_refused(value):
    with pytest.raises(ConfigurationError, match=r"here: view .*each setting once, such as bands"):
        read_name(f"x(a={value})", "view", example="bands", where="here")


def test_a_file_is_shown_by_its_own_name_and_digest(tmp_path):
    (tmp_path / "words.txt").write_text("a\n")
    digest = hashlib.sha256(b"a\n").hexdigest()[:8]
    assert write_name("x", {"most": 2}, {"list": tmp_path / "words.txt"}) == f"x(list=words.txt@{digest},most=2)"


def test_a_name_without_brackets_and_id_is_plain():
    assert read_name(" flags ", "view", example="") == (None, "flags", {}, True)
    assert read_name("mine=flags", "view", example="") == ("mine", "flags", {}, False)


def test_a_misspelt_name_is_refused_with_its_kind_and_an_example():
    with pytest.raises(ConfigurationError, match=r"view 'bands\(10\)': expected NAME.* such as bands\(edges=\[10\]\)"):
        read_name("bands(10)", "view", example="bands(edges=[10])")


def test_settings_that_are_what_they_would_be_anyway_are_left_out():
    assert changed_settings({"b": 2, "a": True}, {"a": 1, "b": 2, "c": 3}, "x") == {"a": True}
    assert changed_settings({"b": [2], "a": ["x"]}, {"a": (), "b": (2,)}, "x") == {"a": ["x"]}
    with pytest.raises(UnknownNameError, match="unknown setting 'd' in x"):
        changed_settings({"d": 1}, {"a": 1}, "x")


def test_an_id_is_made_of_words_and_of_numbers_after_their_settings():
    assert make_id("bands", {"edges": [10, 100], "by": "Word-List.txt"}) == "bands_edges_10_edges_100_word_list"
    assert (
        make_id("study.views.ShortLines", {"rules": {"a": 1}})
        == "short_lines_rules_" + hashlib.sha256(b"{a:1}").hexdigest()[:8]
    )


@given(st.lists(st.sampled_from(["cer", "wer(alignment=sclite)", "json_validity(required=[a,b])", 'x(y="a,)b")'])))
def test_names_are_split_where_they_were_joined(names):
    assert split_names(", ".join(names)) == names
