"""`misread score`: score files or a table without a pipeline."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, cast
from warnings import catch_warnings, simplefilter

import typer

from misread.cli.help_pages import Panel
from misread.cli.inputs import Inputs, takes_inputs
from misread.cli.options import (
    RawCsv,
    Width,
    deciding_tests_for,
    metrics_of_option,
    read_test_names,
    use_own_module,
)
from misread.errors import ConfigurationError, PairingWarning, UnknownNameError, setting
from misread.evaluation.score_text import Output, Wording, print_result
from misread.sockets.names import bare_name
from misread.sockets.views import VIEWS

if TYPE_CHECKING:
    from misread.data.segment_table import MissingPolicy

# What LaTeX reads as no command.
_LABEL = re.compile(r"[A-Za-z0-9:._+/-]+")

# The tables of what a reading took, by what is known of it.
_VIEWS_OF_MEASURED: Final = {
    "latency_seconds": "latency",
    **dict.fromkeys(("usd", "input_tokens", "output_tokens"), "cost"),
}

# Tests of more take longer than ten seconds.
MANY_PAIRS = 1000


class Report(StrEnum):
    """What is printed beside the rates."""

    SC_STATS = "sc_stats"
    EVALUATION_LINES = "evaluation_lines"
    STANDARDS = "standards"


class Pairing(StrEnum):
    """What becomes of outputs that fit other references than their own."""

    CHECKED = "checked"
    STRICT = "strict"
    AS_GIVEN = "as-given"


class TestedPairs(StrEnum):
    """Pairs of systems whose difference is tested."""

    ALL = "all"
    BASELINE = "baseline"


@takes_inputs
def score(
    inputs: Inputs,
    example: Annotated[bool, typer.Option("--example", help="Score 40 lines that misread brings.")] = False,
    clean: Annotated[
        list[str] | None,
        typer.Option(
            help="COLUMN=LEVEL, the clean level of a --group: shows how much every other level adds to its rate; "
            "repeat.",
            rich_help_panel=Panel.STATISTICS,
        ),
    ] = None,
    group_order: Annotated[
        list[str] | None,
        typer.Option(
            help="COLUMN=LEVEL,LEVEL of a --group: order of its levels in tables; others follow by name; repeat.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = None,
    equivalents: Annotated[
        Path | None,
        typer.Option(
            help="File of words and phrases that count as equal in word error rates: lines such as going to / gonna.",
            rich_help_panel=Panel.SPEECH,
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            help="Names, joined by commas, with settings in brackets and an id of your own before =: "
            "cer,nist=wer(alignment=sclite); by default cer,wer; repeat."
        ),
    ] = None,
    tests: Annotated[
        str | None,
        typer.Option(
            help="Paired tests to run and show beside the deciding one, joined by commas (wilcoxon,mcnemar); no "
            "verdict uses them.",
            rich_help_panel=Panel.STATISTICS,
        ),
    ] = None,
    runs: Annotated[
        str,
        typer.Option(
            help="How repeated runs count: averaged (only clusters are drawn), or crossed (runs are drawn too, which "
            "runs that share an effect need).",
            rich_help_panel=Panel.RUNS,
        ),
    ] = "averaged",
    margin: Annotated[
        float | None,
        typer.Option(
            help="Largest difference of rates that does not matter (0.005: half a point).",
            rich_help_panel=Panel.STATISTICS,
        ),
    ] = None,
    pairing: Annotated[
        Pairing,
        typer.Option(
            help="Outputs that fit other references than their own: checked refuses them if one other pairing explains "
            "nearly all, else warns; strict refuses them; as-given scores them, and stands in the signature.",
            rich_help_panel=Panel.FILES,
        ),
    ] = Pairing.CHECKED,
    latency_column: Annotated[
        str | None,
        typer.Option(
            help="With --system-column: column of the seconds that a row took, for a table of latencies.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None,
    cost_column: Annotated[
        str | None,
        typer.Option(
            help="With --system-column: column of the US dollars that a row cost, for a table of costs.",
            rich_help_panel=Panel.FILES,
        ),
    ] = None,
    input_tokens_column: Annotated[
        str | None,
        typer.Option(help="With --system-column: column of tokens that were sent.", rich_help_panel=Panel.FILES),
    ] = None,
    output_tokens_column: Annotated[
        str | None,
        typer.Option(help="With --system-column: column of tokens that came back.", rich_help_panel=Panel.FILES),
    ] = None,
    baseline: Annotated[str | None, typer.Option(help="System to compare with; else the first.")] = None,
    pairs: Annotated[
        TestedPairs,
        typer.Option(
            help="Which systems are compared: all with each other, or all with the baseline alone.",
            rich_help_panel=Panel.STATISTICS,
        ),
    ] = TestedPairs.ALL,
    resamples: Annotated[int, typer.Option(help="Bootstrap samples.", rich_help_panel=Panel.STATISTICS)] = 9999,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.", rich_help_panel=Panel.STATISTICS)] = 0.95,
    seed: Annotated[
        int, typer.Option(help="Seed of the bootstrap; part of the signature.", rich_help_panel=Panel.STATISTICS)
    ] = 1,
    report: Annotated[
        Report | None,
        typer.Option(
            help="sc_stats: the paired figures of NIST's tool, words aligned as by sclite; evaluation_lines: each text "
            "in 17 columns, which CSV then holds; standards: words for the CER, and published rates.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = None,
    run_dir: Annotated[
        Path | None,
        typer.Option(
            help="Folder to write config.json, results.json (every segment) and summary.json into.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = None,
    confusions: Annotated[
        int,
        typer.Option(
            min=0,
            help="Most frequent confusions of characters and of words to print; CSV then holds these.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = 0,
    worst: Annotated[
        int,
        typer.Option(
            min=0,
            help="How many of the worst segments to show after the tables, as `misread inspect align` does.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = 0,
    view: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Further table on the segments, which CSV then holds: {', '.join(VIEWS)}; with settings in brackets, "
            "such as bands(edges=[10,100]), and before = an id of your own; repeat.",
            rich_help_panel=Panel.OUTPUT,
        ),
    ] = None,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TABLE,
    notes: Annotated[
        bool,
        typer.Option(
            "--notes",
            help="Print every note, not only what a paper needs.",
        ),
    ] = False,
    name: Annotated[str, typer.Option(help="Name of the data set in tables.", rich_help_panel=Panel.OUTPUT)] = "",
    caption: Annotated[
        str,
        typer.Option(
            help="Caption of the table of one metric, in place of the usual one.", rich_help_panel=Panel.OUTPUT
        ),
    ] = "",
    label: Annotated[
        str,
        typer.Option(
            help="Label of the table of one metric in LaTeX, such as tab:results.", rich_help_panel=Panel.OUTPUT
        ),
    ] = "",
    width: Width = None,
    raw_csv: RawCsv = False,
) -> None:
    r"""Score systems against references, and test every pair.

    For instance:

    \b
      misread score --example
      misread score gold.txt a.txt b.txt
      misread score gold/ tesseract/ --cluster '^([^/]+)/'
      misread score --table lines.csv --ref text --hyp a=tesseract --hyp b=kraken --cluster page
    """
    from misread.evaluation import evaluate_table
    from misread.io.console import note, warn, warn_of_notes
    from misread.metrics import ErrorRate
    from misread.pipeline.run_folder import write_run
    from misread.sockets import get_views
    from misread.sockets.sections import REPORTS
    from misread.stats import StatisticsSettings
    from misread.tally import read_equivalents

    if example:
        inputs = inputs.of_example()
        note(f"--example stands for {inputs.spelled_out()}")
    chosen = metrics_of_option(metrics or inputs.usual_metrics())
    if not any(metric.uses_references for metric in chosen):
        inputs = inputs.without_references()
    inputs.check()
    clean_levels = _read_clean_levels(clean or [], inputs.group_columns)
    ordered_levels = _read_group_order(group_order or [], inputs.group_columns)
    _require_printable(output, report=report, worst=worst, raw_csv=raw_csv)
    wording = Wording(name, caption, label, all_notes=notes)
    measured = _measured_columns(
        inputs,
        usd=cost_column,
        input_tokens=input_tokens_column,
        output_tokens=output_tokens_column,
        latency_seconds=latency_column,
    )
    listed_views = list(dict.fromkeys([*(view or []), *(_VIEWS_OF_MEASURED[name] for name in measured)]))
    for view_name in listed_views:
        use_own_module(bare_name(view_name))
    chosen_views = get_views(listed_views, where=setting("view"))
    settings = StatisticsSettings(
        **deciding_tests_for(runs),
        seed=seed,
        confidence=confidence,
        resamples=resamples,
        margin=margin,
        pairs=pairs.value,
    )
    asked_tests = read_test_names(tests) if tests is not None else []
    if tests is not None:
        # The test that decides is always made.
        settings = replace(settings, tests=list(dict.fromkeys([*asked_tests, settings.deciding_test])))
    elif output is not Output.JSON and run_dir is None:
        # No other is shown, and what they are made of takes longer to load than all else.
        settings = replace(settings, tests=[settings.deciding_test])
    alignments = [rate.alignment for rate in chosen if isinstance(rate, ErrorRate)]
    as_sclite = any(getattr(metric, "alignment", "") == "sclite" for metric in chosen)

    _require_fitting(wording, output, len(chosen))

    spoken = read_equivalents(equivalents) if equivalents else None
    read = inputs.read(chosen, optional_words=as_sclite, measured=measured)
    if baseline is not None and baseline not in read.hypotheses:
        raise UnknownNameError("system", baseline, read.hypotheses, where=setting("baseline"))
    family = settings.family_size(len(read.hypotheses))
    if family > MANY_PAIRS and pairs is TestedPairs.ALL:
        note(
            f"note: {len(read.hypotheses):,} systems make {family:,} pairs; --pairs baseline tests those with the "
            "baseline alone."
        )
    with catch_warnings():
        simplefilter("ignore", PairingWarning)
        evaluation = evaluate_table(
            read,
            metrics=chosen,
            normalizer=inputs.chosen_normalizer,
            missing=cast("MissingPolicy", inputs.missing),
            pairing=pairing.value,
            statistics=settings,
            equivalents=spoken,
            baseline=baseline,
        )
    for fault in chain.from_iterable(evaluation.pairing.values()):
        warn(fault.sentence)
    result, scores = evaluation.result, {system: entry.scores for system, entry in evaluation.scored.items()}
    for column, level in clean_levels.items():
        if level not in result.groups[column]:
            raise UnknownNameError("level", level, result.groups[column], where=f"group column {column!r}")
    for column, levels in ordered_levels.items():
        if unknown := [level for level in levels if level not in result.groups[column]]:
            raise UnknownNameError("level", unknown[0], result.groups[column], where=setting("group_order", column))
    # Of the texts as they were read; what counting them comes to are notes below the tables.
    origins = [entry.texts.origin for entry in evaluation.scored.values()]
    warn_of_notes(origins)
    confused = {system: entry.confusions for system, entry in evaluation.scored.items()} if confusions else {}
    shown = None
    if worst:
        from misread.tables.terminal.segments import gather_worst

        shown = gather_worst(evaluation.scored, worst, alignment=next(iter(alignments), "unit"))
    views = {view.name or view.id: evaluation.lay_out_view(view, name) for view in chosen_views}
    reports = {report.value: REPORTS[report.value].load()(evaluation.scored, baseline)} if report else {}
    if run_dir is not None:
        config = {
            **inputs.facts(),
            "pairing": pairing.value,
            "equivalents": spoken.label if spoken else None,
            "metrics": [metric.name or metric.id for metric in chosen],
            "baseline": result.baseline,
            "statistics": asdict(settings),
        }
        write_run(run_dir, config=config, scores=scores, metrics=chosen, summary=result)
    print_result(
        result,
        [metric.id for metric in chosen],
        output,
        groups=list(read.groups) if inputs.groups else [],
        clean_levels=clean_levels,
        group_order=ordered_levels,
        confused=confused,
        most_confusions=confusions,
        views=views,
        worst=shown,
        normalizer=next(iter(scores.values())).normalizer,
        reports=reports,
        tests=asked_tests,
        wording=wording,
        said={sentence for origin in origins for sentence in origin.facts.sentences},
        raw_csv=raw_csv,
        width=width,
    )


def _measured_columns(inputs: Inputs, **columns: str | None) -> dict[str, str]:
    """Columns of what a reading took, by annotation; they are of rows with one system each."""
    measured = {name: column for name, column in columns.items() if column}
    if measured and not inputs.system_column:
        listed = [f"{option}_column" for option in ("latency", "cost", "input_tokens", "output_tokens")]
        raise ConfigurationError(
            f"{', '.join(map(setting, listed))} need {setting('system_column')}: they are of rows with one system each."
        )
    return measured


def _read_clean_levels(entries: Sequence[str], groups: Sequence[str]) -> dict[str, str]:
    levels: dict[str, str] = {}
    for entry in entries:
        column, equals, level = entry.partition("=")
        if not (column and equals and level):
            raise ConfigurationError(f"{setting('clean')} {entry!r}: expected COLUMN=LEVEL.")
        _require_group(column, entry, "clean", groups)
        if column in levels:
            raise ConfigurationError(
                f"{setting('clean')} names two levels of {column!r}, {levels[column]!r} and {level!r}; name one."
            )
        levels[column] = level
    return levels


def _read_group_order(entries: Sequence[str], groups: Sequence[str]) -> dict[str, list[str]]:
    """Levels by group column, in the order that was asked for."""
    levels_by_column: dict[str, list[str]] = {}
    for entry in entries:
        column, _, listed = entry.partition("=")
        levels = [level.strip() for level in listed.split(",")]
        if not column or "" in levels:
            raise ConfigurationError(f"{setting('group_order')} {entry!r}: expected COLUMN=LEVEL,LEVEL.")
        _require_group(column, entry, "group_order", groups)
        repeated = next((level for level in levels if levels.count(level) > 1), None)
        if column in levels_by_column or repeated is not None:
            raise ConfigurationError(f"{setting('group_order')} names {repeated or column!r} twice; once is enough.")
        levels_by_column[column] = levels
    return levels_by_column


def _require_group(column: str, entry: str, option: str, groups: Sequence[str]) -> None:
    if column not in groups:
        raise ConfigurationError(
            f"{setting(option)} {entry!r}: {column!r} is not a {setting('groups')}; add {setting('groups', column)}."
        )


def _require_printable(output: Output, *, report: Report | None, worst: int, raw_csv: bool) -> None:
    is_whole_csv = report is Report.EVALUATION_LINES and output is Output.CSV and not worst
    if (report or worst) and output not in (Output.TABLE, Output.JSON) and not is_whole_csv:
        option = setting("report") if report else setting("worst")
        raise ConfigurationError(f"{option} is printed with {setting('output', 'table')} or json, not with {output}.")
    if raw_csv and is_whole_csv:
        raise ConfigurationError(f"{setting('raw_csv')} is for rates and views, not for {setting('report')}.")
    if raw_csv and output is not Output.CSV:
        raise ConfigurationError(f"{setting('raw_csv')} is for {setting('output', 'csv')}, not for {output}.")


def _require_fitting(wording: Wording, output: Output, metrics: int) -> None:
    """Refuse words that the output has no place for, and those of one table where there are several."""
    for option, text in (("name", wording.name), ("caption", wording.caption), ("label", wording.label)):
        if text and output in (Output.JSON, Output.CSV):
            raise ConfigurationError(f"{setting(option)} is for tables, not for {setting('output', output.value)}.")
        if text and option != "name" and metrics > 1:
            raise ConfigurationError(f"{setting(option)} is for one table; name one metric with {setting('metrics')}.")
    if wording.label and output is not Output.LATEX:
        raise ConfigurationError(f"{setting('label')} is for {setting('output', 'latex')}, not for {output}.")
    if wording.label and not _LABEL.fullmatch(wording.label):
        raise ConfigurationError(
            f"{setting('label')} {wording.label!r}: expected letters, digits and the signs : . _ + / - alone."
        )
