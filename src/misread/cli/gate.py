"""`misread gate`: whether results may take the place of those of a baseline, as an exit status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from misread.cli.options import NOT_AT_HAND, Width, split_list
from misread.errors import ConfigurationError, MisreadError, MissingResultsError, SettingError, setting
from misread.io.console import print_error
from misread.tables.terminal.output import make_console, print_json

if TYPE_CHECKING:
    from misread.pipeline.params import Params
    from misread.revisions import Gate

STATUS = {"pass": 0, "fail": 1, "not comparable": 2, "cannot tell": 3, "not at hand": NOT_AT_HAND}
"""Exit status of each outcome."""

Output = Literal["table", "json"]


def gate(
    baseline: Annotated[str, typer.Option(metavar="REV", help="Commit or DVC experiment to compare with.")],
    revision: Annotated[
        str | None, typer.Option(metavar="REV", help="Commit or DVC experiment to judge; else the working tree.")
    ] = None,
    metrics: Annotated[str | None, typer.Option(help="Ids of metrics, joined by commas.")] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(help="Largest loss that is accepted, as a fraction: 0.002, or METRIC=0.002 for one metric."),
    ] = None,
    datasets: Annotated[str | None, typer.Option(help="Ids of data sets, joined by commas; else all.")] = None,
    systems: Annotated[str | None, typer.Option(help="Ids of systems, joined by commas; else all.")] = None,
    output: Annotated[Output, typer.Option(help="How to print.")] = "table",
    width: Width = None,
    markdown: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a comment for a pull request into this file.")
    ] = None,
) -> None:
    r"""Pass results that lost no more than a margin.

    For instance:

    \b
      misread gate --baseline main --metrics cer --margin 0.002
      misread gate --baseline v1.0 --margin cer=0.002 --margin wer=0.01 --systems kraken
      misread gate --baseline "$(git merge-base origin/main HEAD)" --metrics cer --margin 0.002 --markdown gate.md

    Ends with 0 if every loss is surely no larger than its margin, 1 if one surely is larger, 2 if the two cannot be
    compared or something is gone, 3 if there is too little to tell; then it says which margin could be shown, and how
    many clusters or segments would do. Ends with 4 if one side has no results in Git, nor in the cache or remote of
    DVC; then it says how to bring or make them.
    """
    try:
        outcome = _run(
            baseline,
            revision,
            split_list(metrics, option=setting("metrics")),
            margin or [],
            split_list(datasets, option=setting("datasets")),
            split_list(systems, option=setting("systems")),
        )
    except MisreadError as error:
        _refuse(error, markdown)
    _print(outcome, output, markdown, width)
    raise typer.Exit(STATUS[outcome.outcome])


def _refuse(error: MisreadError, markdown: Path | None) -> NoReturn:
    if markdown is not None:
        from misread.io import write_text
        from misread.revisions.gate_text import refusal_markdown

        write_text(markdown, refusal_markdown(str(error)))
    print_error(error)
    raise typer.Exit(STATUS["not at hand" if isinstance(error, MissingResultsError) else "not comparable"]) from None


def _run(
    baseline: str, revision: str | None, metrics: list[str], margins: list[str], datasets: list[str], systems: list[str]
) -> Gate:
    from tempfile import TemporaryDirectory

    from misread.revisions import StoredResults, open_revision, run_gate

    root = Path()
    with TemporaryDirectory(prefix="misread-") as folder:
        before = StoredResults(open_revision(root, baseline, Path(folder) / "before"))
        after = StoredResults(open_revision(root, revision, Path(folder) / "after"))
        params = after.params
        chosen = read_margins(margins, metrics, params)
        return run_gate(before, after, params.statistics(), chosen, datasets=datasets, systems=systems)


def read_margins(entries: list[str], metrics: list[str], params: Params) -> dict[str, float]:
    """Margin of each metric, from options of the forms 0.002 and METRIC=0.002.

    Without options it is `statistics.margin` of the configuration. Raises ConfigurationError where a metric has no
    margin or two, or no metric is chosen.
    """
    margins: dict[str, float] = {}
    common: list[float] = []
    for entry in entries:
        name, equals, value = entry.rpartition("=")
        number = _number(value, entry)
        if not equals:
            common.append(number)
        elif name in margins:
            raise ConfigurationError(f"{setting('margin')} names {name!r} twice; once is enough.")
        else:
            margins[name] = number
    if len(common) > 1:
        raise ConfigurationError(
            f"{setting('margin')} is given twice; name the metric of each, such as {setting('margin', 'cer=0.002')}."
        )
    chosen = metrics or list(margins)
    if not chosen:
        raise ConfigurationError(
            f"{setting('metrics')} is missing; choose among those of the configuration: "
            f"{', '.join(params.content['metrics'])}."
        )
    if unused := [name for name in margins if name not in chosen]:
        raise ConfigurationError(
            f"{setting('margin')} names {unused[0]!r}, which is not among {setting('metrics')} ({', '.join(chosen)})."
        )
    default = common[0] if common else params.statistics().margin
    if default is None and (lacking := [name for name in chosen if name not in margins]):
        raise ConfigurationError(
            f"{lacking[0]} has no margin; give the largest loss that is accepted, such as "
            f"{setting('margin', f'{lacking[0]}=0.002')} for 0.2 points, or set statistics.margin."
        )
    return {name: margins.get(name, default or 0.0) for name in chosen}


def _number(value: str, entry: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise SettingError("margin", entry, "a fraction such as 0.002 for 0.2 points, or METRIC=0.002") from None


def _print(gate: Gate, output: Output, markdown: Path | None, width: int | None) -> None:
    from misread.revisions.gate_text import gate_answer, gate_markdown, print_gate

    if markdown is not None:
        from misread.io import write_text

        write_text(markdown, gate_markdown(gate))
    if output == "json":
        from misread.io.json_files import to_plain

        status = STATUS[gate.outcome]
        print_json(
            {"headline": "  ".join(gate_answer(gate)), "outcome": gate.outcome, "status": status, **to_plain(gate)}
        )
    else:
        print_gate(gate, make_console(width))
