"""A worker asked by broken questions, in this process."""

import random

import pytest
from tools.fuzz.running import check
from tools.fuzz.worker import check_answer, targets


@pytest.mark.slow
def test_broken_questions_are_refused(tmp_path):
    (target,) = targets()
    assert [check(target, sample, tmp_path) for sample in target.samples] == [None, None, None]
    for number in range(150):
        data = target.make(random.Random(f"test {number}"))
        assert not check(target, data, tmp_path), data[:500]


@pytest.mark.parametrize(("status", "text"), [(500, ""), (400, "Traceback (most"), (400, "no file /tmp/x")])
def test_a_failure_and_an_answer_that_says_too_much_are_noticed(status, text):
    with pytest.raises(AssertionError):
        check_answer(status, text)
