from hypothesis import example, given
from hypothesis import strategies as st

from misread.text.words import WHITE_SPACE, join_words, split_words


@given(st.text(st.sampled_from([*"ab \x1c\u200b\xad", *WHITE_SPACE]) | st.characters(), max_size=12))
@example("a  b")
@example(" a b ")
def test_joined_words_are_the_words_with_one_blank_between_them(text):
    assert join_words(text) == " ".join(split_words(text))
