"""`misread compose`: write params.yaml from conf/, as DVC would."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from misread.io.console import write_out
from misread.pipeline.composition import CONF, RECORD, compose_text, recorded_overrides, require_equal


def compose(
    overrides: Annotated[
        list[str] | None,
        typer.Argument(help="Hydra overrides, such as '+experiment=das22' or 'systems=[tesseract]'."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail when params.yaml is not what conf/ composes to.")
    ] = False,
) -> None:
    """Compose conf/ into params.yaml, and check it.

    Everything is checked that needs no data: ids, classes, settings, and names that sections share. `dvc repro` never
    composes, so this is the step between editing conf/ and running it; `dvc exp run -S ...` does the same by itself,
    without the checks and without the overrides given here, which params.yaml notes in its first line.
    """
    import json

    import yaml

    from misread.io import write_text
    from misread.pipeline.configuration_check import check_configuration
    from misread.pipeline.params import PARAMS_FILE, Params
    from misread.study.template import check_version

    check_version(Path())
    chosen = recorded_overrides() if check and not overrides else overrides or []
    composed = compose_text(CONF, chosen)
    check_configuration(Params(yaml.safe_load(composed) or {}, CONF))
    if not check:
        write_text(PARAMS_FILE, f"{RECORD}{json.dumps(chosen, ensure_ascii=False)}\n{composed}" if chosen else composed)
        write_out(f"wrote {PARAMS_FILE}")
        if chosen:
            write_out(f"note: {what_is_dropped(chosen)}")
        _note_other_version()
        return
    require_equal(composed, chosen)
    write_out(f"{PARAMS_FILE} is what {CONF}/ composes to{' with its overrides' if chosen else ''}")
    _note_other_version()


def _note_other_version() -> None:
    from misread.pipeline.paths import TABLES
    from misread.storage.signature_file import describe_other_version

    if version := describe_other_version(TABLES):
        write_out(f"note: {version}; run `dvc repro` to make it again.")


def what_is_dropped(overrides: Sequence[str]) -> str:
    """A sentence that says what `dvc exp run -S` does not know, and how to keep it."""
    options = " ".join(f"-S {shlex.quote(override)}" for override in overrides)
    return (
        f"`dvc exp run -S` composes {CONF}/ again without the overrides {', '.join(overrides)}; give them again "
        f"(dvc exp run {options}), or set them in {CONF}/config.yaml."
    )
