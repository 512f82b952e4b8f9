"""`misread regimes`: rates and ranks under every regime."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from misread.cli.input_reading import read_inputs
from misread.cli.inputs import Inputs
from misread.cli.option_records import takes_records
from misread.cli.options import RawCsv, Width, split_list
from misread.errors import ConfigurationError, UndefinedResultError, UnknownNameError, setting
from misread.evaluation.score_text import Output, print_table_as
from misread.io.console import warn, warn_of_notes
from misread.io.json_files import to_plain

if TYPE_CHECKING:
    from misread.features.regimes.regime import Regime
    from misread.features.regimes.schema import RegimesResult
    from misread.pipeline.params import Params
    from misread.stats import StatisticsSettings


@takes_records(without=("normalizer", "missing", "groups", "annotations"))
def regimes(
    inputs: Inputs,
    chosen: Annotated[
        str | None,
        typer.Option(
            "--regimes",
            help="Ids of regimes (`misread list regimes`), joined by commas; else those of the project, or all.",
        ),
    ] = None,
    dataset: Annotated[str | None, typer.Option(help="Id of the data set; needed where there are several.")] = None,
    baseline: Annotated[str | None, typer.Option(help="System to compare with; else the first.")] = None,
    resamples: Annotated[int, typer.Option(help="Bootstrap samples.")] = 9999,
    confidence: Annotated[float, typer.Option(help="Coverage of intervals.")] = 0.95,
    seed: Annotated[int, typer.Option(help="Seed of the bootstrap; part of the signature.")] = 1,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TABLE,
    width: Width = None,
    raw_csv: RawCsv = False,
) -> None:
    r"""Score by the rules of other tools, and compare ranks.

    It names what depends on the choice of a tool. Give texts as for `misread score`; without any, it takes the captures
    of the project, with its regimes and its settings of statistics. A regime brings its own normalizer and its
    own policy for missing outputs.

    For instance:

    \b
      misread regimes gold/ tesseract/ kraken/ --regimes misread,dinglehopper,isri
      misread regimes --table lines.csv --ref text --hyp a=tesseract --hyp b=kraken --cluster page
      misread regimes --dataset das22

    Ends with status 0 even if the winner depends on the regime.
    """
    from misread.features.regimes.regime import read_regimes

    if raw_csv and output is not Output.CSV:
        raise ConfigurationError(f"{setting('raw_csv')} is for {setting('output', 'csv')}, not for {output}.")
    names = split_list(chosen, option=setting("chosen"))
    if inputs.are_given:
        if dataset:
            raise ConfigurationError(
                f"{setting('dataset')} chooses among stored outputs; leave it out if you give texts of your own."
            )
        from misread.stats import StatisticsSettings

        settings = StatisticsSettings(seed=seed, confidence=confidence, resamples=resamples)
        result = _of_texts(inputs, read_regimes(names), settings, baseline)
    else:
        inputs.require_none()
        result = _of_project(names, dataset, baseline)
    print_regimes(result, output, width=width, raw_csv=raw_csv)


def _of_texts(
    inputs: Inputs, regimes: list[Regime], settings: StatisticsSettings, baseline: str | None
) -> RegimesResult:
    from misread.features.regimes.comparison import compare_regimes

    table = read_inputs(inputs, scored=False)
    captures = table.captures()
    if baseline is not None and baseline not in captures:
        raise UnknownNameError("system", baseline, captures, where=setting("baseline"))
    warn_of_notes(capture.origin for capture in captures.values())
    return compare_regimes(
        captures,
        regimes,
        settings,
        dataset=table.name,
        baseline=baseline or next(iter(captures)),
    )


def _of_project(names: list[str], dataset: str | None, baseline: str | None) -> RegimesResult:
    from misread.features.regimes.comparison import compare_regimes
    from misread.pipeline import paths
    from misread.pipeline.params import load_params
    from misread.storage import read_capture

    params = load_params()
    dataset = params.choose_dataset(dataset)
    if baseline is not None and baseline not in params.systems:
        raise UnknownNameError("system", baseline, params.systems, where=setting("baseline"))
    captures = {system: read_capture(paths.capture(dataset, system)) for system in params.systems}
    return compare_regimes(
        captures,
        _choose(params, names),
        params.statistics(),
        dataset=dataset,
        baseline=baseline or params.baseline,
    )


def _choose(params: Params, names: list[str]) -> list[Regime]:
    """Regimes of the project by name or, where it has none of that id, those that misread brings."""
    from misread.features.regimes.regime import RegimeSection, read_regimes, regime_names

    own = {regime.id: regime for regime in RegimeSection().read(params)}
    if not names:
        return list(own.values()) or read_regimes()
    for name in names:
        if name not in own and name not in regime_names():
            known = [*own, *regime_names()]
            raise UnknownNameError("regime", name, known, where=setting("chosen"), catalogue="regimes")
    return [own[name] if name in own else read_regimes([name])[0] for name in names]


def print_regimes(result: RegimesResult, output: Output, *, width: int | None, raw_csv: bool) -> None:
    """Print rates and ranks; JSON has verdicts and changes, too. CSV, which cannot have notes, warns of changes."""
    from misread.features.regimes.schema import describe_changes, describe_winners
    from misread.features.regimes.table import lay_out_regimes
    from misread.tables import ReportSettings

    if not result.scores:
        raise UndefinedResultError(describe_winners(result)[0])
    changes = describe_changes(result)
    table = lay_out_regimes(result, ReportSettings(["cer"]))
    print_table_as(output, table, {**to_plain(result), "changes": changes}, width=width, raw_csv=raw_csv)
    for sentence in changes if output is Output.CSV else ():
        warn(sentence)
