import sys

import pytest

from misread.features.punctuation.marked_words import fold_case


@pytest.mark.parametrize("beside", ["", "Ж"])
def test_case_is_folded_as_python_folds_it(beside):
    for code in range(0x250):
        text = f"{beside}A{chr(code)}b"
        assert fold_case(text) == text.casefold()
    assert fold_case(chr(sys.maxunicode)) == chr(sys.maxunicode)
