import time

import pytest

from misread.errors import ConfigurationError
from misread.normalize import Normalizer
from misread.normalize.steps import patterns


def normalizer(**settings):
    return Normalizer("mine", [{"step": "replace_pattern", **settings}])


def test_matches_are_replaced_with_groups_and_scripts_and_case_are_known():
    assert normalizer(pattern=r"(\d+) Fr\.", replacement=r"\1 francs")("5 Fr. 20") == "5 francs 20"
    assert normalizer(pattern=r"\p{Hebrew}+")("a שלום b") == "a  b"
    assert normalizer(pattern="page", ignore_case=True)("Page 5") == " 5"


@pytest.mark.parametrize("pattern", ["(", "[a", "*", r"\p{Nowhere}", "(?P<a>x)(?P=b)", "a{2,1}"])
def test_an_invalid_pattern_is_named_before_any_work(pattern):
    with pytest.raises(
        ConfigurationError, match=r"normalizer 'mine': replace_pattern: pattern .* is not a valid regular"
    ):
        normalizer(pattern=pattern)


def test_a_replacement_with_a_group_that_is_not_there_is_refused():
    with pytest.raises(ConfigurationError, match=r"replacement '\\\\2' does not fit pattern"):
        normalizer(pattern="(a)", replacement=r"\2")


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [r"(a|aa)+$", r"(a|a)*$", r"(?:\w|\s?)*b$"])
def test_a_catastrophic_pattern_is_refused_before_any_work(pattern):
    start = time.process_time()
    with pytest.raises(ConfigurationError, match="tries too many ways to match"):
        normalizer(pattern=pattern)
    assert time.process_time() - start < 2


@pytest.mark.slow
def test_one_that_is_found_out_late_stops_with_its_name(monkeypatch):
    monkeypatch.setattr(patterns, "SECONDS", 0.4)
    chosen = normalizer(pattern=r"(z|zz)+$")
    with pytest.raises(
        ConfigurationError, match=r"pattern '\(z\|zz\)\+\$' takes more than 0.4 s on a text of 5,001 characters"
    ):
        chosen("z" * 5000 + "!")
