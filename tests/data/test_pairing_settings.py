"""The rule of a data set for outputs that fit other references."""

import pytest

from misread.data import PairingSettings, from_columns
from misread.errors import UnknownNameError

TABLE = from_columns(["a"], {"x": ["a"]})


def test_the_usual_rule_leaves_a_table_as_it_is():
    assert PairingSettings().apply_to(TABLE) is TABLE


@pytest.mark.parametrize(("rule", "signed"), [("strict", {}), ("as-given", {"pairing": "as-given"})])
def test_another_rule_is_a_fact_of_the_texts_and_only_what_is_not_looked_at_is_signed(rule, signed):
    facts = PairingSettings(rule).apply_to(TABLE).facts
    assert facts.pairing == rule
    assert facts.signed(chooses_readings=False) == signed


def test_an_unknown_rule_names_the_rules():
    with pytest.raises(UnknownNameError, match="as-given, checked, strict"):
        PairingSettings("loose")
