"""`misread capture`: capture one system again, in the project's folder."""

from typing import Annotated

import typer

from misread.io.checks.choices import check_choice


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
    if dry_run:
        from misread.pipeline.capture_plan import plan_capture
        from misread.pipeline.capture_tally import lay_out_facts

        plan = plan_capture(params, dataset, system, retry_failed=retry_failed)
        write_out(lay_out_facts(plan.title, plan.facts()))
        return
    run_stage(dataset, system, retry_failed=retry_failed, quiet=quiet)
    if retry_failed:
        write_out(f"to use it: dvc commit --force stages/captures/dvc.yaml:capture@{dataset}-{system} && dvc repro")
