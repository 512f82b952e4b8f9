"""Names and numbers of a gate, as a terminal and a comment on a pull request show them."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from misread.revisions.difference import OneSided
from misread.revisions.gate import Gate, GateCheck
from misread.revisions.gate_text import gate_answer, gate_markdown, print_gate, refusal_markdown
from misread.stats import ConfidenceInterval
from misread.stats.compare.loss import LossJudgement

NAME = "a\x1b[2J|`b`\n\u202ec"
SHOWN = r"a\x1b[2J|`b`\n\u202ec"
INTERVAL = ConfidenceInterval(low=-0.001, high=0.0054, confidence=0.9, method="jackknife")


def gate(*outcomes, gone=(), name="pero"):
    checks = [
        GateCheck(
            dataset="lines",
            system=name,
            metric="cer",
            margin=0.0025,
            before=0.03,
            after=None,
            units=12,
            unit="page",
            is_changed=True,
            judgement=LossJudgement(outcome=outcome, reason=f"of {name}", loss=0.0022, interval=INTERVAL),
        )
        for outcome in outcomes
    ]
    one_sided = [OneSided(side="before", name=each) for each in gone]
    return Gate(before="v1", after="v2", checks=checks, one_sided=one_sided, changes=[], notes=[NAME], method="m")


@pytest.mark.parametrize(
    ("outcomes", "gone", "word"),
    [
        (("pass", "pass"), (), "PASS"),
        (("pass", "cannot tell"), (), "CANNOT TELL"),
        (("pass", "cannot tell"), ("system b",), "NOT COMPARABLE"),
        (("fail", "cannot tell"), ("system b",), "FAIL"),
    ],
)
def test_the_gravest_outcome_is_that_of_all(outcomes, gone, word):
    assert gate_answer(gate(*outcomes, gone=gone))[0] == word


def test_numbers_are_in_points_with_the_level_of_their_interval():
    text = gate_markdown(gate("cannot tell"))
    assert "| loss points [90 %] |" in text
    assert "| lines | pero | CER | 3.00 | undefined | +0.22 [-0.10, +0.54] | 0.250 | ? cannot tell |" in text


def test_names_are_shown_and_never_act():
    file = io.StringIO()
    print_gate(gate("fail", name=NAME), Console(file=file, width=400))
    markdown = gate_markdown(gate("fail", name=NAME)) + refusal_markdown(NAME)
    assert SHOWN in file.getvalue()
    assert "\\|" in markdown
    assert not {"\x1b", "\u202e"} & {*file.getvalue(), *markdown}


def test_systems_have_their_displayed_names():
    named = replace(gate("fail", "pass", name="printm1"), names={"printm1": "printM1", "lines": "Lines"})
    file = io.StringIO()
    print_gate(named, Console(file=file, width=200))
    assert "| Lines | printM1 | CER |" in gate_markdown(named)
    assert "cer of printM1 on Lines" in file.getvalue()
