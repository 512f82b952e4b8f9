"""How many segments a difference of a given size needs: `misread plan size`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, cast

import typer

from misread.cli.inputs import Inputs, takes_inputs
from misread.cli.options import OneMetric, Width, metric_of_option
from misread.errors import ConfigurationError, UndefinedResultError, UnknownNameError
from misread.stats.results import in_points
from misread.tables import Cell, Column, Table
from misread.tables.table import ColumnKind
from misread.tables.terminal.output import print_json
from misread.text.nouns import plural

if TYPE_CHECKING:
    from misread.stats import Design, Variances
    from misread.stats.compare.settings import RunsRule


class Output(StrEnum):
    """How results are printed."""

    TABLE = "table"
    JSON = "json"


@takes_inputs
def plan_size(
    difference: Annotated[
        float, typer.Option(help="Smallest true difference of rates that is to be found (0.002: a fifth of a point).")
    ],
    inputs: Inputs,
    metrics: OneMetric = "cer",
    systems: Annotated[str | None, typer.Option(help="The two systems, joined by a comma, if there are more.")] = None,
    cluster_price: Annotated[float, typer.Option(help="Price of a cluster: having one more page transcribed.")] = 1.0,
    reading_price: Annotated[
        float, typer.Option(help="Price of having a cluster read once more, by both systems.")
    ] = 0.0,
    most_runs: Annotated[int, typer.Option(min=1, max=10_000, help="Largest number of runs to consider.")] = 10,
    runs: Annotated[
        str, typer.Option(help="averaged: runs share no effect; crossed: they may, and more than one is needed.")
    ] = "averaged",
    power: Annotated[float, typer.Option(help="Probability of finding the difference.")] = 0.8,
    alpha: Annotated[float, typer.Option(help="Level of the test; for several pairs, over their number.")] = 0.05,
    cluster_deviation: Annotated[
        float | None,
        typer.Option(help="Without texts: standard deviation between clusters of what one adds to the difference."),
    ] = None,
    run_deviation: Annotated[
        float, typer.Option(help="Without texts: standard deviation between runs, the same in all clusters.")
    ] = 0.0,
    residual_deviation: Annotated[
        float, typer.Option(help="Without texts: standard deviation of one cluster in one run.")
    ] = 0.0,
    output: Annotated[Output, typer.Option(help="How to print.")] = Output.TABLE,
    width: Width = None,
) -> None:
    r"""Plan how many clusters and runs show a difference.

    It computes numbers and prices from a pilot of two systems, or from standard deviations.

    For instance:

    \b
      misread plan size --table pilot.csv --ref text --hyp a=a1 --run a=a2 --hyp b=b1 --run b=b2 --cluster page \
        --difference 0.005 --cluster-price 4 --reading-price 0.02
      misread plan size gold/ a/ b/ --cluster '^([^/]+)/' --difference 0.01
      misread plan size --difference 0.005 --cluster-deviation 0.04 --residual-deviation 0.02 --reading-price 0.1
    """
    from misread.io.checks.choices import check_choice
    from misread.stats import Prices, plan_designs
    from misread.stats.compare.settings import RunsRule

    check_choice("rule for runs", runs, RunsRule, where="--runs")
    rule = cast("RunsRule", runs)
    prices = Prices(cluster=cluster_price, reading=reading_price)
    if inputs.are_given:
        if cluster_deviation is not None:
            raise ConfigurationError("--cluster-deviation stands in for a pilot; leave it out if you give texts.")
        unit, variances, notes = _variances_of_pilot(inputs, metrics, systems, rule, alpha)
    else:
        inputs.require_none()
        if cluster_deviation is None:
            raise ConfigurationError(
                "give a pilot, as for `misread score`, or --cluster-deviation (and --run-deviation, "
                "--residual-deviation)."
            )
        unit, variances, notes = (
            "cluster",
            _variances_of_options(cluster_deviation, run_deviation, residual_deviation),
            [],
        )
    designs = plan_designs(variances, difference, prices=prices, runs=range(1, most_runs + 1), alpha=alpha, power=power)
    if not designs:
        raise UndefinedResultError(
            f"no number of {plural(unit)} shows a difference of {difference:g} with up to {most_runs} runs: "
            "runs differ too "
            "much. Allow more runs (--most-runs), or look for a larger difference."
        )
    best = min(designs, key=lambda design: design.price)
    if reading_price == 0 and best.runs > 1:
        notes.append("Reading is free here, so more runs never cost more: give its price with --reading-price.")
    if output is Output.JSON:
        print_json({"variances": variances, "designs": designs, "cheapest": best, "notes": notes})
        return
    from misread.tables.render.terminal import print_table
    from misread.tables.terminal.output import make_console

    table = lay_out_plan(variances, designs, best, difference, unit=unit, alpha=alpha, power=power, notes=notes)
    print_table(table, make_console(width))


def _variances_of_options(clusters: float, runs: float, residual: float) -> Variances:
    from misread.io.checks.numbers import LARGEST
    from misread.stats import Variances

    for name, value in (("cluster", clusters), ("run", runs), ("residual", residual)):
        if not 0 <= value <= LARGEST:
            raise ConfigurationError(f"--{name}-deviation is {value:g}, expected 0 or more, up to {LARGEST:g}.")
    return Variances(clusters=clusters**2, runs=runs**2, residual=residual**2)


def _variances_of_pilot(
    inputs: Inputs, metrics: str, systems: str | None, rule: RunsRule, alpha: float
) -> tuple[str, Variances, list[str]]:
    """Kind of cluster, the variances, and notes about them."""
    from misread.cli.options import split_list
    from misread.evaluation import score_captures
    from misread.io.console import warn_of_notes
    from misread.stats import difference_variances, run_effect_test, share_segments
    from misread.stats.compare.repeated_runs import MOST_PERMUTATIONS, counts_by_unit

    chosen = metric_of_option(metrics)
    scored = score_captures(
        inputs.read([chosen]).captures(), inputs.chosen_normalizer, [chosen], missing=inputs.missing
    )
    names = split_list(systems, option="--systems") or list(scored)
    for name in names:
        if name not in scored:
            raise UnknownNameError("system", name, scored, where="--systems")
    if len(names) != 2:
        raise ConfigurationError(
            f"a plan is for two systems, and there {'is' if len(names) == 1 else 'are'} {', '.join(names)}; name two "
            "with --systems."
        )
    warn_of_notes(scored_system.scores.origin for scored_system in scored.values())
    shared = share_segments({name: scored[name].scores for name in names})
    baseline, system = names
    variances = difference_variances(shared, chosen, baseline, system, rule=rule)
    unit = shared.resampling_unit
    notes = []
    if once := [name for name in names if name not in shared.runs]:
        notes.append(
            f"Read once: {', '.join(once)}. What further runs would add is unknown, and counts as variance between "
            f"{plural(unit)}."
        )
    for name in names:
        if name in shared.runs and rule == "averaged":
            counts = counts_by_unit(shared, name, chosen)
            effect = run_effect_test(counts, chosen.rate, resamples=MOST_PERMUTATIONS, seed=1, unit=unit)
            if effect.pvalue < alpha:
                notes.append(f"The runs of {name} share an effect (p = {effect.pvalue:.3g}): plan with --runs crossed.")
    return unit, variances, notes


def lay_out_plan(
    variances: Variances,
    designs: Sequence[Design],
    best: Design,
    difference: float,
    *,
    unit: str,
    alpha: float,
    power: float,
    notes: Sequence[str],
) -> Table:
    """One row per number of runs; the cheapest design is bold and named in a note."""

    def design_column(title: str, show: Callable[[Design], str], keep: int = 2, kind: ColumnKind = "number") -> Column:
        return Column(title, show=lambda row: Cell(show(row), is_bold=row is best), kind=kind, keep=keep)

    deviations = (math.sqrt(variance) for variance in (variances.clusters, variances.runs, variances.residual))
    shown = [in_points(deviation) for deviation in deviations]
    runs = "1 run" if best.runs == 1 else f"{best.runs:,} runs"
    return Table(
        caption=f"Designs that show a difference of {in_points(abs(difference))} with a probability of {power:.0%}.",
        columns=[
            design_column("runs", lambda design: f"{design.runs:,}", 5),
            design_column(f"{plural(unit)}", lambda design: f"{design.clusters:,}", 5),
            design_column("price", lambda design: f"{design.price:,.2f}", 4),
            design_column(
                "shows points", lambda design: in_points(design.detectable).removesuffix(" points"), kind="decimal"
            ),
        ],
        rows=designs,
        notes=[
            f"Cheapest: {best.clusters:,} {plural(unit)} in {runs} of each system, at {best.price:,.2f}.",
            f"Standard deviations of the difference: {shown[0]} between {plural(unit)}, {shown[1]} between "
            f"runs, {shown[2]} "
            f"of one {unit} in one run. Two-sided test at {alpha:g}.",
            *notes,
        ],
    )
