import inspect

import pytest

from misread import errors
from misread.errors import MisreadError, UnknownNameError


def test_an_unknown_name_says_what_it_is_and_lists_the_choices_sorted():
    message = str(UnknownNameError("metric", "xyz", ["wer", "cer"]))
    assert message == "unknown metric 'xyz'. There are: cer, wer."


def test_an_unknown_name_offers_the_nearest_choice():
    assert "Did you mean 'cer'?" in str(UnknownNameError("metric", "ccer", ["cer", "wer"]))


def test_an_unknown_name_says_where_it_stands():
    assert str(UnknownNameError("metric", "x", ["cer"], where="here")).startswith("unknown metric 'x' in here.")


def test_an_unknown_name_without_any_choice_says_so():
    assert str(UnknownNameError("system", "a", [])).endswith("There are none.")


def test_choices_may_come_from_anything_that_can_be_gone_through_once():
    assert str(UnknownNameError("system", "x", iter("ba"))).endswith("There are: a, b.")


@pytest.mark.parametrize(
    "name", [name for name, of in vars(errors).items() if inspect.isclass(of) and name.endswith("Error")]
)
def test_every_error_is_caught_as_one_kind(name):
    assert issubclass(getattr(errors, name), MisreadError)
