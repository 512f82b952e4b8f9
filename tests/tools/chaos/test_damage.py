"""Files of stages that are damaged as `make chaos` damages them."""

import pytest
from tests.golden.examples import EXAMPLES, STAGE_KINDS
from tools.chaos.faults import read_damaged
from tools.chaos.study import Outcome


@pytest.mark.parametrize("kind", STAGE_KINDS)
def test_a_file_that_is_cut_short_or_changed_is_refused_and_another_is_read_as_it_was(kind, tmp_path):
    path = tmp_path / EXAMPLES[kind].name
    EXAMPLES[kind].write(path)
    outcome = Outcome("damage", "refused")
    for damage in (lambda content: content[: len(content) // 2], lambda content: content[:-9] + b"x" + content[-8:]):
        read_damaged(path, EXAMPLES[kind].read, damage, outcome)
    read_damaged(path, EXAMPLES[kind].read, lambda content: content, outcome)
    assert (outcome.inflicted, outcome.failures) == (3, [])


def test_what_is_read_as_something_else_is_a_failure(tmp_path):
    path = tmp_path / "text"
    path.write_bytes(b"one")
    outcome = Outcome("damage", "refused")
    read_damaged(path, lambda path: path.read_text(), lambda content: content[:2], outcome)
    assert outcome.failures == ["text was read as something else"]
    assert path.read_bytes() == b"one"
