"""Texts that the pipeline left in its folders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from misread.errors import ConfigurationError, InputFileError, UndefinedResultError, UnknownNameError
from misread.files import read_normalized
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.records import NormalizedTexts


def read_dataset_texts(
    params: Params, dataset: str, systems: Sequence[str] = (), *, root: Path = Path()
) -> dict[str, NormalizedTexts]:
    """Read what systems read in a data set, raw and normalized.

    Parameters
    ----------
    params : Params
        Which data sets and systems there are.
    dataset : str
        Id of the data set.
    systems : sequence of str
        Ids, in the order in which they shall be shown; without any, all.
    root : Path
        Folder of the project.

    Returns
    -------
    dict of system to NormalizedTexts
        Without systems that cannot read the data set.

    Raises
    ------
    UnknownNameError
        If there is no such data set or system; lists those there are.
    InputFileError
        If the pipeline has not run; names the file and the command.
    UndefinedResultError
        If no system can read the data set.
    """
    if dataset not in params.datasets:
        raise UnknownNameError("data set", dataset, params.datasets, where=str(params.path))
    for system in systems:
        if system not in params.systems:
            raise UnknownNameError("system", system, params.systems, where=str(params.path))
    texts = {}
    for system in systems or params.systems:
        texts[system] = read_normalized(root / paths.normalized(dataset, system))
    applicable = {system: of for system, of in texts.items() if not of.origin.not_applicable}
    if not applicable:
        reasons = "; ".join(f"{system}: {of.origin.not_applicable}" for system, of in texts.items())
        raise UndefinedResultError(f"there are no texts of data set {dataset!r} ({reasons}).")
    return applicable


def find_segment(params: Params, segment_id: str, *, dataset: str | None = None, root: Path = Path()) -> str:
    """Find the data set that a segment belongs to.

    Parameters
    ----------
    params : Params
        Which data sets there are.
    segment_id : str
        Id of the segment.
    dataset : str, optional
        Where it must be; else every data set is searched.
    root : Path
        Folder of the project.

    Returns
    -------
    str
        Id of the data set.

    Raises
    ------
    UnknownNameError
        If no data set has the segment; offers the nearest id.
    ConfigurationError
        If several have it.
    InputFileError
        If the pipeline has not run.
    """
    ids: dict[str, set[str]] = {}
    for name in params.datasets if dataset is None else [dataset]:
        texts = read_dataset_texts(params, name, root=root)
        ids[name] = {key for of in texts.values() for key in of.segments.segment_id}
    found = [name for name, keys in ids.items() if segment_id in keys]
    if not found:
        raise UnknownSegmentError(segment_id, ids)
    if len(found) > 1:
        raise ConfigurationError(f"{', '.join(found)} have a segment {segment_id!r} each; choose one with --dataset.")
    return found[0]


class UnknownSegmentError(InputFileError, LookupError):
    """A segment that no data set has; the message counts instead of listing thousands, and offers the nearest."""

    def __init__(self, segment_id: str, ids: Mapping[str, set[str]]) -> None:
        from difflib import get_close_matches

        near = get_close_matches(segment_id, sorted(set().union(*ids.values())), n=3)
        guess = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
        there = ", ".join(f"{name} ({len(keys):,} segments)" for name, keys in ids.items())
        super().__init__(f"unknown segment {segment_id!r}.{guess} Searched: {there}.")
