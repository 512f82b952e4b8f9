"""Scores and texts of a revision, as they were stored."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from misread.errors import InputFileError, MissingResultsError, RevisionError
from misread.normalize.normalized_texts import NormalizedTexts
from misread.pipeline import paths
from misread.pipeline.params import Params
from misread.revisions.store import Revision
from misread.storage import CommittedCounts, parse_counts, read_normalized, read_scores
from misread.storage.counts import are_of_one_run, pseudonymise, read_key
from misread.tally.scores import Scores

Made = TypeVar("Made")


@dataclass(frozen=True)
class StoredResults:
    """Results as the pipeline left them: counts from Git, and from DVC's cache or remote what Git does not have."""

    revision: Revision
    _committed: dict[tuple[str, str], CommittedCounts | None] = field(default_factory=dict, init=False, repr=False)
    _other_runs: dict[tuple[str, str], Scores | None] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def params(self) -> Params:
        """Its configuration."""
        return self.revision.params()

    def scores(self, dataset: str, system: str) -> Scores:
        """Counts per segment, or sums over clusters."""
        path = paths.scores(dataset, system)
        counts = self.committed(dataset, system)
        if counts is None:
            return read_stored(self.revision, path, read_scores)
        if (other_run := self._other_run(dataset, system)) is not None:
            return other_run
        if counts.scores.sizes is not None and not counts.scores.pseudonyms:
            try:
                rows = read_stored(self.revision, path, read_scores, asks_remote=False)
            except RevisionError:
                return counts.scores
            return rows if are_of_one_run(counts, rows, None) else counts.scores
        return counts.scores

    def committed(self, dataset: str, system: str) -> CommittedCounts | None:
        """Counts in Git, or in the working tree; None if the revision has none.

        Raises RevisionError if the file cannot be read.
        """
        if (dataset, system) not in self._committed:
            path = paths.counts(dataset, system)
            try:
                text = self.revision.read(path)
                name = f"{path} of {self.revision.label}"
                counts = None if text is None else parse_counts(text, name, (dataset, system))
            except InputFileError as error:
                raise RevisionError(str(error)) from None
            self._committed[dataset, system] = counts
        return self._committed[dataset, system]

    def disagreement(self, dataset: str, system: str) -> str:
        """A sentence if scores in build/ are of another run than the counts for Git, else empty."""
        if self.committed(dataset, system) is None or self._other_run(dataset, system) is None:
            return ""
        counts, built = paths.counts(dataset, system), paths.scores(dataset, system)
        return (
            f"{built} and {counts} are of different runs, and the former was compared; run `dvc repro`, or `dvc "
            "checkout`."
        )

    def _other_run(self, dataset: str, system: str) -> Scores | None:
        """Scores in build/ of the working tree, if the report was not made of them."""
        if self.revision.commit is not None:
            return None
        if (dataset, system) not in self._other_runs:
            self._other_runs[dataset, system] = self._find_other_run(dataset, system)
        return self._other_runs[dataset, system]

    def _find_other_run(self, dataset: str, system: str) -> Scores | None:
        counts, path = self.committed(dataset, system), paths.scores(dataset, system)
        if counts is None or not (self.revision.root / path).is_file():
            return None
        built = read_stored(self.revision, path, read_scores)
        key = read_key(self.revision.root / paths.PSEUDONYM_KEY)
        if are_of_one_run(counts, built, key):
            return None
        return pseudonymise(built, key) if counts.scores.pseudonyms and key else built

    def texts(self, dataset: str, system: str) -> NormalizedTexts:
        """Texts that were scored."""
        counts = self.committed(dataset, system)
        if counts is not None and counts.scores.pseudonyms:
            raise find_no_texts(dataset)
        return read_stored(self.revision, paths.normalized(dataset, system), read_normalized)

    def metric_ids(self) -> list[str]:
        """Ids of metrics that have counts."""
        return list(self.params.content.get("metrics", ()))


def find_no_texts(dataset: str) -> MissingResultsError:
    """Say why there are no texts of segments with pseudonyms."""
    return MissingResultsError(
        f"{paths.COUNTS} has pseudonyms for the segments of {dataset}, so that their texts cannot be found."
    )


def read_stored(revision: Revision, path: Path, read: Callable[[Path], Made], *, asks_remote: bool = True) -> Made:
    """Read a file of a revision; the error names the revision and what to do."""
    copy = revision.fetch(path, asks_remote=asks_remote)
    try:
        return read(copy)
    except InputFileError as error:
        raise RevisionError(revision.explain(error)) from None
