"""No metric loops over characters in Python: longer words make no more steps of the interpreter."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType

import pytest

import misread
from misread.features.answers.structured import StructuredAnswers
from misread.metrics import Metric, ScoredText
from misread.sockets import METRICS

from .needs import annotated, with_counts

# Few texts need no compiled code, and loops are right for them.
pytestmark = pytest.mark.usefixtures("machine_code")

FOLDER = str(Path(misread.__file__).parent)
WORDS, SHORT, LONG = 8, 5, 500
# Longer texts may go through another kernel, which is called from other lines; a loop would take thousands.
OTHER_PATH = 100


def steps(run: Callable[[], object], folder: str = FOLDER) -> int:
    """Lines of Python that run in the package: a loop counts once a turn."""
    count = 0

    def trace(frame: FrameType, event: str, argument: object) -> object:
        nonlocal count
        if not frame.f_code.co_filename.startswith(folder):
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def pairs(length: int) -> ScoredText:
    """One document of always as many words, lines and fields, which differ at both ends and inside."""
    words = [letter * length for letter in "abcdefgh"[:WORDS]]
    truth = {"answer": " ".join(words), "class": words[0], "total": "5"}
    found = {**truth, "answer": "x" + truth["answer"][1:].replace("b", "y", 1) + "z"}
    # As JSON over several lines, for metrics of lines and of answers alike.
    return annotated([json.dumps(truth, indent=1)], [json.dumps(found, indent=1)])


def complete(metric: Metric) -> Metric:
    """A metric of answers with what it needs."""
    if not isinstance(metric, StructuredAnswers):
        return with_counts(metric)
    xsd = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>'
    return replace(
        metric, schema={"required": ["total"]} if metric.answer_format == "json" else xsd, required=["total"]
    )


@pytest.mark.parametrize("name", METRICS)
def test_longer_words_take_no_more_steps(name: str) -> None:
    metric = complete(METRICS[name])
    short, long = pairs(SHORT), pairs(LONG)
    # What is compiled or looked up once is none of the metric's steps.
    for warm_up in (short, long):
        metric.count(warm_up)
    assert steps(lambda: metric.count(long)) <= steps(lambda: metric.count(short)) + OTHER_PATH


def test_a_loop_over_characters_would_be_seen() -> None:
    def loop(text: str) -> int:
        return sum(character == "a" for character in text)

    here = str(Path(__file__).parent)
    more = steps(lambda: loop("a" * LONG), here) - steps(lambda: loop("a" * SHORT), here)
    assert more >= LONG - SHORT > OTHER_PATH
