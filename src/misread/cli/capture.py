"""`misread capture`: capture one system again, in the project's folder, or probe it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final, Literal

import typer

from misread.cli.options import split_list
from misread.errors import ConfigurationError
from misread.io.checks.choices import check_choice
from misread.sockets.plug import Plug

_CONCURRENCIES: Final = "1,4,16"
_SAMPLE: Final = 250
_SEED: Final = 1


def capture(
    dataset: Annotated[str, typer.Argument(help="Id of the data set in params.yaml.")],
    system: Annotated[str, typer.Argument(help="Id of the system in params.yaml.")],
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Read again the segments whose reading failed.")
    ] = False,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say how many segments would be read, and what that costs; read nothing."),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="No progress and no summary, only warnings and errors, for logs.")
    ] = False,
    probe: Annotated[
        bool,
        typer.Option(
            "--probe",
            help="Capture nothing: read a sample twice at each of several concurrencies, and say whether texts, rate "
            "and verdict depend on them.",
        ),
    ] = False,
    concurrencies: Annotated[str, typer.Option(help="Concurrencies of --probe, joined by commas.")] = _CONCURRENCIES,
    sample: Annotated[int, typer.Option(min=1, help="Number of segments that --probe draws.")] = _SAMPLE,
    seed: Annotated[int, typer.Option(min=0, help="Seed of what --probe draws and shuffles.")] = _SEED,
    output: Annotated[Literal["table", "json"], typer.Option(help="How --probe prints its result.")] = "table",
) -> None:
    """Capture one system on one data set.

    It does what the pipeline's stage does, and does not read again what was read before.

    After --retry-failed, `dvc commit` makes the new capture the one of the pipeline, and `dvc repro` goes on from it.
    """
    from misread.io.console import write_out
    from misread.pipeline.params import PARAMS_FILE, load_params
    from misread.pipeline.stages.capture import capture as run_stage

    params = load_params()
    check_choice("dataset", dataset, params.datasets, where=str(PARAMS_FILE))
    check_choice("system", system, params.systems, where=str(PARAMS_FILE))
    if probe:
        if retry_failed:
            raise ConfigurationError("--probe captures nothing; leave --retry-failed out.")
        Plug("misread.features.conditions.command", "probe_conditions").load()(
            params,
            dataset,
            system,
            concurrencies=_read_concurrencies(concurrencies),
            sample=sample,
            seed=seed,
            dry_run=dry_run,
            quiet=quiet,
            as_json=output == "json",
        )
        return
    if (concurrencies, sample, seed, output) != (_CONCURRENCIES, _SAMPLE, _SEED, "table"):
        raise ConfigurationError(
            "--concurrencies, --sample, --seed and --output are of --probe; a capture is made at the setting "
            f"concurrency of systems.{system}."
        )
    if dry_run:
        from misread.pipeline.capture_plan import plan_capture
        from misread.pipeline.capture_tally import lay_out_facts

        plan = plan_capture(params, dataset, system, retry_failed=retry_failed)
        write_out(lay_out_facts(plan.title, plan.facts()))
        return
    run_stage(dataset, system, retry_failed=retry_failed, quiet=quiet)
    if retry_failed:
        write_out(f"to use it: dvc commit --force stages/captures/dvc.yaml:capture@{dataset}-{system} && dvc repro")


def _read_concurrencies(text: str) -> Sequence[int]:
    """Concurrencies in ascending order; the lowest is what the others are compared with."""
    words = split_list(text, option="--concurrencies")
    if not all(word.isascii() and word.isdecimal() and int(word) for word in words) or len(words) < 2:
        raise ConfigurationError(
            f"--concurrencies is {text}, expected two or more whole numbers from 1 on, as in 1,4,16."
        )
    return sorted(map(int, words))
