import pytest
from hypothesis import example, given
from hypothesis.strategies import characters, text

from misread.errors import InputValueError
from misread.provenance.signature import Signature
from misread.version import __version__


def test_a_signature_begins_with_the_name_and_ends_with_the_version_where_there_is_one():
    signature = Signature.of("cer_raw", {"unit": "char", "data": "a:b"})
    assert str(signature) == f"cer_raw|unit:char|data:a:b|v:{__version__}"
    more = {"n": "3", "seed": "1"}
    assert str(signature.with_facts(more)) == f"cer_raw|unit:char|data:a:b|n:3|seed:1|v:{__version__}"
    assert str(Signature("cer", {"unit": "char"}).with_facts(more)) == "cer|unit:char|n:3|seed:1"


NAMES = text(characters())


@given(NAMES)
@example("a|b")
@example("100%")
@example("%7C")
@example("a:b, c (d)@e")
@example("two\nlines\u2028or three")
def test_any_name_can_be_read_back_from_one_line(name):
    signature = Signature.of(name, {"data": name}).with_facts({"cluster2": name})
    assert len(str(signature).splitlines()) == 1
    assert Signature.parse(str(signature)) == signature
    assert signature == Signature(name, {"data": name, "cluster2": name, "v": __version__})


@given(NAMES, NAMES)
def test_two_names_never_give_one_signature(one, other):
    lines = [str(Signature.of("cer", {"data": name})) for name in (one, other)]
    assert (lines[0] == lines[1]) == (one == other)


@pytest.mark.parametrize("value", ["d|e", "none"])
def test_a_fact_that_is_replaced_leaves_the_others(value):
    signature = Signature.of("cer", {"renorm": "a", "norm": "b|c", "n": "3"})
    assert signature.replace(norm=value) == Signature.of("cer", {"renorm": "a", "norm": value, "n": "3"})


@pytest.mark.parametrize("line", ["cer|unit", "cer|unit:char|", "cer|case:%ff", "cer|a:b|norm"])
def test_what_is_not_a_signature_is_refused(line):
    with pytest.raises(InputValueError, match="is not a signature, expected a name and facts"):
        Signature.parse(line)
