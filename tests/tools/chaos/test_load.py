"""A worker that a few ask at the same time."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from tools.chaos.load import load
from tools.chaos.study import Outcome

pytestmark = [pytest.mark.engine, pytest.mark.process, pytest.mark.slow]


def test_every_question_is_answered_where_all_may_wait():
    with ThreadPoolExecutor(1) as thread:  # browser tests leave an event loop in this one
        outcome = thread.submit(load, Outcome("load", "answered"), 50, 100, connections=50).result()
    assert (outcome.inflicted, outcome.failures) == (100, [])
    waiting, asked, answered, refused, *_ = outcome.figures
    assert (waiting, asked, answered, refused) == ("50", "100", "100", "0")
