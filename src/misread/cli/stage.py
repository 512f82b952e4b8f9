"""`misread stage`: run one stage of the pipeline."""

import inspect
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from misread.errors import UnknownNameError
from misread.io.checks.choices import check_choice


def stage(
    name: Annotated[str, typer.Argument(help="Name of the stage, such as score, or all.")],
    ids: Annotated[list[str] | None, typer.Argument(help="Ids in params.yaml, as the stage takes them.")] = None,
) -> None:
    r"""Run one stage in the project's folder.

    This is what `python stages/NAME.py` does, for the dvc.yaml of a study in which only the package is installed:

    \b
        misread stage check
        misread stage segments DATASET
        misread stage capture DATASET SYSTEM
        misread stage normalize DATASET
        misread stage judge DATASET JUDGE
        misread stage score DATASET
        misread stage sensitivity DATASET
        misread stage compare DATASET
        misread stage report
        misread stage all

    The last runs every stage of dvc.yaml, without DVC and skipping none; readings of engines come from build/journal.
    """
    # Of the allocators of Arrow, that of the C library alone gives back what was freed when it is asked to; jemalloc
    # does after a second. Arrow reads this when it is loaded.
    if sys.platform == "linux":
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    from misread.io.console import check_number_of_ids
    from misread.pipeline.params import PARAMS_FILE, load_params
    from misread.pipeline.stages import STAGES
    from misread.provenance.environment import unchanged_process
    from misread.study.template import check_version

    check_version(Path())
    if name not in STAGES:
        raise UnknownNameError("stage", name, sorted(STAGES))
    main = import_module(STAGES[name]).main
    entry_ids = ids or []
    check_number_of_ids(main, entry_ids, command=f"misread stage {name}")
    params = load_params()
    # DVC takes ids from params.yaml; people may mistype them.
    for parameter, entry_id in zip(inspect.signature(main).parameters, entry_ids, strict=True):
        kind = parameter.removesuffix("_id")
        listed = params.systems if kind == "system" else params.ids(f"{kind}s")
        check_choice(kind, entry_id, listed, where=str(PARAMS_FILE))
    with unchanged_process(f"the code that stage {name} runs"):
        main(*entry_ids)
