"""`misread diff`: results of two revisions, and which changes are significant."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from misread.cli.options import NOT_AT_HAND, Width, split_list
from misread.errors import MisreadError, MissingResultsError, SettingError, setting
from misread.io.console import print_error, write_out
from misread.tables.terminal.output import make_console, print_json

if TYPE_CHECKING:
    from misread.revisions import Choice, RevisionDifference

Output = Literal["table", "json", "markdown"]


class Failure(StrEnum):
    """Outcome that ends the command with status 1."""

    REGRESSION = "regression"


_NOT_COMPARABLE = 2


def diff(
    rev_a: Annotated[str, typer.Argument(metavar="REV_A", help="Commit or DVC experiment before.")] = "HEAD",
    rev_b: Annotated[str | None, typer.Argument(metavar="REV_B", help="Revision after; else the working tree.")] = None,
    datasets: Annotated[str | None, typer.Option(help="Ids of data sets, joined by commas; else all.")] = None,
    systems: Annotated[str | None, typer.Option(help="Ids of systems, joined by commas; else all.")] = None,
    metrics: Annotated[str | None, typer.Option(help="Ids of metrics, joined by commas; else all.")] = None,
    movers: Annotated[int, typer.Option(help="How many segments that changed most to show.")] = 3,
    output: Annotated[Output, typer.Option(help="How to print.")] = "table",
    fail_on: Annotated[
        Failure | None, typer.Option(help="End with status 1 on a significant regression, with 2 if results are gone.")
    ] = None,
    width: Width = None,
) -> None:
    r"""Compare the results of two revisions.

    For instance:

    \b
      misread diff                              HEAD against the working tree
      misread diff main HEAD --fail-on regression --output markdown
      misread diff main EXPERIMENT              by the name that `dvc exp show` lists

    Ends with status 0. With --fail-on, it ends with 1 on a regression, and with 2 if results are gone that could hide
    one. If the two cannot be compared, it says why and ends with 2. If one side has no results, neither in Git nor in
    the cache or remote of DVC, it says how to bring or make them and ends with 4.
    """
    try:
        status = _run(rev_a, rev_b, _choice(datasets, systems, metrics, movers), output, fail_on, width)
    except MisreadError as error:
        print_error(error)
        raise typer.Exit(NOT_AT_HAND if isinstance(error, MissingResultsError) else _NOT_COMPARABLE) from None
    raise typer.Exit(status)


def _choice(datasets: str | None, systems: str | None, metrics: str | None, movers: int) -> Choice:
    from misread.revisions import Choice

    if movers < 0:
        raise SettingError("movers", movers, "0 or more")
    return Choice(
        split_list(datasets, option=setting("datasets")),
        split_list(systems, option=setting("systems")),
        split_list(metrics, option=setting("metrics")),
        movers,
    )


def _run(
    rev_a: str,
    rev_b: str | None,
    choice: Choice,
    output: Output,
    fail_on: Failure | None,
    width: int | None,
) -> int:
    from tempfile import TemporaryDirectory

    from misread.revisions import StoredResults, compare_revisions, open_revision

    root = Path()
    with TemporaryDirectory(prefix="misread-") as folder:
        store = Path(folder)
        before = open_revision(root, rev_a, store / "before")
        after = open_revision(root, rev_b, store / "after")
        settings = after.params().statistics()
        difference = compare_revisions(StoredResults(before), StoredResults(after), settings, choice)
    _print(difference, output, width)
    if fail_on is Failure.REGRESSION:
        # What is gone could hide a regression.
        return {"regression": 1, "incomplete": _NOT_COMPARABLE}.get(difference.outcome, 0)
    return 0


def _print(difference: RevisionDifference, output: Output, width: int | None) -> None:
    if output == "json":
        from misread.io.json_files import to_plain
        from misread.revisions.diff_text import answer

        headline = "  ".join(answer(difference))
        print_json({"headline": headline, "outcome": difference.outcome, **to_plain(difference)})
    elif output == "markdown":
        from misread.revisions.diff_text import render_difference

        write_out(render_difference(difference), end="")
    else:
        from misread.revisions.diff_text import print_difference

        print_difference(difference, make_console(width))
