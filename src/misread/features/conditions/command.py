"""`misread capture --probe`: ask a sample of segments at several concurrencies, and say what depends on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from misread.features.conditions.probe import evaluate_probe
from misread.features.conditions.readings import REPEATS, Sample, draw_sample, read_sample
from misread.features.conditions.table import lay_out_probe
from misread.io.console import note, write_out
from misread.pipeline.capture_plan import plan_capture
from misread.pipeline.capture_tally import lay_out_facts
from misread.tables.terminal.output import make_console, print_json
from misread.text.nouns import list_in_words

if TYPE_CHECKING:
    from misread.pipeline.params import Params


def probe_conditions(
    params: Params,
    dataset: str,
    system: str,
    *,
    concurrencies: Sequence[int],
    sample: int,
    seed: int,
    dry_run: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Say what the probe asks and costs; unless it is a dry run, ask, and print a table and a sentence, or JSON."""
    drawn = draw_sample(params, dataset, system, concurrencies=concurrencies, size=sample, seed=seed)
    plan = _plan(params, dataset, drawn)
    if dry_run:
        write_out(plan)
        return
    if not quiet:
        note(plan)
    probe = evaluate_probe(params, dataset, drawn, read_sample(params, dataset, drawn, quiet=quiet))
    if as_json:
        print_json(probe)
        return
    from misread.tables.render.terminal import print_table

    print_table(lay_out_probe(probe, params.report()), make_console())


def _plan(params: Params, dataset: str, sample: Sample) -> str:
    """Number of questions and what they cost."""
    times = len(sample.concurrencies) * REPEATS
    plan = plan_capture(params, dataset, sample.system, further=list(sample.segments.references) * times)
    at = list_in_words([str(concurrency) for concurrency in sample.concurrencies])
    facts = [
        ("segments", f"{len(sample.segments):,} of {sample.whole:,}, read twice at each concurrency ({at})"),
        ("requests", f"{sample.requests:,}"),
        *plan.cost_facts(),
    ]
    return lay_out_facts(f"probe of {sample.system} on {dataset}", facts)
