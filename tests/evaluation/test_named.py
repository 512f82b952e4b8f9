import pytest

from misread.errors import NoResultError, UnknownNameError
from misread.evaluation.named import Named

RATES = Named("system", {"a": 1, "b": 2}, {"ears": "an audio engine on images"})


def test_names_lead_to_results():
    assert (RATES["a"], dict(RATES), len(RATES)) == (1, {"a": 1, "b": 2}, 2)


def test_an_unknown_name_is_answered_with_the_names():
    with pytest.raises(UnknownNameError, match=r"^unknown system 'aa'\. Did you mean 'a'\? There are: a, b\.$"):
        RATES["aa"]


def test_a_name_without_result_is_answered_with_the_reason():
    with pytest.raises(
        NoResultError, match=r"^system 'ears' has no result: an audio engine on images\. There are: a, b"
    ):
        RATES["ears"]


def test_errors_are_lookup_errors():
    assert issubclass(UnknownNameError, LookupError)
    assert issubclass(NoResultError, LookupError)


@pytest.mark.parametrize("name", ["aa", "ears"])
def test_asking_whether_a_result_is_there_raises_nothing(name):
    assert name not in RATES
    assert RATES.get(name) is None
    assert RATES.get(name, 0) == 0
    assert RATES.get("a") == 1


def test_names_are_shown():
    assert repr(RATES) == "<systems: a, b>"
