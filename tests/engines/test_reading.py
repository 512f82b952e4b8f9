import random
import re

import pytest

from misread.engines.reading import Failures
from misread.errors import CaptureFailedError
from misread.records import Reading


def failed(place):
    return Reading(f"line-{place}", None, "no", 0.1, None, raw="<html>")


def test_the_first_by_place_are_named_in_whatever_order_they_come():
    places = list(range(100))
    random.Random(1).shuffle(places)  # noqa: S311
    failures = Failures(None)
    for place in places:
        failures.add(place, failed(place))
    assert failures.number == 100
    assert [reading.segment_id for reading in failures.first] == [f"line-{place}" for place in range(20)]


def test_what_was_answered_is_not_kept():
    failures = Failures(None)
    failures.add(0, failed(0))
    assert failures.first[0].raw is None


def test_the_one_more_than_may_fail_raises_and_names_the_first_of_them():
    failures = Failures(1)
    failures.add(7, failed(7))
    said = re.escape("2 segments failed, and max_failed of the system is 1: nothing more is read. The first is segment")
    with pytest.raises(CaptureFailedError, match=rf"^{said} 'line-3': no\.$"):
        failures.add(3, failed(3))
