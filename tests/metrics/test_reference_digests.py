import hashlib

from hypothesis import given
from hypothesis import strategies as st

from misread.metrics import ReferenceDigests

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
