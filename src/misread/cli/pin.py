"""`misread pin`: accept the present content of a data set that lies outside the repository."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from misread.errors import ConfigurationError
from misread.io.console import write_out


def pin(dataset: Annotated[str, typer.Argument(help="Id of the data set in params.yaml.")]) -> None:
    """Accept the content of a data set from outside.

    Its files are listed with their hashes in data/DATASET/files.sha256. The list is committed: from then on a
    capture refuses any other content of the data set. In a DVC repository data/DATASET.dvc is written as well, by which
    `dvc status` notices a change of the data.
    """
    from misread.data import pin as write_list
    from misread.io.file_lists import is_inside
    from misread.pipeline import paths
    from misread.pipeline.params import load_params
    from misread.storage.remote import is_remote

    reader, card = load_params().dataset(dataset, fetch=True), paths.card(dataset)
    if is_inside(Path(reader.root), card):
        # A list among the files that it lists would change the content that it stands for.
        raise ConfigurationError(f"data set {dataset!r} lies in {card}, where Git keeps it: there is nothing to pin.")
    path, watched = write_list(reader, card), paths.watch(dataset)
    remote = is_remote(load_params().dataset(dataset).root)
    both = not remote and _watch(Path(reader.root), watched)
    write_out(f"wrote {path} and {watched}; commit both" if both else f"wrote {path}; commit it")


def _watch(root: Path, path: Path) -> bool:
    """Write a file that makes a folder outside a dependency of nothing; returns whether this is a DVC repository.

    DVC compares sizes and times before it reads a file again.
    """
    import os

    import yaml

    from misread.io import write_text

    try:
        from dvc.exceptions import NotDvcRepoError
        from dvc.repo import Repo
    except ImportError:
        return False
    folder = str(root) if root.is_absolute() else os.path.relpath(root, path.parent)
    try:
        with Repo() as repo:
            write_text(path, yaml.safe_dump({"deps": [{"path": Path(folder).as_posix(), "hash": "md5"}]}))
            repo.commit(str(path), force=True)
    except NotDvcRepoError:
        return False
    return True
