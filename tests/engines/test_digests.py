import hashlib

from hypothesis import given
from hypothesis import strategies as st

from misread.engines.digests import Digests


def digest(number):
    return hashlib.sha256(str(number).encode()).digest()


@given(st.lists(st.integers(0, 30)))
def test_digests_are_numbered_in_the_order_in_which_they_come_first(values):
    digests, expected = Digests(), {}
    for value in values:
        assert digests.number(digest(value)) == expected.setdefault(value, len(expected))
    assert [digests[number] for number in range(len(digests))] == [digest(value) for value in expected]


def test_many_digests_are_found_again():
    digests = Digests()
    for _ in range(2):
        assert [digests.number(digest(value)) for value in range(5000)] == list(range(5000))
    assert len(digests) == 5000


def test_digests_that_begin_alike_are_told_apart():
    digests = Digests()
    alike = [b"\0" * 31 + bytes([last]) for last in range(200)]
    assert [digests.number(each) for each in alike * 2] == [*range(200)] * 2
