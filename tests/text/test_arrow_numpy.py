import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_column, to_flags, to_floats, to_numpy, to_scalar

NUMBERS = st.one_of([arrays(kind, st.integers(0, 9)) for kind in (np.int32, np.int64, np.uint8, np.float64)])


@given(NUMBERS, st.integers(1, 3))
def test_numbers_come_back_as_they_were(numbers, step):
    part = numbers[::step]
    there = to_arrow(part)
    assert there.type == pa.array(part).type
    np.testing.assert_array_equal(to_numpy(there), part)
    np.testing.assert_array_equal(to_numpy(there[1:]), part[1:])
    column = pa.chunked_array([there[:1], there[1:]])
    np.testing.assert_array_equal(to_numpy(column), part)


@given(st.lists(st.none() | st.integers(-9, 9), max_size=20), st.integers(0, 9))
def test_missing_numbers_are_floats_that_are_none(numbers, begin):
    expected = np.array([np.nan if number is None else number for number in numbers[begin:]], np.float64)
    np.testing.assert_array_equal(to_floats(pa.array(numbers, pa.int64())[begin:]), expected)


def test_a_null_is_no_number():
    with pytest.raises(ValueError, match=r"1 of 2 numbers are null"):
        to_numpy(pa.array([1, None]))


@given(st.lists(st.booleans(), max_size=20), st.integers(0, 9))
def test_truth_values_come_back_as_they_were(flags, begin):
    there = to_arrow(np.array(flags, np.bool_))
    assert there.equals(pa.array(flags, pa.bool_()))
    assert to_flags(there[begin:]).tolist() == flags[begin:]


@pytest.mark.parametrize("text", ["", " ", "ü𝔞"])
def test_a_text_comes_back_as_it_was(text):
    assert (to_scalar(text).as_py(), to_scalar(text).type) == (text, pa.large_string())


OF_KIND = {
    pa.string(): st.text(max_size=3),
    pa.large_string(): st.text(max_size=3),
    pa.int32(): st.integers(-(2**31), 2**31 - 1),
    pa.int64(): st.integers(-(2**63), 2**63 - 1),
    pa.float64(): st.floats(allow_nan=False),
    pa.bool_(): st.booleans(),
}


@pytest.mark.parametrize("kind", OF_KIND, ids=str)
@given(data=st.data())
def test_a_column_is_the_one_that_arrow_makes(data, kind):
    values = data.draw(st.lists(st.none() | OF_KIND[kind], max_size=20))
    made = to_column(values, kind)
    made.validate(full=True)
    assert made.equals(pa.array(values, kind))
    assert to_column(made, kind) is made


@pytest.mark.parametrize(
    ("values", "kind"), [(["1"], pa.int32()), (["1.5", 2.0], pa.float64()), ([2**53 + 1], pa.float64())]
)
def test_what_arrow_refuses_becomes_no_number(values, kind):
    with pytest.raises((pa.ArrowInvalid, pa.ArrowTypeError)):
        to_column(values, kind)


def test_a_sequence_that_is_an_arrow_array_is_taken_as_it_is():
    texts = ArrowTexts.of(pa.array(["a", "b"], pa.large_string()))
    assert to_column(texts, pa.string()).equals(pa.array(["a", "b"], pa.string()))


def test_half_of_a_surrogate_pair_is_refused_as_by_arrow():
    with pytest.raises(UnicodeEncodeError):
        to_column(["\ud800"], pa.string())


@pytest.mark.process
def test_nothing_of_it_imports_pandas():
    code = """
import sys
import numpy as np
from misread.text.arrow import ArrowTexts
from misread.text.arrow_numpy import to_arrow, to_column, to_flags, to_floats, to_numpy, to_scalar
import pyarrow.compute as pc
numbers = to_arrow(np.arange(3))
to_numpy(numbers), to_floats(numbers), to_flags(pc.equal(numbers, numbers)), to_scalar("a")
import pyarrow as pa
to_column(["a", None], pa.string()), to_column([1, None], pa.int32()), to_column([None], pa.list_(pa.string()))
texts = pa.LargeStringArray.from_buffers(1, pa.py_buffer(np.array([0, 1])), pa.py_buffer(b"a"))
assert ArrowTexts.of(texts).join(" ") == "a"
to_column(ArrowTexts.of(texts), pa.string())
assert "pandas" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
