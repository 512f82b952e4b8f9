import hashlib

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from misread.tally import ReferenceDigests
from misread.text.arrow import ArrowTexts

TEXTS = st.lists(st.text(st.characters(codec=None), max_size=300), max_size=5)


@given(TEXTS)
def test_every_reference_has_the_digest_of_its_utf_8_bytes(references):
    expected = [
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest() for text in references
    ]
    digests = ReferenceDigests(references)
    assert list(digests) == expected
    assert digests == expected
    assert len(digests) == len(references)


@given(TEXTS, TEXTS)
def test_digests_are_equal_where_texts_are(first, second):
    assert (ReferenceDigests(first) == ReferenceDigests(second)) == (first == second)
    assert ReferenceDigests(first) == ReferenceDigests(list(first))


# Around the 128 bytes of a block, and in no text at all.
BLOCKS = ["x" * length for length in (0, 1, 7, 8, 9, 127, 128, 129, 255, 256, 257, 1000)]


@given(st.permutations(BLOCKS) | st.lists(st.text(max_size=300), max_size=5))
def test_texts_of_arrow_have_the_digests_of_python_strings(either_way, references):
    arrow = ArrowTexts(pa.array(["other", *references], pa.string()), "references")[1:]
    few, many = either_way(lambda: list(ReferenceDigests(arrow)))
    assert few == many == list(ReferenceDigests(references))
    assert pa.array(ReferenceDigests(arrow), pa.string()).to_pylist() == list(ReferenceDigests(references))
