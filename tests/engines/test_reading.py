import dataclasses
import math
import random
import re
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from misread.data.segment_table import Origin, Source, Word
from misread.engines.base import Answer, Reading, UnreadableSourceError
from misread.engines.journal import Journal
from misread.engines.reading import Failures, read_one, warn_of_failures
from misread.errors import CaptureFailedError


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


NAME = "a\x1b[2J\n\u202eb"
SHOWN = r"a\x1b[2J\n\u202eb"


def test_segments_that_failed_are_named_in_one_line_each(capsys):
    warn_of_failures(Origin("d", "s"), [Reading("i\x1b", None, f"no {NAME}", 0.0, 0)], 1, 2)
    first, second = capsys.readouterr().err.splitlines()
    assert first == rf"warning: segment 'i\x1b' of 'd': no {SHOWN}"
    assert second.startswith("warning: 1 of 2 readings failed")
    assert "`misread capture d s --retry-failed`" in second


def test_of_many_failures_the_first_are_named_and_all_are_counted(capsys):
    failed = [Reading(f"s{number}", None, "no", 0.0, 0) for number in range(3)]
    warn_of_failures(Origin("d", "s"), failed, 1234, 5000)
    *named, last = capsys.readouterr().err.splitlines()
    assert len(named) == 3
    assert last.startswith("warning: 1,234 of 5,000 readings failed (named above are the first 3) and are kept")


def failures_of(reasons):
    failures = Failures(None)
    for index, reason in enumerate(reasons):
        failures.add(index, Reading("s", None, reason, 0.0, 0))
    return failures.counted("s", 9000)


def test_failures_are_counted_by_reason_without_details():
    reasons = ["the answer was cut (length)", "busy: try again", "busy: go away"]
    assert failures_of([]) == ""
    assert failures_of(reasons) == "3 of 9,000 readings of s failed: busy (2), the answer was cut (1)."
    files = [f"scans/p{number}.png is not a readable image (12 bytes)" for number in range(2)]
    assert failures_of(files) == "2 of 9,000 readings of s failed: a file is not a readable image (2)."


def test_of_many_reasons_the_commonest_are_named_in_any_order_of_the_readings():
    reasons = [f"reason {min(number, 6)}" for number in range(9)]
    said = "reason 6 (3), reason 0 (1), reason 1 (1), reason 2 (1), reason 3 (1) and 2 more reasons"
    assert failures_of(reasons) == failures_of(reasons[::-1]) == f"9 of 9,000 readings of s failed: {said}."
    assert "another reason (4,000), " in failures_of([f"reason {number}" for number in range(5000)])


def test_a_system_that_does_not_apply_is_named_in_one_line(capsys):
    warn_of_failures(Origin("d", "s", not_applicable=NAME), [], 0, 0)
    assert capsys.readouterr().err == f"note: s is left out of d: {SHOWN}\n"


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([2**63 - 1, 2**63, -1, 10**400, 1e308, math.inf, math.nan, np.int64(3), np.float32(0.5)]),
    st.text(st.characters(), max_size=3),
    st.sampled_from(["\ud800", "a\udfff", b"a", [Word("a\ud800", 0.5)], [Word("a", 10**400)], [5], {}]),
)


@given(
    st.dictionaries(st.sampled_from([entry.name for entry in dataclasses.fields(Answer)]), VALUES, max_size=4),
    st.booleans(),
)
def test_whatever_is_answered_goes_into_the_journal_and_the_table_and_comes_out_again(fields, fails):
    class Odd:
        def read(self, source):
            if fails:
                raise ValueError(str(fields.get("text")))
            return Answer(**{"text": "one", **fields})

    source = Source("a", None, question="?")
    reading = read_one(Odd(), source, measure_memory=False)
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "j.jsonl", {}) as journal:
        journal.keep(journal.key(source), reading)
        assert repr(journal.find(journal.key(source), source)) == repr(reading)
    for field in dataclasses.fields(reading):
        value = getattr(reading, field.name)
        pa.array([None if value is None else [word.text for word in value] if field.name == "words" else value])


def test_a_failed_answer_has_the_tokens_that_it_cost():
    class Cut:
        def read(self, _):
            error = UnreadableSourceError("cut")
            error.facts = {"input_tokens": 9, "output_tokens": 2}
            raise error

    reading = read_one(Cut(), Source("s"), measure_memory=False)
    assert (reading.text, reading.input_tokens, reading.output_tokens) == (None, 9, 2)
