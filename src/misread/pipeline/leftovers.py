"""Files of systems and data sets that the configuration no longer names."""

import shutil
from collections.abc import Collection
from pathlib import Path

_WRITTEN_BY_STAGES = {".parquet", ".json", ".sha256"}


def remove_leftovers(folder: Path, ids: Collection[str]) -> None:
    """Remove files and folders of other ids from a folder that a stage depends on.

    DVC hashes all that lies in it: what is left of a removed system would make the hash depend on what was run before.
    DVC's cache keeps them, and puts them back when the system returns.
    """
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.stem in ids:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.is_symlink() or path.suffix in _WRITTEN_BY_STAGES:
            path.unlink()
