import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.engines import disk_indexes as module
from misread.engines.disk_indexes import Digests
from misread.errors import OutputFileError


def digest(number):
    return hashlib.sha256(str(number).encode()).digest()


@given(st.lists(st.tuples(st.integers(0, 30), st.binary(max_size=20), st.booleans())), st.integers(1, 9))
def test_what_was_put_last_is_known_of_a_digest(puts, waiting):
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_MOST_WAITING", waiting)
        digests, expected = Digests(), {}
        for number, known, at_once in puts:
            if at_once:
                digests.put(digest(number), known)
            else:
                digests.put_all([(digest(number), known)])
            expected[number] = known
        assert [digests.get(digest(number)) for number in range(31)] == [expected.get(number) for number in range(31)]


def test_many_digests_are_found_again():
    digests = Digests()
    digests.put_all((digest(value), b"%d" % value) for value in range(5000))
    assert [digests.get(digest(value)) for value in range(5000)] == [b"%d" % value for value in range(5000)]


def test_digests_that_begin_alike_are_told_apart():
    digests = Digests()
    alike = [b"\0" * 31 + bytes([last]) for last in range(200)]
    digests.put_all((each, each[-1:]) for each in alike)
    assert [digests.get(each) for each in alike] == [each[-1:] for each in alike]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_full_folder_of_temporary_files_is_an_error_that_says_what_to_do(monkeypatch, at_once):
    opened = module._open_digests

    def open_small():
        database = opened()
        database.execute("PRAGMA max_page_count = 6")
        return database

    monkeypatch.setattr(module, "_open_digests", open_small)
    digests, pairs = Digests(), [(digest(value), b"known") for value in range(2000)]
    parts = [pairs] if at_once else [[pair] for pair in pairs]
    put = digests.put_all if at_once else lambda part: digests.put(*part[0])
    with pytest.raises(OutputFileError, match=r"temporary file cannot be written: .* full\..*TMPDIR.*goes on from"):
        [put(part) for part in parts]
