"""Paths of the files of each stage, relative to the project's root, and removal of those that nothing names now.

dvc.yaml names the same places.
"""

import os
import shutil
from collections.abc import Collection
from importlib.resources import files
from pathlib import Path
from typing import Final

BUILD = Path("build")
REPORTS = Path("reports")
COUNTS = REPORTS / "counts"
TABLES = REPORTS / "tables"
PSEUDONYM_KEY = Path(".misread/pseudonyms.key")
DATA = Path("data")
CHECK = BUILD / "check.txt"
PRICES = BUILD / "prices.json"
PIPELINE = Path("dvc.yaml")
PIPELINES = (PIPELINE, Path("stages/captures/dvc.yaml"))


def segments(dataset: str) -> Path:
    """Segments of a data set: references, clusters, groups, media, recorded outputs."""
    return BUILD / "segments" / f"{dataset}.parquet"


def captures(dataset: str) -> Path:
    """Folder of the captures of a data set."""
    return BUILD / "captures" / dataset


def capture(dataset: str, system: str) -> Path:
    """Texts as the system gave them."""
    return captures(dataset) / f"{system}.parquet"


def timings(dataset: str, system: str) -> Path:
    """Time and memory of the readings."""
    return BUILD / "timings" / dataset / f"{system}.parquet"


def journal(dataset: str, system: str) -> Path:
    """Readings kept as they come, so that a killed or repeated capture starts where it stopped."""
    return BUILD / "journal" / dataset / f"{system}.jsonl"


def pinned_record(dataset: str) -> Path:
    """Sizes and times of the files of a data set from outside, as of this machine."""
    return BUILD / "pins" / f"{dataset}.json"


def normalized(dataset: str, system: str) -> Path:
    """Texts after the normalizer."""
    return BUILD / "normalized" / dataset / f"{system}.parquet"


def step_changes(dataset: str, system: str) -> Path:
    """Changes by each step of the normalizer."""
    return BUILD / "normalized" / dataset / f"{system}.json"


def scores(dataset: str, system: str) -> Path:
    """Counts per segment."""
    return BUILD / "scores" / dataset / system / "counts.parquet"


def ablation(dataset: str, system: str) -> Path:
    """Rates under every normalizer."""
    return BUILD / "ablations" / dataset / f"{system}.json"


def regimes(dataset: str) -> Path:
    """Rates, ranks and verdicts under every regime."""
    return BUILD / "regimes" / f"{dataset}.json"


def alignments(dataset: str, system: str) -> Path:
    """Letters of the operations of each segment."""
    return BUILD / "scores" / dataset / system / "alignments.parquet"


def confusions(dataset: str, system: str) -> Path:
    """Confusions with their counts."""
    return BUILD / "scores" / dataset / system / "confusions.parquet"


def comparison(dataset: str) -> Path:
    """Rates, intervals and tests of all systems on one data set."""
    return BUILD / "comparisons" / f"{dataset}.json"


def counts(dataset: str, system: str) -> Path:
    """Counts per segment, or their sums, that Git has."""
    return COUNTS / dataset / f"{system}.csv"


def card(dataset: str) -> Path:
    """The folder of a data set in the repository: its files, or its card and the list of its files elsewhere."""
    return DATA / dataset


def folder_in_project(root: str) -> Path | None:
    """Folder of a data set, as conf/ names it, if it is one below the project's; None for any other place."""
    folder = Path(os.path.normpath(root))
    elsewhere = "{data_root}" in root or "://" in root or folder.is_absolute() or folder.parts[:1] in ((), ("..",))
    return None if elsewhere else folder


_WRITTEN_BY_STAGES = {".parquet", ".json", ".csv"}


def remove_leftovers(folder: Path, ids: Collection[str]) -> None:
    """Remove files and folders of other ids from a folder that a stage depends on.

    DVC hashes all that lies in it: files of a removed system would make the hash depend on earlier runs.
    DVC's cache keeps them, and puts them back when the system returns.
    """
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.stem in ids:
            continue
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.is_symlink() or path.suffix in _WRITTEN_BY_STAGES:
            path.unlink()


SHIPPED_CONF: Final = Path(str(files("misread.conf")))
"""Folder of the groups: in the installed package, or in the checkout."""
