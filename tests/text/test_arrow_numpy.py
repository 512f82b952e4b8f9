import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from misread.text.arrow_numpy import to_arrow, to_flags, to_numpy, to_scalar


@given(arrays(np.int64, st.integers(0, 9)) | arrays(np.float64, st.integers(0, 9)), st.integers(1, 3))
def test_numbers_come_back_as_they_were(numbers, step):
    part = numbers[::step]
    there = to_arrow(part)
    assert there.type == (pa.float64() if part.dtype == np.float64 else pa.int64())
    np.testing.assert_array_equal(to_numpy(there), part)
    np.testing.assert_array_equal(to_numpy(there[1:]), part[1:])


@given(st.lists(st.booleans(), max_size=20), st.integers(0, 9))
def test_truth_values_come_back_as_they_were(flags, begin):
    assert to_flags(pa.array(flags, pa.bool_())[begin:]).tolist() == flags[begin:]


@pytest.mark.parametrize("text", ["", " ", "ü𝔞"])
def test_a_text_comes_back_as_it_was(text):
    assert (to_scalar(text).as_py(), to_scalar(text).type) == (text, pa.large_string())


@pytest.mark.process
def test_nothing_of_it_imports_pandas():
    code = """
import sys
import numpy as np
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_flags, to_numpy, to_scalar
import pyarrow.compute as pc
numbers = to_arrow(np.arange(3))
to_numpy(numbers), to_flags(pc.equal(numbers, numbers)), to_scalar("a")
import pyarrow as pa
texts = pa.LargeStringArray.from_buffers(1, pa.py_buffer(np.array([0, 1])), pa.py_buffer(b"a"))
assert ArrowTexts.of(texts).join(" ") == "a"
assert "pandas" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
