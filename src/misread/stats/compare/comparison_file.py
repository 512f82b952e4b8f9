"""Reader of the JSON file of the compare stage."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import NotRequired, cast, get_origin, get_type_hints

from misread.errors import InputFileError
from misread.files import read_json
from misread.stats.compare.schema import DatasetResult, MetricResult, PairResult


def read_comparison(path: str | os.PathLike[str]) -> DatasetResult:
    """Read a file of the compare stage.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    DatasetResult

    Raises
    ------
    InputFileError
        If it is missing, is not valid JSON, or was written by an older version of misread; names the missing keys.
    """
    path = Path(path)
    content = read_json(path)
    _require(content, _required_keys(DatasetResult), path)
    for metrics in content["systems"].values():
        for result in metrics.values():
            _require(result, _required_keys(MetricResult), path)
    for pair in content["comparisons"]:
        _require(pair, _required_keys(PairResult), path)
    return cast("DatasetResult", content)


@cache
def _required_keys(kind: type) -> frozenset[str]:
    # Annotations are strings here, in which TypedDict itself does not see a NotRequired.
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(name for name, hint in hints.items() if get_origin(hint) is not NotRequired)


def _require(content: object, keys: frozenset[str], path: Path) -> None:
    lacking = sorted(keys - content.keys()) if isinstance(content, dict) else sorted(keys)
    if lacking:
        raise InputFileError(
            f"{path} lacks {', '.join(lacking)}: another version of misread wrote it; "
            "run `dvc repro` to write it again."
        )
