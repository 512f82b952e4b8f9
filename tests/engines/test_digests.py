import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.engines import digests as module
from misread.engines.digests import Digests
from misread.errors import OutputFileError


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


def test_what_was_put_last_is_known_of_a_digest():
    digests = Digests()
    first, second = digests.number(digest(1)), digests.number_text("two")
    assert digests.get(first) is None
    digests.put(first, 2**40, 7)
    digests.put(second, 1, 2, 3)
    digests.put(first, 5)
    assert (digests.get(first), digests.get(second), digests.get(9)) == ((5, 0, 0), (1, 2, 3), None)


def test_a_full_folder_of_temporary_files_is_an_error_that_says_what_to_do(monkeypatch):
    opened = module._open

    def open_small():
        database = opened()
        database.execute("PRAGMA max_page_count = 6")
        return database

    monkeypatch.setattr(module, "_open", open_small)
    digests = Digests()
    with pytest.raises(OutputFileError, match=r"temporary file cannot be written \(.* full\).*TMPDIR.*goes on from"):
        [digests.number(digest(value)) for value in range(1000)]
