import os
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.engines import disk_indexes as module
from misread.engines.disk_indexes import KeptLines, Line
from misread.errors import OutputFileError


@given(st.dictionaries(st.integers(0, 90), st.tuples(st.integers(0, 2**60), st.integers(1, 2**40))))
def test_lines_come_back_in_the_order_of_their_places(lines):
    kept = KeptLines()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_AT_A_TIME", 5)
        for place, line in lines.items():
            kept.put(place, Line(*line))
        found = list(kept.first(91))
    assert {place: line for place, line in enumerate(found) if line} == lines
    assert len(found) == 91


def test_nothing_was_put_at_places_after_the_last():
    assert list(KeptLines().first(3)) == [None, None, None]


def put_three(kept):
    lines = kept()
    for place in range(3):
        lines.put(place, Line(0, 1))


@pytest.mark.parametrize("at", ["when it is made", "when it grows"])
def test_a_full_folder_of_temporary_files_is_an_error_that_says_what_to_do(monkeypatch, at):
    def full(*_, **__):
        raise OSError(28, os.strerror(28))

    if at == "when it is made":
        monkeypatch.setattr(module, "TemporaryFile", full)
    else:
        monkeypatch.setattr(module, "TemporaryFile", lambda **_: SimpleNamespace(seek=int, write=full))
    monkeypatch.setattr(module, "_AT_A_TIME", 3)
    with pytest.raises(OutputFileError, match=r"temporary file cannot be written: No space.*TMPDIR"):
        put_three(KeptLines)
