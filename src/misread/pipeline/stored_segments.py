"""Texts stored by the pipeline."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from misread.errors import ConfigurationError, InputFileError, UndefinedResultError, setting
from misread.io.checks.choices import check_choice
from misread.normalize.normalized_texts import NormalizedTexts
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.storage import read_normalized


def read_dataset_texts(
    params: Params, dataset: str, systems: Sequence[str] = (), *, root: Path = Path()
) -> dict[str, NormalizedTexts]:
    """Read the texts of a data set, raw and normalized, by system; without `systems`, of all.

    Systems that cannot read the data set are left out; raises UndefinedResultError if none can, and InputFileError if
    the pipeline has not run.
    """
    check_choice("data set", dataset, params.datasets, where=str(params.path))
    for system in systems:
        check_choice("system", system, params.systems, where=str(params.path))
    texts = {}
    for system in systems or params.systems:
        texts[system] = read_normalized(root / paths.normalized(dataset, system))
    applicable = {system: read for system, read in texts.items() if not read.origin.not_applicable}
    if not applicable:
        reasons = "; ".join(f"{system}: {read.origin.not_applicable}" for system, read in texts.items())
        raise UndefinedResultError(f"there are no texts of data set {dataset!r} ({reasons}).")
    return applicable


def find_segment(params: Params, segment_id: str) -> str:
    """Find the id of the data set that a segment belongs to.

    Raises UnknownNameError or UnknownSegmentError if there is none, ConfigurationError if several have such a segment.
    """
    ids: dict[str, set[str]] = {}
    for name in params.datasets:
        texts = read_dataset_texts(params, name)
        ids[name] = {key for read in texts.values() for key in read.segments.segment_id}
    owners = [name for name, keys in ids.items() if segment_id in keys]
    if not owners:
        raise UnknownSegmentError(segment_id, ids)
    if len(owners) > 1:
        raise ConfigurationError(
            f"{', '.join(owners)} each have a segment {segment_id!r}; choose one ({setting('dataset')})."
        )
    return owners[0]


class UnknownSegmentError(InputFileError, LookupError):
    """A segment id that no data set has; the message gives counts and the nearest ids instead of listing thousands."""

    def __init__(self, segment_id: str, ids: Mapping[str, set[str]]) -> None:
        from difflib import get_close_matches

        near = get_close_matches(segment_id, sorted(set().union(*ids.values())), n=3)
        guess = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
        searched = ", ".join(f"{name} ({len(keys):,} segments)" for name, keys in ids.items())
        super().__init__(f"unknown segment {segment_id!r}.{guess} Searched: {searched}.")
