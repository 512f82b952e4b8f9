import pytest

from misread.engines.base import Reading
from misread.engines.disk_indexes import RequestLog
from misread.errors import CaptureFailedError


@pytest.fixture
def log():
    """Note readings, given as segment, run and request."""

    def log(*readings):
        found = RequestLog()
        for segment_id, run, request in readings:
            found.add(Reading(segment_id, "one", None, 0.1, None, run=run, request=request))
        found.refuse_repeats()

    return log


def test_one_answer_in_two_runs_of_a_segment_is_refused_with_both(log):
    with pytest.raises(CaptureFailedError, match=r"runs 1 and 3 of segment 'b' are one answer of the server, 'y'"):
        log(("a", 1, "x"), ("b", 1, "y"), ("a", 2, "z"), ("b", 3, "y"))


@pytest.mark.parametrize("later", [[("b", 1), ("a", 2)], [("a", 2), ("b", 1)], [("a", 2), ("b", 1), ("b", 2)]])
def test_a_request_of_several_segments_says_nothing(log, later):
    log(("a", 1, "x"), *((segment_id, run, "x") for segment_id, run in later))


def test_answers_without_a_request_say_nothing(log):
    log(("a", 1, None), ("a", 2, None))
