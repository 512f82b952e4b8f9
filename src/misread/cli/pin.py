"""`misread pin`: accept the present content of a data set that lies outside the repository."""

from __future__ import annotations

from typing import Annotated

import typer


def pin(dataset: Annotated[str, typer.Argument(help="Id of the data set in params.yaml.")]) -> None:
    """Accept the content of a data set from outside.

    Its files are listed with their hashes in data/DATASET/files.sha256. The list is committed: from then on a
    capture refuses any other content of the data set.
    """
    from misread import paths
    from misread.datasets import pin as write_list
    from misread.params import load_params

    path = write_list(load_params().dataset(dataset), paths.card(dataset))
    typer.echo(f"wrote {path}; commit it")
