"""Names from two revisions, as a terminal and a comment on a pull request show them."""

import io

from rich.console import Console

from misread.revisions.changes import Change
from misread.revisions.diff_text import change_lines, mover_title, print_difference, render_difference
from misread.revisions.difference import DatasetDifference, Mover, RevisionDifference

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
        rescored=None,
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
