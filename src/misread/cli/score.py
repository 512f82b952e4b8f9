"""`misread score`: score files or a table without a pipeline."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast
from warnings import catch_warnings, simplefilter

from misread.cli.input_reading import read_inputs
from misread.cli.input_rules import check_inputs, needs_of
from misread.cli.inputs import Inputs
from misread.cli.normalizer_option import list_normalizers
from misread.cli.option_records import takes_records
from misread.cli.options import deciding_tests_for, metrics_of_option, read_test_names, use_own_module
from misread.cli.score_options import Report, ScoreOptions, TestedPairs
from misread.errors import ConfigurationError, PairingWarning, UnknownNameError, setting
from misread.evaluation.score_text import Output, Printout, print_result
from misread.io.checks.choices import check_choice
from misread.io.console import note, warn, warn_of_notes
from misread.io.names import bare_name

if TYPE_CHECKING:
    from misread.data.segment_table import MissingPolicy, SegmentTable
    from misread.data.table_columns import TableColumns
    from misread.evaluation.evaluation import Evaluation
    from misread.metrics import Metric
    from misread.stats import StatisticsSettings
    from misread.stats.compare.settings import PairedTest

# What LaTeX reads as no command.
_LABEL = re.compile(r"[A-Za-z0-9:._+/-]+")

# Tables of the effort of a reading, by measured quantity.
_VIEWS_OF_MEASURED: Final = {
    "latency_seconds": "latency",
    **dict.fromkeys(("usd", "input_tokens", "output_tokens"), "cost"),
}

# Options of tables next to those of rates.
_FURTHER: Final = ("clean", "group_order", "tests", "confusions", "decompose", "view")

# Tests of more take longer than ten seconds.
MANY_PAIRS = 1000


@takes_records()
def score(inputs: Inputs, options: ScoreOptions) -> None:
    r"""Score systems against references, and test every pair.

    For instance:

    \b
      misread score --example
      misread score gold.txt a.txt b.txt
      misread score gold/ tesseract/ --cluster '^([^/]+)/'
      misread score --table lines.csv --ref text --hyp a=tesseract --hyp b=kraken --cluster page
    """
    names = list_normalizers(inputs.normalizer)
    if names:
        _require_comparable(inputs, options, names)
    plans = [_plan(replace(inputs, normalizer=name), options) for name in names or [inputs.normalizer]]
    ids = [plan.inputs.chosen_normalizer.name for plan in plans]
    if twice := next((name for name in ids if ids.count(name) > 1), None):
        raise ConfigurationError(f"{setting('normalizer')}: two normalizers are called {twice!r}; rename one.")
    # Words are aligned as they are scored where segments are cut again.
    read = [read_inputs(plan.inputs, plan.metrics) for plan in (plans if inputs.resegment else plans[:1])]
    evaluations = list(map(_evaluate, plans, read if inputs.resegment else read * len(plans)))
    with _warning_of(evaluations):
        _print(plans[0], dict(zip(ids, evaluations, strict=True)))
        if not names:
            _hint(plans[0], evaluations[0])


def _require_comparable(inputs: Inputs, options: ScoreOptions, names: Sequence[str]) -> None:
    """Refuse what there is of one normalizer alone."""
    further = [name for name in (*_FURTHER, "report", "run_dir") if getattr(options, name)]
    further += ["groups"] if inputs.groups else ["output"] if options.output is Output.EVAL_RESULTS else []
    if further:
        raise ConfigurationError(f"{setting(further[0])} is for one normalizer, not for {', '.join(names)}.")


def _hint(plan: _Plan, evaluation: Evaluation) -> None:
    """Say below a first table of files how to name what belongs together, and what may be no error."""
    inputs, sources = plan.inputs, plan.inputs.sources
    is_first = bool(inputs.files) and inputs.normalizer == "none" and evaluation.result.clusters is None
    if is_first and plan.options.output is Output.TABLE and not sources.logs:
        cluster = "folder" if sources.are_folders else "COLUMN --ids-table FILE"
        note(
            f"hint: --cluster {cluster} says which segments are of one page or speaker; --normalizer none,whitespace,"
            "ocr shows what spaces and spelling change."
        )


class _Plan(NamedTuple):
    """What the options mean, checked before anything is read."""

    inputs: Inputs
    options: ScoreOptions
    metrics: Sequence[Metric]
    views: Sequence[Any]
    statistics: StatisticsSettings
    printout: Printout  # without what is not known before results are


def _plan(inputs: Inputs, options: ScoreOptions) -> _Plan:
    if options.example:
        inputs = inputs.of_example()
        note(f"--example is short for {inputs.spelled_out()}")
    metrics = metrics_of_option(options.metrics or inputs.usual_metrics())
    if not any(metric.uses_references for metric in metrics):
        inputs = inputs.without_references()
    check_inputs(inputs, needs_of(metrics))
    clean_levels = _read_clean_levels(options.clean or [], inputs.group_columns)
    group_order = _read_group_order(options.group_order or [], inputs.group_columns)
    _require_printable(options, inputs.groups, len(metrics))
    views = _find_views(options, inputs.sources.columns)
    tests = read_test_names(options.tests) if options.tests is not None else []
    statistics = _read_statistics(options, tests)
    printout = Printout(
        output=options.output,
        clean_levels=clean_levels,
        group_order=group_order,
        most_confusions=options.confusions,
        tests=tests,
        name=options.name,
        caption=options.caption,
        label=options.label,
        all_notes=options.notes,
        raw_csv=options.raw_csv,
        width=options.width,
    )
    return _Plan(inputs, options, metrics, views, statistics, printout)


def _find_views(options: ScoreOptions, columns: TableColumns | None) -> Sequence[Any]:
    """Views that were asked for, and those of what the table says that a reading took."""
    from misread.sockets import get_views

    parts = [f"parts(steps={steps.replace(',', '+')})" for steps in options.decompose or ()]
    listed = [
        *(options.view or []),
        *parts,
        *(_VIEWS_OF_MEASURED[name] for name in (columns.measured if columns else ())),
    ]
    for view_name in listed:
        use_own_module(bare_name(view_name))
    return get_views(list(dict.fromkeys(listed)), where=setting("view"))


def _read_statistics(options: ScoreOptions, tests: Sequence[PairedTest]) -> StatisticsSettings:
    from misread.stats import StatisticsSettings

    settings = StatisticsSettings(
        **deciding_tests_for(options.runs),
        seed=options.seed,
        confidence=options.confidence,
        resamples=options.resamples,
        margin=options.margin,
        pairs=options.pairs.value,
    )
    if options.tests is not None:
        # The test that decides is always made.
        return replace(settings, tests=list(dict.fromkeys([*tests, settings.deciding_test])))
    if options.output is not Output.JSON and options.run_dir is None:
        # No other is shown, and what they are made of takes longer to load than all else.
        return replace(settings, tests=[settings.deciding_test])
    return settings


def _evaluate(plan: _Plan, table: SegmentTable) -> Evaluation:
    from misread.evaluation import evaluate_table

    systems = len(table.hypotheses)
    family = plan.statistics.family_size(systems)
    if family > MANY_PAIRS and plan.options.pairs is TestedPairs.ALL:
        note(f"note: {systems:,} systems make {family:,} pairs; --pairs baseline tests those with the baseline alone.")
    with catch_warnings():
        simplefilter("ignore", PairingWarning)
        evaluation = evaluate_table(
            table,
            metrics=plan.metrics,
            normalizer=plan.inputs.chosen_normalizer,
            missing=cast("MissingPolicy", plan.inputs.missing),
            pairing=plan.options.pairing.value,
            statistics=plan.statistics,
            baseline=plan.options.baseline,
        )
    groups = evaluation.result.groups
    for column, level in plan.printout.clean_levels.items():
        check_choice("level", level, groups[column], where=f"group column {column!r}")
    for column, levels in plan.printout.group_order.items():
        if unknown := [level for level in levels if level not in groups[column]]:
            raise UnknownNameError("level", unknown[0], groups[column], where=setting("group_order", column))
    return evaluation


@contextmanager
def _warning_of(evaluations: Sequence[Evaluation]) -> Iterator[None]:
    """Print, and then warn of pairings and of the texts as they were read; counts have their notes below tables."""
    try:
        yield
    finally:
        # Who reads no more is told at the end.
        with suppress(BrokenPipeError):
            sys.stdout.flush()
        faults = (fault for evaluation in evaluations for entries in evaluation.pairing.values() for fault in entries)
        for sentence in dict.fromkeys(fault.sentence for fault in faults):
            warn(sentence)
        warn_of_notes(entry.texts.origin for evaluation in evaluations for entry in evaluation.scored.values())


def _print(plan: _Plan, evaluations: Mapping[str, Evaluation]) -> None:
    """Print the result, or one table for each metric with those under several normalizers, by their names."""
    from misread.sockets.sections import REPORTS

    options, evaluation = plan.options, next(iter(evaluations.values()))
    scored, report = evaluation.scored, options.report
    printout = replace(
        plan.printout,
        metrics=evaluation.metrics,
        groups=list(next(iter(scored.values())).texts.segments.groups) if plan.inputs.groups else [],
        confused={name: entry.confusions for name, entry in scored.items()} if options.confusions else {},
        views={view.name or view.id: evaluation.lay_out_view(view, options.name) for view in plan.views},
        normalizers={name: entry.result for name, entry in evaluations.items()} if len(evaluations) > 1 else {},
        reports={report.value: REPORTS[report.value].load()(scored)} if report else {},
        said={sentence for entry in scored.values() for sentence in entry.texts.origin.facts.sentences},
    )
    if options.run_dir is not None:
        _write_run(options.run_dir, plan, evaluation)
    print_result(evaluation.result, printout)


def _write_run(folder: Path, plan: _Plan, evaluation: Evaluation) -> None:
    """Write the folder of a run, with what was chosen."""
    from misread.pipeline.run_folder import write_run

    config = {
        **plan.inputs.facts(),
        "pairing": plan.options.pairing.value,
        "metrics": [metric.name or metric.id for metric in plan.metrics],
        "baseline": evaluation.result.baseline,
        "statistics": asdict(plan.statistics),
    }
    scores = {system: entry.scores for system, entry in evaluation.scored.items()}
    write_run(folder, config=config, scores=scores, metrics=plan.metrics, summary=evaluation.result)


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
            f"{setting(option)} {entry!r}: {column!r} is no column of {setting('groups')}; add "
            f"{setting('groups', column)}."
        )


def _require_printable(options: ScoreOptions, groups: Sequence[str] | None, metrics: int) -> None:
    """Refuse what the output has no place for, and words of one table where there are several."""
    report, output, raw_csv, label = options.report, options.output, options.raw_csv, options.label
    is_whole_csv = report is Report.EVALUATION_LINES and output is Output.CSV
    further = [*(["groups"] if groups else []), *(name for name in _FURTHER if getattr(options, name))]
    if output is Output.EVAL_RESULTS and further:
        raise ConfigurationError(f"{setting(further[0])} is for tables, not for {setting('output', output)}.")
    if report and output not in (Output.TABLE, Output.JSON) and not is_whole_csv:
        raise ConfigurationError(
            f"{setting('report')} is printed with {setting('output', 'table')} or json, not with {output}."
        )
    if raw_csv and is_whole_csv:
        raise ConfigurationError(f"{setting('raw_csv')} is for rates and views, not for {setting('report')}.")
    if raw_csv and output is not Output.CSV:
        raise ConfigurationError(f"{setting('raw_csv')} is for {setting('output', 'csv')}, not for {output}.")
    for option, text in (("name", options.name), ("caption", options.caption), ("label", label)):
        if text and output in (Output.JSON, Output.CSV):
            raise ConfigurationError(f"{setting(option)} is for tables, not for {setting('output', output.value)}.")
        if text and option != "name" and metrics > 1:
            raise ConfigurationError(f"{setting(option)} is for one table; name one metric with {setting('metrics')}.")
    if label and output is not Output.LATEX:
        raise ConfigurationError(f"{setting('label')} is for {setting('output', 'latex')}, not for {output}.")
    if label and not _LABEL.fullmatch(label):
        raise ConfigurationError(
            f"{setting('label')} {label!r}: expected letters, digits and the signs : . _ + / - alone."
        )
