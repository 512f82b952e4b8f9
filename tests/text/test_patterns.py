from time import monotonic

import pytest

from misread.errors import ConfigurationError
from misread.text.patterns import take_group, take_groups


def test_groups_are_taken_by_name():
    assert take_groups(r"(?P<a>\w)(?P<b>\d)", ["x1", "y2"], name="--groups", what="group") == {
        "a": ["x", "y"],
        "b": ["1", "2"],
    }


def test_a_single_group_needs_no_name():
    assert take_group(r"(\d+)", ["p12", "p3"], name="--cluster", what="cluster") == ("", ["12", "3"])


def test_a_blank_match_is_none():
    with pytest.raises(ConfigurationError, match=r"--cluster '\^\(x\?\)' finds no cluster in 'a' and 1 more, of 3"):
        take_group("^(x?)", ["x", "a", "b"], name="--cluster", what="cluster")


@pytest.mark.slow
def test_an_expression_without_end_is_stopped_once_for_all_texts(monkeypatch):
    monkeypatch.setattr("misread.text.patterns.SECONDS", 0.2)
    begin = monotonic()
    with pytest.raises(
        ConfigurationError, match=r"--cluster '\^\(\(\?:a\|aa\)\+\)\$' takes longer than 0.2 s on 'a{40}\.\.\.'"
    ):
        take_group("^((?:a|aa)+)$", ["a" * 60 + "!"] * 50, name="--cluster", what="cluster")
    assert monotonic() - begin < 5
