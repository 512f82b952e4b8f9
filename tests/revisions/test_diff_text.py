"""Names from two revisions, as a terminal and a comment on a pull request show them."""

import io
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from misread.pipeline.params import Params
from misread.revisions.changes import Change
from misread.revisions.diff_text import change_lines, mover_title, print_difference, render_difference
from misread.revisions.difference import DatasetDifference, Mover, RevisionDifference, SystemDifference
from misread.revisions.matching import read_names
from misread.text.display import show_label

NAME = "a\x1b[2J|`b`\n\u202ec"
SHOWN = r"a\x1b[2J|`b`\n\u202ec"


MOVER = Mover(segment_id=NAME, system="pero", errors_before=1, errors_after=2, reference=None, before=None, after=None)


def difference():
    dataset = DatasetDifference(
        dataset="lines",
        row="segment",
        segments=3,
        cluster_name=NAME,
        clusters=2,
        only_before=0,
        only_after=0,
        systems_before=(),
        systems_after=(),
        differences=(),
        movers=(MOVER,),
        movers_metric="cer",
        notes=(f"note of {NAME}",),
    )
    return RevisionDifference(
        before="v1",
        after="v2",
        one_sided=[],
        alpha=0.05,
        confidence=0.95,
        method=f"test|{NAME}",
        changes=[Change("setting", "x", NAME, None)],
        notes=[f"note of {NAME}"],
        datasets=[dataset],
    )


def acting(text):
    return {character for character in text if character in "\x1b\u202e"}


def test_a_change_is_one_line():
    assert change_lines([Change("setting", "x", NAME, None)]) == [f"setting    x   {SHOWN} -> (none)"]


def test_a_segment_is_named_in_one_line():
    assert mover_title(MOVER).startswith(f"{SHOWN}   pero")


def test_markdown_shows_names_and_sets_them_as_code_whole():
    text = render_difference(difference())
    assert acting(text) == set()
    assert f"- `` setting    x   {SHOWN} -> (none) ``\n" in text
    assert r"a\\x1b\[2J\|\`b\`\\n\\u202ec" in text


def test_a_terminal_shows_names():
    stream = io.StringIO()
    print_difference(difference(), Console(file=stream, width=200))
    assert acting(stream.getvalue()) == set()
    assert f"note of {SHOWN}" in stream.getvalue()


def row(system):
    return SystemDifference(
        dataset="lines",
        system=system,
        metric="cer",
        before=0.1,
        after=0.2,
        difference=0.1,
        verdict="regressed",
        reason="of it",
        same=3,
        can_tell=True,
    )


def test_systems_and_data_sets_have_their_displayed_names():
    (dataset,) = difference().datasets
    changed = replace(difference(), datasets=[replace(dataset, differences=[row("pero")], systems_after=["printm1"])])
    named = replace(changed, names={"pero": "PERO", "printm1": "printM1", "lines": "Lines"})
    stream = io.StringIO()
    print_difference(named, Console(file=stream, width=200))
    for text in (stream.getvalue(), render_difference(named)):
        assert "worse than at v1: PERO" in text
        assert "Lines: 3 segments" in text
        assert "only after: printM1" in text
        assert "   PERO   1 -" in text
        assert "pero" not in text
    assert named.differences[0].system == "pero"
    swapped = replace(changed, names={"pero": "printm1", "printm1": "pero"})
    assert "worse than at v1: printm1" in render_difference(swapped)


@given(st.dictionaries(st.sampled_from("abc"), st.text(max_size=5) | st.none() | st.integers()))
def test_a_name_is_one_of_the_report_that_cannot_act_or_the_id(names):
    read = read_names(Params({"systems": {key: {} for key in "abc"}, "report": {"names": names}}))
    shown = [read.get(system, system) for system in "abc"]
    assert len({*shown}) == 3
    assert all(show_label(name) == name for name in shown)
    assert read_names(Params({"systems": {"a": {}}})) == {}
