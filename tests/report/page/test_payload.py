import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.report.page.payload import CHUNK_SEGMENTS, pack, pack_chunks, unpack

JSON = st.recursive(
    st.none() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@pytest.mark.slow
@given(JSON)
def test_what_was_packed_is_unpacked(content):
    assert unpack(pack(content)) == content


@given(st.text())
def test_packed_data_has_no_character_that_html_knows(text):
    assert re.fullmatch("[A-Za-z0-9+/=]*", pack(text + "</script><!--"))


def test_chunks_together_are_all_segments_in_order():
    segments = [[number, "x" * number] for number in range(2 * CHUNK_SEGMENTS + 1)]
    chunks, starts = pack_chunks(segments)
    assert starts == [0, CHUNK_SEGMENTS, 2 * CHUNK_SEGMENTS]
    assert [segment for chunk in chunks for segment in unpack(chunk)] == segments


def test_long_segments_make_smaller_chunks():
    chunks, starts = pack_chunks(["x" * 600_000] * 4)
    assert starts == [0, 2]
    assert len(chunks) == 2


def test_without_segments_there_is_no_chunk():
    assert pack_chunks([]) == ([], [])
