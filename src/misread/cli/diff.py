"""`misread diff`: results of two revisions, and which changes are significant."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from misread.cli.normalizer_option import make_normalizer
from misread.cli.options import NOT_AT_HAND, Width, split_list
from misread.errors import ConfigurationError, MisreadError, MissingResultsError, SettingError, setting
from misread.io.console import print_error, write_out
from misread.tables.terminal.output import print_json

if TYPE_CHECKING:
    from misread.revisions import Choice, Revision, RevisionDifference, RevisionResults

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
    rescore: Annotated[
        str | None,
        typer.Option(
            metavar="NORMALIZER",
            help="Score both sides again from their captures under this normalizer: a name, a YAML file, or steps.",
        ),
    ] = None,
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
      misread diff v1.0 --rescore lower         scored alike although the normalizer changed

    Ends with status 0. With --fail-on, it ends with 1 on a regression, and with 2 if results are gone that could hide
    one. If the two cannot be compared, it says why and ends with 2. If one side has no results, neither in Git nor in
    the cache or remote of DVC, it says how to bring or make them and ends with 4.
    """
    try:
        status = _run(
            rev_a,
            rev_b,
            _choice(datasets, systems, metrics, movers),
            rescore,
            output,
            fail_on,
            width,
        )
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
    rescore: str | None,
    output: Output,
    fail_on: Failure | None,
    width: int | None,
) -> int:
    from tempfile import TemporaryDirectory

    from misread.revisions import compare_revisions, open_revision

    root = Path()
    with TemporaryDirectory(prefix="misread-") as folder:
        store = Path(folder)
        before = open_revision(root, rev_a, store / "before")
        after = open_revision(root, rev_b, store / "after")
        settings = after.params().statistics()
        sides = _results(before, after, rescore, choice)
        difference = compare_revisions(*sides, settings, choice)
    _print(difference, output, width)
    if fail_on is Failure.REGRESSION:
        # What is gone could hide a regression.
        return {"regression": 1, "incomplete": _NOT_COMPARABLE}.get(difference.outcome, 0)
    return 0


def _results(
    before: Revision, after: Revision, rescore: str | None, choice: Choice
) -> tuple[RevisionResults, RevisionResults]:
    from misread.revisions import RescoredResults, StoredResults

    if rescore is None:
        return StoredResults(before), StoredResults(after)
    params = after.params()
    configured = [params.normalizer(), before.params().normalizer()]
    normalizer = make_normalizer(rescore, option="rescore", configured=configured)
    # Metrics of raw texts use no normalizer: scoring them again would change nothing.
    metrics = [
        metric
        for metric in params.metrics()
        if metric.text != "raw" and (not choice.metrics or metric.id in choice.metrics)
    ]
    if not metrics:
        raise ConfigurationError(f"{setting('rescore')} changes no metric of raw texts; compare those without it.")
    left, right = (RescoredResults(side, normalizer, metrics, params.missing) for side in (before, after))
    return left, right


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
        from misread.tables.terminal.output import make_console

        print_difference(difference, make_console(width))
