from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from misread.errors import ConfigurationError, UnknownNameError
from misread.io.setting_values import NEEDED, default_settings, fit_settings, require_all


@dataclass
class Rule:
    name: str
    most: float = 1.0


@dataclass
class Rules:
    by_field: Mapping[str, Rule] = field(default_factory=dict)
    first: Rule | None = None


def test_defaults_are_made_and_what_has_none_is_needed():
    assert default_settings(Rules) == {"by_field": {}, "first": None}
    assert default_settings(Rule) == {"name": NEEDED, "most": 1.0}


def test_settings_become_what_the_annotations_say():
    fitted = fit_settings(Rules, {"by_field": {"a": {"name": "x", "most": 2}}, "first": {"name": "y"}}, where="rules")
    assert fitted == {"by_field": {"a": Rule("x", 2.0)}, "first": Rule("y")}
    assert type(fitted["by_field"]["a"].most) is float


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"first": {"name": 1}}, ConfigurationError, r"rules\.first\.name is 1, expected text"),
        ({"first": {"nam": "x"}}, UnknownNameError, r"unknown setting 'nam' in rules\.first\. Did you mean 'name'"),
        ({"by_field": {"a": {}}}, ConfigurationError, r"rules\.by_field\.a: no name given"),
        ({"by_field": "a"}, ConfigurationError, r'rules\.by_field is "a", expected names with values'),
    ],
)
def test_a_setting_that_does_not_fit_is_named(settings, error, message):
    with pytest.raises(error, match=message):
        fit_settings(Rules, settings, where="rules")


def test_all_that_are_needed_are_named_at_once():
    with pytest.raises(ConfigurationError, match=r"x: no a, b given"):
        require_all({"a": NEEDED, "b": NEEDED, "c": 1}, "x")
