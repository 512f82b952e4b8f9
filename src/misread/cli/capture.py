"""`misread capture`: capture one system again, in the project's folder."""

from __future__ import annotations

from typing import Annotated

import typer

from misread.checks.choices import check_choice


def capture(
    dataset: Annotated[str, typer.Argument(help="Id of the data set in params.yaml.")],
    system: Annotated[str, typer.Argument(help="Id of the system in params.yaml.")],
    retry_failed: Annotated[
        bool, typer.Option("--retry-failed", help="Read those segments again whose reading failed.")
    ] = False,
) -> None:
    """Capture one system on one data set, as the pipeline's stage does; what was read before is not read again.

    After --retry-failed, `dvc commit` makes the new capture the one of the pipeline, and `dvc repro` goes on from it.
    """
    from misread.pipeline.console import write_out
    from misread.pipeline.params import PARAMS_FILE, load_params
    from misread.pipeline.stages.capture import capture as run_stage

    params = load_params()
    check_choice("dataset", dataset, params.datasets, where=str(PARAMS_FILE))
    check_choice("system", system, params.systems, where=str(PARAMS_FILE))
    run_stage(dataset, system, retry_failed=retry_failed)
    if retry_failed:
        write_out(f"to use it: dvc commit --force captures/dvc.yaml:capture@{dataset}-{system} && dvc repro")
