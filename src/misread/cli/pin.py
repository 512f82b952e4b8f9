"""`misread pin`: accept the present content of a data set that lies outside the repository."""

from pathlib import Path
from typing import Annotated

import typer

from misread.errors import ConfigurationError
from misread.io.console import write_out


def pin(dataset: Annotated[str, typer.Argument(help="Id of the data set in params.yaml.")]) -> None:
    """Accept the content of a data set from outside.

    It lists the files with their hashes in data/DATASET/files.sha256. Commit the list: from then on any other content
    of the data set is refused.
    """
    from misread.data import pin as write_list
    from misread.io.file_lists import is_inside
    from misread.pipeline import paths
    from misread.pipeline.params import load_params

    reader, card = load_params().dataset(dataset), paths.card(dataset)
    watched_folder = load_params().watched(dataset)
    if is_inside(Path(reader.root), watched_folder):
        # A list among the files that it lists would change their hash.
        raise ConfigurationError(
            f"data set {dataset!r} lies in {watched_folder}, where Git keeps it: there is nothing to pin."
        )
    write_out(f"wrote {write_list(reader, card)}; commit it")
