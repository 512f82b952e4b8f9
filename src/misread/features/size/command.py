"""How many clusters and runs a difference needs: `misread plan size`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from misread.cli.input_reading import read_inputs
from misread.cli.inputs import Inputs
from misread.cli.option_records import takes_records
from misread.cli.options import OneMetric, Width, metric_of_option, split_list
from misread.cli.texts_to_compare import print_listings
from misread.errors import ConfigurationError, UndefinedResultError, UnknownNameError, setting
from misread.tables.terminal.output import print_json
from misread.text.nouns import count_of, plural

if TYPE_CHECKING:
    from misread.features.size.layout import Wanted
    from misread.stats import Variances
    from misread.stats.compare.settings import RunsRule
    from misread.stats.design.run_design import Design


FEWEST_UNITS = 3
"""Two clusters of a pilot show no more than one difference between them."""


@takes_records(without=("groups",))
def plan_size(
    inputs: Inputs,
    difference: Annotated[
        float | None,
        typer.Option(help="Smallest true difference of rates that is to be found (0.002: a fifth of a point)."),
    ] = None,
    target_width: Annotated[
        float | None, typer.Option(help="Instead: wanted width of the interval of the difference (0.01: a point).")
    ] = None,
    metrics: OneMetric = "cer",
    systems: Annotated[str | None, typer.Option(help="The two systems, joined by a comma, if there are more.")] = None,
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
    output: Annotated[Literal["table", "json"], typer.Option(help="How to print.")] = "table",
    width: Width = None,
) -> None:
    r"""Plan how many clusters and runs show a difference.

    It computes numbers from a pilot of two systems, or from standard deviations: for a number of clusters
    that is fixed beforehand, and for checking them one by one until it is decided.

    For instance:

    \b
      misread plan size --table pilot.csv --ref text --hyp a=a1 --run a=a2 --hyp b=b1 --run b=b2 --cluster page \
        --difference 0.005
      misread plan size gold/ a/ b/ --cluster '^([^/]+)/' --difference 0.01
      misread plan size --target-width 0.01 --cluster-deviation 0.04
    """
    from misread.features.size.layout import Wanted, lay_out_plans
    from misread.features.size.plans import make_plans
    from misread.io.checks.choices import check_choice
    from misread.stats.compare.settings import RunsRule

    check_choice("rule for runs", runs, RunsRule, where=setting("runs"))
    if (difference is None) == (target_width is None):
        raise ConfigurationError(
            f"give either {setting('difference')}, the smallest to be found, or {setting('target_width')}."
        )
    wanted = Wanted(difference=difference, width=target_width, alpha=alpha, power=power)
    pilot = _read_pilot(
        inputs, metrics, systems, cast("RunsRule", runs), alpha, (cluster_deviation, run_deviation, residual_deviation)
    )
    variances, notes = pilot.variances, pilot.notes
    designs = _find_designs(pilot, wanted, most_runs)
    plans = make_plans(variances, designs, difference=difference, width=target_width, alpha=alpha)
    notes += _count_further(pilot, designs[0])
    if output == "json":
        print_json({"variances": variances, "plans": plans, "notes": notes})
        return
    table = lay_out_plans(
        plans, variances, wanted, unit=pilot.unit, segments_of_unit=pilot.segments_of_unit, notes=notes
    )
    print_listings([table], as_csv=False, width=width)


@dataclass(frozen=True)
class _Pilot:
    """Prior knowledge for a plan."""

    unit: str
    variances: Variances
    notes: list[str]
    segments_of_unit: float | None = None
    units: int | None = None  # that it has; None without texts


def _find_designs(pilot: _Pilot, wanted: Wanted, most_runs: int) -> list[Design]:
    """For each number of runs, the smallest number of clusters that does."""
    from misread.stats import plan_designs, plan_widths

    variances, difference, width = pilot.variances, wanted.difference, wanted.width
    # Where runs do not differ, or nothing is known of it, more of them are the same plan.
    numbers = range(1, most_runs + 1) if variances.runs + variances.residual > 0 else range(1, 2)
    options = {"runs": numbers, "alpha": wanted.alpha, "power": wanted.power}
    if width is not None:
        designs = plan_widths(variances, width, **options)  # type: ignore[arg-type]
    else:
        designs = plan_designs(variances, cast("float", difference), **options)  # type: ignore[arg-type]
    if not designs:
        goal = f"shows a difference of {difference:g}" if difference else f"makes an interval {width:g} wide"
        reason = (
            f" with up to {most_runs} runs: runs differ too much. Allow more runs "
            f"({setting('most_runs')}), or ask for less."
            if variances.runs > 0
            else ": more than a thousand million would be needed; ask for less."
        )
        raise UndefinedResultError(f"no number of {plural(pilot.unit)} {goal}{reason}")
    return designs


def _count_further(pilot: _Pilot, design: Design) -> list[str]:
    """A sentence on how many clusters there are in addition to those of the pilot, with the fewest runs."""
    if pilot.units is None:
        return []
    further = design.clusters - pilot.units
    runs = "" if design.runs == 1 else f" in {design.runs} runs"
    has = f"The pilot has {count_of(pilot.units, pilot.unit)}"
    return [f"{has}; {further:,} more would do{runs}." if further > 0 else f"{has}, which are enough{runs}."]


def _read_pilot(
    inputs: Inputs,
    metrics: str,
    systems: str | None,
    rule: RunsRule,
    alpha: float,
    deviations: tuple[float | None, float, float],
) -> _Pilot:
    """The pilot, or the standard deviations in its place."""
    clusters, runs, residual = deviations
    if inputs.are_given:
        if clusters is not None:
            raise ConfigurationError(
                f"{setting('cluster_deviation')} is in place of a pilot; leave it out if you give texts."
            )
        return _pilot_of_texts(inputs, metrics, systems, rule, alpha)
    inputs.require_none()
    if clusters is None:
        raise ConfigurationError(
            f"give a pilot, as for `misread score`, or {setting('cluster_deviation')} (and {setting('run_deviation')}, "
            f"{setting('residual_deviation')})."
        )
    return _Pilot("cluster", _variances_of_options(clusters, runs, residual), [])


def _variances_of_options(clusters: float, runs: float, residual: float) -> Variances:
    from misread.io.json_files import LARGEST
    from misread.stats import Variances

    for name, value in (("cluster", clusters), ("run", runs), ("residual", residual)):
        if not 0 <= value <= LARGEST:
            raise ConfigurationError(
                f"{setting(f'{name}_deviation')} is {value:g}, expected 0 or more, up to {LARGEST:g}."
            )
    return Variances(clusters=clusters**2, runs=runs**2, residual=residual**2)


def _pilot_of_texts(inputs: Inputs, metrics: str, systems: str | None, rule: RunsRule, alpha: float) -> _Pilot:
    """The variances of two systems, and notes about them."""
    from misread.evaluation import score_captures
    from misread.io.console import warn_of_notes
    from misread.stats import difference_variances, run_effect_test, share_segments
    from misread.stats.compare.repeated_runs import MOST_PERMUTATIONS, counts_by_unit

    chosen = metric_of_option(metrics)
    scored = score_captures(
        read_inputs(inputs, [chosen]).captures(), inputs.chosen_normalizer, [chosen], missing=inputs.missing
    )
    names = split_list(systems, option=setting("systems")) or list(scored)
    for name in names:
        if name not in scored:
            raise UnknownNameError("system", name, scored, where=setting("systems"))
    if len(names) != 2:
        raise ConfigurationError(
            f"a plan is for two systems, and there {'is' if len(names) == 1 else 'are'} {', '.join(names)}; name two "
            f"with {setting('systems')}."
        )
    # Of the texts as they were read, as `misread score` does.
    warn_of_notes(scored_system.texts.origin for scored_system in scored.values())
    shared = share_segments({name: scored[name].scores for name in names})
    baseline, system = names
    if shared.units < FEWEST_UNITS:
        raise UndefinedResultError(
            f"a plan needs at least {FEWEST_UNITS} {plural(shared.resampling_unit)} to see how they vary; got "
            f"{shared.units}."
        )
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
    segments = None if shared.clusters is None else len(shared.keys) / shared.units
    return _Pilot(unit, variances, notes, segments, shared.units)
